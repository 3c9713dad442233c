// families - the networks that the papers study, built from their numbers.
//
// Every function returns a graph with its canonical spelling, with translations if the family is Cayley, and
// with the formulas that are known for its distances. Sizes must be legal; topology.cpp checks what users
// type.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// n >= 1 nodes in a row. A row of one node has no ports: a neutral factor.
Graph linear_array(NodeId n);
/// n >= 2. Port 0 leads clockwise. Two nodes have one edge between them, not two (thesis 2.1.1).
Graph ring(NodeId n);
/// Nodes 0 ... n-1, v adjacent to v + s and v - s modulo n for each offset s, 1 <= s <= n/2, in ascending
/// order. Ports: +s_0, -s_0, +s_1, -s_1, ...; an offset of n/2 has one port.
Graph circulant(NodeId n, const std::vector<NodeId>& offsets);
/// Thesis 2.3: the circulant with offsets 1 ... rho, 1 <= rho <= n/2.
Graph extended_ring(NodeId n, NodeId rho);
/// The extended ring with rho = floor(n/2): every node adjacent to every other.
Graph complete_graph(NodeId n);
/// 2^d nodes, one bit of the address per dimension; dimension 0 is the highest bit.
Graph hypercube(std::uint32_t d);
/// The hypercube with one more port, the last, that leads to the complement of the address.
Graph folded_cube(std::uint32_t d);
/// A hypercube, d >= 3, with a ring of d nodes in place of every corner. Node (w, i) is number w d + i;
/// ports: (w, i + 1), (w, i - 1), (w with bit i changed, i).
Graph cube_connected_cycles(std::uint32_t d);
/// The butterfly, d >= 3, with its first and last column made one. Node (w, i) is number w d + i; ports:
/// (w, i + 1), (w with bit i changed, i + 1), (w, i - 1), (w with bit i - 1 changed, i - 1).
Graph wrapped_butterfly(std::uint32_t d);
/// The n! permutations of n symbols; port p swaps the first symbol with symbol p + 1. Numbered in
/// lexicographic order.
Graph star_graph(std::uint32_t n);
/// A root with `arity` children, and so on for `height` levels below it; numbered level by level. Ports to
/// the children come first.
Graph complete_tree(std::uint32_t arity, std::uint32_t height);

/// Generalized Petersen graph, n >= 3, 1 <= k < n/2: an outer ring 0 ... n-1, spokes v to n + v, and inner
/// nodes joined to those k places away. GP(5, 2) is the Petersen graph. Ports of outer nodes: clockwise,
/// back, spoke; of inner nodes: +k, -k, spoke.
Graph generalized_petersen(NodeId n, NodeId k);
/// A connected graph without parallel edges: a random spanning tree and random further edges. The same seed
/// gives the same graph everywhere. n - 1 <= edges <= n (n - 1) / 2.
Graph random_graph(NodeId n, std::uint64_t edges, std::uint64_t seed);
/// A full-duplex edge per pair, in the order given; each takes the next free port of its two nodes. Throws
/// std::invalid_argument if the graph is not connected or a node is joined to itself.
Graph graph_of_edges(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& edges);
/// A one-way link per pair, from its first to its second node, in the order given; each takes the next free
/// output and input port. Throws std::invalid_argument if some node cannot be reached from another or a node
/// is joined to itself.
Graph graph_of_links(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& links);
/// Kautz digraph K(d, n), 2 <= d <= 51, n >= 1: words of n of the d + 1 letters a, b, ..., neighbours in a
/// word different; a link drops the first letter of a word and appends another. (d + 1) d^(n-1) nodes in the
/// order of their words, which are their names; output ports in the order of the letters appended. Diameter
/// n.
Graph kautz_digraph(std::uint32_t d, std::uint32_t n);
/// De Bruijn digraph B(d, n), 2 <= d <= 52, n >= 1: all words of n of d letters, otherwise the same, without
/// the links from a node to itself. d^n nodes. Diameter n.
Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n);
/// NVIDIA's DGX-1: eight processors with six edges each, some of them double, as in dgx1.topology.json.
Graph dgx1();

/// The hypercube with two parallel edges for each of its edges, wired as a torus of rings of two nodes: ports
/// 2 i and 2 i + 1 both change coordinate i.
Graph doubled_cube(std::uint32_t d);

}  // namespace safnet
