#include <algorithm>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/schedule/journeys.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

using Sends = std::vector<Journeys::SendNumber>;

Sends next(const Journeys& journeys, Journeys::SendNumber send) {
  Sends found;
  journeys.next(send, found);
  return found;
}
Sends before(const Journeys& journeys, Journeys::SendNumber send) {
  Sends found;
  journeys.before(send, found);
  return found;
}

}  // namespace

TEST_CASE("the ways of two packets down a row", "[journeys]") {
  // Packet 0 from node 0 to 1 in slot 1 and to 2 in slot 2; packet 1 a slot later. Slots of 5 cycles.
  Recording recording(in_lockstep(pipelined_broadcast(3, 2), 3, 2));
  const Journeys journeys(recording);
  REQUIRE(recording.schedule.sends.size() == 4);
  const Graph& row = recording.schedule.network;
  const Send second{2, row.link(1, *row.port_to(1, 2)), 0};
  REQUIRE((recording.schedule.sends[2] == second));
  CHECK(journeys.bringer(0) == Journeys::kNoSend);
  CHECK(journeys.bringer(2) == 0);
  CHECK(journeys.hop(2) == 2);
  CHECK(next(journeys, 0) == Sends{2});
  CHECK(before(journeys, 2) == Sends{0});
  CHECK(journeys.last_cycle(0) == 3);
  CHECK(journeys.arrival_cycle(0) == 5);
  CHECK(journeys.ready_cycle(2) == 6);
  CHECK(journeys.waited_cycles(2) == 0);
  // Packet 1 was at node 0 from the start.
  CHECK(journeys.ready_cycle(1) == 1);
  CHECK(journeys.waited_cycles(1) == 5);

  recording.generated = {1, 4};
  CHECK(Journeys(recording).waited_cycles(1) == 2);
}

TEST_CASE("a combined packet goes on with all that was brought", "[journeys]") {
  const Recording recording(small_reduction());
  const Schedule& schedule = recording.schedule;
  const Journeys journeys(recording);
  for (Journeys::SendNumber i = 0; i < schedule.sends.size(); ++i) {
    CAPTURE(i);
    for (const auto j : next(journeys, i)) {
      const Sends brought = before(journeys, j);
      CHECK(std::ranges::count(brought, i) == 1);
      CHECK(schedule.network.link_target(schedule.sends[i].link) ==
            schedule.network.link_source(schedule.sends[j].link));
    }
    for (const auto j : before(journeys, i)) CHECK(journeys.arrival_cycle(j) < journeys.ready_cycle(i) + 1);
  }
  // Node 3's packet comes to node 2, which sends the sum on to node 1.
  const auto sum = static_cast<Journeys::SendNumber>(schedule.sends.size() - 1);
  CHECK(schedule.packets.parts(schedule.sends[sum].packet).size() == 2);
  CHECK(before(journeys, sum).size() == 1);
  CHECK(journeys.hop(sum) == 1);
}

TEST_CASE("a sum that is the only part of another sum of its node goes on in that one", "[journeys]") {
  // Node 1 makes packet 2 of node 0's and its own, and of that packet 3, which it sends on.
  Schedule schedule(make_topology("linear:3"));
  const std::vector<PacketIndex> both{0, 1}, sum{2};
  const NodeId last = 2;
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(1, 0, 1, {});
  schedule.packets.add(1, 1, 1, {}, both);
  schedule.packets.add(1, 2, 1, std::span(&last, 1), sum);
  const auto link = [&](NodeId u) { return schedule.network.link(u, *schedule.network.port_to(u, u + 1)); };
  schedule.sends = {{1, link(0), 0}, {2, link(1), 3}};
  REQUIRE(check_schedule(schedule).valid());
  const Recording recording(std::move(schedule));
  const Journeys journeys(recording);
  CHECK(next(journeys, 0) == Sends{1});
  CHECK(before(journeys, 1) == Sends{0});
}

TEST_CASE("what is sent too early was brought by nothing and waits for nothing", "[journeys]") {
  Schedule schedule = pipelined_broadcast(3, 1);
  for (Send& send : schedule.sends) send.start = 1;
  sort_sends(schedule);
  const Recording recording(std::move(schedule));
  const Journeys journeys(recording);
  for (Journeys::SendNumber i = 0; i < 2; ++i) {
    CHECK(journeys.bringer(i) == Journeys::kNoSend);
    CHECK(journeys.waited_cycles(i) == 0);
    CHECK(next(journeys, i).empty());
  }
}
