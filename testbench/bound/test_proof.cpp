// Arguments for lower bounds: they prove what is known, and never more than some schedule takes.
#include <string>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/proof/certificate_text.hpp"
#include "cpp_model/proof/cut_prices.hpp"
#include "cpp_model/proof/prove.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;

namespace {

Task task_in(const std::string& network, CollectiveKind kind, PortModel ports, std::uint64_t too_few) {
  const Problem problem{.graph = make_topology(network), .collective = kind, .ports = ports};
  Task task = *task_of(problem, kind, 0);
  task.steps = too_few;
  return task;
}

Proof proof_of(const Problem& problem) {
  const LowerBound bound = tightest_bound(problem, ~std::uint64_t{0});
  const std::optional<Proof> proof = prove(problem, bound);
  INFO(bound.steps << " steps: " << bound.reason);
  REQUIRE(proof);
  CHECK(proof->steps == bound.steps);
  return *proof;
}

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

}  // namespace

TEST_CASE("prices of slots", "[proof]") {
  // 9 packets of linear:6 cross from node 2 to node 3, one per step.
  const Graph line = make_topology("linear:6");
  const LinkId middle = line.link(2, *line.port_to(2, 3));
  const auto crossing = [&](std::uint64_t steps, std::uint64_t first, std::uint64_t last) {
    const Task task = task_in("linear:6", CollectiveKind::kTotalExchange, PortModel::kAllPort, steps);
    return ways_cost_more(task, {{SlotKind::kLink, middle, first, last, 1}});
  };
  CHECK(crossing(8, 1, 8));
  CHECK_FALSE(crossing(9, 1, 9));
  // In a step without a price packets cross for nothing.
  CHECK_FALSE(crossing(8, 2, 8));
  CHECK_FALSE(crossing(8, 1, 7));
  // Node 5 is five hops from node 0.
  const auto without_prices = [&](std::uint64_t steps) {
    return ways_cost_more(task_in("linear:6", CollectiveKind::kScatter, PortModel::kAllPort, steps), {});
  };
  CHECK(without_prices(4));
  CHECK_FALSE(without_prices(5));
}

TEST_CASE("prices of cycles where links differ", "[proof][unequal]") {
  // Four packets cross from node 1 to node 2, each in 3 cycles, and come to node 3 in another cycle or later.
  const Problem line{.graph = make_topology("timed(linear:4;1-2:cycles_per_flit=3)"),
                     .collective = CollectiveKind::kTotalExchange};
  const LinkTimes times(line.graph);
  const LinkId middle = line.graph.link(1, *line.graph.port_to(1, 2));
  const auto costs_more = [&](std::uint64_t cycles, const SlotPrices& prices) {
    Task task = *task_of(line, line.collective, 0, &times);
    task.steps = cycles;
    return ways_cost_more(task, prices);
  };
  const auto every_third = [&](std::uint64_t first, int count) {
    SlotPrices prices;
    for (int i = 0; i < count; ++i, first += 3) prices.push_back({SlotKind::kLink, middle, first, first, 1});
    return prices;
  };
  CHECK(costs_more(14, every_third(3, 3)) == false);  // a fourth packet has cycles 10 to 12, without a price
  CHECK(costs_more(11, every_third(3, 3)));
  CHECK_FALSE(costs_more(12, every_third(3, 4)));
  // Each packet pays in all three cycles; 11 of them have room for 11, and four packets pay 12.
  CHECK(costs_more(11, {{SlotKind::kLink, middle, 1, 11, 1}}));
  CHECK_FALSE(costs_more(12, {{SlotKind::kLink, middle, 1, 12, 1}}));
  // The quickest way from end to end takes 5 cycles.
  CHECK(costs_more(4, {}));
  CHECK_FALSE(costs_more(5, {}));
}

TEST_CASE("receptions are later than sends by the latency", "[proof][unequal]") {
  // Two packets, each sent in cycles s and s + 1 and received in s + 4 and s + 5: 8 cycles are enough.
  const Problem two{.graph = make_topology("timed(linear:2;0>1:latency=4)"),
                    .collective = CollectiveKind::kScatter,
                    .ports = PortModel::kOnePort,
                    .messages = 2};
  const LinkTimes times(two.graph, 2);
  const auto costs_more = [&](std::uint64_t cycles, SlotKind kind, std::uint32_t node, std::uint64_t cycle) {
    Task task = *task_of(two, two.collective, 0, &times);
    task.steps = cycles;
    return ways_cost_more(task, {{kind, node, cycle, cycle, 1}});
  };
  // In 7 cycles both are sent in cycle 2 and received in cycle 6.
  CHECK(costs_more(7, SlotKind::kSend, 0, 2));
  CHECK(costs_more(7, SlotKind::kReceive, 1, 6));
  CHECK(costs_more(7, SlotKind::kLink, two.graph.link(0, *two.graph.port_to(0, 1)), 2));
  CHECK_FALSE(costs_more(7, SlotKind::kSend, 0, 1));
  CHECK_FALSE(costs_more(7, SlotKind::kSend, 0, 6));
  CHECK_FALSE(costs_more(7, SlotKind::kReceive, 1, 2));
  CHECK_FALSE(costs_more(7, SlotKind::kReceive, 1, 7));
  CHECK_FALSE(costs_more(8, SlotKind::kSend, 0, 2));
  CHECK_FALSE(costs_more(8, SlotKind::kReceive, 1, 6));
}

