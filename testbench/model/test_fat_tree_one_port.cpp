// Collectives on fat trees whose nodes send one packet at a time, and the claims on them, without hardware.
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

Problem problem_on(const std::string& word, CollectiveKind collective,
                   PortModel ports = PortModel::kOnePortSend, NodeId root = 0) {
  return {.graph = make_topology(word), .collective = collective, .ports = ports, .root = root};
}

// The trace that a run of the schedule, in steps, would leave.
Trace trace_of(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  Trace trace;
  for (const Send& send : schedule.sends) {
    const NodeId to = graph.link_target(send.link);
    const PacketId packet = schedule.packets.id(send.packet);
    trace.transfers.push_back(
        {send.start, send.start, graph.link_source(send.link), graph.link_port(send.link), packet});
    if (to < graph.processor_count())
      trace.deliveries.push_back({send.start, send.start, to, graph.link_target_port(send.link), packet});
  }
  return trace;
}

// (step, sender, receiver, tag) of all sends.
using Sent = std::set<std::tuple<std::uint32_t, NodeId, NodeId, std::uint32_t>>;
Sent sends_of(const Schedule& schedule) {
  Sent sent;
  for (const Send& send : schedule.sends) {
    sent.insert({send.start, schedule.network.link_source(send.link), schedule.network.link_target(send.link),
                 schedule.packets.tag(send.packet)});
  }
  return sent;
}

std::uint64_t steps_on(const std::string& word, CollectiveKind collective, const std::string& algorithm,
                       PortModel ports = PortModel::kOnePortSend) {
  const Problem problem = problem_on(word, collective, ports);
  const Schedule schedule = find_planner(problem, algorithm).plan(problem);
  CHECK(fault_of(schedule) == "");
  return steps_of(schedule);
}

