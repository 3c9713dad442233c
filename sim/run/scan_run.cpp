#include "sim/run/scan_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/stopwatch.hpp"

namespace safnet {
namespace {

constexpr int kMostScanFlits = 4096;
// Every node keeps account of every packet.
constexpr NodeId kMostNodes = 4096;

std::uint32_t divided(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

ScanOperation operation_of(ScanCollective kind) {
  switch (kind) {
    case ScanCollective::kScan:
      return ScanOperation::kScan;
    case ScanCollective::kPacking:
      return ScanOperation::kPack;
    case ScanCollective::kMonotoneRouting:
      return ScanOperation::kMonotone;
    case ScanCollective::kPartialMultinodeBroadcast:
      return ScanOperation::kBroadcast;
    case ScanCollective::kPartialMultinodeAccumulation:
      return ScanOperation::kAccumulate;
  }
  throw std::logic_error("operation_of");
}

// Cycles after which a timetable must have ended, whatever is active.
std::uint64_t most_cycles(const ScanRequest& request, const ScanSettings& s) {
  const std::uint64_t d = request.network.digits(), p = request.network.side();
  const auto latency = static_cast<std::uint64_t>(request.link_latency);
  return 4 * d * p * (1 + latency) + 2 * d * p * (s.pack_flits + latency) +
         (request.active.size() + 1) * d * p * (s.cast_flits + latency) + 16;
}

// What the nodes say that they have found out, and how long it took them.
void check_findings(const ScanRequest& request, const Machine& machine, const ScanHosts& hosts,
                    ScanResult& result, Problems& problems) {
  const ScanRanks& ranks = hosts.ranks();
  const ScanStatus first = machine.status(0).scan;
  result.phase_cycles = first.phase_cycles;
  for (NodeId v = 0; v < request.network.graph().node_count(); ++v) {
    const ScanStatus status = machine.status(v).scan;
    if (status.last_cycle != first.last_cycle || status.phase_cycles != first.phase_cycles)
      problems.add("node {} ended in cycle {}, node 0 in cycle {}", v, status.last_cycle, first.last_cycle);
    if (result.settings.known) continue;
    if (hosts.number_of(status.group_total) != ranks.group)
      problems.add("node {} counts {} packets in the largest class, expected {}", v,
                   hosts.number_of(status.group_total), ranks.group);
    const bool active = std::binary_search(request.active.begin(), request.active.end(), v);
    if (active && result.settings.classed && status.class_number != ranks.class_of[v])
      problems.add("node {} is in class {}, expected {}", v, status.class_number, ranks.class_of[v]);
    for (std::uint32_t c = 0; c < result.settings.class_count; ++c) {
      const std::uint64_t total = hosts.number_of(status.total[c]), rank = hosts.number_of(status.rank[c]);
      if (total != ranks.total[c])
        problems.add("node {} counts {} packets in class {}, expected {}", v, total, c, ranks.total[c]);
      if (active && ranks.rank[c][v] != ScanRanks::kNone && rank != ranks.rank[c][v])
        problems.add("node {} has rank {} in class {}, expected {}", v, rank, c, ranks.rank[c][v]);
    }
  }
}

}  // namespace

const std::vector<ScanCollectiveName>& scan_collective_names() {
  static const std::vector<ScanCollectiveName> names = {
      {ScanCollective::kScan, "scan",
       "every node learns how many active nodes come before it, and how many there are"},
      {ScanCollective::kPacking, "packing", "the packet of the i-th active node goes to node i"},
      {ScanCollective::kMonotoneRouting, "monotone-routing",
       "the packet of the i-th active node goes to the i-th of --destinations"},
      {ScanCollective::kPartialMultinodeBroadcast, "partial-multinode-broadcast",
       "each active node has a packet for all others"},
      {ScanCollective::kPartialMultinodeAccumulation, "partial-multinode-accumulation",
       "each active node gets a packet of every node, combined on the way"}};
  return names;
}
const std::string& to_string(ScanCollective kind) {
  return scan_collective_names()[static_cast<std::size_t>(kind)].name;
}
bool has_model(ScanCollective kind) {
  return kind == ScanCollective::kPartialMultinodeBroadcast ||
         kind == ScanCollective::kPartialMultinodeAccumulation;
}
const ScanCollectiveName* find_scan_collective(const std::string& word) {
  for (const ScanCollectiveName& name : scan_collective_names()) {
    if (name.name == word) return &name;
  }
  return nullptr;
}

void check_request(const ScanRequest& request) {
  const NodeId nodes = request.network.graph().node_count();
  const auto refuse = [](const std::string& text) { throw std::invalid_argument(text); };
  if (request.flits < 1 || request.flits > kMostScanFlits)
    refuse(fmt::format("--flits {}: expected 1 to {}", request.flits, kMostScanFlits));
  if (request.header_flits < 0 || request.header_flits > 1)
    refuse(fmt::format("--header-flits {}: expected 0 or 1", request.header_flits));
  if (request.link_latency < 0 || request.link_latency > kMostLatency)
    refuse(fmt::format("--link-latency {}: expected 0 to {}", request.link_latency, kMostLatency));
  const auto ascending = [&](const std::vector<NodeId>& list, const char* option) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] >= nodes) refuse(fmt::format("{} {}: expected nodes below {}", option, list[i], nodes));
      if (i > 0 && list[i] <= list[i - 1])
        refuse(fmt::format("{} {}: expected ascending nodes, each once", option, list[i]));
    }
  };
  ascending(request.active, "--active");
  ascending(request.destinations, "--destinations");
  const bool monotone = request.collective == ScanCollective::kMonotoneRouting;
  if (monotone && request.destinations.size() != request.active.size())
    refuse(fmt::format("--destinations: expected {} nodes, as many as are active", request.active.size()));
  if (!monotone && !request.destinations.empty())
    refuse(fmt::format("--destinations: {} has no use for destinations", to_string(request.collective)));
  const auto refuse_unless = [&](bool used, bool given, const char* option) {
    if (given && !used)
      refuse(fmt::format("{}: {} has no use for it", option, to_string(request.collective)));
  };
  const bool classes = has_model(request.collective);
  refuse_unless(classes, request.split, "--split");
  refuse_unless(classes, request.single_class, "--single-class");
  refuse_unless(request.collective == ScanCollective::kPartialMultinodeBroadcast, request.pass_on_first,
                "--pass-on-first");
  refuse_unless(request.collective != ScanCollective::kScan, request.known_ranks, "--known-ranks");
  refuse_unless(request.collective != ScanCollective::kScan &&
                    request.collective != ScanCollective::kPartialMultinodeAccumulation,
                request.alternating, "--alternating");
  if (request.alternating && !request.network.is_ring())
    refuse("--alternating: expected a torus of side 3 or more, other networks have one way only");
  if (nodes > kMostNodes)
    refuse(fmt::format("{}: expected at most {} nodes", one_line(request.network.graph().spelling()),
                       kMostNodes));
}

