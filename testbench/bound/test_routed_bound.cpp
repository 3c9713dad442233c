// Lower bounds on networks some of whose nodes only route.
#include <algorithm>
#include <optional>
#include <random>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/branches.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;

namespace {

std::uint64_t bound_of(const Graph& graph, CollectiveKind collective, PortModel ports,
                       std::uint32_t messages = 1) {
  Problem problem{.graph = graph, .collective = collective, .ports = ports};
  problem.messages = messages;
  return lower_bound(problem).steps;
}

// Every vector of so few arities that there are no more leaves than that.
std::vector<std::vector<std::uint32_t>> arity_vectors(std::uint32_t most_leaves, std::size_t most_levels) {
  std::vector<std::vector<std::uint32_t>> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == most_levels) continue;
    std::uint32_t leaves = 1;
    for (const std::uint32_t k : all[i]) leaves *= k;
    for (std::uint32_t k = 2; leaves * k <= most_leaves && k <= 5; ++k) {
      all.push_back(all[i]);
      all.back().push_back(k);
    }
  }
  all.erase(all.begin());
  return all;
}

FatTree constant(const std::vector<std::uint32_t>& arities) {
  return {arities, std::vector<std::uint32_t>(arities.size(), 1)};
}

// Four processors, each at a router of a ring of four.
Graph routers_in_a_ring() {
  std::vector<std::vector<Endpoint>> ports(8);
  for (NodeId i = 0; i < 4; ++i) {
    ports[i] = {{4 + i, 2}};
    ports[4 + i] = {{4 + (i + 1) % 4, 1}, {4 + (i + 3) % 4, 0}, {i, 0}};
  }
  return Graph("routers", ports).with_routers_from(4);
}

}  // namespace

TEST_CASE("processors that are neighbours exchange what they have in the first step", "[routed_bound]") {
  CHECK(bound_of(make_topology("routers(complete:3;2)"), CollectiveKind::kAllreduce, PortModel::kAllPort) ==
        1);
}

TEST_CASE("distances from a branch end with the furthest node that is marked", "[branches]") {
  // Branches of the line 0 - 1 - 2 - 3, of whose nodes only 1 is marked.
  const auto branches = Branches::of(make_topology("linear:4"));
  REQUIRE(branches);
  const std::vector<Distances> sides = branches->sides({0, 1, 0, 0});
  for (std::size_t b = 0; b < sides.size(); ++b) {
    const Branch& branch = branches->all()[b];
    CAPTURE(branch.from, branch.to);
    using Counts = std::vector<std::uint64_t>;
    const bool leads_there = branch.from < branch.to ? branch.to == 1 : branch.to >= 1;
    const std::size_t hops = branch.from < branch.to ? 0 : branch.to - 1;
    CHECK(sides[b].at_least == (leads_there ? Counts(hops + 1, 1) : Counts{}));
  }
}

TEST_CASE("bounds of fat trees are the formulas for any arities", "[routed_bound]") {
  for (const std::vector<std::uint32_t>& arities : arity_vectors(40, 4)) {
    CAPTURE(arities);
    const FatTree tree = constant(arities);
    const Graph graph = fat_tree(tree);
    const std::uint64_t n = tree.leaves(), h = tree.height();
    std::uint64_t sum = 0, copies = 0, sent = 0, crossing = 0;
    for (std::uint32_t i = 1; i <= h; ++i) {
      const std::uint64_t k = tree.arity(i), below = tree.leaves_below(i - 1), all = tree.leaves_below(i);
      copies = std::max(copies, n * (i < h ? k : k - 1) + i + sum);
      sent = std::max(sent, all * (2 * n - below - all) + 2 * i - 1);
      crossing = std::max(crossing, below * (n - below) + 2 * i - 1);
      sum += k;
    }
    const std::uint64_t single = h > 1 && tree.arity(1) == 2 ? n + 1 : n;
    for (const PortModel ports : {PortModel::kOnePort, PortModel::kOnePortSend})
      CHECK(bound_of(graph, CollectiveKind::kBroadcast, ports) == sum + h - 1);
    CHECK(bound_of(graph, CollectiveKind::kBroadcast, PortModel::kAllPort) == 2 * h);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      CHECK(bound_of(graph, CollectiveKind::kScatter, ports) == single);
      CHECK(bound_of(graph, CollectiveKind::kGather, ports) == single);
    }
    CHECK(bound_of(graph, CollectiveKind::kMultinodeBroadcast, PortModel::kAllPort) == single);
    CHECK(bound_of(graph, CollectiveKind::kMultinodeBroadcast, PortModel::kOnePortSend) == copies);
    CHECK(bound_of(graph, CollectiveKind::kTotalExchange, PortModel::kOnePortSend) == sent);
    CHECK(bound_of(graph, CollectiveKind::kTotalExchange, PortModel::kAllPort) >= crossing);
    // Backwards in time what is combined is a multinode broadcast that only leaves copy.
    CHECK(bound_of(graph, CollectiveKind::kMultinodeAccumulation, PortModel::kAllPort) >= single);
    for (const CollectiveKind kind : {CollectiveKind::kReduction, CollectiveKind::kAllreduce})
      CHECK(bound_of(graph, kind, PortModel::kOnePort) >= sum + h - 1);
    CHECK(bound_of(graph, CollectiveKind::kMultinodeAccumulation, PortModel::kOnePort) >= copies);
  }
}

