// How far schedules pass data on: the longest chains, held against a search through all pairs of sends, the
// limit on them, and the choice of plans that keep to it.
#include <algorithm>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/check/forwarding_check.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/schedule/forwarding.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

// Whether a packet that comes to a node is in another one there: the same, or a part, at any depth.
bool is_in(const PacketList& packets, PacketIndex part, PacketIndex whole, NodeId node) {
  if (part == whole) return true;
  if (packets.origin(whole) != node) return false;
  const auto parts = packets.parts(whole);
  return std::any_of(parts.begin(), parts.end(),
                     [&](PacketIndex p) { return is_in(packets, part, p, node); });
}

// Sends are in order of time, so that what brought the data comes before what takes them on.
std::vector<std::uint32_t> links_by_search(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  std::vector<std::uint32_t> links(schedule.sends.size(), 1);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const NodeId from = graph.link_source(schedule.sends[i].link);
    for (std::size_t j = 0; j < i; ++j) {
      if (graph.link_target(schedule.sends[j].link) == from &&
          is_in(schedule.packets, schedule.sends[j].packet, schedule.sends[i].packet, from))
        links[i] = std::max(links[i], links[j] + 1);
    }
  }
  return links;
}

Problem problem_of(const std::string& topology, CollectiveKind kind, PortModel ports) {
  return {.graph = make_topology(topology), .collective = kind, .ports = ports};
}

}  // namespace

TEST_CASE("chains of forwardings are as long as a search finds them", "[forwarding]") {
  for (const Schedule& schedule : schedules_of_all_kinds()) {
    CAPTURE(schedule.network.spelling(), schedule.collective, static_cast<int>(schedule.ports));
    const Forwarding forwarding(schedule);
    const std::vector<std::uint32_t> expected = links_by_search(schedule);
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < expected.size(); ++i) found.push_back(forwarding.links(i));
    CHECK(found == expected);
    CHECK(forwarding.longest() == *std::max_element(expected.begin(), expected.end()));
  }
  CHECK(Forwarding(pipelined_broadcast(6, 3)).longest() == 5);
  CHECK(Forwarding(small_reduction()).longest() == 2);
  CHECK(Forwarding(Schedule(make_topology("ring:3"))).longest() == 0);
}

TEST_CASE("a schedule is held against a limit on forwarding", "[forwarding]") {
  const Schedule schedule = pipelined_broadcast(5, 3);  // three chains of 4 links
  const auto judged = [&](std::uint32_t most) {
    ScheduleReport report = check_schedule(schedule);
    check_forwarding(schedule, most, report);
    return report;
  };
  CHECK(judged(4).valid());
  CHECK(judged(3).count == 3);
  const ScheduleReport two = judged(2);
  CHECK(two.count == 6);
  REQUIRE(two.violations.size() == 1);
  CHECK(two.violations[0].rule == ScheduleRule::kForwarding);
  CHECK(to_string(two.violations[0].rule) == "forwarding");
  CHECK(two.violations[0].text ==
        "slot 3: node 2 sends packet 0 (origin 0, tag 0) to node 3, over link 3 in a row from where its data "
        "began; expected at most 2, the longest chain of the schedule has 4");
  // Of a schedule that is not valid nothing more is said.
  Schedule wrong = schedule;
  wrong.sends.pop_back();
  ScheduleReport report = check_schedule(wrong);
  const std::uint64_t count = report.count;
  CHECK(count > 0);
  check_forwarding(wrong, 1, report);
  CHECK(report.count == count);
}

TEST_CASE("of the plans within a limit on forwarding the one of fewest steps is chosen", "[forwarding]") {
  // Doubling takes 3 steps on 6 nodes. Where nobody passes on, the root sends five times.
  const Problem broadcast = problem_of("complete:6", CollectiveKind::kBroadcast, PortModel::kOnePort);
  CHECK(steps_of(*choose_within_forwarding(broadcast, ChosenFor::kAnyNode, 2).plan) == 3);
  const Choice direct = choose_within_forwarding(broadcast, ChosenFor::kAnyNode, 1);
  CHECK(steps_of(*direct.plan) == 5);
  CHECK(Forwarding(*direct.plan).longest() == 1);
  // Sums that are passed on count: six steps need chains of six sums, eight steps make do with four.
  const Problem sum = problem_of("ring:9", CollectiveKind::kAllreduce, PortModel::kOnePort);
  for (const std::uint32_t most : {4u, 5u, 6u, 20u}) {
    const Choice choice = choose_within_forwarding(sum, ChosenFor::kPlans, most);
    CAPTURE(most, choice.algorithm->name, choice.reason);
    CHECK(check_schedule(*choice.plan).valid());
    CHECK(Forwarding(*choice.plan).longest() <= most);
    CHECK(steps_of(*choice.plan) == (most < 6 ? 8 : 6));
    CHECK(choice.algorithm->plan);
  }
  CHECK_THAT(error_of([&] { choose_within_forwarding(sum, ChosenFor::kAnyNode, 3); }),
             Catch::StartsWith("--forwarding 3: expected at least 4, the shortest of "));
  const Problem ring = problem_of("ring:8", CollectiveKind::kBroadcast, PortModel::kAllPort);
  CHECK(choose_within_forwarding(ring, ChosenFor::kRouters, 4).algorithm->policy);
  CHECK_THAT(
      error_of([&] { require_forwarding(pipelined_broadcast(5, 1), "mine", 3); }),
      Catch::Contains("--forwarding 3: expected at least 4, the longest chain of forwardings that mine "
                      "plans"));
  CHECK_NOTHROW(require_forwarding(pipelined_broadcast(5, 1), "mine", 4));
  const Problem large = problem_of("torus:24x24", CollectiveKind::kTotalExchange, PortModel::kAllPort);
  CHECK_THAT(error_of([&] { choose_within_forwarding(large, ChosenFor::kAnyNode, 24); }),
             Catch::Contains("as all algorithms are planned, or one named by --algorithm"));
}
