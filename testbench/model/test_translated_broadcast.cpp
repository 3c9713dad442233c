#include <algorithm>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/gossip/translated_trees.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// What is wrong with the trees of node 0; empty if every node but 0 is informed once per message, by one that
// had the message before, and no port is used twice in a step (one-port: no two ports).
std::string fault_of_trees(const Graph& graph, PortModel ports, std::uint32_t messages,
                           const std::vector<TranslatedHop>& hops) {
  std::vector<std::vector<std::uint32_t>> informed(messages,
                                                   std::vector<std::uint32_t>(graph.node_count(), 0));
  std::set<std::pair<std::uint32_t, PortId>> used;
  for (const TranslatedHop& hop : hops) {
    if (hop.step == 0 || hop.message >= messages) return "no such step or message";
    if (!used.emplace(hop.step, ports == PortModel::kAllPort ? hop.port : 0).second) return "a port twice";
    auto& when = informed[hop.message];
    if (hop.from != 0 && (when[hop.from] == 0 || when[hop.from] >= hop.step))
      return "sent before it is there";
    const NodeId to = graph.peer(hop.from, hop.port).node;
    if (to == 0 || when[to] != 0) return "informed twice";
    when[to] = hop.step;
  }
  return hops.size() == std::size_t{messages} * (graph.node_count() - 1) ? "" : "not every node";
}

// Steps of the plan, which must be valid and as promised.
std::uint64_t planned_steps(const Problem& problem, const std::string& name) {
  const Algorithm& algorithm = find_planner(problem, name);
  CAPTURE(problem.graph.spelling(), to_string(problem.collective), to_string(problem.ports), problem.messages,
          problem.root, name);
  const Schedule schedule = algorithm.plan(problem);
  const ScheduleReport report = check_schedule(schedule);
  CHECK((report.valid() ? "" : report.violations[0].text) == "");
  CHECK(why_not_packets_of(problem, schedule) == "");
  const std::uint64_t steps = schedule.sends.empty() ? 0 : schedule.sends.back().start;
  if (const auto promised = algorithm.closed_form(problem)) CHECK(steps == *promised);
  CHECK(steps >= lower_bound(problem).steps);
  return steps;
}

Problem problem_of(const std::string& topology, CollectiveKind collective,
                   PortModel ports = PortModel::kAllPort, std::uint32_t messages = 1, NodeId root = 0) {
  Problem problem{make_topology(topology), collective, ports, root};
  problem.messages = messages;
  return problem;
}

const std::vector<std::string>& cayley_words() {
  static const std::vector<std::string> words{"linear:2",
                                              "ring:3",
                                              "ring:8",
                                              "extended-ring:4,2",
                                              "extended-ring:14,2",
                                              "circulant:12,1,6",
                                              "circulant:40,3,7,10",
                                              "torus:4x4",
                                              "torus:2x2x7",
                                              "torus:3x4x5",
                                              "hypercube:1",
                                              "hypercube:5",
                                              "folded-cube:2",
                                              "folded-cube:5",
                                              "hypercycle:3/1x6/2",
                                              "complete:9",
                                              "generalized-hypercube:3x4",
                                              "cube-connected-cycles:3",
                                              "butterfly:3",
                                              "star:3",
                                              "star:4",
                                              "product(star:3,linear:2,ring:5)"};
  return words;
}

}  // namespace

TEST_CASE("trees that all nodes translate meet the bound on Cayley graphs", "[translated]") {
  for (const std::string& word : cayley_words()) {
    const Graph graph = make_topology(word);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const std::uint32_t messages : {1U, 2U, 3U, 5U}) {
        CAPTURE(word, to_string(ports), messages);
        const std::vector<TranslatedHop> hops = translated_trees(graph, ports, messages);
        CHECK(fault_of_trees(graph, ports, messages, hops) == "");
        CHECK(hops.back().step == translated_broadcast_bound(graph, ports, messages));
      }
    }
  }
}

TEST_CASE("translated trees of large networks and of many messages", "[translated]") {
  for (const auto& [word, messages] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"hypercube:12", 1},
                                                          {"torus:64x64", 1},
                                                          {"folded-cube:10", 3},
                                                          {"ring:5", 500},
                                                          {"star:3", 101},
                                                          {"doubled-cube:8", 1},
                                                          {"doubled-cube:3", 2}}) {
    CAPTURE(word, messages);
    const Graph graph = make_topology(word);
    const std::vector<TranslatedHop> hops = translated_trees(graph, PortModel::kAllPort, messages);
    CHECK(fault_of_trees(graph, PortModel::kAllPort, messages, hops) == "");
    CHECK(hops.back().step == translated_broadcast_bound(graph, PortModel::kAllPort, messages));
  }
}

