// proved_optimum - the fewest steps of a collective on a small network, by search, with what proves it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cpp_model/optimum/gossip_optimum.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Largest problems that are searched.
inline constexpr NodeId kMaxNodesForOptimum = 16;
inline constexpr NodeId kMaxNodesAndRoutersForOptimum = 32;  ///< of nodes that process 16 at most
inline constexpr std::uint32_t kMaxMessagesForOptimum = 3;

/// A broadcast or multinode broadcast as a gossip: its links are the graph's, its packets those of
/// collective_packets(). A reduction or multinode accumulation is one backwards in time, over links turned
/// round: packet m of the root, or m n + v of node v, stands for the result that is combined there. Nothing
/// for other collectives and for larger problems; of those on networks with routers only for the backward
/// ones, since there routers, which cannot combine, pass copies on.
std::optional<Gossip> gossip_of(const Problem& problem);

/// optimal_gossip() of gossip_of(problem), or null where that is nothing. Problems of the same links, ports
/// and packets are searched once; a few hundred results are kept. Thread-safe.
std::shared_ptr<const OptimalGossip> searched_optimum(const Problem& problem);

/// The fewest steps in which `root` sends `messages` packets of its own to every other node: any links, one
/// port or all. (Gathering is the same on the transposed network.) Throws std::invalid_argument if some node
/// cannot be reached.
std::uint64_t fewest_scatter_steps(const Gossip& network, NodeId root, std::uint32_t messages);

struct ProvedOptimum {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument says that fewer do not suffice
};

/// The fewest steps, if they are known: by searched_optimum(), or by maximum flow for scatter and gather of
/// up to kMaxMessagesForOptimum messages on networks of up to kMaxNodesForOptimum nodes. A schedule of so
/// many steps exists: algorithm "optimal" plans it, or the maximum flow is one.
std::optional<ProvedOptimum> proved_optimum(const Problem& problem);

/// The bound that the search has proved, even if it has not found the optimum; 0 steps if it does not apply.
LowerBound searched_bound(const Problem& problem);

}  // namespace safnet