std::string refusal(const Problem& problem, const std::string& algorithm) {
  try {
    find_algorithm(problem, algorithm);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// The claims on one-port fat trees of both chapters.
std::vector<Claim> one_port_claims() {
  std::vector<Claim> list = fat_tree_one_port_claims();
  for (Claim& claim : fat_tree_one_port_exchange_claims()) list.push_back(std::move(claim));
  return list;
}

}  // namespace

TEST_CASE("broadcast on 4 leaves, step by step", "[fat_tree_one_port]") {
  // Leaves 0 to 3, routers 4 and 5, root 6. From leaf 2.
  const Problem problem = problem_on("fat-tree:2,2", CollectiveKind::kBroadcast, PortModel::kOnePortSend, 2);
  CHECK(sends_of(find_planner(problem, "parent-first").plan(problem)) ==
        Sent{{1, 2, 5, 0}, {2, 5, 6, 0}, {3, 5, 3, 0}, {3, 6, 4, 0}, {4, 4, 0, 0}, {5, 4, 1, 0}});
  CHECK(sends_of(find_planner(problem, "children-first").plan(problem)) ==
        Sent{{1, 2, 5, 0}, {2, 5, 3, 0}, {3, 5, 6, 0}, {4, 6, 4, 0}, {5, 4, 0, 0}, {6, 4, 1, 0}});
}

TEST_CASE("the routers of level 1 in a multinode broadcast of 4 leaves", "[fat_tree_one_port]") {
  const Problem problem = problem_on("fat-tree:2,2", CollectiveKind::kMultinodeBroadcast);
  const Schedule schedule = find_planner(problem, "parent-first").plan(problem);
  CHECK(fault_of(schedule) == "");
  // (step, receiver, origin) of what router 4 sends: both packets up, then one to each child, then those of
  // leaves 2 and 3, which the root sends in steps 4 and 6, to both.
  std::vector<std::tuple<std::uint32_t, NodeId, NodeId>> sent;
  for (const Send& send : schedule.sends) {
    if (schedule.network.link_source(send.link) == 4)
      sent.emplace_back(send.start, schedule.network.link_target(send.link),
                        schedule.packets.origin(send.packet));
  }
  CHECK(sent == std::vector<std::tuple<std::uint32_t, NodeId, NodeId>>{
                    {2, 6, 0}, {3, 6, 1}, {4, 1, 0}, {5, 0, 1}, {6, 0, 2}, {7, 1, 2}, {8, 0, 3}, {9, 1, 3}});
}

TEST_CASE("hand-worked steps on fat trees", "[fat_tree_one_port]") {
  const auto broadcast = CollectiveKind::kBroadcast, scatter = CollectiveKind::kScatter,
             gather = CollectiveKind::kGather, multinode = CollectiveKind::kMultinodeBroadcast,
             exchange = CollectiveKind::kTotalExchange;
  // A star: up, then one child per step; all n(n - 1) packets leave the hub from step 2 on.
  CHECK(steps_on("fat-tree:4,1", broadcast, "parent-first") == 4);
  CHECK(steps_on("fat-tree:4,1", scatter, "fat-tree-furthest-first") == 4);
  CHECK(steps_on("fat-tree:2,1", gather, "first-come-first-served") == 2);
  CHECK(steps_on("fat-tree:4,1", multinode, "parent-first") == 13);
  CHECK(steps_on("fat-tree:4,1", exchange, "parent-first") == 13);
  CHECK(steps_on("fat-tree:3,2", exchange, "parent-first") == 57);
  CHECK(steps_on("fat-tree:3,2", exchange, "parent-first-nearest") == 59);
  CHECK(steps_on("fat-tree:3x3x2x2", multinode, "parent-first") == 113);
  CHECK(steps_on("fat-tree:3x3x2x2", multinode, "parent-first-above-next") == 114);
  CHECK(steps_on("fat-tree:3,3", multinode, "parent-first-rotated") == 87);
}

TEST_CASE("what fat trees promise is what they take, on any arities and capacities", "[fat_tree_one_port]") {
  std::size_t compared = 0;
  for (const char* word : {"fat-tree:2,1", "fat-tree:5,1", "fat-tree:2,3", "fat-tree:3,2", "fat-tree:2x4",
                           "fat-tree:4x2", "fat-tree:3x2x4", "fat-tree:2x5x3", "fat-tree:2,3,exponential",
                           "fat-tree:3x2,4,1", "fat-tree:2x2x3,1,3,2"}) {
    for (const Algorithm& algorithm : algorithms()) {
      const std::string source = algorithm.source;
      if (source.find("thesis 6.2") == std::string::npos) continue;
      for (const PortModel ports : {PortModel::kOnePortSend, PortModel::kOnePort, PortModel::kAllPort}) {
        for (const bool last_leaf : {false, true}) {
          Problem problem = problem_on(word, algorithm.collective, ports);
          if (last_leaf) problem.root = problem.graph.processor_count() - 1;
          if (!algorithm.why_not(problem).empty()) continue;
          CAPTURE(word, to_string(algorithm.collective), algorithm.name, to_string(ports), problem.root);
          const Policy policy = algorithm.policy(problem);
          const Schedule schedule = plan_from_policy(problem, policy, algorithm.name);
          CHECK(fault_of(schedule) == "");
          CHECK(steps_of(schedule) >= lower_bound(problem).steps);
          for (NodeId v = 0; v < problem.graph.node_count(); ++v) {
            CHECK(policy.injections(v).size() <= policy.host_packets);
            for (Label label = 0; label < policy.label_count; ++label) {
              const TableEntry entry = policy.table(v, label);
              CHECK(std::max(entry.rank, entry.rest_rank.value_or(0)) < policy.rank_levels);
            }
          }
          if (const auto promised = algorithm.closed_form(problem)) {
            CHECK(steps_of(schedule) == *promised);
            ++compared;
          }
        }
      }
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("claims on fat trees with one packet sent at a time come out of their planners",
          "[fat_tree_one_port]") {
  std::size_t run = 0, inspected = 0;
  std::set<std::string> ids;
  for (const Claim& claim : one_port_claims()) {
    ids.insert(claim.id);
    CAPTURE(claim.id);
    if (claim.cases) {
      for (const ClaimCase& entry : claim.cases(false)) {
        CAPTURE(entry.topology, to_string(entry.collective), entry.algorithm, entry.root);
        const Problem problem = problem_on(entry.topology, entry.collective, entry.ports, entry.root);
        const Schedule schedule = find_planner(problem, entry.algorithm).plan(problem);
        CHECK(fault_of(schedule) == "");
        if (entry.relation == Relation::kExactly) {
          CHECK(steps_of(schedule) == entry.expected_steps);
        } else {
          CHECK(steps_of(schedule) >= entry.expected_steps);
        }
        ++run;
        if (!entry.inspect) continue;
        Trace trace = trace_of(schedule);
        RunOutcome outcome;
        outcome.steps = steps_of(schedule);
        outcome.graph = &problem.graph;
        outcome.trace = &trace;
        CHECK(entry.inspect(outcome) == "");
        // The inspection must refuse the same trace a step later, or a run in no steps.
        outcome.steps = 0;
        for (Transfer& transfer : trace.transfers) ++transfer.step;
        for (Delivery& delivery : trace.deliveries) ++delivery.step;
        CHECK(entry.inspect(outcome) != "");
        ++inspected;
      }
    }
    if (!claim.checks) continue;
    for (const ClaimCheck& check : claim.checks(false)) {
      CAPTURE(check.name);
      CHECK(check.check() == "");
    }
  }
  CHECK(run > 200);
  CHECK(inspected == 28);
  CHECK(ids.size() == 14);
  CHECK(*ids.begin() == "fat.F01");
  CHECK(*ids.rbegin() == "fat.F14");
}

TEST_CASE("both phases meet the bound on all 88 trees of other arities, and on all equal ones",
          "[fat_tree_one_port]") {
  std::set<std::string> trees;
  for (const Claim& claim : one_port_claims()) {
    if (claim.id != "fat.F05" && claim.id != "fat.F11") continue;
    for (const ClaimCase& entry : claim.cases(true)) {
      if (entry.algorithm != "parent-first") continue;
      trees.insert(entry.topology);
      if (entry.expected_steps > 5000) continue;  // takes seconds
      CAPTURE(entry.topology);
      CHECK(steps_on(entry.topology, entry.collective, entry.algorithm) == entry.expected_steps);
    }
  }
  CHECK(trees.size() == 88 + 11 + 8);
}

TEST_CASE("children take turns, without those that nothing waits for", "[fat_tree_one_port]") {
  for (const char* word : {"fat-tree:2,3", "fat-tree:3,2", "fat-tree:4x2,1,3"}) {
    CAPTURE(word);
    const Problem problem = problem_on(word, CollectiveKind::kTotalExchange);
    const FatTree tree = *fat_tree_shape(problem.graph);
    const Schedule schedule = find_planner(problem, "parent-first-in-turns").plan(problem);
    CHECK(fault_of(schedule) == "");
    std::size_t compared = 0;
    for (NodeId router = tree.leaves(); router < tree.node_count(); ++router) {
      // Per packet the steps in which it came and left; per child its packets in the order of leaving.
      std::map<PacketIndex, std::pair<std::uint32_t, std::uint32_t>> times;
      std::map<NodeId, std::vector<PacketIndex>> for_child;
      for (const Send& send : schedule.sends) {
        const NodeId from = schedule.network.link_source(send.link),
                     to = schedule.network.link_target(send.link);
        if (to == router) times[send.packet].first = send.start;
        if (from != router || tree.level_of(to) > tree.level_of(router)) continue;
        times[send.packet].second = send.start;
        for_child[to].push_back(send.packet);
      }
      for (const auto& [child, own] : for_child) {
        for (std::size_t turn = 0; turn < own.size(); ++turn) {
          const auto [came, left] = times[own[turn]];
          // A packet of an earlier turn that was there when this one left must have left earlier.
          for (const auto& [other, theirs] : for_child) {
            if (other == child || theirs.size() <= turn) continue;
            for (std::size_t earlier = 0; earlier < turn; ++earlier) {
              ++compared;
              CHECK((times[theirs[earlier]].first >= left || times[theirs[earlier]].second < left));
            }
          }
        }
      }
    }
    CHECK(compared > 50);
  }
}

TEST_CASE("what fat tree algorithms refuse", "[fat_tree_one_port]") {
  using enum CollectiveKind;
  CHECK(refusal(problem_on("ring:4", kBroadcast), "parent-first") ==
        "algorithm parent-first: needs a fat tree");
  CHECK(refusal(problem_on("tree:2,2", kTotalExchange), "parent-first") ==
        "algorithm parent-first: needs a fat tree");
  CHECK(refusal(problem_on("fat-tree:2,2", kBroadcast, PortModel::kAllPort), "parent-first") ==
        "algorithm parent-first: needs --ports one or one-send");
  CHECK(refusal(problem_on("fat-tree:2,2", kGather, PortModel::kOnePort), "first-come-first-served") ==
        "algorithm first-come-first-served: needs --ports all or one-send");
  CHECK(refusal(problem_on("fat-tree:2,2", kMultinodeBroadcast, PortModel::kOnePort), "parent-first") ==
        "algorithm parent-first: needs --ports one-send");
  Problem with_tree = problem_on("fat-tree:2,2", kScatter);
  with_tree.tree = "shortest-path";
  CHECK(refusal(with_tree, "fat-tree-furthest-first") ==
        "algorithm fat-tree-furthest-first: has no use for --tree");
  CHECK(
      refusal(problem_on("fat-tree:2,7", kTotalExchange), "parent-first-in-turns") ==
      "algorithm parent-first-in-turns: needs 16384 labels and 4097 ranks; expected at most 131072 and 4096");
  // Without a name the published ones are taken.
  CHECK(find_algorithm(problem_on("fat-tree:2,2", kTotalExchange), "").name == "parent-first");
  CHECK(find_algorithm(problem_on("fat-tree:2,2", kScatter), "").name == "fat-tree-furthest-first");
}
