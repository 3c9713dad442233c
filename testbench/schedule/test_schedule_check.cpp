// The checker against hand-made mistakes: what it finds, in which order, and the words in which it tells it.
#include <algorithm>
#include <string>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_draft.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

// mesh:3x2 is 0_0 0_1 / 1_0 1_1 / 2_0 2_1. Node 0_0 scatters to 1_0 (in slot 1) and to 2_0 (2, 3),
// one-port.
class TwoPackets {
 public:
  LinkId link(NodeId u, NodeId v) const { return graph_.link(u, *graph_.port_to(u, v)); }
  Draft draft() const {
    Schedule schedule(graph_);
    schedule.ports = PortModel::kOnePort;
    schedule.slot_cycles = 5;
    schedule.link_latency = 2;
    for (const NodeId d : {2U, 4U}) schedule.packets.add(0, d, 3, std::span(&d, 1));
    schedule.sends = {{1, link(0, 2), 0}, {2, link(0, 2), 1}, {3, link(2, 4), 1}};
    return Draft(schedule);
  }

 private:
  Graph graph_ = make_topology("mesh:3x2");
};

std::string first_told(Draft changed) { return first_words(check_schedule(changed.written())); }

void check_told(Draft changed, std::size_t send, const std::string& words) {
  const ScheduleReport report = check_schedule(changed.written());
  REQUIRE_FALSE(report.valid());
  CHECK(report.violations.front().send == send);
  CHECK(report.violations.front().text == words);
}

void check_words_about_sends(const TwoPackets& two) {
  const std::string second =
      "slot 2: node 0_0 sends packet 1 (origin 0_0, tag 4) to node 1_0 through port 0: ";
  const std::string third =
      "slot 3: node 1_0 sends packet 1 (origin 0_0, tag 4) to node 2_0 through port 0: ";
  Draft d = two.draft();
  d.schedule.sends[2].start = 2;
  check_told(d, 2,
             "slot 2" + third.substr(6) +
                 "causality: node 1_0 has it complete at the end of cycle 10; "
                 "expected before cycle 6");
  d = two.draft();
  d.schedule.sends.erase(d.schedule.sends.begin() + 1);
  check_told(d, 1, third + "causality: node 1_0 has not got it; expected it to be complete there before");
  d = two.draft();
  d.schedule.slot_cycles = 2;
  d.schedule.sends[2].start = 4;
  check_told(d, 1,
             second +
                 "occupancy: the link carries another packet up to cycle 3; "
                 "expected a free link in cycle 3");
  d = two.draft();
  d.schedule.sends[1] = {1, two.link(0, 1), 1};
  d.schedule.sends[2] = {2, two.link(1, 3), 1};
  std::sort(d.schedule.sends.begin(), d.schedule.sends.end());
  check_told(d, 1,
             std::string("slot 1: node 0_0 sends packet 1 (origin 0_0, tag 4) to "
                         "node 0_1 through port 1: send port: node 0_0 is sending "
                         "another packet up to cycle 3; expected one at a time, in "
                         "cycle 1 none"));
  d = two.draft();
  d.packets.push_back({3, 0, 3, {}, {}});
  d.schedule.sends.push_back({2, two.link(3, 2), 2});
  std::sort(d.schedule.sends.begin(), d.schedule.sends.end());
  check_told(d, 2,
             std::string("slot 2: node 1_1 sends packet 2 (origin 1_1, tag 0) to "
                         "node 1_0 through port 2: receive port: node 1_0 is "
                         "receiving another packet up to cycle 10; expected one at "
                         "a time, in cycle 8 none"));
  d = two.draft();
  d.schedule.sends.push_back({4, two.link(2, 4), 1});
  CHECK(first_told(d) == "slot 4" + third.substr(6) +
                             "once: it arrives at node 2_0 a second time, after cycle 15; expected once");
  d = two.draft();
  d.schedule.sends.push_back({4, two.link(2, 0), 1});
  CHECK_THAT(first_told(d), Catch::EndsWith("once: it comes back to its origin, node 0_0; expected never"));
  d = two.draft();
  d.schedule.sends.pop_back();
  check_told(d, ScheduleViolation::kNoSend,
             std::string("packet 1 (origin 0_0, tag 4): delivery: it never reaches node "
                         "2_0; expected there as a destination"));
  d = two.draft();
  std::swap(d.schedule.sends[0], d.schedule.sends[1]);
  check_told(d, 1,
             "slot 1: node 0_0 sends packet 0 (origin 0_0, tag 2) to node 1_0 "
             "through port 0: order: it comes after a later one; expected sends "
             "in order of start, link and packet");
}

