#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string verdict(const Schedule& schedule) {
  const ScheduleReport report = check_schedule(schedule);
  return report.valid() ? "valid" : report.violations.front().text;
}

std::vector<std::uint32_t> starts(const Schedule& schedule) {
  std::vector<std::uint32_t> all;
  for (const Send& send : schedule.sends) all.push_back(send.start);
  return all;
}

}  // namespace

TEST_CASE("the figures of a schedule that was worked out by hand", "[schedule_metrics]") {
  // Packets 0 and 1 go down a row of three, node 0 to 2, in steps 1-2 and 2-3.
  const Schedule steps = pipelined_broadcast(3, 2);
  ScheduleMetrics m = measure(steps);
  CHECK(m.steps == 3);
  CHECK(m.cycles == 3);
  CHECK(m.sends == 4);
  CHECK(m.flits == 4);
  CHECK(m.packets == 2);
  CHECK(m.destinations == 4);
  CHECK(m.links == 4);
  CHECK(m.links_used == 2);
  CHECK(m.busiest_link == 0);
  CHECK(m.busiest_link_flits == 2);
  CHECK(m.most_hops == 2);
  CHECK(m.utilisation == boost::rational<std::uint64_t>(1, 3));  // 4 of 4 * 3

  // Slots of 5 cycles; the last flit has crossed in the last cycle of slot 3.
  m = measure(in_lockstep(steps, 3, 2));
  CHECK(m.steps == 3);
  CHECK(m.cycles == 15);
  CHECK(m.flits == 12);
  CHECK(m.busiest_link_flits == 6);
  CHECK(m.utilisation == boost::rational<std::uint64_t>(1, 5));  // 12 of 4 * 15

  m = measure(Schedule(make_topology("ring:3")));
  CHECK(m.cycles == 0);
  CHECK(m.utilisation.numerator() == 0);

  Schedule broken = steps;
  broken.sends.front().link = 4;
  CHECK_THROWS_AS(measure(broken), std::invalid_argument);
}

TEST_CASE("what is combined counts its hops anew", "[schedule_metrics]") {
  CHECK(measure(small_reduction()).most_hops == 1);
  CHECK(measure(reverse(small_reduction())).most_hops == 2);
}

TEST_CASE("running freely, a send starts when packet, link and ports are there", "[free_running]") {
  // Packets of 3 flits over links of latency 2: complete 5 cycles after the start, links and ports free
  // after 3. Sends in order of time: 0>1 packet 0, 0>1 packet 1 and 1>2 packet 0, 1>2 packet 1.
  Schedule free = free_running(pipelined_broadcast(3, 2), 3, 2);
  CHECK(verdict(free) == "valid");
  CHECK(free.slot_cycles == 1);
  CHECK(free.link_latency == 2);
  CHECK(starts(free) == std::vector<std::uint32_t>{1, 4, 6, 9});
  CHECK(measure(free).cycles == 13);

  // What node 2 combines is complete when the packet of node 3 has arrived, at the end of cycle 5.
  free = free_running(small_reduction(), 3, 2);
  CHECK(verdict(free) == "valid");
  CHECK(starts(free) == std::vector<std::uint32_t>{1, 1, 6});

  Schedule two = stepped("linear:3", CollectiveKind::kScatter, PortModel::kAllPort, 1);
  CHECK(starts(free_running(two, 7, 0)) == std::vector<std::uint32_t>{1, 1});
  two = stepped("linear:3", CollectiveKind::kScatter, PortModel::kOnePort, 1);
  CHECK(starts(free_running(two, 7, 0)) == std::vector<std::uint32_t>{1, 8});

  // One-port at the receiver: nodes 1 and 2 of a star send to node 0, planned for steps 1 and 3.
  Schedule meet(make_topology("tree:2,1"));
  const NodeId centre = 0;
  meet.packets.add(1, 0, 1, std::span(&centre, 1));
  meet.packets.add(2, 0, 1, std::span(&centre, 1));
  meet.sends = {{1, meet.network.link(1, 0), 0}, {3, meet.network.link(2, 0), 1}};
  CHECK(starts(free_running(meet, 4, 3)) == std::vector<std::uint32_t>{1, 1});
  meet.ports = PortModel::kOnePort;
  CHECK(starts(free_running(meet, 4, 3)) == std::vector<std::uint32_t>{1, 5});
}

TEST_CASE("running freely never takes longer than lockstep and stays valid", "[free_running]") {
  using enum CollectiveKind;
  std::vector<Schedule> plans{pipelined_broadcast(6, 4), small_reduction(), allreduce_of_two()};
  for (const char* topology : {"torus:4x4", "mesh:3x4", "star:4", "ring:7"}) {
    plans.push_back(stepped(topology, kTotalExchange));
    plans.push_back(stepped(topology, kScatter, PortModel::kOnePort, 3));
    plans.push_back(stepped(topology, kBroadcast, PortModel::kOnePort, 2));
    plans.push_back(reverse(plans.back()));
  }
  for (const Schedule& plan : plans) {
    for (const auto& [flits, latency] :
         {std::pair(1U, 0U), std::pair(1U, 3U), std::pair(5U, 0U), std::pair(4U, 2U)}) {
      const Schedule free = free_running(plan, flits, latency);
      CAPTURE(plan.network.spelling(), plan.collective, flits, latency);
      CHECK(verdict(free) == "valid");
      CHECK(measure(free).cycles <= measure(in_lockstep(plan, flits, latency)).cycles);
      // No send could start a cycle earlier with the others where they are.
      for (std::size_t i = 0; i < free.sends.size(); i += 1 + free.sends.size() / 20) {
        Schedule earlier = free;
        if (--earlier.sends[i].start == 0) continue;
        sort_sends(earlier);
        CHECK_FALSE(check_schedule(earlier, 1).valid());
      }
    }
  }
}

TEST_CASE("only valid schedules of steps run freely", "[free_running]") {
  const Schedule plan = pipelined_broadcast(3, 2);
  CHECK_THROWS_WITH(free_running(in_lockstep(plan, 2, 1), 2, 1),
                    Catch::Contains("expected a schedule of steps"));
  CHECK_THROWS_WITH(free_running(plan, 0, 1), Catch::Contains("0 flits"));
  CHECK_THROWS_WITH(free_running(plan, 0xffff'ffff, 1), Catch::Contains("2^32"));
  Schedule broken = plan;
  broken.sends.pop_back();
  CHECK_THROWS_WITH(free_running(broken, 2, 1), Catch::Contains("delivery: it never reaches"));
}
