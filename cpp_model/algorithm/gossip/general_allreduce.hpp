// general_allreduce - allreduce on any network, any number of messages, any port model.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "reduce-then-broadcast" for allreduce: every message has a root, is reduced there and broadcast from
///   there; roots and steps are shared out.
/// - "direct-exchange" for allreduce where all nodes are neighbours: nodes combine what the others send them.
/// - "combine-everywhere" for allreduce: a multinode broadcast of the contributions, every node combines what
///   it gets. "dimension-by-dimension": the same along one dimension of a product after the other, the result
///   of one is what the next begins with.
/// - "accumulate-everywhere", on the best multinode accumulation there is for the network, in as many steps:
///   every node is the root of a reduction of its own, and the hosts give all of them the same packet. Where
///   links are plenty this takes half as long as a reduction and a broadcast after it: the diameter, as long
///   as (n - 1) / degree is no more.
std::vector<Algorithm> general_allreduce_algorithms();

}  // namespace safnet
