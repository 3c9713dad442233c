// Schedules that SCCL or MSCCL files cannot hold, most of them wrong ones that no reader lets through: the
// writers of these files, which a program may call with a schedule of its own, say what it is.
#include <functional>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

LinkId hop(const Schedule& schedule, NodeId from, NodeId to) {
  return schedule.network.link(from, *schedule.network.port_to(from, to));
}

// Node 0 broadcasts a packet on linear:3 in two steps.
Schedule broadcast() {
  Schedule schedule(make_topology("linear:3"));
  schedule.packets.add(0, 0, 1, std::vector<NodeId>{1, 2});
  schedule.sends = {{1, hop(schedule, 0, 1), 0}, {2, hop(schedule, 1, 2), 0}};
  return schedule;
}

// Nodes 0 and 2 send to node 1, where the sum of all three is made, the packet at index 3; or one of other
// parts.
Schedule reduction(const std::vector<PacketIndex>& parts = {0, 1, 2}) {
  Schedule schedule(make_topology("linear:3"));
  for (NodeId v = 0; v < 3; ++v) schedule.packets.add(v, 0, 1, {});
  schedule.packets.add(1, 1, 1, std::vector<NodeId>{1}, parts);
  schedule.sends = {{1, hop(schedule, 0, 1), 0}, {1, hop(schedule, 2, 1), 2}};
  return schedule;
}

Schedule changed(Schedule schedule, const std::function<void(Schedule&)>& change) {
  change(schedule);
  return schedule;
}

}  // namespace

TEST_CASE("what no SCCL file holds is named by its writer", "[interchange][sccl]") {
  CHECK_FALSE(sccl_text(broadcast()).empty());
  CHECK_FALSE(sccl_text(reduction()).empty());
  Schedule two_sums = reduction();
  two_sums.packets.add(0, 1, 1, std::vector<NodeId>{1}, std::vector<PacketIndex>{0, 1, 2});
  Schedule same = reduction();
  same.packets.add(1, 2, 1, {}, std::vector<PacketIndex>{0, 1, 2});
  const std::string send = "a send without slot, link or packet";
  const std::pair<Schedule, std::string> refused[] = {
      {Schedule(make_topology("linear:3")), "no packets"},
      {changed(broadcast(), [](Schedule& s) { s.sends[0].start = 0; }), send},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].link = 4; }), send},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].packet = 1; }), send},
      {reduction({0, 1, 2, 2}), "packet 1 of node 1 counts a part twice"},
      {two_sums, "packet 0 of node 0 reaches a node in two results"},
      {same, "packet 2 of node 1 is made of the same as another packet"},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].start = 1; }),
       "node 1 has nothing at address 0 when the step begins"},
      {changed(broadcast(),
               [](Schedule& s) {
                 s.sends.push_back({3, hop(s, 1, 2), 0});
               }),
       "sends that bring a node what it has"},
  };
  for (const auto& [schedule, expected] : refused) {
    const std::string error = error_of([&] { sccl_text(schedule); });
    check_one_line(error);
    CHECK_THAT(error, Catch::Contains(expected) && Catch::Contains("SCCL files cannot hold it"));
  }
  Schedule large(make_topology("ring:2049"));
  large.packets.add(0, 0, 1, std::vector<NodeId>{1});
  CHECK_THAT(error_of([&] { sccl_text(large); }), Catch::Contains("a link matrix of more than 2048 nodes"));
}

TEST_CASE("what no MSCCL file holds is named by its writer", "[interchange][msccl]") {
  CHECK_FALSE(msccl_text(broadcast()).empty());
  CHECK_FALSE(msccl_text(reduction()).empty());
  Schedule two_sums = reduction();
  two_sums.packets.add(1, 2, 1, {}, std::vector<PacketIndex>{0, 1, 2});
  const std::string send = "a send out of order, or without link or packet";
  const std::pair<Schedule, std::string> refused[] = {
      {Schedule(make_topology("linear:3")), "no packets"},
      {changed(broadcast(), [](Schedule& s) { std::swap(s.sends[0], s.sends[1]); }), send},
      {changed(broadcast(), [](Schedule& s) { s.sends[0].start = 0; }), send},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].link = 4; }), send},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].packet = 1; }), send},
      {reduction({0, 1, 2, 2}), "a sum that counts a packet twice"},
      {two_sums, "packet 0 of node 0 in two sums at one node"},
      {changed(broadcast(), [](Schedule& s) { s.sends[1].start = 1; }),
       "packet 0 of node 0 leaves node 1 in slot 1 before it is there"},
      {changed(broadcast(),
               [](Schedule& s) {
                 s.sends.push_back({3, hop(s, 1, 2), 0});
               }),
       "packet 0 of node 0 reaches node 2 twice"},
      {changed(reduction(),
               [](Schedule& s) {
                 s.sends.push_back({2, hop(s, 0, 1), 0});
               }),
       "packet 0 of node 0 reaches node 1 twice"},
      {changed(broadcast(), [](Schedule& s) { s.sends.pop_back(); }), "which never reaches node 2"},
  };
  for (const auto& [schedule, expected] : refused) {
    const std::string error = error_of([&] { msccl_text(schedule); });
    check_one_line(error);
    CHECK_THAT(error, Catch::Contains(expected) && Catch::Contains("MSCCL"));
  }
}
