// timed_gossip - packets for all other nodes, over links that are not all alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/unequal/port_calendar.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// When a link carries something to a node that a slower or busier way could bring it as well.
struct GossipRule {
  std::uint64_t seed = 1;  ///< decides between equals
  /// A link leaves a packet to a quicker way from a node that has it, if that is quicker by more cycles than
  /// these, whether or not it is busy.
  std::uint32_t patience = 0;
};

/// Packet p is to get from node origins[p] to all other nodes: sends in order of time, each packet to each
/// node once. Packets of one flit; starts are cycles, from 1. As soon as a link, and under one-port what it
/// leaves and leads to, is free, it takes of the packets that its target lacks the one that fewest nodes
/// have; of these the one that has the furthest to go from there. Among links that share a port, those that
/// lead nearer to nodes that are far from all that have the packet come first.
std::vector<Send> timed_gossip(const Graph& graph, const LinkTimes& times, PortModel ports,
                               std::span<const NodeId> origins, const GossipRule& rule);

/// The cycle at whose end the last send has arrived; 0 if there are none.
std::uint32_t last_arrival(const LinkTimes& times, std::span<const Send> sends);

}  // namespace safnet
