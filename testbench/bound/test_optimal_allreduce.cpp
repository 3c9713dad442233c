// Allreduces of the fewest steps: bounds and searches against all that nodes could do on tiny networks, plans
// against the checker.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/optimum/allreduce_optimum.hpp"
#include "cpp_model/optimum/gossip_search.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

Problem allreduce_on(const std::string& word, PortModel ports, std::uint32_t messages = 1) {
  return {.graph = make_topology(word),
          .collective = CollectiveKind::kAllreduce,
          .ports = ports,
          .messages = messages};
}

// What nodes can do that combine anything at once, by going through all states: what sums each node can make.
// A sum is a set of contributions; sums without a common contribution make a sum of both.
class AllSums {
 public:
  AllSums(const Gossip& network) : network_(network), all_((1U << network.nodes) - 1) {}

  // Can all nodes have the sum of everything after so many steps?
  bool is_enough(std::uint32_t steps) {
    State start;
    for (NodeId v = 0; v < network_.nodes; ++v) start.push_back(Sums{1} << (1U << v));
    std::set<State> layer{start};
    for (std::uint32_t step = 0; step < steps; ++step) {
      next_.clear();
      for (const State& state : layer) {
        now_ = &state;
        go_on(0, state, 0, 0);
      }
      layer.swap(next_);
    }
    return std::ranges::any_of(layer, [this](const State& state) {
      return std::ranges::all_of(state, [this](Sums sums) { return (sums >> all_ & 1) != 0; });
    });
  }

 private:
  using Sums = std::uint32_t;  // a bit for each set of contributions; at most four nodes
  using State = std::vector<Sums>;

  Sums closed(Sums sums) const {
    for (std::uint32_t a = 1; a <= all_; ++a) {
      for (std::uint32_t b = 1; b < a; ++b) {
        if ((sums >> a & 1) != 0 && (sums >> b & 1) != 0 && (a & b) == 0) sums |= Sums{1} << (a | b);
      }
    }
    return sums;
  }
  void go_on(std::uint32_t link, State after, std::uint32_t senders, std::uint32_t receivers) {
    if (link == network_.links.size()) {
      for (Sums& sums : after) sums = closed(closed(sums));
      next_.insert(std::move(after));
      return;
    }
    const auto [from, to] = network_.links[link];
    go_on(link + 1, after, senders, receivers);
    if ((network_.sends_one && (senders >> from & 1) != 0) ||
        (network_.receives_one && (receivers >> to & 1) != 0))
      return;
    for (std::uint32_t sum = 1; sum <= all_; ++sum) {
      if (((*now_)[from] >> sum & 1) == 0 || ((*now_)[to] >> sum & 1) != 0) continue;
      State with = after;
      with[to] |= Sums{1} << sum;
      go_on(link + 1, std::move(with), senders | 1U << from, receivers | 1U << to);
    }
  }

  const Gossip& network_;
  std::uint32_t all_;
  const State* now_ = nullptr;
  std::set<State> next_;
};

}  // namespace

TEST_CASE("the fewest steps of allreduces on tiny networks are those of all that nodes could do",
          "[optimal_allreduce]") {
  for (const std::string word : {"edges:0-1", "linear:3", "ring:3", "links:0-1,1-2,2-0", "edges:0-1,0-1,1-2",
                                 "linear:4", "edges:0-1,0-2,0-3", "links:0-1,1-2,2-3,3-0"}) {
    for (const PortModel ports : kPortModels) {
      CAPTURE(word, to_string(ports));
      const Problem problem = allreduce_on(word, ports);
      const Schedule plan = find_planner(problem, "optimal").plan(problem);
      const auto steps = static_cast<std::uint32_t>(steps_of(plan));
      CHECK(fault_of(plan) == "");
      // So tdm_nodes can do what any nodes could.
      const Gossip network = spreading_of(problem);
      AllSums sums(network);
      CHECK_FALSE(sums.is_enough(steps - 1));
      // That so many are enough the plan shows; here that going through all states finds it, too.
      if (problem.graph.node_count() < 4) CHECK(sums.is_enough(steps));
      CHECK(tightest_bound(problem, steps).steps <= steps);
    }
  }
}

TEST_CASE("optimal allreduces are valid, in time for tdm_nodes, and as short as can be",
          "[optimal_allreduce]") {
  using enum PortModel;
  const struct {
    const char* word;
    PortModel ports;
    std::uint64_t steps;
  } cases[] = {{"ring:9", kOnePort, 6},        {"mesh:3x3", kOnePort, 5},      {"linear:8", kOnePort, 7},
               {"petersen", kOnePort, 4},      {"dgx-1", kOnePort, 3},         {"kautz:2,2", kOnePort, 3},
               {"kautz:2,3", kAllPort, 3},     {"de-bruijn:2,3", kOnePort, 5}, {"de-bruijn:2,3", kAllPort, 3},
               {"folded-cube:4", kAllPort, 2}, {"ring:5", kOnePortSend, 3}};
  for (const auto& [word, ports, steps] : cases) {
    CAPTURE(word, to_string(ports));
    const Problem problem = allreduce_on(word, ports);
    const Schedule plan = find_planner(problem, "optimal").plan(problem);
    CHECK(fault_of(plan) == "");
    CHECK(first_late_sum(plan) == "");
    CHECK(steps_of(plan) == steps);
    CHECK(tightest_bound(problem, steps + 1).steps == steps);
  }
  const Problem several = allreduce_on("mesh:3x3", kOnePort, 3);
  const Schedule plan = find_planner(several, "optimal").plan(several);
  CHECK(fault_of(plan) == "");
  CHECK(first_late_sum(plan) == "");
  CHECK(why_not_packets_of(several, plan) == "");
}

TEST_CASE("what nodes know of bounds what they can combine", "[optimal_allreduce]") {
  // An odd ring: six steps one-port. In five nobody can know of all, however much a link carries.
  const Gossip ring = spreading_of(allreduce_on("ring:9", PortModel::kOnePort));
  CHECK(search_gossip(ring, 5, 100'000).answer == SearchAnswer::kImpossible);
  CHECK(search_gossip(ring, 6, 100'000).answer == SearchAnswer::kFound);
  // In the Petersen graph all know of all after two steps. A tdm_node, which puts what arrives into one sum
  // at once, needs a third one: each of its neighbours is to get the sum of the two others and its own.
  const Gossip petersen = spreading_of(allreduce_on("petersen", PortModel::kAllPort));
  const auto any = [](const SumSearchResult&) { return true; };
  CHECK(search_gossip(petersen, 2, 100'000).answer == SearchAnswer::kFound);
  CHECK(search_sums(petersen, 2, 100'000, {}, any).answer == SearchAnswer::kImpossible);
  CHECK(search_sums(petersen, 3, 100'000, {}, any).answer == SearchAnswer::kFound);
  // Without a conflict nothing can be found out, and with a million inclusions too many nothing is tried.
  CHECK(search_sums(spreading_of(allreduce_on("mesh:4x4", PortModel::kOnePort)), 6, 1, {}, any).answer ==
        SearchAnswer::kUnknown);
  CHECK(search_sums(spreading_of(allreduce_on("complete:32", PortModel::kAllPort)), 9, 1, {}, any).answer ==
        SearchAnswer::kUnknown);
  CHECK_FALSE(is_searched_allreduce(allreduce_on("torus:6x6", PortModel::kAllPort)));
}
