#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/torus/torus_exchange.hpp"
#include "cpp_model/algorithm/torus/torus_multinode_broadcast.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/first_violation.hpp"

using namespace safnet;
using testbench::first_violation;

namespace {

Problem problem_of(const std::string& topology, CollectiveKind collective, std::uint32_t messages) {
  Problem problem{make_topology(topology), collective, PortModel::kAllPort};
  problem.messages = messages;
  return problem;
}

// Plans and checks; the steps must be as promised and not below the bound.
std::uint64_t steps(const std::string& topology, CollectiveKind collective, const std::string& name,
                    std::uint32_t messages) {
  CAPTURE(topology, to_string(collective), name, messages);
  const Problem problem = problem_of(topology, collective, messages);
  const Algorithm& planner = find_planner(problem, name);
  const Schedule schedule = planner.plan(problem);
  CHECK(first_violation(schedule) == "");
  CHECK(schedule.packets.size() >= collective_packets(problem).size());
  const std::uint64_t steps = measure(schedule).steps;
  CHECK(planner.closed_form(problem) == steps);
  CHECK(steps >= lower_bound(problem).steps);
  return steps;
}
std::uint64_t broadcast(const std::string& topology, const std::string& name, std::uint32_t messages) {
  const std::uint64_t forwards = steps(topology, CollectiveKind::kMultinodeBroadcast, name, messages);
  CHECK(steps(topology, CollectiveKind::kMultinodeAccumulation, name, messages) == forwards);
  return forwards;
}
std::uint64_t exchange(const std::string& topology, const std::string& name, std::uint32_t messages) {
  return steps(topology, CollectiveKind::kTotalExchange, name, messages);
}

}  // namespace

TEST_CASE("multinode broadcast with packed necklaces meets the bound for every number of messages",
          "[torus_multinode]") {
  for (const auto& [topology, nodes, links] :
       std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>{{"torus:3", 3, 2},
                                                                          {"ring:4", 4, 2},
                                                                          {"torus:7", 7, 2},
                                                                          {"torus:3x3", 9, 4},
                                                                          {"torus:4x4", 16, 4},
                                                                          {"torus:6x6", 36, 4},
                                                                          {"torus:3x3x3", 27, 6},
                                                                          {"torus:4x4x4", 64, 6}}) {
    for (std::uint32_t m = 1; m <= 5; ++m)
      CHECK(broadcast(topology, "torus-packed-necklaces", m) == divide_up(m * (nodes - 1), links));
  }
}

TEST_CASE("multinode broadcast over the spanning graph and the spanning tree", "[torus_multinode]") {
  // MT_{2,4}: three full necklaces, one of two nodes, one of one: ceil(MP/4) steps each.
  CHECK(broadcast("torus:4x4", "torus-bsg", 1) == 5);
  CHECK(broadcast("torus:4x4", "torus-bsg", 2) == 8);
  CHECK(broadcast("torus:4x4", "torus-bsg", 3) == 12);
  CHECK(broadcast("torus:4x4", "torus-bsg", 4) == 15);
  CHECK(broadcast("torus:4x4", "torus-bst", 1) == 5);
  CHECK(broadcast("torus:4x4", "torus-bst", 3) == 15);
  CHECK(broadcast("torus:3x3x3", "torus-bsg", 3) == 13);
  CHECK(broadcast("torus:3x3x3", "torus-bst", 1) == 5);
  CHECK(broadcast("torus:4x4x4", "torus-bsg", 1) == 13);
  CHECK(broadcast("torus:5", "torus-bsg", 2) == 4);
  CHECK(broadcast("doubled-cube:3", "torus-bsg", 1) == 3);
  CHECK(broadcast("doubled-cube:3", "torus-bsg", 3) == 5);
  CHECK(broadcast("doubled-cube:3", "torus-bsg", 6) == 7);
}

TEST_CASE("acknowledgements take a step and a packet each", "[torus_multinode]") {
  const auto with = [](const std::string& topology, std::uint32_t messages) {
    return steps(topology, CollectiveKind::kMultinodeBroadcast, "torus-bsg-acknowledged-as-published",
                 messages);
  };
  CHECK(with("torus:3", 1) == 1 + 1);
  CHECK(with("torus:4x4", 4) == 15 + 5);
  CHECK(with("torus:3x3x3", 1) == 5 + 5);
  const Problem problem = problem_of("torus:4x4", CollectiveKind::kMultinodeBroadcast, 4);
  const Schedule schedule = find_planner(problem, "torus-bsg-acknowledged-as-published").plan(problem);
  CHECK(schedule.packets.size() == 4 * 16 + 4 * 5 * 16);
  CHECK(schedule.sends.size() == 4 * 16 * 15 + 4 * 5 * 16);
  CHECK(schedule.collective.empty());
}

