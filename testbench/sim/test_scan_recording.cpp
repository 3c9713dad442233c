// What scan_nodes sent, packet by packet: against the model of the algorithm, and against what was delivered.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/schedule/journeys.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "sim/run/dynamic_broadcast.hpp"
#include "sim/run/scan_check.hpp"
#include "sim/run/scan_recording.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

struct Case {
  std::string topology;
  CollectiveKind collective = CollectiveKind::kPartialMultinodeBroadcast;
  std::vector<NodeId> active;
  ScanManner manner = {.flits = 8};
};

ScanRequest request_of(const Case& each) {
  ScanRequest request(make_digit_network(each.topology), each.manner);
  request.collective = each.collective;
  request.active = each.active;
  request.keep_trace = true;
  return request;
}
ScanResult run(const ScanRequest& request) { return run_scan(request, VariantStore::standard()); }

const std::vector<Case> kBroadcasts{
    {"mesh:3x3", CollectiveKind::kPartialMultinodeBroadcast, {0, 2, 3, 8}},
    {"mesh:3x3", CollectiveKind::kPartialMultinodeBroadcast, {1, 4, 5, 7}, {.flits = 8, .split = true}},
    {"torus:3x3", CollectiveKind::kPartialMultinodeBroadcast, {2, 3, 6}, {.flits = 8, .split = true}},
    {"hypercube:3",
     CollectiveKind::kPartialMultinodeBroadcast,
     {1, 2, 6, 7},
     {.flits = 2, .link_latency = 1}},
    {"folded-cube:2", CollectiveKind::kPartialMultinodeBroadcast, {1, 2}, {.flits = 3, .header_flits = 1}},
};
const std::vector<Case> kAccumulations{
    {"mesh:3x3", CollectiveKind::kPartialMultinodeAccumulation, {0, 2, 3, 8}},
    {"torus:3x3", CollectiveKind::kPartialMultinodeAccumulation, {2, 3, 6}, {.flits = 8, .split = true}},
    {"hypercube:3", CollectiveKind::kPartialMultinodeAccumulation, {1, 2, 6, 7}, {.flits = 2}},
};

// A transfer as a trace has it: without the way of a scan, and without the class of a sum.
PartialTransfer as_seen(PartialTransfer t) {
  if (t.kind < PartialTransferKind::kPacking)
    return {t.cycle, t.link, PartialTransferKind::kRankScanForward, 0, 0, 0, t.flits};
  if (t.kind == PartialTransferKind::kAccumulation) t.packet_class = t.piece = 0;
  return t;
}
std::vector<PartialTransfer> as_seen(const std::vector<PartialTransfer>& transfers) {
  std::vector<PartialTransfer> seen;
  for (const PartialTransfer& t : transfers) seen.push_back(as_seen(t));
  std::ranges::sort(seen);
  return seen;
}

// Hosts that get a packet over the last of its links, and of combined packets those at their origins.
std::uint64_t deliveries(const Recording& recording) {
  const PacketList& packets = recording.schedule.packets;
  std::set<std::pair<PacketIndex, NodeId>> got;
  const auto arrives = [&](PacketIndex p, NodeId v) {
    const auto to = packets.destinations(p);
    if (std::ranges::count(to, v) != 0) got.insert({p, v});
  };
  for (const Send& send : recording.schedule.sends)
    arrives(send.packet, recording.schedule.network.link_target(send.link));
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (!packets.parts(p).empty()) arrives(p, packets.origin(p));
  }
  return got.size();
}

std::uint64_t flits_of(const Recording& recording) {
  std::uint64_t sum = 0;
  for (const std::uint64_t flits : flits_by_link(recording.schedule)) sum += flits;
  return sum;
}

TEST_CASE("the trace of scan_nodes is what the model of the algorithm sends", "[scan_recording]") {
  std::vector<Case> cases = kBroadcasts;
  cases.insert(cases.end(), kAccumulations.begin(), kAccumulations.end());
  for (const Case& each : cases) {
    CAPTURE(each.topology, to_string(each.collective), each.active);
    const ScanRequest request = request_of(each);
    const ScanResult result = run(request);
    REQUIRE(result.problems == std::vector<std::string>{});
    const PartialBroadcastSettings settings = broadcast_settings(request);
    const PartialPlan plan = each.collective == CollectiveKind::kPartialMultinodeBroadcast
                                 ? plan_partial_broadcast(request.network, settings, each.active)
                                 : plan_partial_accumulation(request.network, settings, each.active);
    REQUIRE(result.trace.intervals.size() == 1);
    REQUIRE(result.trace.intervals[0].packets.size() == plan.packets.size());
    CHECK(first_difference(request.network.graph(), as_seen(plan.transfers),
                           as_seen(result.trace.intervals[0].transfers)) == "");
  }
}

