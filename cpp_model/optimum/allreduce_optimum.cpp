#include "cpp_model/optimum/allreduce_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "cpp_model/optimum/gossip_search.hpp"
#include "cpp_model/optimum/gossip_symmetry.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/optimum/sum_schedule.hpp"
#include "cpp_model/schedule/sum_parts.hpp"

namespace safnet {
namespace {

// Limits of a search: conflicts of the SAT solver and the size of its question, or, of sums, conflicts times
// the size. Seconds each; networks without symmetries only if they are small.
constexpr std::uint32_t kSpreadingConflicts = 10'000;
constexpr std::uint64_t kMostSpreadingSends = 250'000;
constexpr std::uint64_t kShapeEffort = 8'000'000'000, kEffort = 4'000'000'000;
constexpr NodeId kMostNodesWithoutShape = 16;
constexpr std::uint64_t kMostInclusionsWithRouters = 200'000;
constexpr std::uint32_t kMostMoreSteps = 8, kMostMoreStepsWithRouters = 5;  // than the lower bound

// Symmetries to look for, the strongest first: all translations of a Cayley graph, then a single one.
std::vector<std::vector<GossipSymmetry>> shapes(const Graph& graph, const Gossip& network) {
  std::vector<std::vector<GossipSymmetry>> list;
  if (graph.translations()) {
    std::vector<GossipSymmetry> all;
    for (NodeId v = 1; v < network.nodes; ++v) {
      std::vector<NodeId> moved(network.nodes);
      for (NodeId x = 0; x < network.nodes; ++x) moved[x] = graph.translations()->apply(v, x);
      for (GossipSymmetry& symmetry : symmetry_of(network, moved)) all.push_back(std::move(symmetry));
    }
    list.push_back(std::move(all));
  }
  auto single = useful_symmetries(network);
  if (!single.empty()) list.push_back(std::move(single.front()));
  return list;
}

// What some processor needs to combine the contributions of all, where routers cannot combine them on their
// way.
LowerBound bound_of_reductions(Problem problem) {
  problem.collective = CollectiveKind::kReduction;
  LowerBound largest;
  for (problem.root = 0; problem.root < problem.graph.processor_count(); ++problem.root) {
    LowerBound bound = searched_bound(problem);
    if (bound.steps <= largest.steps) continue;
    largest = std::move(bound);
    largest.reason += fmt::format(", to combine at {}", problem.graph.node_name(problem.root));
  }
  return largest;
}

// `problem`: of one message.
OptimalAllreduce optimal_allreduce(const Problem& problem) {
  const Gossip network = spreading_of(problem);
  OptimalAllreduce best;
  if (network.routers != 0) best.bound = bound_of_reductions(problem);
  const auto least = static_cast<std::uint32_t>(std::max(lower_bound(problem).steps, best.bound.steps));
  const auto symmetries = shapes(problem.graph, network);
  // Nothing is sent twice to a node in a schedule, so a packet may have more uses there than the search
  // counts.
  const auto is_in_time = [&](const SumSearchResult& found) {
    return first_late_sum(schedule_of_sums(problem, "", found)).empty();
  };
  bool is_bound = network.routers == 0;  // no step so far was left undecided
  const std::uint32_t most = least + (network.routers == 0 ? kMostMoreSteps : kMostMoreStepsWithRouters);
  for (std::uint32_t steps = std::max(least, 1u); steps <= most; ++steps) {
    const bool is_small =
        std::uint64_t{network.packets()} * network.links.size() * steps <= kMostSpreadingSends;
    if (problem.ports != PortModel::kAllPort && is_bound && is_small &&
        search_gossip(network, steps, kSpreadingConflicts).answer == SearchAnswer::kImpossible) {
      best.bound = {steps + 1,
                    fmt::format("in {} steps not all nodes can know of all: exhaustive search", steps), ""};
      continue;
    }
    is_bound = false;
    if (network.routers != 0 && inclusions_of(network, steps) > kMostInclusionsWithRouters) break;
    const auto try_shape = [&](const std::vector<GossipSymmetry>& shape, std::uint64_t effort) {
      const auto conflicts = static_cast<std::uint32_t>(
          std::clamp<std::uint64_t>(effort / (inclusions_of(network, steps) + 1), 100, 1'000'000));
      SumSearchResult found = search_sums(network, steps, conflicts, shape, is_in_time);
      if (found.answer != SearchAnswer::kFound) return false;
      best.found = std::move(found);
      return true;
    };
    for (const auto& shape : symmetries) {
      if (try_shape(shape, kShapeEffort)) return best;
    }
    if (network.processors() <= kMostNodesWithoutShape && try_shape({}, kEffort)) return best;
  }
  return best;
}

class Searches {
 public:
  std::shared_ptr<const OptimalAllreduce> find(const Problem& problem) {
    const Gossip network = spreading_of(problem);
    const Key key{network.nodes, network.routers, network.links, problem.ports};
    const std::lock_guard guard(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kMost) known_.clear();
    Problem once = problem;
    once.messages = 1;
    return known_[key] = std::make_shared<const OptimalAllreduce>(optimal_allreduce(once));
  }

 private:
  using Key = std::tuple<NodeId, NodeId, std::vector<DirectedLink>, PortModel>;
  static constexpr std::size_t kMost = 500;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const OptimalAllreduce>> known_;
};

}  // namespace

bool is_searched_allreduce(const Problem& problem) {
  return problem.collective == CollectiveKind::kAllreduce && !problem.graph.has_unequal_links() &&
         problem.graph.processor_count() >= 2 && problem.graph.node_count() <= kMaxNodesForAllreduce;
}

Gossip spreading_of(const Problem& problem) {
  Gossip gossip = gossip_network(problem);
  gossip.together = true;
  gossip.origin.resize(gossip.processors());
  std::iota(gossip.origin.begin(), gossip.origin.end(), NodeId{0});
  return gossip;
}

std::shared_ptr<const OptimalAllreduce> searched_allreduce(const Problem& problem) {
  static Searches searches;
  return is_searched_allreduce(problem) ? searches.find(problem) : nullptr;
}

}  // namespace safnet
