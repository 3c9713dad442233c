#include "cpp_model/optimum/proved_optimum.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "cpp_model/bound/unrolled_flow.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

using Key = std::tuple<NodeId, NodeId, std::vector<DirectedLink>, std::vector<NodeId>, bool, bool>;

class Searches {
 public:
  std::shared_ptr<const OptimalGossip> find(const Gossip& gossip, const LowerBound& known) {
    const Key key{gossip.nodes,  gossip.routers,   gossip.links,
                  gossip.origin, gossip.sends_one, gossip.receives_one};
    const std::lock_guard guard(mutex_);
    if (const auto old = known_.find(key); old != known_.end()) return old->second;
    if (known_.size() >= kMost) known_.clear();
    return known_[key] = std::make_shared<const OptimalGossip>(optimal_gossip(gossip, {}, known));
  }

 private:
  static constexpr std::size_t kMost = 500;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const OptimalGossip>> known_;
};

bool is_small(const Problem& problem) {
  return problem.graph.processor_count() <= kMaxNodesForOptimum &&
         problem.graph.node_count() <= kMaxNodesAndRoutersForOptimum &&
         problem.messages <= kMaxMessagesForOptimum;
}

// The gossip's links and ports, turned round if `backwards` in time.
Gossip network_of(const Problem& problem, bool backwards) {
  Gossip gossip = gossip_network(problem);
  gossip.routers_copy = !backwards || gossip.routers == 0;
  return backwards ? transposed(std::move(gossip)) : gossip;
}

// Is the problem's gossip that of the problem backwards in time?
bool is_backwards(const Problem& problem) {
  return problem.collective == CollectiveKind::kReduction ||
         problem.collective == CollectiveKind::kMultinodeAccumulation;
}

}  // namespace

std::optional<Gossip> gossip_of(const Problem& problem) {
  if (!is_small(problem)) return std::nullopt;
  const CollectiveKind kind = problem.collective;
  const bool backwards = is_backwards(problem);
  const bool of_all =
      kind == CollectiveKind::kMultinodeBroadcast || kind == CollectiveKind::kMultinodeAccumulation;
  if (!backwards && !of_all && kind != CollectiveKind::kBroadcast) return std::nullopt;
  if (!backwards && problem.graph.has_routers()) return std::nullopt;
  Gossip gossip = network_of(problem, backwards);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId v = 0; v < gossip.processors(); ++v) {
      if (of_all || v == problem.root) gossip.origin.push_back(v);
    }
  }
  return gossip;
}

std::shared_ptr<const OptimalGossip> searched_optimum(const Problem& problem) {
  static Searches searches;
  const std::optional<Gossip> gossip = gossip_of(problem);
  if (!gossip) return nullptr;
  LowerBound known;
  if (problem.graph.has_routers()) known = lower_bound(problem);
  known.witness = {};  // of the network forwards in time
  return searches.find(*gossip, known);
}

std::uint64_t fewest_scatter_steps(const Gossip& network, NodeId root, std::uint32_t messages) {
  const std::uint64_t packets = std::uint64_t{messages} * (network.nodes - 1);
  if (packets == 0) return 0;
  const Wiring wiring = wiring_of(network);
  std::uint32_t steps = std::ranges::max(wiring.distances_from(root));
  if (steps == kUnreachable) throw bad_input("node {}: expected ways from it to all others", root);
  while (scattered(wiring, at_once(network), root, messages, steps) != packets) ++steps;
  return steps;
}

std::optional<ProvedOptimum> proved_optimum(const Problem& problem) {
  const bool gathers = problem.collective == CollectiveKind::kGather;
  if ((gathers || problem.collective == CollectiveKind::kScatter) && is_small(problem) &&
      !problem.graph.has_routers()) {
    return ProvedOptimum{fewest_scatter_steps(network_of(problem, gathers), problem.root, problem.messages),
                         "maximum flow through the network unrolled in time"};
  }
  const auto found = searched_optimum(problem);
  if (!found || !found->proved()) return std::nullopt;
  return ProvedOptimum{found->steps, found->bound.reason};
}

LowerBound searched_bound(const Problem& problem) {
  const auto found = searched_optimum(problem);
  if (!found) return {};
  LowerBound bound = found->bound;
  if (is_backwards(problem))
    bound.witness = turned_round(std::move(bound.witness), problem.graph.node_count());
  finish_witness(bound.witness, problem.graph, bound.reason);
  return bound;
}

}  // namespace safnet