void check_words_about_the_rest(const TwoPackets& two) {
  Draft d = two.draft();
  d.schedule.sends[2].link = 14;
  CHECK(
      first_told(d) ==
      "slot 3: packet 1 (origin 0_0, tag 4) over link 14: link: it does not exist; expected a link below 14");
  d = two.draft();
  d.schedule.sends[0].start = 0;
  CHECK_THAT(first_told(d), Catch::EndsWith("time: expected slots that count from 1"));
  d = two.draft();
  d.schedule.sends[2].packet = 2;
  CHECK_THAT(first_told(d), Catch::EndsWith("packet: it does not exist; expected packets from 0 to 1"));
  d.packets.clear();
  CHECK_THAT(first_told(d), Catch::EndsWith("packet: there are no packets; expected none to be sent"));
  d = two.draft();
  d.packets.push_back({6, 0, 0, {9, 1, 1}, {}});
  CHECK(check_schedule(d.written()).count == 6);  // four mistakes, and node 1 misses it twice
  CHECK(first_told(d) ==
        "packet 2 (origin 6, tag 0): packet: its origin does not exist; expected a node from 0 to 5");
  d.packets[2].origin = 1;
  CHECK(check_schedule(d.written()).count == 5);
  CHECK(first_told(d) == "packet 2 (origin 0_1, tag 0): packet: it has no flits; expected at least one");
  d = two.draft();
  d.packets[1].tag = 2;
  CHECK(first_told(d) ==
        "packet 1 (origin 0_0, tag 2): packet: packet 0 has the same origin and tag; expected "
        "different ones");
  d = two.draft();
  d.schedule.collective = "scatter";
  CHECK(first_told(d) == "collective: scatter: 0 packets from node 0_0 to node 0_1; expected at least one");
  // Two packets to each, but one to node 2_0, which is not the first node.
  d = two.draft();
  d.schedule.collective = "scatter";
  d.packets.clear();
  for (std::uint32_t tag = 1; tag <= 11; ++tag) {
    const NodeId to = tag % 6;
    if (to != 0 && tag != 10) d.packets.push_back({0, tag, 3, {to}, {}});
  }
  CHECK(first_told(d) ==
        "collective: scatter: 1 packets from node 0_0 to node 2_0; expected 2, as between other nodes");
  d = two.draft();
  d.schedule.collective = "all\nof it";
  CHECK_THAT(first_told(d), Catch::StartsWith("collective: collective 'all?of it': expected broadcast"));
  d = two.draft();
  d.packets.push_back({4, 0, 2, {4}, {1, 1, 0, 7}});
  // No part 7; 1 named twice; three parts too long; 0 never arrives; 1 counts twice; nothing is complete.
  CHECK(check_schedule(d.written()).count == 8);
  CHECK(first_told(d) ==
        "packet 2 (origin 2_0, tag 0): parts: packet 7 is a part of it; expected packets from 0 "
        "to 1");
}

}  // namespace

TEST_CASE("what is wrong is told in words: where, what was found and what was expected", "[schedule_check]") {
  const TwoPackets two;
  CHECK(first_told(two.draft()) == "valid");
  check_words_about_sends(two);
  check_words_about_the_rest(two);
}

