// gossip - packets that every node must get, on a network given by its links alone: the common form of a
// broadcast and a multinode broadcast of any number of messages.
//
// Links are one-way; an edge is two of them. A link need not have an opposite, and links may be parallel.
// Some nodes may be routers.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

struct DirectedLink {
  NodeId from = 0, to = 0;
  friend auto operator<=>(const DirectedLink&, const DirectedLink&) = default;
};

struct Gossip {
  NodeId nodes = 0;
  std::vector<DirectedLink> links;
  std::vector<NodeId> origin;  ///< by packet: where it is from the start
  bool sends_one = false;      ///< a node sends at most one packet per step, over one link
  bool receives_one = false;   ///< a node receives at most one packet per step
  /// A link carries any number of packets in a step, as those that are parts of one sum.
  bool together = false;
  NodeId routers = 0;  ///< the last of the nodes: they need no packet
  /// What a router has received it may send to several nodes. Otherwise it sends on each copy that it has
  /// received once at most: backwards in time, routers that cannot combine.
  bool routers_copy = true;

  std::uint32_t packets() const { return static_cast<std::uint32_t>(origin.size()); }
  NodeId processors() const { return nodes - routers; }
  /// Does the node send on each copy once at most?
  bool passes_copies_on(NodeId v) const { return !routers_copy && v >= processors(); }
};

/// A packet crosses a link in a step, counted from 1, and may be sent on in the next step.
struct GossipSend {
  std::uint32_t step = 0, link = 0, packet = 0;
  friend auto operator<=>(const GossipSend&, const GossipSend&) = default;
};

/// A gossip without packets: the problem's links, numbered as there, its ports and its routers.
Gossip gossip_network(const Problem& problem);

/// The links of a gossip as arrays, and the limits of its ports.
Wiring wiring_of(const Gossip& gossip);
inline PacketsAtOnce at_once(const Gossip& gossip) { return {gossip.sends_one, gossip.receives_one}; }

/// Hops from every node to every node, [from][to]; kUnreachable where no way leads.
std::vector<std::vector<std::uint32_t>> hops_between(const Gossip& gossip);

/// Every link the other way round: gossip backwards in time, with sending and receiving exchanged.
Gossip transposed(Gossip gossip);

}  // namespace safnet
