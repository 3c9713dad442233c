// test_scan_node - whole scan_nodes in small networks: what is on the links in every cycle, all sets of
// active nodes, faults that must be noticed, and runs that must not differ.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/scan_run.hpp"
#include "sim/scan/scan_packets.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

ScanRequest request_on(const std::string& topology, std::uint32_t active) {
  ScanRequest request(digit_network(make_topology(topology)).value());
  for (NodeId v = 0; v < request.network.graph().node_count(); ++v) {
    if ((active >> v & 1U) != 0) request.active.push_back(v);
  }
  request.flits = 2;
  request.keep_transfers = true;
  return request;
}

ScanResult run(const ScanRequest& request) { return run_scan(request, VariantStore::standard()); }

TEST_CASE("the smallest case, cycle by cycle", "[scan][scan_node]") {
  // Node 1 of two has a packet of two flits; its rank is 0, so that it is packed to node 0.
  const ScanResult result = run(request_on("linear:2", 0b10));
  const std::uint64_t first = ScanPackets::packed(1, 0, 0, 0, 0), second = ScanPackets::packed(1, 0, 1, 0, 0);
  // Nodes of one digit are built for lines of up to eight nodes: a count is two digits of three bits above a
  // remainder of a bit; backwards the total stands above it. The highest bit makes the number of ones odd.
  const std::uint64_t none = std::uint64_t{1} << 63, total_of_one = 0b000'001'0 << 7;
  const std::vector<ScanTransfer> expected = {
      {1, 0, 0, none},                            // before node 1 no node is active
      {2, 1, 0, total_of_one},                    // before node 0 neither; one is in all
      {3, 1, 0, first},                           // packed
      {4, 1, 0, second},       {5, 0, 0, first},  // broadcast
      {6, 0, 0, second},
  };
  REQUIRE(result.transfers.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i, result.transfers[i].cycle, result.transfers[i].node, result.transfers[i].flit,
            expected[i].flit);
    CHECK(result.transfers[i] == expected[i]);
  }
  CHECK(result.cycles == 6);
  CHECK(result.last_delivery == 6);
  CHECK(result.flits_sent == 6);
  CHECK(result.delivered == 1);
  CHECK(result.returned == 1);
  CHECK(result.problems.empty());
}

TEST_CASE("whatever is active, every packet arrives and the ends are those of the timetable",
          "[scan][scan_node]") {
  struct Case {
    std::string topology;
    CollectiveKind collective;
    std::uint32_t nodes, scan, side, digits;
  };
  const std::vector<Case> cases = {{"linear:2", CollectiveKind::kPartialMultinodeBroadcast, 2, 2, 2, 1},
                                   {"mesh:2x2", CollectiveKind::kScan, 4, 4, 2, 2},
                                   {"mesh:2x2", CollectiveKind::kPartialMultinodeBroadcast, 4, 8, 2, 2},
                                   {"mesh:2x2", CollectiveKind::kPartialMultinodeAccumulation, 4, 8, 2, 2},
                                   {"folded-cube:2", CollectiveKind::kScan, 4, 4, 2, 2},
                                   {"folded-cube:2", CollectiveKind::kPartialMultinodeBroadcast, 4, 8, 2, 2},
                                   {"ring:4", CollectiveKind::kScan, 4, 6, 4, 1},
                                   {"ring:4", CollectiveKind::kPacking, 4, 6, 4, 1}};
  for (const Case& each : cases) {
    for (std::uint32_t active = 0; active < 1U << each.nodes; ++active) {
      CAPTURE(each.topology, to_string(each.collective), active);
      ScanRequest request = request_on(each.topology, active);
      request.collective = each.collective;
      const ScanResult result = run(request);
      REQUIRE(result.problems == std::vector<std::string>{});
      CHECK(result.lost == 0);
      CHECK(result.duplicated == 0);
      CHECK(result.phase_cycles[1] + result.phase_cycles[2] == each.scan);
      CHECK(result.transfers.size() == result.flits_sent);
      std::uint32_t sum = 0;
      for (const std::uint32_t cycles : result.phase_cycles) sum += cycles;
      CHECK(result.cycles == sum);
      const std::uint32_t packing = each.digits * (each.side - 1) * 2;
      if (each.collective == CollectiveKind::kPacking) CHECK(result.cycles == each.scan + packing);
      if (each.collective != CollectiveKind::kPartialMultinodeBroadcast) continue;
      // Digit j is broadcast in batches of p^(j+1) ranks; the largest class decides how many there are.
      const std::uint32_t classes = result.settings.class_count;
      const std::uint32_t group = (static_cast<std::uint32_t>(std::popcount(active)) + classes - 1) / classes;
      std::uint32_t slots = 0;
      for (std::uint32_t j = 0, width = each.side; j < each.digits; ++j, width *= each.side)
        slots += (group + width - 1) / width * (each.side - 1);
      CHECK(result.phase_cycles[3] == packing);
      CHECK(result.phase_cycles[4] == 2 * slots);
    }
  }
}

