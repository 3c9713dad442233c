#include "sim/run/memory_estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/schedule/schedule_limits.hpp"
#include "rtl_constants.hpp"
#include "sim/machine/system.hpp"
#include "sim/pifo/host_feed.hpp"

namespace safnet {
namespace {

// Bytes at the peak, while a trace is checked: a transfer or delivery at its node and in the trace, the
// schedule made of it, and what the checker notes.
constexpr double kBytesOfTransfer = 120, kBytesOfDelivery = 120;
// Bytes of a send at the peak: planned, checked, and in the programs of a timetable. Plans of a million sends
// and more took 125 to 145 of a send for the first two.
constexpr double kBytesOfPlan = 45, kBytesOfCheck = 100, kBytesOfProgram = 100;

// The models of all nodes, from the sizes of the RTL's memories.
// What a router has beside its memories, in registers and wires, and the pages that a few packets touch.
double bytes_beside_memories(const PifoParameters& p) {
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  return 20000 + (all_port ? 2000.0 * p.radix : 0);
}

MemoryPart nodes_part(const PifoParameters& p, NodeId nodes) {
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  const double queues = all_port ? p.radix : 1;
  const double places = p.radix * static_cast<double>(std::bit_ceil(static_cast<unsigned>(p.built_depth()))) +
                        static_cast<double>(p.inject_ports) * p.host_depth;
  const double store = places * (8.0 * p.built_flits() + 2 + p.radix / 8.0 + 1);
  const double order = 2 * places + 8.0 * p.rank_levels;  // of a queue
  const double table = (p.radix <= 16 ? 4.0 : 8.0 * ((p.radix + 31) / 32)) * p.label_depth +
                       (all_port ? 0 : p.label_depth * p.radix * 0.75);
  return {"queues of the nodes", nodes * (store + queues * order + table + bytes_beside_memories(p)),
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
  // Each packet is delivered somewhere, so there are no more of them in all.
  const auto deliveries = static_cast<double>(collective_of(request.problem).expected_deliveries());
  // A packet of a round is listed, and named by the stream of each port that it goes through, of which there
  // is one unless it is for several.
  const double listed =
      std::min(nodes * all, deliveries) / policy.injections.rounds * (sizeof(Injection) + 8);
  const double at_once =
      std::min(nodes * std::min<double>(all, HostFeed::kAtOnce), deliveries) * bytes_of_packet(p.flits);
  return {"packets of the hosts", listed + at_once, "--flits"};
}

}  // namespace

double bytes_of_node(const PifoParameters& p, const Graph& graph, const LabelUse& use) {
  constexpr double kPage = 4096, kPagesOfPackets = 12;
  std::uint64_t pages = use.pages(p.radix <= 16 ? 4 : 8 * ((static_cast<std::uint64_t>(p.radix) + 31) / 32));
  if (p.port_model != rtl::safnet_pkg::kAllPort)  // the order of service and rest_rank
    pages += use.pages(std::max(1, p.radix / 2)) + use.pages(p.rank_levels > 64 ? 2 : 1);
  return bytes_beside_memories(p) +
         kPage * (kPagesOfPackets + static_cast<double>(pages) / graph.node_count());
}

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
  if (request.model == NetworkModel::kRtl) {
    if (const auto use = LabelUse::if_sparse(problem.graph, policy)) {
      parts.push_back({"nodes", nodes * bytes_of_node(parameters, problem.graph, *use)});
    } else {
      parts.push_back(nodes_part(parameters, problem.graph.node_count()));
    }
  }
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

void require_memory_of_timetable_reference(const Schedule& schedule) {
  const Graph& graph = schedule.network;
  const auto sends = static_cast<double>(schedule.sends.size());
  const auto deliveries = static_cast<double>(schedule.packets.destination_count());
  const auto links = static_cast<double>(graph.link_count());
  // What a node does with a packet is listed for each of its packets; a signal or a port of SystemC takes
  // some hundred bytes.
  require_memory(graph.spelling(),
                 {{"programs of the reference", (sends + deliveries + schedule.packets.size()) * 200},
                  {"nodes of the reference", graph.node_count() * 3000.0 + links * 4000}});
}

void require_memory_of_check(const Schedule& schedule) {
  require_memory(schedule.network.spelling(),
                 {{"check of its sends", kBytesOfCheck * static_cast<double>(schedule.sends.size())}});
}

void require_memory_of_plan(const Problem& problem) {
  if (least_sends(problem) > kMaxFileSends) return;  // no algorithm plans it: refused as that on any machine
  const auto sends = static_cast<double>(std::min<std::uint64_t>(least_transfers(problem), kMaxFileSends));
  require_memory(problem.graph.spelling(),
                 {{"schedule and its check", sends * (kBytesOfPlan + kBytesOfCheck), "--messages"}});
}

void require_memory_of_scan(const Graph& graph, const ScanParameters& p) {
  const double words = std::ldexp(p.classes, p.digits * p.digit_width + p.pieces - 1 + p.length_width);
  require_memory(graph.spelling(),
                 {{"memories of the nodes", graph.node_count() * (8 * words + 20000), "--flits"}});
}

void require_memory_of_traffic(const Graph& graph, const PifoParameters& parameters, double packets,
                               bool keep_trace, const char* options) {
  constexpr double kBytesOfPacket = 48;
  std::vector<MemoryPart> parts{nodes_part(parameters, graph.node_count()),
                                {"packets", packets * kBytesOfPacket, options}};
  if (keep_trace && packets > 0) {
    const double hops = (1.0 + graph.diameter()) / 2;  // of a packet, about as many as in a mean
    parts.push_back({"trace", packets * hops * kBytesOfTransfer, options});
  }
  require_memory(graph.spelling(), parts);
}

}  // namespace safnet
