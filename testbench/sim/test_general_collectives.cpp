// The planners for any network and any number of messages.
#include <algorithm>
#include <tuple>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/gossip/general_allreduce.hpp"
#include "cpp_model/algorithm/gossip/general_collectives.hpp"
#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/flow_bound.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/tighten.hpp"
#include "sim/run/replay.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/first_violation.hpp"

using namespace safnet;
using testbench::first_violation;

namespace {

const std::vector<std::string>& networks() {
  static const std::vector<std::string> names{"linear:2",
                                              "linear:5",
                                              "ring:7",
                                              "mesh:3x3",
                                              "mesh:4x2",
                                              "torus:3x3",
                                              "hypercube:3",
                                              "tree:2,2",
                                              "star:4",
                                              "complete:5",
                                              "cube-connected-cycles:3",
                                              "generalized-petersen:5,2",
                                              "random:12,20,1",
                                              "circulant:9,1,2",
                                              "edges:0-1,0-2,0-3,0-4",
                                              "edges:0-1,0-1,1-2,2-0,2-3,2-3",
                                              "folded-cube:3",
                                              "kautz:2,2",
                                              "de-bruijn:2,3",
                                              "dgx-1",
                                              "random:9,9,4"};
  return names;
}

constexpr CollectiveKind kKinds[] = {CollectiveKind::kBroadcast,
                                     CollectiveKind::kScatter,
                                     CollectiveKind::kGather,
                                     CollectiveKind::kMultinodeBroadcast,
                                     CollectiveKind::kTotalExchange,
                                     CollectiveKind::kReduction,
                                     CollectiveKind::kMultinodeAccumulation,
                                     CollectiveKind::kAllreduce};

Schedule plan_by(const std::string& name, const Problem& problem) {
  return find_planner(problem, name).plan(problem);
}

// Whether it is one of the planners that this file is about.
bool is_general(const Algorithm& algorithm) {
  static const std::vector<Algorithm> general = [] {
    std::vector<Algorithm> list = general_collective_algorithms();
    for (Algorithm& allreduce : general_allreduce_algorithms()) list.push_back(std::move(allreduce));
    return list;
  }();
  return algorithm.name == "list-scheduling" || algorithm.name == "max-flow" ||
         std::any_of(general.begin(), general.end(),
                     [&](const Algorithm& a) { return a.name == algorithm.name; });
}

}  // namespace

TEST_CASE("every collective on every network, any messages and ports", "[general_collectives]") {
  for (const std::string& name : networks()) {
    const Graph graph = make_topology(name);
    for (const CollectiveKind kind : kKinds) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        for (const std::uint32_t messages : {1U, 2U, 3U}) {
          if (ports == PortModel::kOnePortSend && messages != 2) continue;
          const NodeId root = messages % graph.node_count();
          const Problem problem{
              .graph = graph, .collective = kind, .ports = ports, .root = root, .messages = messages};
          const std::uint64_t bound = lower_bound(problem).steps;
          INFO(name << " " << to_string(kind) << " " << to_string(ports) << " M = " << messages);
          int planners = 0;
          for (const Algorithm& algorithm : algorithms()) {
            if (algorithm.collective != kind || !is_general(algorithm)) continue;
            if (!algorithm.why_not(problem).empty()) continue;
            INFO(algorithm.name);
            planners += algorithm.chosen_by_name_only ? 0 : 1;
            const Schedule schedule = algorithm.plan(problem);
            const std::string violation = first_violation(schedule);
            if (!violation.empty()) FAIL_CHECK(violation);
            if (const std::string missing = why_not_packets_of(problem, schedule); !missing.empty())
              FAIL_CHECK(missing);
            CHECK(steps_of(schedule) >= bound);
            if (const auto promised = algorithm.closed_form(problem)) CHECK(steps_of(schedule) == *promised);
          }
          CHECK(planners >= 1);
        }
      }
    }
  }
}

TEST_CASE("all-port: everything that can enter a node does", "[general_collectives]") {
  for (const std::string& name : networks()) {
    const Graph graph = make_topology(name);
    for (const CollectiveKind kind :
         {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation,
          CollectiveKind::kScatter, CollectiveKind::kGather}) {
      for (const std::uint32_t messages : {1U, 2U, 3U}) {
        const Problem problem{.graph = graph, .collective = kind, .messages = messages};
        INFO(name << " " << to_string(kind) << " M = " << messages);
        const Choice choice = choose_algorithm(problem, true);
        CHECK(steps_of(choice.plan ? *choice.plan : plan_of(*choice.algorithm, problem)) ==
              lower_bound(problem).steps);
      }
    }
  }
}

