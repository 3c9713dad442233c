// allreduce_optimum - the fewest steps of an allreduce of one message on a small network, with the proof.
#pragma once

#include <memory>
#include <optional>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/optimum/sum_search.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Networks of more nodes are not searched for allreduces.
inline constexpr NodeId kMaxNodesForAllreduce = 32;

struct OptimalAllreduce {
  std::optional<SumSearchResult> found;
  /// What any node needs, whatever it can combine; 0 steps if the search has proved nothing.
  LowerBound bound;
};

/// Is it an allreduce among at most so many nodes, routers included, over links that are all alike? Of
/// several messages the search looks at one.
bool is_searched_allreduce(const Problem& problem);

/// The contributions as a gossip in which all that a node knows crosses a link at once. An allreduce takes as
/// many steps or more, since a sum holds no more than that.
Gossip spreading_of(const Problem& problem);

/// Tries from the lower bound on, on networks with routers from what a reduction needs: whether nodes could
/// know of all contributions in so many steps if a link carried any number of packets (spreading_of()), and
/// whether tdm_nodes can combine them so. Deterministic; some seconds. Problems of the same links and ports
/// are searched once. Thread-safe. Null if there is nothing to be searched.
std::shared_ptr<const OptimalAllreduce> searched_allreduce(const Problem& problem);

}  // namespace safnet
