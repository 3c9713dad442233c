// shortest_ways - shortest ways between processors of any network, which share out packets among the links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/packet_ways.hpp"

namespace safnet {

/// Largest network: distances are kept for every node that packets come from.
inline constexpr NodeId kMostShortestWayNodes = 4096;

/// Ways with as few links as there can be to each destination; where several would do, along the links that
/// had the fewest packets so far. Packets pass through processors as through routers. Holds the graph.
class ShortestWays : public PacketWays {
 public:
  explicit ShortestWays(const Graph& graph);

  std::vector<LinkId> path(NodeId from, NodeId to) override;
  void add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                 std::span<const NodeId> destinations) override;
  void add_multicast(Hops& hops, PacketIndex packet, NodeId origin) override;

  /// Hops from a node to another.
  std::uint32_t distance(NodeId from, NodeId to) { return distances_from(from)[to]; }

 private:
  // Of the best way to a node.
  struct WayLoad {
    std::uint32_t busiest = 0;
    std::uint64_t sum = 0;
    LinkId last = 0;
  };

  const std::vector<std::uint16_t>& distances_from(NodeId node);
  /// The last link of a shortest way from `origin` to `to`. If `reached` is given, one from a node that was
  /// reached comes before all others.
  LinkId last_link(NodeId origin, NodeId to, const std::vector<HopIndex>* reached);

  const Graph& graph_;
  std::vector<std::vector<std::uint16_t>> distances_;  // by origin; empty: not looked for yet
  std::vector<std::uint32_t> packets_;                 // by link
  std::vector<HopIndex> reached_by_;                   // by node, of the packet at hand
  std::vector<bool> is_between_;                       // by node, of the way at hand
  std::vector<WayLoad> least_;
  std::uint64_t visits_left_ =
      200'000'000;  // of links, in comparing all ways; then links are taken one by one
};

}  // namespace safnet
