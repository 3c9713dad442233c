// What is said of the scan of exchange_nodes: the watch is told of hosts and links of which one thing is
// wrong.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "rtl_constants.hpp"
#include "sim/exchange/class_scan.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// What a node told its host: active nodes of its row and of its column, and its class.
struct Told {
  std::uint32_t node, row, column, node_class;
};

class NoExchange final : public MachineObserver {
 public:
  void on_link_flit(const FlitEvent&) override { FAIL("a flit of the exchange"); }
  void on_delivered_flit(const FlitEvent&) override { FAIL("a packet of the exchange"); }
};

// Nodes 0, 1 and 2 of a mesh of two rows are active: rows of 2 and 1, columns of 2 and 1. The trees have one
// level, so the last flit leaves in the second cycle of a scan over links without latency.
const std::vector<Told> kRight{{0, 2, 2, 0}, {1, 2, 1, 1}, {2, 1, 2, 0}, {3, 1, 1, 0}};

std::vector<std::string> problems(const std::vector<Told>& told, std::uint32_t last_cycle, int latency = 0) {
  ClassScan scan;
  scan.hops = 2;
  scan.row_sum = [](NodeId v) { return v < 2 ? 2U : 1U; };
  scan.column_sum = [](NodeId v) { return v % 2 == 0 ? 2U : 1U; };
  PifoParameters parameters;
  parameters.link_latency = latency;
  NoExchange exchange;
  ClassScanWatch watch(make_topology("mesh:2x2"), parameters, scan, exchange);
  for (const Told& each : told) {
    const std::array<std::uint32_t, 2> words{each.row | each.column << rtl::exchange_pkg::kSumWidth,
                                             each.node_class};
    watch.on_delivered_flit({.now = {}, .node = each.node, .words = words.data(), .last = true});
  }
  watch.on_link_flit({.now = {.cycle = last_cycle}, .node = 3});
  CHECK(watch.packet_in_words({}).words == "scan");
  return watch.problems();
}

std::vector<Told> changed(const std::function<void(std::vector<Told>&)>& change) {
  std::vector<Told> told = kRight;
  change(told);
  return told;
}

}  // namespace

TEST_CASE("a scan is right if every host has its sums and class once, in time", "[class_scan]") {
  CHECK(problems(kRight, 2).empty());
  CHECK(problems(kRight, 3, 1).empty());  // each of the two hops takes a further cycle
}

TEST_CASE("a scan of which one thing is wrong says which node and what", "[class_scan]") {
  const auto says = [](const std::vector<Told>& told, const std::string& line) {
    CHECK(problems(told, 2) == std::vector<std::string>{line});
  };
  says(changed([](auto& told) { told.erase(told.begin() + 1); }),
       "node 0_1 was not told the sums of its row and column");
  const std::string expected = "; expected once, 2, 1 and class 1";
  says(changed([](auto& told) { told[1].row = 3; }),
       "node 0_1 was told 1 time of 3 active nodes in its row and 1 in its column, class 1" + expected);
  says(changed([](auto& told) { told[1].column = 2; }),
       "node 0_1 was told 1 time of 2 active nodes in its row and 2 in its column, class 1" + expected);
  says(changed([](auto& told) { told[1].node_class = 0; }),
       "node 0_1 was told 1 time of 2 active nodes in its row and 1 in its column, class 0" + expected);
  says(changed([](auto& told) { told.push_back(told[1]); }),
       "node 0_1 was told 2 times of 2 active nodes in its row and 1 in its column, class 1" + expected);
  CHECK(problems(kRight, 3) == std::vector<std::string>{"the scan took 3 cycles; expected 2"});
  CHECK(problems(kRight, 1) == std::vector<std::string>{"the scan took 1 cycle; expected 2"});
}
