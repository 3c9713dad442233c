// reverse - a schedule backwards in time and direction: a scatter becomes a gather, a broadcast a reduction.
#pragma once

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Every send goes the other way over the same edge, and what was last comes first (thesis, chapter 3): a
/// send in cycles a to b of T now takes cycles T+1-b to T+1-a. The number of steps and the load of links and
/// ports stay the same. One-way links are turned round: the network is then Graph::transposed().
///
/// - A packet with one destination becomes one from there to its origin.
/// - A packet with several, and any packet of a broadcast, becomes a reduction: its origin and destinations
///   contribute a packet each; nodes where it branched and contributors that it passed combine, other nodes
///   that it passed relay, and its origin gets the result.
/// - A reduction, combined packets that end in one result for one node, becomes a packet of that node for all
///   that contributed.
///
/// Sends that brought a packet to no destination are left out. Scatter and gather, broadcast and reduction,
/// multinode broadcast and accumulation, partial exchange and partial gather turn into each other; a total
/// exchange stays one; a concurrent broadcast becomes reductions without a name of a collective; the root of
/// a multipath transfer is then its destination. Slots stay, unless packets of different lengths would start
/// within slots: then a slot of the result is a cycle. One-port stays one-port.
///
/// Tags: of the packets from o to d, number k (k = 0, 1, ...) gets the tag o + k * nodes. A reduction's
/// contributions and a broadcast's packets get the number of their result as tag (in an accumulation d + m *
/// nodes; a broadcast's packets are counted by node), and combined packets this number plus the number of
/// results. If there are packets of both kinds, the packets of every node are counted from 0.
///
/// Throws std::invalid_argument for a schedule that is not valid, is one-port-send (the result would receive
/// one and send many at once), uses a combined packet or part of one for anything but one result, leads two
/// packets of one reduction over a node that does not combine them, or copies a packet at a node that only
/// routes: backwards it would have to combine.
Schedule reverse(const Schedule& schedule);

}  // namespace safnet
