// Reductions of the fewest steps on networks with routers, which pass packets on and cannot combine: against
// all that nodes could do on tiny networks, against the checker and the bounds.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/optimum/allreduce_optimum.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/proof/prove.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

Problem reduction_on(const Graph& graph, CollectiveKind kind, PortModel ports) {
  return {.graph = graph, .collective = kind, .ports = ports};
}

// All that a reduction can do, forwards in time: what waits at which node. Something at a processor is one
// sum, whatever came together there; at a router it is a number of packets. Only when all contributions are
// at the root, and nothing waits elsewhere, is the reduction done.
class AllReductions {
 public:
  explicit AllReductions(const Problem& problem) : problem_(problem), graph_(problem.graph) {}

  bool is_enough(std::uint32_t steps) {
    State start(graph_.node_count(), 0);
    for (NodeId v = 0; v < graph_.processor_count(); ++v) start[v] = 1;
    State done(graph_.node_count(), 0);
    done[problem_.root] = 1;
    std::set<State> layer{start};
    for (std::uint32_t step = 0; step < steps && !layer.contains(done); ++step) {
      next_.clear();
      for (const State& state : layer) go_on(0, state, State(state.size(), 0), 0, 0);
      layer.swap(next_);
    }
    return layer.contains(done);
  }

 private:
  using State = std::vector<std::uint8_t>;  // by node

  void go_on(LinkId link, const State& left, const State& arrived, std::uint32_t senders,
             std::uint32_t receivers) {
    if (link == graph_.link_count()) {
      State after = left;
      for (NodeId v = 0; v < after.size(); ++v) {
        after[v] = static_cast<std::uint8_t>(after[v] + arrived[v]);
        if (v < graph_.processor_count() && after[v] > 1) after[v] = 1;
      }
      next_.insert(after);
      return;
    }
    go_on(link + 1, left, arrived, senders, receivers);
    const NodeId from = graph_.link_source(link), to = graph_.link_target(link);
    if (left[from] == 0 || (problem_.ports != PortModel::kAllPort && (senders >> from & 1) != 0) ||
        (problem_.ports == PortModel::kOnePort && (receivers >> to & 1) != 0))
      return;
    State less = left, more = arrived;
    --less[from];
    ++more[to];
    go_on(link + 1, less, more, senders | 1U << from, receivers | 1U << to);
  }

  const Problem& problem_;
  const Graph& graph_;
  std::set<State> next_;
};

}  // namespace

TEST_CASE("the fewest steps of reductions over routers are those of all that nodes could do",
          "[optimal_routers]") {
  const char* networks[] = {
      "routers(edges:0-3,1-3,2-3;3)",           "routers(edges:0-4,1-4,2-4,3-4;4)",
      "routers(edges:0-3,1-3,2-4,3-4;3,4)",     "routers(edges:0-3,1-3,3-4,3-4,4-2,0-1;3,4)",
      "routers(edges:0-4,1-4,4-5,2-5,3-5;4,5)", "routers(links:0-3,3-1,1-3,3-2,2-3,3-0;3)"};
  for (const char* word : networks) {
    for (const PortModel ports : kPortModels) {
      CAPTURE(word, to_string(ports));
      const Problem problem = reduction_on(make_topology(word), CollectiveKind::kReduction, ports);
      const Schedule plan = find_planner(problem, "optimal").plan(problem);
      CHECK(fault_of(plan) == "");
      const auto steps = static_cast<std::uint32_t>(steps_of(plan));
      AllReductions all(problem);
      CHECK(all.is_enough(steps));
      CHECK_FALSE(all.is_enough(steps - 1));
      CHECK(tightest_bound(problem, steps + 1).steps == steps);
    }
  }
}

TEST_CASE("optimal reductions over routers are valid, proved, and as short as can be", "[optimal_routers]") {
  using enum PortModel;
  using enum CollectiveKind;
  const struct {
    const char* word;
    CollectiveKind kind;
    PortModel ports;
    std::uint64_t steps, by_levels;  // `by_levels`: what the fat tree's own planner takes
  } cases[] = {{"fat-tree:2,3", kReduction, kAllPort, 8, 9},
               {"fat-tree:2,3", kReduction, kOnePort, 8, 9},
               {"fat-tree:2,3,exponential", kReduction, kAllPort, 8, 9},
               {"fat-tree:4,2", kReduction, kAllPort, 9, 9},
               {"fat-tree:4,2", kReduction, kOnePort, 9, 10},
               {"fat-tree:2,3", kMultinodeAccumulation, kAllPort, 12, 15}};
  for (const auto& [word, kind, ports, steps, by_levels] : cases) {
    CAPTURE(word, to_string(kind), to_string(ports));
    const Problem problem = reduction_on(make_topology(word), kind, ports);
    const Schedule plan = find_planner(problem, "optimal").plan(problem);
    CHECK(fault_of(plan) == "");
    CHECK(steps_of(plan) == steps);
    CHECK(steps_of(find_planner(problem, "combining-leaves").plan(problem)) == by_levels);
    LowerBound bound = tightest_bound(problem, steps + 1);
    CHECK(bound.steps == steps);
    CHECK(prove(problem, bound, 1, 0));
    bound.steps = steps + 1;  // there is a plan of so many
    CHECK_FALSE(prove(problem, bound, 1, 0));
  }
}

TEST_CASE("an allreduce over routers is as short as the reductions in it, where that is found",
          "[optimal_routers]") {
  const Problem problem =
      reduction_on(make_topology("fat-tree:2,3"), CollectiveKind::kAllreduce, PortModel::kAllPort);
  const Schedule plan = find_planner(problem, "optimal").plan(problem);
  CHECK(fault_of(plan) == "");
  CHECK(first_late_sum(plan) == "");
  CHECK(steps_of(plan) == 8);
  CHECK(tightest_bound(problem, 9).steps == 8);
  // Six steps are the distance of two processors; on the fat tree with more links the reductions need eight.
  const Problem wide = reduction_on(make_topology("fat-tree:2,3,exponential"), CollectiveKind::kAllreduce,
                                    PortModel::kAllPort);
  CHECK(lower_bound(wide).steps == 6);
  CHECK(tightest_bound(wide, 9).steps == 8);
}
