// All-port broadcast and multinode broadcast on fat trees: every timetable judged, steps, and what routers
// store.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_fewest_first.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_multinode.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/router_storage.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

Problem multinode(const std::string& topology) {
  return {make_topology(topology), CollectiveKind::kMultinodeBroadcast, PortModel::kAllPort};
}

// Planned, judged, no faster than the bound and as fast as promised.
Schedule planned(const Problem& problem, const std::string& name) {
  CAPTURE(problem.graph.spelling(), name);
  const Algorithm& algorithm = find_planner(problem, name);
  Schedule schedule = algorithm.plan(problem);
  const ScheduleReport report = check_schedule(schedule, 1);
  CHECK((report.valid() ? why_not_packets_of(problem, schedule) : report.violations[0].text) == "");
  const std::uint64_t steps = measure(schedule).steps;
  CHECK(steps >= lower_bound(problem).steps);
  const auto promised = algorithm.closed_form(problem);
  if (promised) CHECK(steps == *promised);
  return schedule;
}
std::uint64_t steps(const std::string& topology, const std::string& name) {
  return measure(planned(multinode(topology), name)).steps;
}

// Up to 60 leaves, nodes of at most 64 ports; c_1 = 1.
FatTree random_tree(std::mt19937_64& random) {
  while (true) {
    std::vector<std::uint32_t> arities(1 + random() % 4), capacities{1};
    for (std::uint32_t& k : arities) k = static_cast<std::uint32_t>(2 + random() % 4);
    while (capacities.size() < arities.size())
      capacities.push_back(static_cast<std::uint32_t>(1 + random() % 6));
    const std::uint64_t leaves =
        std::accumulate(arities.begin(), arities.end(), std::uint64_t{1}, std::multiplies<>());
    if (leaves <= 60) return {arities, capacities};
  }
}

}  // namespace

TEST_CASE("multinode broadcast on fat trees takes the steps that are published, or fewer",
          "[fat_tree_multinode]") {
  struct Row {
    std::string topology;
    std::uint64_t flooding, blocks, pipelined, serial, fewest_first;
  };
  const std::vector<Row> rows{{"fat-tree:2,1", 2, 2, 2, 2, 2},        {"fat-tree:5,1", 5, 5, 5, 5, 5},
                              {"fat-tree:2,2", 5, 5, 6, 7, 5},        {"fat-tree:2,3", 9, 10, 12, 16, 10},
                              {"fat-tree:2,5", 33, 36, 40, 56, 34},   {"fat-tree:3,3", 27, 27, 31, 35, 27},
                              {"fat-tree:4,3", 64, 64, 68, 72, 64},   {"fat-tree:5,2", 25, 25, 27, 28, 25},
                              {"fat-tree:2x5x2", 21, 21, 24, 28, 21}, {"fat-tree:4x2x2", 16, 16, 20, 24, 16}};
  for (const Row& row : rows) {
    CAPTURE(row.topology);
    CHECK(steps(row.topology, "flooding") == row.flooding);
    CHECK(steps(row.topology, "block-schedule") == row.blocks);
    CHECK(steps(row.topology, "pipelined-phases") == row.pipelined);
    CHECK(steps(row.topology, "serial-phases") == row.serial);
    CHECK(steps(row.topology, "fewest-first") == row.fewest_first);
  }
}

TEST_CASE("multinode broadcast on random fat trees", "[fat_tree_multinode][random]") {
  std::mt19937_64 random(GENERATE(range(1U, 61U)));
  const FatTree tree = random_tree(random);
  const Problem problem{fat_tree(tree), CollectiveKind::kMultinodeBroadcast, PortModel::kAllPort};
  for (const char* order :
       {"flooding", "flooding-last-in-first-out", "flooding-from-above-first", "flooding-shuffled"})
    planned(problem, order);
  const RegisterUse blocks = router_registers(planned(problem, "block-schedule"));
  CHECK(blocks.packets == 1);
  for (const char* order : {"pipelined-phases", "serial-phases"}) {
    const RegisterUse use = router_registers(planned(problem, order));
    CHECK(use.packets == 1);
    CHECK(use.steps == *std::ranges::max_element(tree.arities()) - 1);
  }
  const Schedule fewest_first = planned(problem, "fewest-first");
  CHECK(router_registers(fewest_first).packets == 1);
  CHECK(measure(fewest_first).steps <= tree.leaves() + 2);
  CHECK(router_registers(planned(problem, "fewest-first-two-registers")).packets <= 2);
}

TEST_CASE("nine steps on eight leaves with one register per link", "[fat_tree_multinode]") {
  for (const char* topology : {"fat-tree:2,3", "fat-tree:2,3,exponential"}) {
    const Schedule schedule = planned(multinode(topology), "sent-twice");
    CHECK(measure(schedule).steps == 9);
    CHECK(router_registers(schedule).packets == 1);
  }
  CHECK_THROWS_WITH(find_planner(multinode("fat-tree:2,4"), "sent-twice"),
                    Catch::Contains("needs a binary fat tree of height 3"));
}

