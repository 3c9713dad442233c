#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/check/validator.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/recognise/recognise.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/known_problem.hpp"
#include "cpp_model/transform/carry_over.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"
#include "testbench/support/shuffled_network.hpp"

using namespace safnet;

namespace {

constexpr PortModel kEveryPortModel[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

Graph recognised(const std::string& spelling, std::uint64_t seed = 1) {
  return recognise(shuffled_network(make_topology(spelling), seed), make_topology);
}

// A problem on a network as a file lists it, with a root and active nodes that are not those of the network's
// own numbering.
Problem problem_on(const Graph& graph, const CollectiveName& collective, PortModel ports) {
  Problem problem{graph, collective.kind, ports};
  problem.root = graph.node_count() / 3;
  if (collective.has_active) problem.active = {0, 2, graph.node_count() - 1};
  return problem;
}

void check_plan(const Problem& problem, const Schedule& plan) {
  CHECK_THAT(why_not_packets_of(problem, plan), Catch::Equals(""));
  CHECK(plan.root == problem.root);
  CHECK(plan.network.spelling() == problem.graph.spelling());
  const ScheduleReport report = check_schedule(plan, 3);
  for (const ScheduleViolation& violation : report.violations) UNSCOPED_INFO(violation.text);
  CHECK(report.valid());
}

}  // namespace

TEST_CASE("a network from a file is planned in as many steps as by its name", "[recognise][carry_over]") {
  for (const char* word :
       {"mesh:4x3", "torus:4x3", "hypercube:3", "ring:7", "petersen", "folded-cube:3", "star:4",
        "product(complete:4,linear:3)", "kautz:2,3", "doubled-cube:2", "tree:2,3"}) {
    const Graph graph = recognised(word);
    REQUIRE(graph.known_as() != nullptr);
    for (const CollectiveName& collective : collective_names()) {
      for (const PortModel ports : kEveryPortModel) {
        const Problem problem = problem_on(graph, collective, ports), named = on_known_network(problem);
        if (collective.scans || collective.kind == CollectiveKind::kMultipath) continue;
        if (!some_algorithm_applies(named)) continue;
        // The search for the shortest allreduce takes long on these, and is the same on both networks.
        if (collective.kind == CollectiveKind::kAllreduce && graph.node_count() > 12) continue;
        CAPTURE(word, collective.name, to_string(ports));
        const Choice choice = choose_algorithm(problem, true), by_name = choose_algorithm(named, true);
        CHECK(choice.algorithm == by_name.algorithm);
        CHECK(choice.bound.steps == by_name.bound.steps);
        CHECK(choice.promised == by_name.promised);
        const Schedule plan = plan_of(*choice.algorithm, problem), there = plan_of(*by_name.algorithm, named);
        CHECK(steps_of(plan) == steps_of(there));
        CHECK(plan.sends.size() == there.sends.size());
        check_plan(problem, plan);
      }
    }
  }
}

TEST_CASE("what shows a bound has the numbers of the file", "[recognise][carry_over]") {
  std::size_t cuts = 0, paths = 0;
  for (const char* word : {"mesh:4x3", "linear:7", "hypercube:3", "tree:2,3", "kautz:2,3"}) {
    const Graph graph = recognised(word);
    for (const CollectiveName& collective : collective_names()) {
      if (collective.scans || collective.kind == CollectiveKind::kMultipath) continue;
      CAPTURE(word, collective.name);
      const Problem problem = problem_on(graph, collective, PortModel::kAllPort);
      const BoundWitness witness = lower_bound(problem).witness,
                         by_name = lower_bound(on_known_network(problem)).witness;
      REQUIRE(witness.kind == by_name.kind);
      CHECK(witness.links.size() == by_name.links.size());
      // A path may lead to another one of several nodes that are equally far.
      if (witness.kind == WitnessKind::kPath) {
        ++paths;
        REQUIRE(witness.nodes.size() == witness.links.size() + 1);
        CHECK(graph.distances_from(witness.nodes.front())[witness.nodes.back()] == witness.links.size());
        continue;
      }
      if (witness.kind == WitnessKind::kCut) ++cuts;
      std::vector<NodeId> nodes;
      for (const NodeId v : by_name.nodes) nodes.push_back(graph.known_as()->node_here[v]);
      std::ranges::sort(nodes);
      CHECK(witness.nodes == nodes);
    }
  }
  CHECK(cuts > 0);
  CHECK(paths > 0);
}

TEST_CASE("links with a price have the numbers of the file", "[recognise][carry_over]") {
  // A total exchange must use 18 of this network's 24 links 258 times, all of them equally dear.
  const Graph graph = recognised("kautz:2,3");
  const LowerBound bound = lower_bound(
      {.graph = graph, .collective = CollectiveKind::kTotalExchange, .ports = PortModel::kAllPort});
  REQUIRE(bound.witness.kind == WitnessKind::kPrices);
  REQUIRE(bound.witness.links.size() == 18);
  std::uint64_t cheapest_ways = 0;
  for (NodeId origin = 0; origin < graph.node_count(); ++origin) {
    std::vector<std::uint64_t> price(graph.node_count(), graph.node_count());
    price[origin] = 0;
    for (NodeId round = 1; round < graph.node_count(); ++round) {
      for (LinkId link = 0; link < graph.link_count(); ++link) {
        const std::uint64_t own = std::ranges::binary_search(bound.witness.links, link) ? 1 : 0;
        price[graph.link_target(link)] =
            std::min(price[graph.link_target(link)], price[graph.link_source(link)] + own);
      }
    }
    cheapest_ways = std::accumulate(price.begin(), price.end(), cheapest_ways);
  }
  CHECK(cheapest_ways == 258);
  CHECK(bound.steps == 15);  // 258 / 18, rounded up
}

TEST_CASE("several messages are carried over too, also in turn", "[recognise][carry_over]") {
  for (const char* word : {"torus:4x3", "hypercube:3"}) {
    const Graph graph = recognised(word, 2);
    for (const CollectiveName& collective : collective_names()) {
      Problem problem = problem_on(graph, collective, PortModel::kAllPort);
      problem.messages = 3;
      if (collective.scans || collective.kind == CollectiveKind::kMultipath ||
          !some_algorithm_applies(problem))
        continue;
      CAPTURE(word, collective.name);
      check_plan(problem, plan_of(*choose_algorithm(problem, true).algorithm, problem));
      if (collective.kind == CollectiveKind::kConcurrentBroadcast) continue;
      check_plan(problem, choose_in_turn(problem).plan.value());
    }
  }
}

TEST_CASE("planners that need a family apply to networks from files by name", "[recognise][carry_over]") {
  struct Row {
    const char* spelling;
    CollectiveKind collective;
    PortModel ports;
  };
  const auto applying = [](const Problem& problem) {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.collective == problem.collective && algorithm.why_not(problem).empty())
        names.push_back(algorithm.name);
    }
    return names;
  };
  for (const char* word : {"torus:5x5", "mesh:4x4", "hypercube:5", "folded-cube:4", "linear:6"}) {
    for (const PortModel ports : kEveryPortModel) {
      const Problem problem{recognised(word), CollectiveKind::kTotalExchange, ports};
      const Problem unknown{shuffled_network(make_topology(word), 1), CollectiveKind::kTotalExchange, ports};
      const Problem named{make_topology(word), CollectiveKind::kTotalExchange, ports};
      CAPTURE(word, to_string(ports));
      CHECK(applying(problem) == applying(named));
      CHECK(applying(problem).size() > applying(unknown).size());
    }
  }
}