TEST_CASE("one-port packets go round a cycle, where there is one", "[general_collectives]") {
  for (const char* name : {"mesh:4x4", "mesh:5x6", "mesh:3x2x3", "kautz:2,3", "random:20,60,2", "dgx-1"}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation}) {
      Problem problem{.graph = make_topology(name), .collective = kind, .messages = 2};
      problem.ports = PortModel::kOnePort;
      INFO(name << " " << to_string(kind));
      const Schedule schedule = plan_by("hamiltonian-cycle", problem);
      CHECK(first_violation(schedule) == "");
      CHECK(steps_of(schedule) == 2 * (problem.graph.node_count() - 1));
    }
  }
  // No Hamiltonian cycle: coloured like a chessboard, five of the mesh's nine nodes have one colour; a tree
  // has no cycle at all; the Petersen graph has none through all nodes.
  for (const char* name : {"mesh:3x3", "tree:2,2", "petersen"}) {
    Problem problem{.graph = make_topology(name), .collective = CollectiveKind::kMultinodeBroadcast};
    problem.ports = PortModel::kOnePort;
    CHECK_THROWS_WITH(find_planner(problem, "hamiltonian-cycle"),
                      "algorithm hamiltonian-cycle: finds no cycle through all nodes");
  }
}

TEST_CASE("broadcast of many messages keeps the root's links busy", "[general_collectives]") {
  // By hand: through every node of a mesh two paths lead from the corner, half of the messages over each; the
  // last sets out in step M/2, and the opposite corner is six hops away.
  Problem problem{
      .graph = make_topology("mesh:4x4"), .collective = CollectiveKind::kBroadcast, .messages = 40};
  CHECK(steps_of(plan_by("rarest-first", problem)) == 20 + 6 - 1);
  problem.collective = CollectiveKind::kReduction;
  CHECK(steps_of(plan_by("rarest-first", problem)) == 20 + 6 - 1);
  // One-port on a line: one after the other.
  problem = {.graph = make_topology("linear:6"), .collective = CollectiveKind::kBroadcast, .messages = 10};
  problem.ports = PortModel::kOnePort;
  CHECK(steps_of(plan_by("rarest-first", problem)) == 10 + 5 - 1);
}

TEST_CASE("allreduce", "[general_collectives]") {
  // As many messages as nodes: a reduce-scatter and an allgather, each optimal.
  Problem problem{
      .graph = make_topology("torus:4x4"), .collective = CollectiveKind::kAllreduce, .messages = 16};
  CHECK(steps_of(plan_by("reduce-then-broadcast", problem)) <= 2 * 4);
  problem.ports = PortModel::kOnePort;
  CHECK(steps_of(plan_by("reduce-then-broadcast", problem)) <= 2 * 15);
  // One message along one dimension after the other: the diameter.
  for (const char* name :
       {"torus:4x4", "hypercube:4", "mesh:4x3x2", "torus:5x3", "generalized-hypercube:3x4"}) {
    problem = {.graph = make_topology(name), .collective = CollectiveKind::kAllreduce};
    INFO(name);
    const Schedule schedule = plan_by("dimension-by-dimension", problem);
    CHECK(first_violation(schedule) == "");
    CHECK(steps_of(schedule) == problem.graph.diameter());
  }
  // One-port nodes of a hypercube exchange with one neighbour after the other.
  problem = {.graph = make_topology("hypercube:4"), .collective = CollectiveKind::kAllreduce};
  problem.ports = PortModel::kOnePort;
  CHECK(steps_of(plan_by("dimension-by-dimension", problem)) == 4);
}

TEST_CASE("bounds by flows, by hand", "[general_collectives]") {
  const auto bound = [](const char* name, PortModel ports, std::vector<std::uint64_t> packets) {
    return flow_bound(Wiring(make_topology(name)), packets, ports).steps;
  };
  const std::vector<std::uint64_t> one_each(9, 1);
  // The five nodes of one colour get 8 packets each from the four of the other.
  CHECK(bound("mesh:3x3", PortModel::kOnePort, one_each) == 10);
  CHECK(bound("mesh:3x3", PortModel::kAllPort, one_each) == 4);
  // The centre sends each leaf four packets.
  CHECK(bound("edges:0-1,0-2,0-3,0-4", PortModel::kOnePort, {1, 1, 1, 1, 1}) == 16);
  // M - 1 + log n.
  CHECK(bound("complete:8", PortModel::kOnePort, {0, 0, 0, 5, 0, 0, 0, 0}) == 4 + 3);
  // Node 5 gets both packets over one link.
  CHECK(bound("linear:6", PortModel::kAllPort, {2, 0, 0, 0, 0, 0}) == 6);
  // One path of two hops and two longer ones lead from the outer ring's node to one two hops away.
  CHECK(bound("petersen", PortModel::kAllPort, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0}) == 3);
  CHECK(bound("ring:7", PortModel::kAllPort, {2, 0, 0, 0, 0, 0, 0}) == 4);
}

