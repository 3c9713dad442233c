// timed_bound - lower bounds where links differ in latency and width, in cycles.
//
// Three arguments. All packets together keep links, or nodes with one port, busy for a time. No packet gets
// to its destination sooner than by the quickest way. And of a set of nodes: what has to leave it has to
// cross one of the links out of it. A link that a packet can reach `before` cycles after the start at the
// soonest, from which it has `after` cycles to go at least, carries in T cycles at most (T - before - latency
// - after) / busy packets, rounded down; the bound is the least T in which all of them together carry enough.
// Where nodes have one port, those of one node share its time. The sets are single nodes, all others than
// one, those that are within some time from or to a node, and halves of dimensions; of at most kMostSetNodes
// nodes all sets.
#pragma once

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Up to this many nodes all sets are looked at.
inline constexpr NodeId kMostSetNodes = 10;

/// Cycles that no algorithm can beat, for packets that take `times` over the network's links. 0 steps for
/// collectives that are not planned.
LowerBound timed_bound(const Problem& problem, const LinkTimes& times);

}  // namespace safnet
