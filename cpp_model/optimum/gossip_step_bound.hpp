// gossip_step_bound - steps that no gossip can beat, on any network, one-way and parallel links included.
#pragma once

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/optimum/gossip.hpp"

namespace safnet {

/// Most nodes of a gossip for gossip_step_bound(), and for trying all sets of senders.
inline constexpr NodeId kMaxNodesForGossipBound = 63, kMaxNodesForAllSenders = 16;
/// Most nodes for trying the trees of all sets of senders.
inline constexpr NodeId kMaxNodesForAllTrees = 13;

/// The largest of
/// - the hops that a packet has to its furthest node;
/// - what one node must get: the packets of all others flow to it through the network unrolled in time, each
///   over a way of its own, as links and ports allow. By maximum flow; contains every cut of links and of
///   single nodes, each with the steps in which its links can carry anything that is still of use;
/// - where nodes send one packet per step, the number of nodes that have anything to send: at most twice as
///   many after a step as before, and none further from the origins than there were steps. Also what a single
///   node must send, as in sender_sets_bound().
///
/// Throws std::invalid_argument if some packet cannot reach some node, or a node does not exist.
LowerBound gossip_step_bound(const Gossip& gossip);

/// Where nodes send one packet per step, for any set of senders:
/// - without the links that leave the senders the network falls into parts; a part that no other part leads
///   to gets every packet from outside by a send of a sender. No such send comes before the packet can have
///   reached the sender, and after it the packet has still to reach the whole part;
/// - every packet goes over some tree from its origin, in which the senders send at least as often as in the
///   tree in which they send least (Chu and Liu). After a node's last send its receiver still needs the steps
///   to inform the nodes that the packet reaches only through it.
///
/// The first bound above `known` that is not below `enough`, or the largest; 0 steps if there is none above
/// `known` or the network is too large. Links and packets must be as for gossip_step_bound().
LowerBound sender_sets_bound(const Gossip& gossip, std::uint64_t known, std::uint64_t enough);

}  // namespace safnet
