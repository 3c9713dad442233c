// gossip - packets that every node must get, on a network given by its links alone: the common form of a
// broadcast and a multinode broadcast of any number of messages.
//
// Links are one-way; an edge is two of them. A link need not have an opposite, and links may be parallel.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/bound/demand.hpp"

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

  std::uint32_t packets() const { return static_cast<std::uint32_t>(origin.size()); }
};

/// A packet crosses a link in a step, counted from 1, and may be sent on in the next step.
struct GossipSend {
  std::uint32_t step = 0, link = 0, packet = 0;
  friend auto operator<=>(const GossipSend&, const GossipSend&) = default;
};

/// The links of a gossip as arrays, and the limits of its ports.
Wiring wiring_of(const Gossip& gossip);
inline PacketsAtOnce at_once(const Gossip& gossip) { return {gossip.sends_one, gossip.receives_one}; }

/// Hops from every node to every node, [from][to]; kUnreachable where no way leads.
std::vector<std::vector<std::uint32_t>> hops_between(const Gossip& gossip);

/// Every link the other way round: gossip backwards in time, with sending and receiving exchanged.
Gossip transposed(Gossip gossip);

}  // namespace safnet