TEST_CASE("a recording of scan_nodes has all flits and all deliveries", "[scan_recording]") {
  std::vector<Case> cases = kBroadcasts;
  cases.insert(cases.end(), kAccumulations.begin(), kAccumulations.end());
  cases.push_back({"mesh:3x3", CollectiveKind::kPacking, {2, 5, 8}});
  for (const Case& each : cases) {
    CAPTURE(each.topology, to_string(each.collective), each.active);
    const ScanRequest request = request_of(each);
    const ScanResult result = run(request);
    const Recording recording = recording_of(request, result.settings, result.trace);
    CHECK(flits_of(recording) == result.flits_sent);
    const bool in_halves = result.settings.two_pieces;
    // A packed packet of two halves is one packet to the node where it is packed, and one result is one sum.
    if (!in_halves) CHECK(deliveries(recording) == result.delivered);
    if (!in_halves || each.collective != CollectiveKind::kPartialMultinodeBroadcast) continue;
    const std::uint64_t packed = std::ranges::count_if(
        recording.kinds, [&](std::uint8_t kind) { return recording.kind_words[kind] == "packing"; });
    CHECK(deliveries(recording) + packed == result.delivered);
  }
}

TEST_CASE("packets of a monotone routing go to their destinations", "[scan_recording]") {
  ScanRequest request =
      request_of({"mesh:3x3", CollectiveKind::kMonotoneRouting, {0, 1, 6}, {.flits = 2, .link_latency = 1}});
  request.destinations = {2, 4, 8};
  const ScanResult result = run(request);
  REQUIRE(result.problems == std::vector<std::string>{});
  const Recording recording = recording_of(request, result.settings, result.trace);
  CHECK(deliveries(recording) == 3);
  const Journeys journeys(recording);
  for (Journeys::SendNumber i = 0; i < recording.schedule.sends.size(); ++i) {
    // Each hop of a packet goes on from the one before.
    const Send& send = recording.schedule.sends[i];
    const NodeId from = recording.schedule.network.link_source(send.link);
    CHECK((from == recording.schedule.packets.origin(send.packet)) == (journeys.hop(i) == 1));
  }
}

TEST_CASE("phases of scan_nodes follow each other", "[scan_recording]") {
  const ScanRequest request = request_of(kBroadcasts[0]);
  const ScanResult result = run(request);
  std::vector<std::string> words;
  for (const Recording::Phase& phase : recording_of(request, result.settings, result.trace).phases)
    words.push_back(std::to_string(phase.first_cycle) + " " + phase.words);
  const std::uint32_t scan = result.phase_cycles[1], ranks = scan + result.phase_cycles[2],
                      packing = ranks + result.phase_cycles[3];
  CHECK(words == std::vector<std::string>{"1 class scan", std::to_string(scan + 1) + " rank scan",
                                          std::to_string(ranks + 1) + " packing",
                                          std::to_string(packing + 1) + " broadcast",
                                          std::to_string(result.cycles + 1) + " idle"});
}

TEST_CASE("a packet that nobody can name becomes one of a single hop", "[scan_recording]") {
  ScanRequest request = request_of(kBroadcasts[0]);
  const Graph& graph = request.network.graph();
  for (PortId port = 0; port < graph.degree(4); ++port)
    request.faults.push_back({.node = 4, .port = port, .corrupt = true});
  const ScanResult result = run(request);
  CHECK(!result.problems.empty());
  const Recording recording = recording_of(request, result.settings, result.trace);
  CHECK(flits_of(recording) >= result.flits_sent);  // a packet may have lost its end
  bool unknown = false;
  for (const Send& send : recording.schedule.sends) {
    if (recording.kind_words[recording.kinds[send.packet]] != "unknown") continue;
    unknown = true;
    CHECK(graph.link_source(send.link) == recording.schedule.packets.origin(send.packet));
  }
  CHECK(unknown);
}

TEST_CASE("a recording of dynamic broadcasting has every packet since its arrival", "[scan_recording]") {
  for (const bool split : {false, true}) {
    DynamicBroadcastRequest request(make_digit_network("torus:3x3"));
    request.split = split;
    request.packets = 40;
    request.rate = limits_of(request).exactly / 2;
    request.keep_trace = true;
    const DynamicBroadcastResult result = run_dynamic_broadcast(request, VariantStore::standard());
    REQUIRE(result.problems == std::vector<std::string>{});
    const Recording recording = recording_of(request, result.settings, result.trace);
    CHECK(flits_of(recording) == result.flits_sent);
    const std::vector<Arrival> arrivals =
        poisson_arrivals(9, request.rate / request.flits, request.packets, request.seed);
    const Journeys journeys(recording);
    std::set<std::uint32_t> generated;
    for (Journeys::SendNumber i = 0; i < recording.schedule.sends.size(); ++i) {
      const Send& send = recording.schedule.sends[i];
      CHECK(journeys.ready_cycle(i) >= recording.generated[send.packet]);
      CHECK(recording.generated[send.packet] <= recording.schedule.cycle(send));
      if (recording.kind_words[recording.kinds[send.packet]] == "broadcast")
        generated.insert(recording.generated[send.packet]);
    }
    std::set<std::uint32_t> arrived;
    for (const Arrival& arrival : arrivals)
      arrived.insert(static_cast<std::uint32_t>(((arrival.tick - 1) >> kTickBits) + 1));
    CHECK(generated == arrived);
    CHECK(recording.phases.back().words ==
          "interval " + std::to_string(result.intervals + 1) + (split ? ", rank scan" : ", class scan"));
  }
}

}  // namespace