TEST_CASE("capacity counts as far as the links below can fill it", "[routed_bound]") {
  const auto exchange = [](const char* spelling) {
    return bound_of(make_topology(spelling), CollectiveKind::kTotalExchange, PortModel::kAllPort);
  };
  CHECK(exchange("fat-tree:4,2") == 51);
  CHECK(exchange("fat-tree:2,3") == 21);
  CHECK(exchange("fat-tree:2,3,exponential") == 11);
  CHECK(exchange("fat-tree:2,3,1,8,8") == 11);
  CHECK(exchange("fat-tree:3,3,exponential") == 31);
  const Graph wide = make_topology("fat-tree:2,2,3,1");
  CHECK(bound_of(wide, CollectiveKind::kScatter, PortModel::kAllPort, 6) == 2 * 6 + 3);
  CHECK(bound_of(wide, CollectiveKind::kScatter, PortModel::kOnePort, 6) == 3 * 6 + 1);
  const std::optional<Branches> branches = Branches::of(wide);
  REQUIRE(branches);
  for (const Branch& branch : branches->all()) CHECK(branch.usable == (branch.links == 3 ? 3U : 1U));
  const std::optional<Branches> narrow = Branches::of(make_topology("fat-tree:2,2,1,5"));
  REQUIRE(narrow);
  for (const Branch& branch : narrow->all()) CHECK(branch.usable == (branch.links == 5 ? 2U : 1U));
}

TEST_CASE("no plan takes fewer steps than its bound", "[routed_bound]") {
  std::mt19937 random(5);
  const auto pick = [&](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random() % (high - low + 1));
  };
  std::size_t plans = 0, attained = 0;
  for (int round = 0; round < 12; ++round) {
    std::vector<std::uint32_t> arities, capacities;
    std::uint32_t leaves = 1;
    do {
      arities.push_back(pick(2, 4));
      capacities.push_back(pick(1, 3));
      leaves *= arities.back();
    } while (leaves * 2 <= 16 && pick(0, 2) != 0);
    if (leaves > 20) continue;
    const Graph graph = fat_tree({arities, capacities});
    const std::uint32_t messages = pick(1, 3);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const Algorithm& algorithm : algorithms()) {
        Problem problem{.graph = graph, .collective = algorithm.collective, .ports = ports};
        problem.messages = messages;
        problem.root = pick(0, leaves - 1);
        if (name_of(algorithm.collective).has_active) problem.active = {0, leaves - 1};
        if (!algorithm.knows_routers || !algorithm.why_not(problem).empty()) continue;
        std::optional<Schedule> found;
        try {
          found = plan_of(algorithm, problem);
        } catch (const std::invalid_argument&) {
          if (algorithm.searches) continue;  // and has found nothing
          throw;
        }
        const Schedule& plan = *found;
        const LowerBound bound = lower_bound(problem);
        CAPTURE(graph.spelling(), algorithm.name, to_string(algorithm.collective), to_string(ports), messages,
                bound.reason);
        CHECK(testbench::fault_of(plan) == "");
        CHECK(steps_of(plan) >= bound.steps);
        ++plans;
        attained += steps_of(plan) == bound.steps ? 1 : 0;
      }
    }
  }
  CHECK(plans > 300);
  CHECK(attained > plans / 3);
}

TEST_CASE("what leaves combine on the smallest fat trees takes as long as the bound says", "[routed_bound]") {
  for (const char* spelling : {"fat-tree:2,1", "fat-tree:2,2"}) {
    const Graph graph = make_topology(spelling);
    CAPTURE(spelling);
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      const Problem problem{.graph = graph, .collective = CollectiveKind::kReduction, .ports = ports};
      CHECK(steps_of(*choose_algorithm(problem, true).plan) == lower_bound(problem).steps);
    }
  }
}

TEST_CASE("processors at a ring of routers", "[routed_bound]") {
  const Graph graph = routers_in_a_ring();
  // Two others are three hops away, one four: the last to come over the one link has been there for step 5.
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
    for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather,
                                      CollectiveKind::kTotalExchange, CollectiveKind::kMultinodeBroadcast})
      CHECK(bound_of(graph, kind, ports) == 5);
    CHECK(bound_of(graph, CollectiveKind::kBroadcast, ports) == 4);
    CHECK(bound_of(graph, CollectiveKind::kReduction, ports) == 5);
    CHECK(bound_of(graph, CollectiveKind::kAllreduce, ports) == 5);
  }
  CHECK_FALSE(Branches::of(graph));
}