TEST_CASE("tightening", "[general_collectives]") {
  // Two packets over a line, one long after the other: once tightened, the second follows a step behind.
  Schedule schedule(make_topology("linear:4"));
  const NodeId destination = 3;
  for (const std::uint32_t tag : {0U, 1U}) schedule.packets.add(0, tag, 1, std::span(&destination, 1));
  for (std::uint32_t hop = 0; hop < 3; ++hop) {
    const LinkId link = schedule.network.link(hop, *schedule.network.port_to(hop, hop + 1));
    for (const PacketIndex packet : {0U, 1U})
      schedule.sends.push_back({1 + 5 * packet + 2 * hop, link, packet});
  }
  sort_sends(schedule);
  REQUIRE(first_violation(schedule) == "");
  REQUIRE(steps_of(schedule) == 10);
  tighten(schedule);
  CHECK(first_violation(schedule) == "");
  CHECK(steps_of(schedule) == 4);
}

TEST_CASE("tdm_nodes run them to the cycle", "[general_collectives]") {
  for (const char* name : {"mesh:3x2", "edges:0-1,0-1,1-2,2-0,2-3,2-3"}) {
    for (const CollectiveKind kind : kKinds) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        const Problem problem{
            .graph = make_topology(name), .collective = kind, .ports = ports, .root = 1, .messages = 2};
        INFO(name << " " << to_string(kind) << " " << to_string(ports));
        const Choice choice = choose_algorithm(problem, true);
        const Schedule steps = choice.plan ? *choice.plan : plan_of(*choice.algorithm, problem);
        ReplayRequest request;
        const ReplayResult result = replay(steps, request, VariantStore::standard());
        CHECK((result.problems.empty() ? "" : result.problems.front()) == "");
        CHECK(result.steps == steps_of(steps));
        CHECK(result.on_time == steps.sends.size());
      }
    }
  }
}

TEST_CASE("where all are neighbours contributions go to every node, which combines them",
          "[general_collectives]") {
  // Every contribution goes into a packet at every node. With two messages and double links one step is
  // enough.
  for (const auto& [name, messages, steps] :
       {std::tuple("complete:4", 1U, 1U), std::tuple("complete:4", 2U, 2U),
        std::tuple("edges:0-1,0-1,0-2,0-2,1-2,1-2", 2U, 1U)}) {
    const Problem problem{
        .graph = make_topology(name), .collective = CollectiveKind::kAllreduce, .messages = messages};
    INFO(name << " M = " << messages);
    const Schedule schedule = plan_by("direct-exchange", problem);
    CHECK(first_violation(schedule) == "");
    CHECK(steps_of(schedule) == steps);
    ReplayRequest request;
    const ReplayResult result = replay(schedule, request, VariantStore::standard());
    CHECK((result.problems.empty() ? "" : result.problems.front()) == "");
    CHECK(result.steps == steps);
    CHECK(result.delivered == std::uint64_t{messages} * problem.graph.node_count());
  }
  const Problem line{.graph = make_topology("linear:3"), .collective = CollectiveKind::kAllreduce};
  CHECK_THROWS_WITH(find_planner(line, "direct-exchange"),
                    "algorithm direct-exchange: needs 2 to 255 nodes, all neighbours of each other");
}

TEST_CASE("what is too large is refused in one line", "[general_collectives]") {
  const Problem problem{.graph = make_topology("torus:16x16"),
                        .collective = CollectiveKind::kMultinodeBroadcast,
                        .messages = 100};
  CHECK_THROWS_WITH(find_planner(problem, "rarest-first"),
                    "algorithm rarest-first: needs at most 5000000 sends");
  Problem tree{.graph = make_topology("ring:5"), .collective = CollectiveKind::kAllreduce, .tree = "dfs"};
  CHECK_THROWS_WITH(find_planner(tree, "reduce-then-broadcast"),
                    "algorithm reduce-then-broadcast: has no use for --tree");
}