TEST_CASE("the printed parents leave messages undelivered, the forwarder's period repeats them",
          "[torus_multinode]") {
  const Problem problem = problem_of("torus:4x4", CollectiveKind::kMultinodeBroadcast, 4);
  const ScheduleReport report =
      check_schedule(find_planner(problem, "torus-bsg-as-printed").plan(problem), 1000);
  CHECK(report.count == 448);
  for (const ScheduleViolation& violation : report.violations)
    CHECK(violation.rule == ScheduleRule::kDelivery);

  const TorusNetwork network{MultidimensionalTorus(2, 4), false};
  const FirstSubtree subtree = first_subtree(network.torus, ParentRule::kCorrected);
  const auto sends = bsg_broadcast_split_by_parent(network.torus, subtree, 4);
  CHECK(relative_deliveries(network, sends, 4).again == 12);
  CHECK(relative_deliveries(network, sends, 4).missing == 8);
}

TEST_CASE("matchings inform cubes in max(n, bound) steps", "[torus_multinode]") {
  for (std::uint32_t n = 1; n <= 5; ++n) {
    const std::uint64_t others = (std::uint64_t{1} << n) - 1;
    for (std::uint32_t m = 1; m <= 4; ++m) {
      CHECK(broadcast("hypercube:" + std::to_string(n), "cube-matching", m) ==
            std::max<std::uint64_t>(n, divide_up(m * others, n)));
      CHECK(broadcast("doubled-cube:" + std::to_string(n), "cube-matching", m) ==
            std::max<std::uint64_t>(n, divide_up(m * others, 2 * n)));
    }
  }
  // Two links lead to each of 8 neighbours, so step 1 brings 8 packets. 8 + 15 * 16 < 255: 17 steps.
  const TorusNetwork network{MultidimensionalTorus(8, 2), false};
  CHECK(matched_broadcast_steps(network, 1) == 17);
  CHECK(last_step(matched_broadcast(network, 1)) == 17);
  // Nearest nodes first it would take a step more: another order is tried.
  for (const auto& [n, steps] : {std::pair{6U, 6U}, {7U, 10U}, {9U, 29U}}) {
    CAPTURE(n);
    const TorusNetwork doubled{MultidimensionalTorus(n, 2), false};
    CHECK(matched_broadcast_steps(doubled, 1) == steps);
    CHECK(last_step(matched_broadcast(doubled, 1)) == steps);
  }
}

TEST_CASE("matchings inform all cubes as promised, up to 2,048 nodes times messages", "[.stress]") {
  for (const std::string family : {"hypercube", "doubled-cube"}) {
    for (std::uint32_t n = 1; n <= 12; ++n) {
      const TorusNetwork network = *TorusNetwork::of(make_topology(family + ":" + std::to_string(n)));
      std::uint32_t late = 0;
      for (std::uint32_t m = 1; (std::uint64_t{m} << n) <= 2048; ++m)
        late += last_step(matched_broadcast(network, m)) != matched_broadcast_steps(network, m) ? 1 : 0;
      CAPTURE(family, n);
      CHECK(late == 0);
    }
  }
}

TEST_CASE("total exchange by colouring meets the bound for every number of messages", "[torus_multinode]") {
  const auto optimum = [](std::uint64_t n, std::uint64_t k, std::uint64_t m) {
    std::uint64_t copies = 1;
    for (std::uint64_t i = 1; i < n; ++i) copies *= k;
    return k % 2 == 0 ? divide_up(m * k * k * copies, 8) : m * (k * k - 1) * copies / 8;
  };
  for (std::uint32_t m = 1; m <= 4; ++m) {
    CHECK(exchange("torus:3x3", "torus-koenig-exchange", m) == optimum(2, 3, m));
    CHECK(exchange("torus:4x4", "torus-koenig-exchange", m) == optimum(2, 4, m));
    CHECK(exchange("torus:6x6", "torus-koenig-exchange", m) == optimum(2, 6, m));
    CHECK(exchange("torus:3x3x3", "torus-koenig-exchange", m) == optimum(3, 3, m));
    for (std::uint32_t k = 3; k <= 12; ++k)
      CHECK(exchange("ring:" + std::to_string(k), "torus-koenig-exchange", m) == optimum(1, k, m));
    CHECK(exchange("hypercube:2", "torus-koenig-exchange", m) == 2 * m);
    CHECK(exchange("hypercube:4", "torus-koenig-exchange", m) == 8 * m);
    CHECK(exchange("doubled-cube:1", "torus-koenig-exchange", m) == divide_up(m, 2));
    CHECK(exchange("doubled-cube:4", "torus-koenig-exchange", m) == 4 * m);
  }
}

TEST_CASE("total exchange over the spanning graph and the spanning tree", "[torus_multinode]") {
  CHECK(exchange("torus:4x4", "torus-bsg-exchange", 1) == 12);
  CHECK(exchange("torus:4x4", "torus-bsg-exchange", 3) == 26);
  CHECK(exchange("torus:4x4", "torus-bsg-exchange", 4) == 32);
  CHECK(exchange("torus:4x4", "torus-bst-exchange", 1) == 12);
  CHECK(exchange("torus:3x3x3", "torus-bsg-exchange", 1) == 11);
  CHECK(exchange("torus:3x3x3", "torus-bsg-exchange", 3) == 27);
  CHECK(exchange("torus:3x3x3", "torus-bst-exchange", 2) == 22);
  CHECK(exchange("torus:6", "torus-bsg-exchange", 3) == 15);
  CHECK(exchange("doubled-cube:2", "torus-bsg-exchange", 2) == 3);
}

