// gossip_step_bound - steps that no gossip can beat, on any network, one-way and parallel links included.
#pragma once

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// Largest gossip that has a bound, and the largest of which all sets of senders are tried.
inline constexpr NodeId kMaxNodesForGossipBound = 63, kMaxNodesForAllSenders = 16;
/// The same for trees with as few sends of a set as can be.
inline constexpr NodeId kMaxNodesForAllTrees = 13;

/// The largest of
/// - the hops that a packet has to its furthest node;
/// - what one node must get: the packets of all others flow to it through the network unrolled in time, each
///   over a way of its own, as links and ports allow. By maximum flow; contains every cut of links and of
///   single nodes, each with the steps in which its links can carry anything that is still of use;
/// - sender_sets_bound() of single nodes;
/// - where nodes send one packet per step, the nodes that have anything to send: at most twice as many after
///   a step as before, and none further from the origins than there were steps.
/// Throws std::invalid_argument if some packet cannot reach some node, or a node does not exist.
LowerBound gossip_step_bound(const Gossip& gossip);

/// Where nodes send one packet per step, and any set of nodes:
/// - without the links that leave them the network falls into parts; each part that no other leads to needs
///   every packet from outside by a send of theirs. None before the packet can be there, and after it the
///   part still has all its nodes to reach;
/// - every packet goes over some tree; in any tree from its origin they have as many sends as in that with
///   the fewest of them (Chu and Liu). A node's last send must leave the steps that its receiver needs for
///   those who hear of it through that node alone.
/// The first bound above `known` that is not below `enough`, or the largest; 0 steps if there is none above
/// `known` or the network is too large. Its links and packets must be as for gossip_step_bound().
LowerBound sender_sets_bound(const Gossip& gossip, std::uint64_t known, std::uint64_t enough);

}  // namespace safnet
