// best_cut - where most packets have to cross fewest links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Up to this many nodes all cuts are tried.
inline constexpr NodeId kMaxNodesForAllCuts = 20;

/// The nodes parted in two. `packets` have to go over `links` links from one part to the other, in the
/// direction that has more packets per link.
struct Cut {
  std::vector<std::uint8_t> from;  ///< by node, 1: in the part that the packets leave
  std::uint64_t packets = 0, links = 1;
  std::string where;  ///< "between nodes {0 1} and the other 4", "across dimension 0 after 4 of 8"
};

/// The cut with the most packets per link, in the direction that has more of them per link, that was found:
/// among all cuts of up to kMaxNodesForAllCuts nodes; of larger networks among cuts along the dimensions of a
/// product and between what a breadth-first search has reached and the rest, improved by moving single nodes
/// (Fiduccia and Mattheyses). Deterministic.
Cut best_cut(const Graph& graph, const Demand& demand);

}  // namespace safnet
