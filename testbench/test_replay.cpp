// Schedules on tdm_nodes: on time to the cycle, and what happens when they cannot be.
#include "cpp_model/graph/topology.hpp"
#include "sim/replay.hpp"
#include "testbench/catch.hpp"
#include "testbench/greedy_plan.hpp"

using namespace safnet;
using testbench::greedy_plan;

namespace {

ReplayResult run(const Schedule& schedule, ReplayRequest request = {}) {
  request.exact_buffers = false;
  request.keep_trace = true;
  return replay(schedule, request, VariantStore::standard());
}
std::string first_problem(const ReplayResult& result) {
  return result.problems.empty() ? "" : result.problems.front();
}

}  // namespace

TEST_CASE("schedules run to the cycle that was planned", "[replay]") {
  for (const char* topology : {"ring:5", "mesh:3x4", "hypercube:3", "star:4"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const CollectiveKind kind : {CollectiveKind::kTotalExchange, CollectiveKind::kBroadcast,
                                        CollectiveKind::kScatter, CollectiveKind::kGather}) {
        const Problem problem{.graph = make_topology(topology), .collective = kind, .ports = ports};
        const Schedule steps = greedy_plan(problem);
        INFO(topology << " " << to_string(kind) << " " << to_string(ports));
        const ReplayResult plain = run(steps);
        CHECK(first_problem(plain) == "");
        CHECK(plain.cycles == plain.planned_cycles);
        CHECK(plain.on_time == steps.sends.size());
        CHECK(plain.measured_buffers <= plain.peak_buffers);
        const ReplayResult slots = run(in_lockstep(steps, 4, 1));
        CHECK(first_problem(slots) == "");
        CHECK(slots.cycles == 5 * plain.cycles);
        CHECK(slots.steps == plain.steps);
      }
    }
  }
}