TEST_CASE("prices of a smallest cut prove the optimum of scatter", "[proof]") {
  testbench::Dice dice(5);
  for (int round = 0; round < 40; ++round) {
    const Problem problem{.graph = testbench::random_graph(dice, 9, 5),
                          .collective = CollectiveKind::kScatter,
                          .messages = dice.between(1, 3)};
    Task task = *task_of(problem, problem.collective, 0);
    const std::uint64_t optimum = proved_optimum(problem)->steps;
    task.steps = optimum - 1;
    INFO(problem.graph.spelling() << ", " << problem.messages << " messages");
    CHECK(ways_cost_more(task, prices_of_smallest_cut(task)));
    task.steps = optimum;
    CHECK(prices_of_smallest_cut(task).empty());
  }
}

TEST_CASE("what must enter sets of nodes", "[proof]") {
  // The five nodes of one colour lack 8 packets each; the four others send them.
  const auto enter = [](std::uint64_t steps, const std::vector<std::vector<NodeId>>& sets) {
    SlotPrices prices;
    for (const NodeId v : {1U, 3U, 5U, 7U}) prices.push_back({SlotKind::kSend, v, 1, steps, 1});
    return entries_cost_more(
        task_in("mesh:3x3", CollectiveKind::kMultinodeBroadcast, PortModel::kOnePort, steps), sets, prices);
  };
  CHECK(enter(9, {{0}, {2}, {4}, {6}, {8}}));
  CHECK_FALSE(enter(10, {{0}, {2}, {4}, {6}, {8}}));
  CHECK_FALSE(enter(9, {{0}, {2}, {4}, {6}}));
}

TEST_CASE("refutations", "[proof]") {
  // Of three clauses on two variables, and of one that makes them contradict each other.
  const std::vector<Clause> some{{1, 2}, {-1, 2}, {1, -2}};
  CHECK_FALSE(refute(some, 1000));
  std::vector<Clause> all = some;
  all.push_back({-1, -2});
  const std::optional<Refutation> refutation = refute(all, 1000);
  REQUIRE(refutation);
  CHECK(refutation->lemmas.back().clause.empty());
  CHECK_FALSE(refutation->lemmas.back().because.empty());
  const Task too_large = task_in("torus:10x10", CollectiveKind::kMultinodeBroadcast, PortModel::kOnePort, 99);
  CHECK_FALSE(question_of(too_large));
}

TEST_CASE("each kind of argument", "[proof]") {
  const auto kind = [](const std::string& network, CollectiveKind collective, PortModel ports,
                       std::uint32_t messages = 1) {
    return to_string(
        proof_of(
            {.graph = make_topology(network), .collective = collective, .ports = ports, .messages = messages})
            .kind);
  };
  using enum CollectiveKind;
  CHECK(kind("mesh:4x4", kTotalExchange, PortModel::kOnePort) == std::string("ways"));
  CHECK(kind("fat-tree:2,3,exponential", kTotalExchange, PortModel::kAllPort) == std::string("ways"));
  CHECK(kind("random:12,20,1", kMultinodeAccumulation, PortModel::kOnePort) == std::string("entries"));
  CHECK(kind("torus:5x5", kBroadcast, PortModel::kOnePort, 3) == std::string("informed"));
  CHECK(kind("tree:2,3", kReduction, PortModel::kOnePort) == std::string("tree"));
  CHECK(kind("fat-tree:2,3", kReduction, PortModel::kAllPort) == std::string("carried"));
  CHECK(kind("fat-tree:4,2", kReduction, PortModel::kAllPort) == std::string("refutation"));
  CHECK(kind("extended-ring:14,2", kBroadcast, PortModel::kOnePort) == std::string("refutation"));
  CHECK(kind("ring:9", kAllreduce, PortModel::kOnePort) == std::string("refutation"));
}

TEST_CASE("no argument proves more than the optimum", "[proof]") {
  testbench::Dice dice(11);
  int proved = 0, known = 0;
  for (int round = 0; round < 60; ++round) {
    const Graph graph = testbench::random_graph(dice, 7, 4);
    const PortModel ports = kPortModels[dice.below(3)];
    for (const CollectiveName& name : collective_names()) {
      Problem problem{.graph = graph, .collective = name.kind, .ports = ports};
      const std::optional<ProvedOptimum> optimum = proved_optimum(problem);
      if (!optimum) continue;
      INFO(name.name << " on " << graph.spelling() << ", " << in_words(ports));
      LowerBound bound = tightest_bound(problem, optimum->steps);
      ++known;
      const std::optional<Proof> proof = prove(problem, bound);
      proved += proof ? 1 : 0;
      CHECK((!proof || proof->steps == bound.steps));
      bound.steps = optimum->steps + 1;
      CHECK_FALSE(prove(problem, bound));
    }
  }
  CHECK(known > 300);
  CHECK(proved > known - known / 50);
}

TEST_CASE("a certificate holds the network", "[proof]") {
  const Problem problem{.graph = make_topology("linear:2"), .collective = CollectiveKind::kAllreduce};
  CHECK(certificate_text(problem, proof_of(problem)) ==
        R"({"topology":"linear:2","nodes":2,"processors":2,"links":[[0,1],[1,0]],"ports":"all",)"
        R"("collective":"allreduce","messages":1,"steps":1,)"
        R"("argument":{"kind":"ways","as":"bcast","root":0,"backwards":false,"destination":1,"prices":[]}})"
        "\n");
}

TEST_CASE("no argument without a bound", "[proof]") {
  CHECK_FALSE(prove({.graph = make_topology("ring:4"), .collective = CollectiveKind::kBroadcast}, {}));
  const Problem partial{
      .graph = make_topology("ring:4"), .collective = CollectiveKind::kPartialExchange, .active = {0, 2}};
  CHECK_FALSE(prove(partial, tightest_bound(partial, ~std::uint64_t{0})));
}
