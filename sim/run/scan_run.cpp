#include "sim/run/scan_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

// Every node keeps account of every packet.
constexpr NodeId kMostNodes = 4096;

ScanOperation operation_of(CollectiveKind kind) {
  static const std::map<CollectiveKind, ScanOperation> kOperations{
      {CollectiveKind::kScan, ScanOperation::kScan},
      {CollectiveKind::kPacking, ScanOperation::kPack},
      {CollectiveKind::kMonotoneRouting, ScanOperation::kMonotone},
      {CollectiveKind::kPartialMultinodeBroadcast, ScanOperation::kBroadcast},
      {CollectiveKind::kPartialMultinodeAccumulation, ScanOperation::kAccumulate}};
  return kOperations.at(kind);
}

// Cycles after which a timetable must have ended, whatever is active.
std::uint64_t most_cycles(const ScanRequest& request, const ScanSettings& s) {
  const std::uint64_t d = request.network.digits(), p = request.network.side();
  const auto latency = static_cast<std::uint64_t>(request.link_latency);
  return 4 * d * p * (1 + latency) + 2 * d * p * (s.pack_flits + latency) +
         (request.active.size() + 1) * d * p * (s.cast_flits + latency) + 16;
}

// Checks what the nodes say that they have found out, and notes how long it took them.
void check_findings(const ScanRequest& request, const Machine& machine, const ScanHosts& hosts,
                    ScanResult& result, Problems& problems) {
  const ScanRanks& ranks = hosts.ranks();
  result.phase_cycles = machine.status(0).scan.phase_cycles;
  for (NodeId v = 0; v < request.network.graph().node_count(); ++v) {
    const ScanStatus status = machine.status(v).scan;
    if (result.settings.known) continue;
    const std::string node = request.network.graph().node_name(v);
    if (hosts.number_of(status.group_total) != ranks.group)
      problems.add("node {} counts {} packets in the largest class, expected {}", node,
                   hosts.number_of(status.group_total), ranks.group);
    const bool active = std::binary_search(request.active.begin(), request.active.end(), v);
    if (active && result.settings.classed && status.class_number != ranks.class_of[v])
      problems.add("node {} is in class {}, expected {}", node, status.class_number, ranks.class_of[v]);
    for (std::uint32_t c = 0; c < result.settings.class_count; ++c) {
      const std::uint64_t total = hosts.number_of(status.total[c]), rank = hosts.number_of(status.rank[c]);
      if (total != ranks.total[c])
        problems.add("node {} counts {} packets in class {}, expected {}", node, total, c, ranks.total[c]);
      if (active && ranks.rank[c][v] != ScanRanks::kNone && rank != ranks.rank[c][v])
        problems.add("node {} has rank {} in class {}, expected {}", node, rank, c, ranks.rank[c][v]);
    }
  }
}

}  // namespace

bool has_model(CollectiveKind kind) {
  return kind == CollectiveKind::kPartialMultinodeBroadcast ||
         kind == CollectiveKind::kPartialMultinodeAccumulation;
}

void check_request(const ScanRequest& request) {
  const NodeId nodes = request.network.graph().node_count();
  check_range("--flits", request.flits, 1, kMostScanFlits);
  if (request.header_flits < 0 || request.header_flits > 1)
    throw bad_input("--header-flits {}: expected 0 or 1", request.header_flits);
  check_range("--link-latency", request.link_latency, 0, kMostLatency);
  const auto ascending = [&](const std::vector<NodeId>& list, const char* option) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] >= nodes) throw bad_input("{} {}: expected nodes below {}", option, list[i], nodes);
      if (i > 0 && list[i] <= list[i - 1])
        throw bad_input("{} {}: expected ascending nodes, each once", option, list[i]);
    }
  };
  ascending(request.active, "--active");
  ascending(request.destinations, "--destinations");
  const bool monotone = request.collective == CollectiveKind::kMonotoneRouting;
  if (monotone && request.destinations.size() != request.active.size())
    throw bad_input("--destinations: expected {} nodes, as many as are active", request.active.size());
  if (!monotone && !request.destinations.empty())
    throw bad_input("--destinations: {} has no use for destinations", to_string(request.collective));
  const auto refuse_unless = [&](bool used, bool given, const char* option) {
    if (given && !used) throw bad_input("{}: {} has no use for it", option, to_string(request.collective));
  };
  const bool classes = has_model(request.collective);
  refuse_unless(classes, request.split, "--split");
  refuse_unless(classes, request.single_class, "--single-class");
  refuse_unless(request.collective == CollectiveKind::kPartialMultinodeBroadcast, request.pass_on_first,
                "--pass-on-first");
  refuse_unless(request.collective != CollectiveKind::kScan, request.known_ranks, "--known-ranks");
  refuse_unless(request.collective != CollectiveKind::kScan &&
                    request.collective != CollectiveKind::kPartialMultinodeAccumulation,
                request.alternating, "--alternating");
  if (request.alternating && !request.network.is_ring())
    throw bad_input("--alternating: expected a torus of side 3 or more, other networks have one way only");
  if (nodes > kMostNodes)
    throw bad_input("{}: expected at most {} nodes", one_line(request.network.graph().spelling()),
                    kMostNodes);
}