// By hand: on a ring of four one direction informs the opposite node; with two messages each does once.
TEST_CASE("translated broadcast on a ring of four", "[translated]") {
  CHECK(translated_trees(make_topology("ring:4"), PortModel::kAllPort, 1).back().step == 2);
  CHECK(translated_trees(make_topology("ring:4"), PortModel::kAllPort, 2).back().step == 3);
  CHECK(translated_trees(make_topology("ring:4"), PortModel::kOnePort, 2).back().step == 6);
  CHECK(translated_trees(make_topology("ring:4"), PortModel::kAllPort, 0).empty());
  // Two links lead to each of 8 neighbours, so step 1 brings 8 packets. 8 + 15 * 16 < 255: 17 steps.
  CHECK(translated_broadcast_bound(make_topology("doubled-cube:8"), PortModel::kAllPort, 1) == 17);
}

TEST_CASE("quarter turns grow a tree of p^2/4 steps", "[translated]") {
  for (NodeId side = 3; side <= 14; ++side) {
    CAPTURE(side);
    const Graph graph = make_topology("torus:" + std::to_string(side) + "x" + std::to_string(side));
    const std::vector<TranslatedHop> hops = quarter_turn_tree(side);
    CHECK(fault_of_trees(graph, PortModel::kAllPort, 1, hops) == "");
    CHECK(hops.back().step == side * side / 4);
  }
  CHECK(planned_steps(problem_of("torus:6x6", CollectiveKind::kMultinodeBroadcast), "torus-quarter-turns") ==
        9);
}

TEST_CASE("translated broadcasts and accumulations are valid schedules", "[translated]") {
  for (const std::string& word : cayley_words()) {
    for (const CollectiveKind collective :
         {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation}) {
      for (const std::uint32_t messages : {1U, 3U}) {
        const Problem problem = problem_of(word, collective, PortModel::kAllPort, messages);
        CHECK(planned_steps(problem, "translated-broadcast") ==
              translated_broadcast_bound(problem.graph, problem.ports, messages));
      }
      for (const PortModel ports : {PortModel::kOnePort, PortModel::kOnePortSend}) {
        const Problem problem = problem_of(word, collective, ports, 2);
        CHECK(planned_steps(problem, "translated-broadcast") == 2 * (problem.graph.node_count() - 1));
      }
    }
  }
}

TEST_CASE("the ways to the root of a multinode broadcast are a gather", "[translated]") {
  for (const char* word : {"ring:7", "torus:3x4", "folded-cube:4", "cube-connected-cycles:3", "star:3"}) {
    for (const CollectiveKind collective : {CollectiveKind::kGather, CollectiveKind::kScatter}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        for (const std::uint32_t messages : {1U, 2U, 5U}) {
          const Problem problem = problem_of(word, collective, ports, messages, 4);
          CHECK(planned_steps(problem, "translated-broadcast") ==
                translated_broadcast_bound(problem.graph, ports, messages));
        }
      }
    }
  }
}

TEST_CASE("the gather in any multinode broadcast", "[translated]") {
  for (const CollectiveKind collective : {CollectiveKind::kGather, CollectiveKind::kScatter}) {
    const Problem problem = problem_of("torus:3x4", collective, PortModel::kAllPort, 3, 7);
    Problem all = problem;
    all.collective = CollectiveKind::kMultinodeBroadcast;
    const Schedule broadcasts = find_planner(all, "translated-broadcast").plan(all);
    const Schedule schedule = personal_from_broadcasts(problem, "gather", broadcasts);
    const ScheduleReport report = check_schedule(schedule);
    CHECK((report.valid() ? why_not_packets_of(problem, schedule) : report.violations[0].text) == "");
    CHECK(schedule.sends.back().start == broadcasts.sends.back().start);
  }
}

TEST_CASE("a gather in a large hypercube leaves no link of the root idle", "[translated]") {
  CHECK(planned_steps(problem_of("hypercube:13", CollectiveKind::kGather, PortModel::kAllPort, 1, 77),
                      "translated-broadcast") == 631);  // ceil(8191 / 13)
}

TEST_CASE("translated broadcasts say what they need", "[translated]") {
  const auto why_not = [](const Problem& problem, const std::string& name) {
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.name == name && algorithm.collective == problem.collective)
        return algorithm.why_not(problem);
    }
    return std::string("no such algorithm");
  };
  const auto mesh = problem_of("mesh:3x3", CollectiveKind::kMultinodeBroadcast);
  CHECK(why_not(mesh, "translated-broadcast") == "needs a Cayley graph");
  CHECK(why_not(problem_of("torus:3x4", CollectiveKind::kMultinodeBroadcast), "torus-quarter-turns") ==
        "needs a torus of two equal sides of 3 or more");
  CHECK(why_not(problem_of("torus:128x128", CollectiveKind::kMultinodeBroadcast), "translated-broadcast")
            .starts_with("needs a network whose multinode broadcast takes at most"));
  CHECK(why_not(problem_of("torus:64x64", CollectiveKind::kMultinodeAccumulation), "translated-broadcast")
            .starts_with("needs at most"));
  CHECK_THROWS_WITH(translated_trees(mesh.graph, PortModel::kAllPort, 1),
                    Catch::Contains("mesh:3x3") && Catch::Contains("expected a Cayley graph"));
}
