// test_late_cycles - runs whose first cycle has a number that a run would take hours to reach: what counters
// and hosts say of them is the same but for that number, in the upper half of 32 bits as well.
#include <array>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

/// Tells nodes and hosts a later time than it is; before the start it is 0 as ever.
class Later final : public WireTap {
 public:
  explicit Later(NetworkTime by) : by_(by) {}
  NetworkTime told(NetworkTime now) const override {
    return now.cycle == 0 ? now : NetworkTime{now.cycle + by_.cycle, now.step + by_.step};
  }
  void before_sampling(NetworkTime, FabricWires&) override {}
  void after_sampling(FabricWires&) override {}

 private:
  NetworkTime by_;
};

// Neighbouring bits differ, and each bit is set in one of two. No run here lasts for the cycles that are left
// after them.
constexpr std::array<std::uint32_t, 3> kLater = {0x5555'5000U, 0xaaaa'a000U, 0xffff'f000U};

RunRequest exchange(const std::string& node, const std::string& topology = "mesh:3x3") {
  RunRequest request(Problem{.graph = make_topology(topology), .collective = CollectiveKind::kTotalExchange});
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node != "tdm") request.router = find_router_kind(node);
  request.flits = 2;
  return request;
}

}  // namespace

TEST_CASE("a run of routers that begins late is the same run, later") {
  for (const std::string node : {"pifo", "fifo"}) {
    RunRequest request = exchange(node);
    const RunResult on_time = run_collective(request, VariantStore::standard());
    REQUIRE(on_time.exit_code() == 0);
    for (const std::uint32_t by : kLater) {
      CAPTURE(node, by);
      Later tap({by, by});
      request.tap = &tap;
      const RunResult late = run_collective(request, VariantStore::standard());
      CHECK(late.problems == on_time.problems);
      CHECK(late.cycles == on_time.cycles + by);
      CHECK(late.steps == on_time.steps + by);
      CHECK(late.delivered == on_time.delivered);
      CHECK(late.delay_sum == on_time.delay_sum + on_time.delivered * by);
      CHECK(late.peak_queue == on_time.peak_queue);
      CHECK(late.transmissions == on_time.transmissions);
    }
  }
}

// Timetables say in which step a packet leaves: only the cycles may be later.
TEST_CASE("a timetable that begins late is the same run, later") {
  RunRequest request = exchange("tdm");
  const RunResult on_time = run_collective(request, VariantStore::standard());
  REQUIRE(on_time.exit_code() == 0);
  for (const std::uint32_t by : kLater) {
    CAPTURE(by);
    Later tap({by, 0});
    request.tap = &tap;
    const RunResult late = run_collective(request, VariantStore::standard());
    CHECK(late.problems == on_time.problems);
    CHECK(late.cycles == on_time.cycles + by);
    CHECK(late.steps == on_time.steps);
    CHECK(late.delay_sum == on_time.delay_sum);
    CHECK(late.late == 0);
  }
}