TEST_CASE("what goes into a combined packet is there, and counts once", "[schedule_check]") {
  Schedule both = allreduce_of_two();
  CHECK(first_words(check_schedule(both)) == "valid");
  both.sends.pop_back();
  CHECK(
      first_words(check_schedule(both)) ==
      "packet 2 (origin 0, tag 1): combination: its part, packet 1 (origin 1, tag 0), never reaches node 0; "
      "expected all parts there");

  // A packet may be a part of two sums at a node. Of a collective the second one must be of use.
  Draft twice(allreduce_of_two());
  twice.packets.push_back({0, 7, 1, {0}, {1}});
  twice.schedule.collective.clear();
  CHECK(first_words(check_schedule(twice.written())) == "valid");

  // The sums of both nodes meet at node 0: each contribution is there twice, in packets that were used once.
  Draft again(allreduce_of_two());
  again.schedule.sends.push_back({2, again.schedule.network.link(1, 0), 3});
  again.packets.push_back({0, 7, 1, {0}, {2, 3}});
  CHECK(first_words(check_schedule(again.written())) ==
        "packet 4 (origin 0, tag 7): combination: packet 0 (origin 0, tag 0) counts more than once in it; "
        "expected every contribution once");

  // Node 1 contributes one thing to the sum at node 0 and another one to that at node 1.
  Draft shared(allreduce_of_two());
  shared.schedule.collective = "allreduce";
  shared.packets.insert(shared.packets.begin() + 2, {1, 7, 1, {}, {}});
  shared.packets[4].parts = {0, 2};
  CHECK(first_words(check_schedule(shared.written())) ==
        "collective: allreduce: packet 4 (origin 1, tag 1) shares some of its packets with another result; "
        "expected all or none");

  Draft early(allreduce_of_two());
  early.packets[3].destinations = {0, 1};
  early.schedule.sends.push_back({1, early.schedule.network.link(1, 0), 3});
  early.schedule.ports = PortModel::kAllPort;
  CHECK_THAT(first_words(check_schedule(early.written())),
             Catch::Contains("causality: node 1 has it complete at the end of cycle 1"));
  early.schedule.sends.back().start = 2;
  CHECK(first_words(check_schedule(early.written())) == "valid");
}

TEST_CASE("a reduction has one packet of every node in each result, and nothing else", "[schedule_check]") {
  const NodeId root = 0;
  const std::vector<PacketIndex> first{0}, both{0, 1};
  Schedule schedule(make_topology("linear:2"));
  schedule.collective = "reduction";
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(0, 1, 1, std::span(&root, 1), first);
  CHECK(first_words(check_schedule(schedule)) ==
        "collective: reduction: packet 1 (origin 0, tag 1) holds packets of 1 nodes; expected one of each of "
        "the 2");
  schedule.packets = {};
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(0, 1, 1, {});
  schedule.packets.add(0, 2, 1, std::span(&root, 1), both);
  CHECK(first_words(check_schedule(schedule)) ==
        "collective: reduction: packet 2 (origin 0, tag 2) holds packets of 1 nodes, some of them twice; "
        "expected one of each of the 2");
  schedule.packets = {};
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(1, 0, 1, {});
  schedule.packets.add(0, 2, 1, std::span(&root, 1), both);
  schedule.packets.add(1, 3, 1, {});
  schedule.sends = {{1, 1, 1}};
  CHECK(first_words(check_schedule(schedule)) ==
        "packet 3 (origin 1, tag 3): collective: it is no packet of this reduction; expected packets that "
        "count in a result, and results for node 0 alone");
}

TEST_CASE("a node that counts twice in an allreduce is told, wherever its packets stand",
          "[schedule_check]") {
  Schedule schedule(make_topology("ring:3"));
  schedule.collective = "allreduce";
  for (const NodeId origin : {0U, 1U, 0U, 2U}) schedule.packets.add(origin, schedule.packets.size(), 1, {});
  const NodeId all[] = {0, 1, 2};
  const PacketIndex parts[] = {0, 1, 2, 3};
  schedule.packets.add(0, 4, 1, all, parts);
  const ScheduleReport report = check_schedule(schedule);
  CHECK(std::ranges::any_of(report.violations, [](const auto& violation) {
    return violation.text.find("holds packets of 3 nodes, some of them twice") != std::string::npos;
  }));
}

TEST_CASE("a multipath transfer has one packet or more", "[schedule_check]") {
  Schedule schedule(make_topology("ring:3"));
  schedule.collective = "multipath";
  CHECK_THAT(first_words(check_schedule(schedule)),
             Catch::Contains("no packets; expected at least one of the root"));
  const NodeId to = 1;
  schedule.packets.add(0, 0, 1, std::span(&to, 1));
  schedule.sends = {{1, schedule.network.link(0, *schedule.network.port_to(0, 1)), 0}};
  CHECK(check_schedule(schedule).valid());
}