// The words of a run that failed, or nothing.
std::string failure_of(const ScanRequest& request) {
  try {
    const ScanResult result = run(request);
    return result.problems.empty() ? "" : result.problems.front();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST_CASE("a lost or damaged flit is noticed on every link that is used", "[scan][scan_node]") {
  for (const CollectiveKind collective :
       {CollectiveKind::kPartialMultinodeBroadcast, CollectiveKind::kPacking,
        CollectiveKind::kPartialMultinodeAccumulation}) {
    ScanRequest request = request_on("mesh:2x2", 0b1101);
    request.collective = collective;
    const ScanResult sound = run(request);
    REQUIRE(sound.problems.empty());
    request.keep_transfers = false;
    const Graph& graph = request.network.graph();
    std::set<std::pair<NodeId, PortId>> used;
    for (const ScanTransfer& transfer : sound.transfers) used.insert({transfer.node, transfer.port});
    REQUIRE(!used.empty());
    for (const auto& [node, port] : used) {
      const Endpoint to = graph.peer(node, port);
      CAPTURE(to_string(collective), node, port);
      request.faults = {{.node = to.node, .port = to.port, .drop = true}};
      CHECK(failure_of(request) != "");
      request.faults = {{.node = to.node, .port = to.port, .corrupt = true}};
      CHECK(failure_of(request) != "");
    }
  }
}

TEST_CASE("idle nodes that are skipped, kept nodes and waveforms change nothing", "[scan][scan_node]") {
  ScanRequest request = request_on("mesh:2x2", 0b1101);
  const ScanResult plain = run(request);
  REQUIRE(plain.problems.empty());
  REQUIRE(!plain.transfers.empty());
  const auto require_same = [&](const ScanResult& other) {
    CHECK(other.transfers == plain.transfers);
    CHECK(other.cycles == plain.cycles);
    CHECK(other.last_delivery == plain.last_delivery);
    CHECK(other.delivered == plain.delivered);
    CHECK(other.problems.empty());
  };
  ScanRequest all = request;
  all.skip_idle = false;
  const ScanResult evaluated = run(all);
  require_same(evaluated);
  CHECK(evaluated.node_evaluations >= plain.node_evaluations);

  NodePool pool(std::size_t{1} << 30);
  ScanRequest pooled = request, other = request_on("mesh:2x2", 0b0111);
  pooled.pool = other.pool = &pool;
  require_same(run(pooled));
  CHECK(pool.kept_bytes() > 0);
  CHECK(run(other).problems.empty());
  require_same(run(pooled));

  ScanRequest traced = request;
  const std::filesystem::path wave =
      std::filesystem::temp_directory_path() / fmt::format("safnet_test_scan_node_{}.fst", getpid());
  std::filesystem::remove(wave);
  traced.wave.path = wave.string();
  require_same(run(traced));
  CHECK(std::filesystem::file_size(wave) > 0);
  std::filesystem::remove(wave);
}

}  // namespace