ScanParameters scan_parameters(const ScanRequest& request) {
  check_request(request);
  const DigitNetwork& network = request.network;
  ScanParameters p;
  p.radix = static_cast<int>(std::max<PortId>(4, std::bit_ceil(network.graph().max_degree())));
  p.digits = static_cast<int>(network.digits());
  p.digit_width = std::bit_width(network.side() - 1);
  p.classes = static_cast<int>(network.classes());
  p.link_latency = request.link_latency;
  p.pieces = request.split && network.is_ring() ? 2 : 1;
  // Few widths, so that packets of other lengths share a variant.
  const auto needed = static_cast<int>(std::bit_width(scan_settings(request, p).pack_flits));
  p.length_width = needed <= 3 ? 3 : needed <= 5 ? 5 : needed <= 8 ? 8 : needed;
  return p;
}

ScanSettings scan_settings(const ScanRequest& request, const ScanParameters& parameters) {
  const DigitNetwork& network = request.network;
  ScanSettings s;
  s.operation = operation_of(request.collective);
  s.known = request.known_ranks;
  s.class_count = has_model(request.collective) && !request.single_class ? network.classes() : 1;
  s.classed = !request.split && s.class_count > 1;
  s.base = network.side();
  s.ring = network.is_ring();
  s.two_pieces = parameters.pieces == 2;
  s.alternate = request.alternating;
  s.pass_on_first = request.pass_on_first;
  s.header_flit = request.header_flits == 1;
  const auto flits = static_cast<std::uint32_t>(request.flits);
  const std::uint32_t parts = request.split ? s.class_count : 1;
  const auto header = static_cast<std::uint32_t>(request.header_flits);
  s.pack_flits = divided(flits, parts) + header;
  s.cast_flits = s.two_pieces ? divided(flits, 2 * parts) + header : s.pack_flits;
  return s;
}

ScanResult run_scan(const ScanRequest& request, VariantStore& store) {
  ScanResult result;
  result.parameters = scan_parameters(request);
  result.hardware = scan_hardware(result.parameters);
  result.settings = scan_settings(request, result.parameters);
  const Graph& graph = request.network.graph();
  ScanHosts hosts(request.network, result.settings, result.parameters, request.keep_transfers);
  hosts.begin_interval(request.active, request.destinations);
  result.settings.known_group = hosts.digits_of(hosts.ranks().group);
  result.expected_deliveries = request.active.size() * hosts.expected_of_each();

  const auto machine = make_machine(graph, result.hardware, request, &hosts, store, result);
  const Stopwatch watch;
  load_program(*machine, graph.node_count(), [&](NodeId v) {
    return ScanProgram{result.settings, hosts.place_of(v), hosts.operands_of(v), &hosts};
  });
  // A timetable is known beforehand: patience is for its length, not for silence.
  Drive drive(*machine, kForEver, request.faults, kForEver);
  drive.start();
  const std::uint64_t most = most_cycles(request, result.settings);
  Problems problems;
  do drive.cycle();
  while (!machine->finished() && drive.now().cycle <= most);
  if (!machine->finished()) problems.add("the timetable has not ended after {} cycles", drive.now().cycle);
  check_findings(request, *machine, hosts, result, problems);
  if (hosts.drop_unfinished() != 0) problems.add("some packet has no end");
  take_account(result, graph, *machine, hosts, problems.with_rest());
  result.last_delivery = result.cycles;
  result.flits_sent = result.transmissions;
  result.cycles = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v)
    result.cycles = std::max(result.cycles, machine->status(v).scan.last_cycle);
  result.returned = hosts.returned();
  result.transfers = hosts.take_transfers();
  result.run_seconds = watch.seconds();
  return result;
}

}  // namespace safnet
