// test_late_cycles - runs whose first cycle has a number past 2^30 or 2^31: what counters and hosts say of
// them is the same but for that number.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/flit_fault.hpp"

using namespace safnet;
using testbench::FlitFault;

namespace {

/// Tells nodes and hosts that later cycles have the steps of the first ones; before the start it is 0 as
/// ever. The fault is that of the run on time.
class Later final : public WireTap {
 public:
  explicit Later(std::uint32_t cycles, FlitFault fault = {}) : cycles_(cycles), fault_(std::move(fault)) {}
  NetworkTime told(NetworkTime now) const override {
    return now.cycle == 0 ? now : NetworkTime{now.cycle + cycles_, now.step};
  }
  void before_sampling(NetworkTime now, FabricWires& wires) override { fault_.before_sampling(now, wires); }
  void after_sampling(FabricWires& wires) override { fault_.after_sampling(wires); }

 private:
  std::uint32_t cycles_;
  FlitFault fault_;
};

// Neighbouring bits differ, and each from bit 12 on is set in one of two.
constexpr std::array<std::uint32_t, 2> kLater = {0x5555'5000U, 0xaaaa'a000U};

RunRequest exchange(const std::string& node, int flits) {
  RunRequest request(
      Problem{.graph = make_topology("mesh:3x3"), .collective = CollectiveKind::kTotalExchange});
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node != "tdm") request.router = find_router_kind(node);
  request.flits = flits;
  return request;
}

/// Problems as they would be told in a run that began so many cycles earlier, and without those of sends that
/// were not in the cycle in which they were planned, as all are in a run that begins late.
std::vector<std::string> told_earlier(std::vector<std::string> problems, std::uint32_t cycles) {
  std::erase_if(problems,
                [](const std::string& problem) { return problem.find("late_o") != std::string::npos; });
  const std::regex cycle("cycle ([0-9]+)");
  for (std::string& problem : problems) {
    std::string shifted;
    std::size_t end = 0;  // of what has been taken over
    for (std::sregex_iterator at(problem.begin(), problem.end(), cycle), none; at != none; ++at) {
      shifted += fmt::format("{}cycle {}", at->prefix().str(), std::stoul((*at)[1]) - cycles);
      end = static_cast<std::size_t>(at->position() + at->length());
    }
    problem = shifted + problem.substr(end);
  }
  return problems;
}

}  // namespace

TEST_CASE("a run that begins late is the same run, later") {
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    RunRequest request = exchange(node, 2);
    const RunResult on_time = run_collective(request, VariantStore::standard());
    REQUIRE(on_time.exit_code() == 0);
    for (const std::uint32_t by : kLater) {
      CAPTURE(node, by);
      Later tap(by);
      request.tap = &tap;
      const RunResult late = run_collective(request, VariantStore::standard());
      CHECK(late.cycles == on_time.cycles + by);
      CHECK(late.steps == on_time.steps);
      CHECK(late.delivered == late.expected_deliveries);
      CHECK(late.delay_sum == on_time.delay_sum);
      CHECK(late.peak_queue == on_time.peak_queue);
      CHECK(late.transmissions == on_time.transmissions);
      CHECK(late.late == 0);
      CHECK(late.lost + late.duplicated == 0);
      // Counters of queues agree with what the links carried, but for those of packets that wait while a slot
      // opens: by the numbers of the cycles many slots had opened before the first send.
      CHECK(late.validated);
      CHECK(std::ranges::none_of(late.problems, [](const std::string& problem) {
        return problem.find("by what its links carried") != std::string::npos &&
               problem.find("peak_waiting_o") == std::string::npos;
      }));
    }
  }
}

TEST_CASE("what goes wrong late in time is told as what goes wrong early") {
  RunRequest request = exchange("tdm", 1);
  for (const std::uint64_t flit : {0U, 7U}) {
    for (const bool dropped : {true, false}) {
      const FlitFault fault = dropped ? FlitFault::drop(flit) : FlitFault::invert(flit, 3);
      Later at_once(0, fault);
      request.tap = &at_once;
      const RunResult early = run_collective(request, VariantStore::standard());
      const std::vector<std::string> problems = told_earlier(early.problems, 0);
      CHECK(std::ranges::any_of(problems,
                                [](const std::string& p) { return p.find("cycle") != std::string::npos; }));
      for (const std::uint32_t by : kLater) {
        CAPTURE(flit, dropped, by);
        Later tap(by, fault);
        request.tap = &tap;
        const RunResult late = run_collective(request, VariantStore::standard());
        CHECK(told_earlier(late.problems, by) == problems);
      }
    }
  }
}