ScanParameters scan_parameters(const ScanRequest& request) {
  check_request(request);
  const DigitNetwork& network = request.network;
  ScanParameters p;
  p.digits = static_cast<int>(network.digits());
  p.digit_width = std::bit_width(network.side() - 1);
  p.classes = static_cast<int>(network.classes());
  p.link_latency = request.link_latency;
  const ScanSettings settings = scan_settings(request);
  p.pieces = settings.two_pieces ? 2 : 1;
  const auto length = static_cast<int>(std::bit_width(settings.pack_flits));
  p.length_width = length <= 5 ? 5 : length <= 8 ? 8 : length;
  // Small nodes can do more than they need, so that networks and runs share their variants: longer lines
  // where there is one digit, or two; pieces; a class more in hypercubes, as folded cubes have.
  if (p.digits <= 2) p.digit_width = std::max(p.digit_width, p.digits == 1 ? 3 : 2);
  constexpr int kMostSmall = 6;  // bits of an address
  PortId ports = network.graph().max_degree();
  if (p.digits * p.digit_width > kMostSmall) {
    p.length_width = length <= 3 ? 3 : p.length_width;
  } else if (network.side() > 2 || p.digits == 1) {
    p.pieces = 2;
  } else if (p.digits > 2) {
    p.classes = p.digits + 1;
    ports = std::max(ports, static_cast<PortId>(p.classes));
  }
  p.radix = static_cast<int>(std::max<PortId>(4, std::bit_ceil(ports)));
  return p;
}

ScanSettings scan_settings(const ScanRequest& request) {
  const DigitNetwork& network = request.network;
  ScanSettings s;
  s.operation = operation_of(request.collective);
  s.known = request.known_ranks;
  s.class_count = has_model(request.collective) && !request.single_class ? network.classes() : 1;
  s.classed = !request.split && s.class_count > 1;
  s.base = network.side();
  s.ring = network.is_ring();
  s.two_pieces = request.split && s.ring;
  s.alternate = request.alternating;
  s.pass_on_first = request.pass_on_first;
  s.header_flit = request.header_flits == 1;
  const auto flits_of_part = [&](std::uint32_t parts) {
    return static_cast<std::uint32_t>(divide_up(static_cast<std::uint32_t>(request.flits), parts)) +
           static_cast<std::uint32_t>(request.header_flits);
  };
  const std::uint32_t parts = request.split ? s.class_count : 1;
  s.pack_flits = flits_of_part(parts);
  s.cast_flits = flits_of_part(s.two_pieces ? 2 * parts : parts);
  return s;
}

ScanResult run_scan(const ScanRequest& request, VariantStore& store) {
  ScanResult result;
  result.parameters = scan_parameters(request);
  require_memory_of_scan(request.network.graph(), result.parameters);
  result.hardware = scan_hardware(result.parameters);
  result.settings = scan_settings(request);
  const Graph& graph = request.network.graph();
  ScanHosts hosts(request.network, result.settings, result.parameters,
                  {.flits = request.keep_transfers, .packets = request.keep_trace});
  hosts.begin_interval({request.active, request.destinations});
  result.settings.known_group = hosts.digits_of(hosts.ranks().group);
  result.expected_deliveries = request.active.size() * hosts.expected_of_each();

  const auto machine = make_machine(graph, result.hardware, request, &hosts, store, result);
  hosts.follow(*machine);
  const Stopwatch watch;
  load_program(*machine, graph.node_count(), [&](NodeId v) {
    return ScanProgram{result.settings, hosts.place_of(v), hosts.operands_of(v), &hosts};
  });
  // The length of the timetable is known, so the loop below limits cycles; the patience of the drive is off.
  Drive drive(*machine, kForEver, request.faults, kForEver);
  drive.start();
  const std::uint64_t most = most_cycles(request, result.settings);
  Problems problems;
  PhaseWatch watch_phases(*machine);
  do watch_phases.after(drive.cycle().cycle);
  while (!machine->finished() && drive.now().cycle <= most);
  if (!machine->finished()) problems.add("the timetable has not ended after {} cycles", drive.now().cycle);
  check_findings(request, *machine, hosts, result, problems);
  watch_phases.judge(graph, 1, problems);
  if (hosts.drop_unfinished() != 0) problems.add("some packet has no end");
  hosts.check_returned(problems);
  take_account(result, graph, *machine, hosts, problems.with_rest());
  result.last_delivery = result.cycles;
  result.flits_sent = result.transmissions;
  result.cycles = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v)
    result.cycles = std::max(result.cycles, machine->status(v).scan.last_cycle);
  if (result.last_delivery > result.cycles)
    result.complain("the interval ended in cycle {}, the last delivery was in cycle {}", result.cycles,
                    result.last_delivery);
  result.returned = hosts.returned();
  result.transfers = hosts.take_transfers();
  result.trace = {hosts.take_intervals(), watch_phases.phases()};
  result.run_seconds = watch.seconds();
  return result;
}

}  // namespace safnet
