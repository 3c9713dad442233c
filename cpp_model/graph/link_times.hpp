// link_times - how long packets take over the links of a network whose links are not all alike.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// By link, in cycles, for packets of one length. A packet that begins to leave in cycle c keeps its link
/// busy up to cycle c + busy - 1, and has arrived at the end of cycle c + crossing - 1.
struct LinkTimes {
  /// `flits`: of every packet. `link_latency`: what each link takes beside its own latency.
  explicit LinkTimes(const Graph& graph, std::uint32_t flits = 1, std::uint32_t link_latency = 0);

  std::vector<std::uint32_t> busy, crossing;
  std::uint32_t latency(LinkId link) const { return crossing[link] - busy[link]; }
};

inline constexpr std::uint64_t kNoWay = std::numeric_limits<std::uint64_t>::max();

/// Cycles of the quickest way from a node to every other or, `backwards`, from every other to it, if nothing
/// else is on the way; by node.
std::vector<std::uint64_t> times_from(const Graph& graph, const LinkTimes& times, NodeId node,
                                      bool backwards = false);

}  // namespace safnet