TEST_CASE("registers with credit a step later: one takes twice as long, two do not", "[fat_tree_multinode]") {
  CHECK(steps("fat-tree:2,3", "fewest-first-next-step-credit") == 14);
  CHECK(steps("fat-tree:4,2", "fewest-first-next-step-credit") == 27);
  CHECK(steps("fat-tree:4,3", "fewest-first-next-step-credit") == 123);
  CHECK(steps("fat-tree:2,5", "fewest-first-two-in-order") == 34);
  CHECK(steps("fat-tree:2,5", "fewest-first-two-registers") == 33);
  CHECK(steps("fat-tree:4,3", "fewest-first-two-in-order") == 64);
  // A register per link of a branch.
  CHECK(steps("fat-tree:2,4,1,2,3,4", "fewest-first") == 17);
  CHECK(steps("fat-tree:2,4,exponential", "fewest-first") == 17);
}

TEST_CASE("broadcast on a fat tree follows its thinnest branch", "[fat_tree_multinode]") {
  for (const auto& [topology, messages, expected] :
       std::vector<std::tuple<std::string, std::uint32_t, std::uint64_t>>{{"fat-tree:2,1", 1, 2},
                                                                          {"fat-tree:3,2", 1, 4},
                                                                          {"fat-tree:2,3", 7, 12},
                                                                          {"fat-tree:2,2,3,2", 5, 6},
                                                                          {"fat-tree:2,2,2,3", 5, 6}}) {
    Problem problem{make_topology(topology), CollectiveKind::kBroadcast, PortModel::kAllPort, 1};
    problem.messages = messages;
    CHECK(measure(planned(problem, "flooding")).steps == expected);
  }
}

TEST_CASE("what routers store is counted from sends", "[fat_tree_multinode]") {
  // Router 3 gets packet 0 in step 1 and sends it in 2 and 4; it gets packet 1 in step 2 and sends it in 3.
  const Problem problem = multinode("fat-tree:3,1");
  Schedule schedule = empty_schedule(problem, "");
  const NodeId root = 3;
  const auto send = [&](std::uint32_t step, NodeId from, PortId port, PacketIndex packet) {
    schedule.sends.push_back({step, problem.graph.link(from, port), packet});
  };
  send(1, 0, 0, 0);
  send(2, 1, 0, 1);
  send(2, root, 1, 0);
  send(3, root, 2, 1);
  send(4, root, 2, 0);
  CHECK(router_registers(schedule).packets == 1);
  CHECK(router_registers(schedule).steps == 3);
  const std::vector<QueuePeak> queues = router_queues(schedule);
  CHECK(queues[problem.graph.link(root, 1)] == QueuePeak{1, 0});
  CHECK(queues[problem.graph.link(root, 2)] == QueuePeak{2, 1});
  CHECK(queues[problem.graph.link(0, 0)] == QueuePeak{0, 0});
  // Packet 3 follows packet 0 over its link: in step 3 it needs another register, in 4, when 0 leaves, none.
  schedule.packets.add(0, 1, 1, std::vector<NodeId>{1});
  schedule.sends.insert(schedule.sends.begin() + 4, {3, problem.graph.link(0, 0), 3});
  schedule.sends.push_back({5, problem.graph.link(root, 1), 3});
  CHECK(router_registers(schedule).packets == 2);
  schedule.sends[4].start = 4;
  CHECK(router_registers(schedule).packets == 1);
}

TEST_CASE("broadcasts in pieces are told from incomplete ones", "[fat_tree_multinode]") {
  const Problem problem = multinode("fat-tree:2,2");
  Schedule schedule = fat_tree_phases(problem, PhaseOrder::kPipelined, "");
  CHECK(why_not_packets_of(problem, schedule) == "");
  Schedule less(problem.graph), twice(problem.graph);
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    const PacketList& all = schedule.packets;
    if (p != 3) less.packets.add(all.origin(p), all.tag(p), 1, all.destinations(p));
    twice.packets.add(all.origin(p), all.tag(p), 1, all.destinations(p == 3 ? 2 : p));
  }
  CHECK_THAT(why_not_packets_of(problem, less), Catch::Contains("origin 1"));
  CHECK_THAT(why_not_packets_of(problem, twice), Catch::Contains("origin 1"));
}

TEST_CASE("where the algorithms do not apply they say so", "[fat_tree_multinode]") {
  Problem problem = multinode("fat-tree:3,2");
  problem.messages = 2;
  CHECK_THROWS_WITH(find_planner(problem, "pipelined-phases"), Catch::Contains("needs --messages 1"));
  CHECK_THROWS_WITH(find_planner(problem, "flooding-last-in-first-out"),
                    Catch::Contains("needs --messages 1"));
  planned(problem, "block-schedule");
  planned(problem, "flooding");
  CHECK_THROWS_WITH(find_planner(multinode("ring:4"), "block-schedule"), Catch::Contains("needs a fat tree"));
  CHECK_THROWS_WITH(find_algorithm(multinode("fat-tree:2,9"), "flooding-last-in-first-out"),
                    Catch::Contains("needs at most 256 leaves"));
  CHECK_THROWS_WITH(
      find_planner(multinode("fat-tree:2,13"), "block-schedule").plan(multinode("fat-tree:2,13")),
      Catch::Contains("transmissions, expected at most"));
}
