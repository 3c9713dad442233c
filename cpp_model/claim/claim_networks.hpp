// claim_networks - the networks and sources that several claims are run on.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/claim/claim.hpp"
#include "cpp_model/graph/graph.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {

/// One or more networks per family, 2 to 48 nodes; `full`: also larger ones, to 256 nodes.
std::vector<std::string> claim_networks(bool full);
/// The Cayley graphs among claim_networks() and further ones, not too large for total exchange.
std::vector<std::string> cayley_networks(bool full);
/// A few sources per network: the first node, one in the middle, the last.
std::vector<NodeId> claim_sources(const Graph& graph);

/// A case for every network, source and spanning tree (a word of make_tree()).
std::vector<ClaimCase> over_trees(
    bool full,
    const std::function<ClaimCase(const Graph& graph, NodeId root, const std::string& tree)>& make_case);
/// An extended ring of n nodes and rho links each way, with the numbers of thesis 3.1 that the weight rule
/// works with.
struct ExtendedRingSize {
  std::uint64_t n, rho;
  std::string word() const { return fmt::format("extended-ring:{},{}", n, rho); }
  std::uint64_t degree() const { return 2 * rho == n ? 2 * rho - 1 : 2 * rho; }
  std::uint64_t d() const { return divide_up(n / 2, rho); }  ///< the diameter
  std::uint64_t w() const { return (n - 1) / rho - d(); }
  std::uint64_t k() const { return n - (w() + d()) * rho - 1; }
  /// Nodes on each of the paths that leave the root.
  std::vector<std::uint64_t> path_lengths() const;
};
/// All extended rings of 2 to `most` nodes whose degree is within the 8 ports of a node.
std::vector<ExtendedRingSize> extended_rings(std::uint64_t most);

/// One of each isomorphism class of connected graphs of 2 to `most` nodes, as "edges:..."; most <= 6.
std::vector<std::string> small_connected_graphs(NodeId most);

/// An automorphism: by node its image. automorphisms(): all that map nodes 0, 1, ... to `first`.
using Automorphism = std::vector<NodeId>;
std::vector<Automorphism> automorphisms(const Graph& graph, const Automorphism& first = {});

/// Sum of the distances from node v, and over all nodes, by breadth-first search alone, without any formula.
std::uint64_t searched_status(const Graph& graph, NodeId v);
std::uint64_t searched_total_status(const Graph& graph);

/// Nodes of the root's largest subtree.
std::uint64_t largest_part(const SpanningTree& tree, const Graph& graph);

}  // namespace safnet
