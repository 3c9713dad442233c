#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/schedule/schedule_difference.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

using Packets = std::vector<PacketId>;

// Packets 0 and 1 from node 0 of a ring of four to node 2, one each way round; they meet there in step 2.
Schedule both_ways() {
  Schedule schedule(make_topology("ring:4"));
  const NodeId two = 2;
  for (const std::uint32_t tag : {0, 1}) schedule.packets.add(0, tag, 1, std::span(&two, 1));
  const auto link = [&](NodeId u, NodeId v) {
    return schedule.network.link(u, *schedule.network.port_to(u, v));
  };
  schedule.sends = {{1, link(0, 1), 0}, {1, link(0, 3), 1}, {2, link(1, 2), 0}, {2, link(3, 2), 1}};
  sort_sends(schedule);
  return schedule;
}

}  // namespace

TEST_CASE("a schedule does not differ from itself", "[schedule_difference]") {
  for (const Schedule& schedule :
       {both_ways(), small_reduction(), stepped("torus:4x4", CollectiveKind::kTotalExchange),
        Schedule(make_topology("ring:3"))}) {
    const ScheduleDifference difference = difference_between(schedule, schedule);
    CHECK(difference.none());
    CHECK(difference.same_transfers == schedule.sends.size());
    CHECK(difference.shared_packets == schedule.packets.size());
    CHECK(difference.partings.empty());
    CHECK(difference.moved.empty());
  }
}

TEST_CASE("a packet that starts a step late parts from the other schedule twice", "[schedule_difference]") {
  const Schedule first = both_ways();
  Schedule second = first;
  const LinkId last = first.network.link(3, *first.network.port_to(3, 2));
  for (Send& send : second.sends)
    if (send.link == last) send.start = 5;
  sort_sends(second);

  const ScheduleDifference difference = difference_between(first, second);
  CHECK(!difference.none());
  CHECK(difference.first.steps == 2);
  CHECK(difference.second.steps == 5);
  CHECK(difference.same_transfers == 3);
  CHECK(difference.parting_links == 2);
  REQUIRE(difference.partings.size() == 2);
  CHECK(difference.partings[0].cycle == 2);
  CHECK(difference.partings[0].link == last);
  CHECK((difference.partings[0].first == Packets{{0, 1}}));
  CHECK(difference.partings[0].second.empty());
  CHECK(difference.partings[1].cycle == 5);
  CHECK(difference.partings[1].first.empty());
  CHECK((difference.partings[1].second == Packets{{0, 1}}));
  CHECK(difference.sent_packets == 2);
  CHECK(difference.earlier_packets == 0);
  CHECK(difference.later_packets == 1);
  REQUIRE(difference.moved.size() == 1);
  CHECK((difference.moved[0].packet == PacketId{0, 1}));
  CHECK(difference.moved[0].first_cycle == 2);
  CHECK(difference.moved[0].second_cycle == 5);

  const ScheduleDifference back = difference_between(second, first, 1);
  CHECK(back.earlier_packets == 1);
  CHECK(back.parting_links == 2);
  CHECK(back.partings.size() == 1);
}

TEST_CASE("packets go by origin and tag, not by number", "[schedule_difference]") {
  const Schedule first = both_ways();
  Schedule second(first.network);
  const NodeId two = 2;
  for (const std::uint32_t tag : {1, 0}) second.packets.add(0, tag, 1, std::span(&two, 1));
  second.sends = first.sends;
  for (Send& send : second.sends) send.packet = 1 - send.packet;
  CHECK(difference_between(first, second).none());

  // The same numbers name other packets now: each link carries the other one.
  second.sends = first.sends;
  const ScheduleDifference swapped = difference_between(first, second);
  CHECK(swapped.same_transfers == 0);
  CHECK(swapped.parting_links == 4);
  CHECK(swapped.earlier_packets + swapped.later_packets == 0);
}

TEST_CASE("cycles are compared, not slots", "[schedule_difference]") {
  const Schedule first = in_lockstep(both_ways(), 3, 1);
  Schedule second = first;
  second.slot_cycles = 1;
  for (Send& send : second.sends) send.start = static_cast<std::uint32_t>(first.cycle(send));
  const ScheduleDifference difference = difference_between(first, second);
  CHECK(difference.none());
  CHECK(difference.first.steps == 2);
  CHECK(difference.second.steps == 8);
  CHECK(difference.second.cycles == 8);
}

TEST_CASE("packets of one schedule alone, changed ones, and other links", "[schedule_difference]") {
  const Schedule first = both_ways();
  Schedule second = first;
  const NodeId one = 1;
  second.packets.add(3, 0, 1, std::span(&one, 1));
  ScheduleDifference difference = difference_between(first, second);
  CHECK(!difference.none());
  CHECK(difference.packets_of_first == 0);
  CHECK(difference.packets_of_second == 1);
  CHECK(difference.shared_packets == 2);

  second = first;
  second.packets.set_flits(2);
  difference = difference_between(first, second);
  CHECK(difference.same_transfers == 4);
  CHECK(difference.changed_packets == 2);
  CHECK(!difference.none());

  second = first;
  second.link_latency = 1;
  CHECK(!difference_between(first, second).none());

  second = Schedule(make_topology("linear:4"));
  CHECK_THROWS_AS(difference_between(first, second), std::invalid_argument);
  CHECK(same_network(first.network, first.network.with_spelling("another name")));
  CHECK(!same_network(first.network, second.network));
}

TEST_CASE("two packets on a link in one cycle are told apart", "[schedule_difference]") {
  Schedule first = both_ways();  // not valid: both leave over one link
  for (Send& send : first.sends) send.link = 0;
  sort_sends(first);
  Schedule second = first;
  std::erase_if(second.sends, [](const Send& send) { return send.packet == 1; });
  const ScheduleDifference difference = difference_between(first, second);
  CHECK(difference.same_transfers == 2);
  CHECK(difference.parting_links == 2);
  CHECK((difference.partings[0].first == Packets{{0, 0}, {0, 1}}));
  CHECK((difference.partings[0].second == Packets{{0, 0}}));
  CHECK(difference.sent_packets == 1);
}
