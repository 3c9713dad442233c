#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"
#include "testbench/support/schedule_oracle.hpp"

using namespace safnet;

TEST_CASE("every policy makes a valid timetable, the same as its nodes would", "[plan_from_policy]") {
  std::size_t same = 0, planned = 0;
  for (const char* word : {"linear:7", "ring:8", "mesh:4x3x2", "torus:4x4", "hypercube:4", "complete:5",
                           "generalized-petersen:5,2", "star:4", "tree:2,2", "random:10,16,1"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.policy || !algorithm.plan || algorithm.chosen_by_name_only) continue;
        const Problem problem{make_topology(word), algorithm.collective, ports, 1, "", kNoNode, {}};
        if (!algorithm.why_not(problem).empty()) continue;
        CAPTURE(word, algorithm.name, to_string(algorithm.collective), to_string(ports));
        const Schedule schedule = algorithm.plan(problem);
        const OracleResult result = judge(schedule);
        CHECK_THAT(result.problems, Catch::Equals(std::vector<std::string>{}));
        CHECK(result.missing == 0);
        CHECK(result.steps >= lower_bound(problem).steps);
        CHECK(schedule.algorithm == algorithm.name);
        ++planned;
        const Policy policy = algorithm.policy(problem);
        const StepperResult stepped = ReferenceStepper(problem.graph, ports, policy).run();
        if (ports == PortModel::kOnePort && stepped.conflicts > 0) continue;
        ++same;
        if (const auto promised = algorithm.closed_form(problem)) CHECK(result.steps == *promised);
        REQUIRE(schedule.sends.size() == stepped.trace.transfers.size());
        for (std::size_t i = 0; i < schedule.sends.size(); ++i) {
          const Transfer& t = stepped.trace.transfers[i];
          REQUIRE(schedule.sends[i].start == t.step);
          REQUIRE(schedule.sends[i].link == problem.graph.link(t.from, t.port));
          REQUIRE(schedule.packets.id(schedule.sends[i].packet) == t.packet);
        }
      }
    }
  }
  CHECK(planned > 150);
  CHECK(same > 100);
}

TEST_CASE("a policy without an end, or for other packets, is refused", "[plan_from_policy]") {
  // Weight 0 is sent on for ever: the rule of the thesis as printed.
  const Problem problem{make_topology("extended-ring:4,2"), CollectiveKind::kBroadcast, PortModel::kAllPort};
  Policy policy;
  policy.table = [](NodeId, Label) { return TableEntry{1, true, 0, {}}; };
  policy.injections = [](NodeId v) {
    return v == 0 ? std::vector<Injection>{{0, 0, 0}} : std::vector<Injection>{};
  };
  CHECK_THROWS_WITH(plan_from_policy(problem, policy, "endless"), Catch::Contains("more hops than"));
  policy.injections = [](NodeId v) { return std::vector<Injection>{{0, v, 0}}; };
  CHECK_THROWS_WITH(plan_from_policy(problem, policy, "more"), Catch::Contains("(source 1, tag 1)"));
  policy.injections = [](NodeId) { return std::vector<Injection>{{0, 0, 0, 2}}; };
  CHECK_THROWS_WITH(plan_from_policy(problem, policy, "long"), Catch::Contains("2 flits"));
  policy.injections = [](NodeId) { return std::vector<Injection>{{0, 0, 0}}; };
  policy.table = [](NodeId, Label) { return TableEntry{1 << 4, true, 0, {}}; };
  CHECK_THROWS_WITH(plan_from_policy(problem, policy, "port"), Catch::Contains("port that node 0"));
  // Links 0 and 1 of node 0 lead to node 1: a policy that deals packets to them names link 0.
  const Problem doubled{make_topology("edges:0-1,0-1"), CollectiveKind::kBroadcast, PortModel::kAllPort};
  policy.deals_links = true;
  policy.table = [](NodeId, Label) { return TableEntry{2, false, 0, {}}; };
  CHECK_THROWS_WITH(plan_from_policy(doubled, policy, "second"),
                    Catch::Contains("port 1 of node 0, which is not the first of a branch"));
  const Problem large{make_topology("torus:64x64"), CollectiveKind::kTotalExchange, PortModel::kAllPort};
  CHECK_THROWS_WITH(plan_from_policy(large, policy, "large"), Catch::Contains("536870912 transmissions"));
}
