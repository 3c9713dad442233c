// All bounds are of one kind: a packet that comes from `a` hops away or more, and has `b` hops or more to go,
// crosses the place where it is counted in one of steps a + 1 ... T - b; if there are p of them, r per step,
// T is a + ceil(p / r) + b or more. Counted are packets that cross a branch of a tree, all-port (thesis
// (6.4)), and packets that a node sends or receives one by one (thesis 6.2). On networks that are no trees:
// what a processor sends and receives.
#pragma once

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// The largest of the bounds known, in steps. On fat trees, with one message, these are:
/// - one-port-send broadcast: node after node sends its copies, (6.1): sum of k_i + h - 1, which is exact.
/// - scatter, gather: n, or n + 1 where k_1 = 2 (Theorem 6.2), if a leaf has one link.
/// - multinode broadcast, all-port: the same (Theorem 6.9); one-port-send (Theorem 6.3 for arities k_i):
///   max(n k_i + i + sum over j < i of k_j for i < h, n (k_h - 1) + h + sum over j < h of k_j).
/// - total exchange, one-port-send, by what routers send: max(N_i (2 n - N_(i-1) - N_i) + 2 i - 1 for i < h,
///   n (n - N_(h-1)) + 2 h - 1); Theorem 6.6 counts less at the root. All-port: (6.4) for every level, with
///   the capacity that the links below can fill.
/// - collectives whose packets only processors combine: see routed_reduction.hpp.
LowerBound routed_bound(const Problem& problem);

}  // namespace safnet
