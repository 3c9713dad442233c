// general_collectives - MPI's collectives of copied and combined packets on any network, any number of
// messages, any port model.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "rarest-first" for broadcast, multinode broadcast, reduction, multinode accumulation: rarest_first.hpp,
/// the
///   last two backwards.
/// - "disjoint-trees" for broadcast and reduction, all-port: disjoint_trees.hpp.
/// - "hamiltonian-cycle" for the same with one-port nodes, where a cycle through all nodes is found:
/// everything
///   goes round it, M (n - 1) steps, the optimum.
/// - "furthest-first-tree" for scatter and gather of one-port nodes: over a tree of shortest paths, one
/// packet
///   after the other, M (n - 1) steps, the optimum (thesis 3.3).
/// - "reduce-then-broadcast" for allreduce: every message has a root, is reduced there and broadcast from
///   there; roots and steps are shared out.
/// - "direct-exchange" for allreduce where all nodes are neighbours: nodes combine what the others send them.
/// - "combine-everywhere" for allreduce: a multinode broadcast of the contributions, every node combines what
///   it gets. "dimension-by-dimension": the same along one dimension of a product after the other, the result
///   of one is what the next begins with. They take fewer steps for few messages, but nodes send on what they
///   combine, which a tdm_node cannot do with a packet that it has not made: by name only.
std::vector<Algorithm> general_collective_algorithms();

}  // namespace safnet
