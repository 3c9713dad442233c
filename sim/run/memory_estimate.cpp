#include "sim/run/memory_estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "rtl_constants.hpp"
#include "sim/machine/system.hpp"
#include "sim/pifo/host_feed.hpp"

namespace safnet {
namespace {

// Bytes at the peak, while a trace is checked: a transfer or delivery at its node and in the trace, the
// schedule made of it, and what the checker notes.
constexpr double kBytesOfTransfer = 120, kBytesOfDelivery = 120;
// Bytes of a send at the peak: planned, checked, and in the programs of a timetable.
constexpr double kBytesOfPlan = 20, kBytesOfCheck = 100, kBytesOfProgram = 100;

// The models of all nodes, from the sizes of the RTL's memories.
MemoryPart nodes_part(const PifoParameters& p, NodeId nodes) {
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  const double queues = all_port ? p.radix : 1;
  const double places =
      p.radix * static_cast<double>(std::bit_ceil(static_cast<unsigned>(p.built_depth()))) + p.host_depth;
  const double store = places * (8.0 * p.built_flits() + 2 + p.radix / 8.0 + 1);
  const double order = 2 * places + 8.0 * p.rank_levels;  // of a queue
  const double table = (p.radix <= 16 ? 4.0 : 8.0 * ((p.radix + 31) / 32)) * p.label_depth +
                       (all_port ? 0 : p.label_depth * p.radix * 0.75);
  return {"queues of the nodes", nodes * (store + queues * order + table + 20000),
          "--flits --queue-depth --host-depth"};
}

// A packet as a host holds it, with its flits.
double bytes_of_packet(int flits) { return sizeof(HostPacket) + 16 + 8.0 * flits; }

MemoryPart hosts_part(const RunRequest& request, const Policy& policy, const PifoParameters& p) {
  const double nodes = request.problem.graph.node_count(), all = policy.host_packets;
  if (request.model == NetworkModel::kSystemC)
    return {"packets of the hosts", nodes * all * 160, "--messages"};
  // A scan has its packets at once, as a list and copied to the host.
  if (policy.scan)
    return {"packets of the hosts", nodes * all * bytes_of_packet(p.flits), "--messages --flits"};
  const double listed = all / policy.injections.rounds * sizeof(Injection);
  const double at_once = std::min<double>(all, HostFeed::kAtOnce) * bytes_of_packet(p.flits);
  return {"packets of the hosts", nodes * (listed + at_once), "--flits"};
}

}  // namespace

std::uint64_t least_transfers(const Problem& problem) {
  switch (problem.collective) {
    case CollectiveKind::kTotalExchange:
      return total_processor_status(problem.graph) * problem.messages;
    case CollectiveKind::kScatter:
      return processor_status(problem.graph, problem.root) * problem.messages;
    case CollectiveKind::kPartialExchange: {
      std::uint64_t sum = 0;
      for (const NodeId v : problem.active) sum += processor_status(problem.graph, v);
      return sum * problem.messages;
    }
    default:
      return collective_of(problem).expected_deliveries();
  }
}

bool keeps_events(const RunRequest& request) {
  const Problem& problem = request.problem;
  // There are no fewer transfers than deliveries, which are quicker to count.
  return request.keep_trace || (collective_of(problem).expected_deliveries() <= kMaxTraceTransfers &&
                                least_transfers(problem) <= kMaxTraceTransfers);
}

void require_memory_of_run(const RunRequest& request, const Policy& policy,
                           const PifoParameters& parameters) {
  const Problem& problem = request.problem;
  const auto nodes = static_cast<double>(problem.graph.node_count());
  const auto deliveries = static_cast<double>(collective_of(problem).expected_deliveries());
  std::vector<MemoryPart> parts{hosts_part(request, policy, parameters)};
  if (request.model == NetworkModel::kRtl)
    parts.push_back(nodes_part(parameters, problem.graph.node_count()));
  parts.push_back({"the program itself", 2e7});
  parts.push_back({"deliveries", deliveries / 8 + 4 * nodes * problem.messages, "--messages"});
  if (keeps_events(request)) {
    const auto transfers = static_cast<double>(least_transfers(problem));
    parts.push_back({"trace", transfers * kBytesOfTransfer + deliveries * kBytesOfDelivery,
                     request.keep_trace ? "--messages --trace" : "--messages"});
  }
  require_memory(problem.graph.spelling(), parts);
}

void require_memory_of_replay(const Schedule& schedule, bool keep_trace) {
  const auto sends = static_cast<double>(schedule.sends.size());
  const auto deliveries = static_cast<double>(schedule.packets.destination_count());
  std::vector<MemoryPart> parts{{"programs", sends * kBytesOfProgram + deliveries * sizeof(PacketIndex) * 2}};
  if (keep_trace)
    parts.push_back({"trace", sends * kBytesOfTransfer + deliveries * kBytesOfDelivery, "--trace"});
  require_memory(schedule.network.spelling(), parts);
}

void require_memory_of_tdm_nodes(const Graph& graph, const TdmParameters& p) {
  const double buffer = 8.2 * std::max(p.flits, p.reserve.flits) + 10;
  require_memory(
      graph.spelling(),
      {{"buffers of the nodes", graph.node_count() * (buffer * p.buffers + 20000), "--flits --buffers"}});
}

void require_memory_of_check(const Schedule& schedule) {
  require_memory(schedule.network.spelling(),
                 {{"check of its sends", kBytesOfCheck * static_cast<double>(schedule.sends.size())}});
}

void require_memory_of_plan(const Problem& problem) {
  const auto sends = static_cast<double>(std::min<std::uint64_t>(least_transfers(problem), kMaxPlannedSends));
  require_memory(problem.graph.spelling(),
                 {{"schedule and its check", sends * (kBytesOfPlan + kBytesOfCheck), "--messages"}});
}

void require_memory_of_scan(const Graph& graph, const ScanParameters& p) {
  const double words = std::ldexp(p.classes, p.digits * p.digit_width + p.pieces - 1 + p.length_width);
  require_memory(graph.spelling(),
                 {{"memories of the nodes", graph.node_count() * (8 * words + 20000), "--flits"}});
}

void require_memory_of_traffic(const Graph& graph, const PifoParameters& parameters, double packets) {
  constexpr double kBytesOfPacket = 48;
  require_memory(graph.spelling(), {nodes_part(parameters, graph.node_count()),
                                    {"packets", packets * kBytesOfPacket, "--rate --measure"}});
}

}  // namespace safnet
