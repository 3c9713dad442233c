// routed_bound - lower bounds on networks some of whose nodes only route.
//
// All are of one kind: packets that come from `a` hops away or more, and have `b` hops or more to go, are
// where they are counted from step a + 1 to step T - b; if there are p of them, r per step, T is
// a + ceil(p / r) + b or more. Counted are those that cross a branch of a tree, all-port (thesis (6.4)), and
// those that a node sends or receives one by one (thesis 6.2). On networks that are no trees: what a
// processor sends and gets.
#pragma once

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// The largest of what is known, in steps. Fat trees, one message:
/// - one-port-send broadcast: what node after node takes to send its copies, (6.1), exact: sum of k_i + h
/// - 1.
/// - scatter, gather: n, or n + 1 where k_1 = 2 (Theorem 6.2), if a leaf has one link.
/// - multinode broadcast, all-port: the same (Theorem 6.9); one-port-send: Theorem 6.3 for arities k_i,
///   max(n k_i + i + sum over j < i of k_j for i < h, n (k_h - 1) + h + sum over j < h of k_j).
/// - total exchange, one-port-send: max(N_i (2 n - N_(i-1) - N_i) + 2 i - 1 for i < h,
///   n (n - N_(h-1)) + 2 h - 1): what the routers send; Theorem 6.6 counts less at the root. All-port: (6.4)
///   for every level, with the capacity that the links below can fill.
/// - what is combined, by processors alone: see routed_reduction.hpp.
LowerBound routed_bound(const Problem& problem);

}  // namespace safnet