TEST_CASE("policies are carried over to the nodes and ports of a file", "[recognise][carry_over]") {
  for (const char* word :
       {"mesh:4x3", "torus:4x3", "torus:5x5", "hypercube:4", "ring:8", "linear:7", "petersen",
        "extended-ring:11,2", "complete:5", "star:4", "folded-cube:3", "tree:2,2"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Graph graph = recognised(word, seed);
      for (const Algorithm& algorithm : algorithms()) {
        for (const PortModel ports : kEveryPortModel) {
          const Problem problem = problem_on(graph, name_of(algorithm.collective), ports);
          if (!algorithm.policy || !algorithm.why_not(problem).empty()) continue;
          if (algorithm.name == "weight-rule-as-printed") continue;  // it may never end
          CAPTURE(word, seed, algorithm.name, to_string(ports));
          const Policy policy = algorithm.policy(problem);
          const StepperResult result = ReferenceStepper(graph, ports, policy).run();
          const bool may_conflict = ports == PortModel::kOnePort && !policy.conflict_free;
          const ValidationReport report = validate(
              graph, collective_of(problem), may_conflict ? PortModel::kOnePortSend : ports, result.trace, 0);
          CHECK_THAT(report.problems, Catch::Equals(std::vector<std::string>{}));
          if (!may_conflict) CHECK(result.steps >= lower_bound(problem).steps);
          CHECK(result.peak_waiting <= policy.queue_bound);
          // Those that promise nothing may take other steps, as ports decide which of several packets goes
          // first.
          const ClosedForm promised = algorithm.closed_form(problem);
          if (promised && problem.active.empty()) CHECK(result.steps == *promised);
        }
      }
    }
  }
}

TEST_CASE("bounds hold for the nodes and links of the file", "[recognise][carry_over][bound]") {
  for (const char* word : {"mesh:5x4", "torus:6x4", "tree:2,3", "linear:6"}) {
    const Graph graph = recognised(word);
    for (const CollectiveName& collective : collective_names()) {
      for (const PortModel ports : kEveryPortModel) {
        if (collective.scans) continue;
        const Problem problem = problem_on(graph, collective, ports);
        CAPTURE(word, collective.name, to_string(ports));
        const LowerBound bound = lower_bound(problem);
        CHECK(bound.steps == lower_bound(on_known_network(problem)).steps);
        const BoundWitness& witness = bound.witness;
        CHECK(std::ranges::all_of(witness.nodes, [&](NodeId v) { return v < graph.node_count(); }));
        // Links of a cut lead from the nodes that packets have to leave to others, in the file's numbers.
        if (witness.kind != WitnessKind::kCut) continue;
        for (const LinkId link : witness.links) {
          CHECK(std::ranges::binary_search(witness.nodes, graph.link_source(link)));
          CHECK_FALSE(std::ranges::binary_search(witness.nodes, graph.link_target(link)));
        }
      }
    }
  }
}