TEST_CASE("sums of sums that double in every packet are judged in the time of their packets",
          "[schedule_check]") {
  // Packet k is made of packets k - 1 and k - 2, and holds packets 0 and 1 as often as a Fibonacci number
  // says.
  for (const NodeId origin : {NodeId{0}, NodeId{4}}) {  // a processor, and a node that only routes
    Schedule schedule(make_topology("fat-tree:2,2"));
    schedule.collective = "allreduce";
    for (const std::uint32_t tag : {0U, 1U}) schedule.packets.add(origin, tag, 1, {});
    const NodeId root = 0;
    for (PacketIndex k = 2; k < 92; ++k) {
      const PacketIndex parts[] = {k - 1, k - 2};
      schedule.packets.add(0, k, 1, std::span(&root, k == 91 ? 1 : 0), parts);
    }
    CAPTURE(origin);
    CHECK_FALSE(check_schedule(schedule).valid());
  }
}

TEST_CASE("a hundred thousand violations are counted, the first few told in order", "[schedule_check]") {
  Schedule schedule(make_topology("ring:8"));
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const NodeId d = 1 + i % 7;
    schedule.packets.add(0, i, 1, std::span(&d, 1));
  }
  schedule.packets.add(0, 7, 1, {});
  for (std::uint32_t i = 50'000; i-- > 0;) schedule.sends.push_back({i + 1, 2 * (i % 8), i % 7});
  const ScheduleReport report = check_schedule(schedule, 5);
  CHECK(report.count > 100'000);
  REQUIRE(report.violations.size() == 5);
  CHECK(report.violations[0].rule == ScheduleRule::kPacket);
  CHECK(report.violations[1].rule == ScheduleRule::kOrder);
  const ScheduleReport all = check_schedule(schedule, 1'000'000);
  CHECK(all.violations.size() == all.count);
  CHECK(all.count == report.count);
  for (std::size_t i = 0; i < 5; ++i) CHECK(all.violations[i].text == report.violations[i].text);
  CHECK(all.violations.back().rule == ScheduleRule::kDelivery);
  CHECK(check_schedule(schedule, 0).violations.empty());
  CHECK(check_schedule(schedule, 0).count == all.count);
  // In order of time, though they were found packet by packet.
  std::uint32_t last = 0;
  for (const ScheduleViolation& violation : all.violations) {
    if (violation.rule != ScheduleRule::kCausality) continue;
    REQUIRE(schedule.sends[violation.send].start >= last);
    last = schedule.sends[violation.send].start;
  }
}

TEST_CASE("numbers at random are judged, not believed", "[schedule_check]") {
  Dice dice(1);
  const auto wild = [&] { return dice.one_in(3) ? ~dice.below(3) : dice.below(12); };
  for (int i = 0; i < 2'000; ++i) {
    Schedule schedule(make_topology(dice.one_in(2) ? "ring:5" : "linear:3"));
    schedule.slot_cycles = wild();
    schedule.link_latency = wild();
    schedule.root = wild();
    schedule.ports = static_cast<PortModel>(dice.below(3));
    schedule.collective =
        collective_names()[dice.below(static_cast<std::uint32_t>(collective_names().size()))].name;
    for (std::uint32_t p = dice.below(6); p-- > 0;) {
      std::vector<NodeId> destinations(dice.below(3));
      std::vector<PacketIndex> parts(dice.below(3));
      for (NodeId& d : destinations) d = wild();
      for (PacketIndex& part : parts) part = wild();
      schedule.packets.add(wild(), wild(), wild(), destinations, parts);
    }
    for (std::uint32_t k = dice.below(6); k-- > 0;) schedule.sends.push_back({wild(), wild(), wild()});
    const ScheduleReport report = check_schedule(schedule);
    REQUIRE(report.count >= report.violations.size());
    for (const ScheduleViolation& violation : report.violations) REQUIRE_FALSE(violation.text.empty());
  }
}
