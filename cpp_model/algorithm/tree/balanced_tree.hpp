// balanced_tree - the spanning trees of thesis 3.1, 3.4.1 and 3.4.2, whose branches at the root are equally
// large.
#pragma once

#include <optional>

#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

/// An extended ring: n nodes, each joined to those up to rho places away. Rings and complete graphs are
/// extended rings too.
struct ExtendedRing {
  NodeId n = 0;
  NodeId rho = 0;
  // Thesis 3.1: weights that the root attaches to the broadcast.
  NodeId diameter = 0;  ///< D = ceil(floor(n/2) / rho)
  NodeId w = 0;         ///< floor((n - 1) / rho) - D
  NodeId k = 0;         ///< n - (w + D) rho - 1

  /// Port that leads s places clockwise or counterclockwise, 1 <= s <= rho.
  PortId clockwise(NodeId s) const { return 2 * (s - 1); }
  PortId counterclockwise(NodeId s) const { return 2 * s == n ? clockwise(s) : 2 * (s - 1) + 1; }
  /// Weight with which the root sends to its neighbour s places counterclockwise.
  NodeId counterclockwise_weight(NodeId s) const { return s <= k ? w + 1 : w; }
};

/// Nothing if the graph is no extended ring.
std::optional<ExtendedRing> as_extended_ring(const Graph& graph);

/// Thesis 3.1, with the correction that nothing is sent with weight 0: the root's branches are paths of
/// strides of rho places. Throws std::invalid_argument if the graph is no extended ring.
SpanningTree weight_rule_tree(const Graph& graph, NodeId root);

/// Thesis 3.4.2: the plane around the root divided into four regions. `as_printed` leaves out the correction
/// for n x 4 tori of even n, where the printed division is out of balance. Throws std::invalid_argument if
/// the graph is no two-dimensional torus of at least 3 x 3.
SpanningTree torus_region_tree(const Graph& graph, NodeId root, bool as_printed);
/// Empty, or why torus_region_tree() does not apply.
std::string why_no_torus_regions(const Graph& graph);

}  // namespace safnet