TEST_CASE("translated sends meet if, and only if, two leave through one port in a step",
          "[torus_multinode]") {
  const TorusNetwork torus{MultidimensionalTorus(2, 4), false};
  const std::vector<RelativeSend> sends{{1, 0, 0, 0}, {1, 0, 1, 0}, {2, 5, 1, 0}, {3, 7, 2, 0}, {3, 9, 2, 0}};
  CHECK(first_shared_port(torus, sends) == 3);
  CHECK(!first_shared_port(torus, std::span(sends).first(4)));
  CHECK(last_step(sends) == 3);
  // The two links of a dimension of a doubled cube are one link in the cube.
  const std::vector<RelativeSend> parallel{{1, 0, 0, 0}, {1, 0, 2, 1}};
  CHECK(!first_shared_port({MultidimensionalTorus(2, 2), false}, parallel));
  CHECK(first_shared_port({MultidimensionalTorus(2, 2), true}, parallel) == 1);
}

TEST_CASE("faults of what node 0's packets do are found", "[torus_multinode]") {
  const TorusNetwork ring{MultidimensionalTorus(1, 3), false};  // label 0 subtracts 1, label 1 adds 1
  const std::vector<RelativeSend> good{{1, 0, 0, 0}, {1, 0, 1, 0}};
  CHECK(relative_deliveries(ring, good, 1).missing == 0);
  CHECK(relative_deliveries(ring, std::span(good).first(1), 1).missing == 1);
  CHECK(relative_deliveries(ring, std::vector<RelativeSend>{{1, 0, 0, 0}, {1, 2, 0, 0}}, 1).not_there == 1);
  CHECK(relative_deliveries(ring, std::vector<RelativeSend>{{1, 0, 0, 0}, {2, 0, 0, 0}}, 1).again == 1);

  CHECK(fault_of_exchange(ring, std::vector<RelativeSend>{{1, 0, 0, 0, 2}, {1, 0, 1, 0, 1}}, 1).empty());
  CHECK(fault_of_exchange(ring, std::vector<RelativeSend>{{1, 0, 0, 0, 2}}, 1) ==
        "message 0 for 1 stays at 0");
  CHECK(fault_of_exchange(ring, std::vector<RelativeSend>{{1, 0, 0, 0, 1}, {1, 2, 0, 0, 1}}, 1) ==
        "step 1: message 0 for 1 is not at 2");
}

TEST_CASE("planners for tori of equal sides say what they need", "[torus_multinode]") {
  const auto refusal = [](const Problem& problem, const std::string& name) -> std::string {
    try {
      find_planner(problem, name);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  const auto kind = CollectiveKind::kMultinodeBroadcast;
  CHECK(refusal(problem_of("torus:3x4", kind, 1), "torus-packed-necklaces") ==
        "algorithm torus-packed-necklaces: needs a torus of equal sides, 3 or more");
  CHECK(refusal(problem_of("hypercube:3", kind, 1), "torus-bsg") ==
        "algorithm torus-bsg: needs a torus of equal sides, 3 or more, or a doubled cube");
  CHECK(refusal(problem_of("torus:3x3", kind, 1), "cube-matching") ==
        "algorithm cube-matching: needs a cube or a doubled cube");
  CHECK(refusal(problem_of("mesh:3x3", CollectiveKind::kTotalExchange, 1), "torus-koenig-exchange") ==
        "algorithm torus-koenig-exchange: needs a torus of equal sides or a cube");
  CHECK(refusal(problem_of("torus:16x16", kind, 2000), "torus-packed-necklaces") ==
        "algorithm torus-packed-necklaces: needs a collective of at most 67108864 sends, not 130560000");
  Problem one_port = problem_of("torus:4x4", kind, 1);
  one_port.ports = PortModel::kOnePort;
  CHECK(refusal(one_port, "torus-bst") == "algorithm torus-bst: needs --ports all");
}

TEST_CASE("the best planner for several messages is taken", "[torus_multinode]") {
  const auto chosen = [](const std::string& topology, CollectiveKind kind) {
    return find_planner(problem_of(topology, kind, 2), "").name;
  };
  CHECK(chosen("torus:4x4x4", CollectiveKind::kMultinodeBroadcast) == "torus-packed-necklaces");
  CHECK(chosen("torus:4x4x4", CollectiveKind::kMultinodeAccumulation) == "torus-packed-necklaces");
  CHECK(chosen("hypercube:4", CollectiveKind::kMultinodeBroadcast) == "cube-matching");
  CHECK(chosen("torus:4x4x4", CollectiveKind::kTotalExchange) == "torus-koenig-exchange");
}
