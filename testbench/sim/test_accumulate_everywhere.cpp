// Allreduce out of multinode accumulations, and what a host may do with its own packets.
#include <fmt/format.h>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/gossip/general_allreduce.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/run/replay.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/first_violation.hpp"

using namespace safnet;
using testbench::first_violation;

namespace {

Schedule planned(const std::string& topology, PortModel ports, std::uint32_t messages) {
  const Problem problem{.graph = make_topology(topology),
                        .collective = CollectiveKind::kAllreduce,
                        .ports = ports,
                        .messages = messages};
  return plan_of(find_planner(problem, "accumulate-everywhere"), problem);
}

}  // namespace

TEST_CASE("an allreduce takes as long as the accumulation it is made of", "[accumulate_everywhere]") {
  for (const std::string topology : {"ring:5", "linear:4", "hypercube:3", "star:3", "tree:2,2", "complete:4",
                                     "edges:0-1,0-1,1-2,2-0", "kautz:2,2"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const std::uint32_t messages : {1U, 2U}) {
        INFO(topology << " " << to_string(ports) << " " << messages);
        const Schedule schedule = planned(topology, ports, messages);
        CHECK(first_violation(schedule).empty());
        Problem accumulation{.graph = schedule.network,
                             .collective = CollectiveKind::kMultinodeAccumulation,
                             .ports = ports,
                             .messages = messages};
        const Choice choice = choose_algorithm(accumulation, true);
        CHECK(steps_of(schedule) ==
              steps_of(choice.plan ? *choice.plan : plan_of(*choice.algorithm, accumulation)));
      }
    }
  }
}

TEST_CASE("what a node sent by itself is a packet for each that gets it", "[accumulate_everywhere]") {
  // On a ring of three each node's contribution goes to both others, over links of their own.
  const Schedule schedule = planned("ring:3", PortModel::kAllPort, 1);
  CHECK(steps_of(schedule) == 1);
  CHECK(schedule.packets.size() == 3 + 6 + 3);  // contributions, their copies, results
  std::size_t copies = 0;
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
    copies += schedule.packets.parts(p).size() == 1 ? 1 : 0;
  CHECK(copies == 6);
}

TEST_CASE("its sums are right on the hardware", "[accumulate_everywhere]") {
  for (const std::string topology : {"ring:5", "hypercube:3", "mesh:3x3"}) {
    for (const bool lockstep : {false, true}) {
      Schedule schedule = planned(topology, PortModel::kAllPort, 1);
      const std::uint64_t steps = steps_of(schedule);
      if (lockstep) schedule = in_lockstep(std::move(schedule), 4, 1);
      ReplayRequest request;
      const ReplayResult run = replay(schedule, request, VariantStore::standard());
      INFO(topology);
      CHECK(run.problems.empty());
      CHECK(run.steps == steps);
      CHECK(run.delivered == schedule.network.node_count());
    }
  }
}

TEST_CASE("a packet goes into as many sums at a node as one likes", "[accumulate_everywhere]") {
  Schedule schedule(make_topology("linear:3"));
  const auto add = [&](NodeId origin, std::vector<NodeId> to, std::vector<PacketIndex> parts) {
    return schedule.packets.add(origin, schedule.packets.size(), 1, to, parts);
  };
  const PacketIndex own = add(1, {}, {});
  const PacketIndex left = add(0, {}, {}), right = add(2, {}, {});
  add(1, {1}, {own, left});
  add(1, {1}, {own, right});
  schedule.sends = {{1, schedule.network.link(0, 0), left}, {1, schedule.network.link(2, 0), right}};
  sort_sends(schedule);
  CHECK(first_violation(schedule).empty());
  // A packet of the host's, as above, and one that came from another node: `left` is in two.
  add(1, {1}, {own, left});
  CHECK(first_violation(schedule).empty());
}
