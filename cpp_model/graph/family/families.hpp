// families - the networks that the papers study, built from their numbers: every family there is.
//
// Every function returns a graph with its canonical spelling, with translations if the family is Cayley, and
// with the formulas that are known for its distances. Sizes must be legal; a family's descriptor checks what
// users type.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/family.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// n >= 1 nodes in a row. A row of one node has no ports: a neutral factor.
Graph linear_array(NodeId n);
/// n >= 2. Port 0 leads clockwise. Two nodes have one edge between them, not two (thesis 2.1.1).
Graph ring(NodeId n);
/// Thesis 2.3: nodes 0 ... n-1, v adjacent to v + s and v - s modulo n for s = 1 ... rho, 1 <= rho <= n/2.
/// Ports: +1, -1, +2, -2, ...; an offset of n/2 has one port.
Graph extended_ring(NodeId n, NodeId rho);
/// d >= 2. The hypercube with one more port, the last, that leads to the complement of the address.
Graph folded_cube(std::uint32_t d);
/// Generalized Petersen graph, n >= 3, 1 <= k < n/2: an outer ring 0 ... n-1, spokes v to n + v, and inner
/// nodes joined to those k places away. GP(5, 2) is the Petersen graph. Ports of outer nodes: clockwise,
/// back, spoke; of inner nodes: +k, -k, spoke.
Graph generalized_petersen(NodeId n, NodeId k);
/// Kautz digraph K(d, n), 2 <= d <= 51, n >= 1: words of length n over the d + 1 letters a, b, ..., in which
/// neighbouring letters differ; a link drops the first letter of a word and appends another. (d + 1) d^(n-1)
/// nodes in the order of their words, which are their names; output ports in the order of the letters
/// appended. Diameter n.
Graph kautz_digraph(std::uint32_t d, std::uint32_t n);
/// De Bruijn digraph B(d, n), 2 <= d <= 52, n >= 1: all words of length n over d letters, otherwise as
/// kautz_digraph(), without the links from a node to itself. d^n nodes. Diameter n.
Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n);
/// A one-way link per pair, from its first to its second node, in the order given; each takes the next free
/// output and input port. Throws std::invalid_argument if some node cannot be reached from another or a node
/// is joined to itself.
Graph graph_of_links(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& links);

// The descriptors, a list from every file here; fat_tree_families() stands beside FatTree.
std::vector<TopologyFamily> ring_families();
std::vector<TopologyFamily> product_families();
std::vector<TopologyFamily> butterfly_families();
std::vector<TopologyFamily> star_families();
std::vector<TopologyFamily> folded_cube_families();
std::vector<TopologyFamily> tree_families();
std::vector<TopologyFamily> petersen_families();
std::vector<TopologyFamily> word_digraph_families();
std::vector<TopologyFamily> listed_families();
std::vector<TopologyFamily> composed_families();

}  // namespace safnet
