#include "sim/run/reference.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <utility>

#include "cpp_model/graph/text.hpp"
#include "sim/machine/limits.hpp"
#include "sim/pifo/packet_format.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/run_request.hpp"

namespace safnet {

ReferenceParameters reference_parameters(const PifoParameters& p, HostStart hosts) {
  ReferenceParameters reference;
  reference.flits = p.flits;
  reference.link_latency = p.link_latency;
  reference.slot_cycles = p.slot_cycles;
  reference.queue_depth = p.queue_depth;
  reference.host_depth = p.host_depth;
  reference.inject_ports = p.inject_ports;
  reference.hosts_start_empty = hosts == HostStart::kEmpty;
  reference.grant_cycles = p.grant_cycles;
  reference.ports = static_cast<PortModel>(p.port_model);
  return reference;
}

const char* to_string(NetworkModel model) { return model == NetworkModel::kRtl ? "rtl" : "systemc"; }

void refuse_for_reference(bool wanted, const std::string& what) {
  if (wanted) throw bad_input("{} with --model systemc: only the RTL has that", what);
}

void check_reference_options(const HardwareOptions& options) {
  refuse_for_reference(!options.wave.path.empty(), "--wave");
  refuse_for_reference(options.whole_network, "--whole-network");
  refuse_for_reference(options.threads > 1, fmt::format("--threads {}", options.threads));
  refuse_for_reference(!options.faults.empty(), "faults");
}

void check_reference_request(const RunRequest& request, std::uint64_t max_transfers) {
  check_reference_options(request);
  refuse_for_reference(request.window != 0, "--window");
  refuse_for_reference(request.problem.graph.has_one_way_links(), "one-way links");
  const std::uint64_t transfers = least_transfers(request.problem);
  if (transfers > max_transfers)
    throw bad_input("{} with --model systemc: {} transfers or more, all kept in memory; expected at most {}",
                    one_line(request.problem.graph.spelling()), transfers, max_transfers);
}

ReferenceMachine::ReferenceMachine(const Graph& graph, Policy policy, const PifoParameters& parameters,
                                   HostStart hosts, MachineObserver* observer, std::uint64_t max_transfers)
    : graph_(graph),
      policy_(std::move(policy)),
      parameters_(parameters),
      hosts_(hosts),
      observer_(observer),
      max_transfers_(max_transfers) {}

NetworkTime ReferenceMachine::clock() {
  if (!ran_) {
    ran_ = true;
    run_ = run_reference(graph_, policy_, reference_parameters(parameters_, hosts_),
                         std::numeric_limits<std::uint32_t>::max(), max_transfers_);
    tell(run_.trace);
    run_.trace = {};
  }
  return {};
}

// Tells all flits of a packet with the same cycle: observers date a packet by its first flit on a link and by
// its last flit at a host.
void ReferenceMachine::tell(const Trace& trace) {
  const PacketFormat format(parameters_);
  const auto words_of_flit = [&](Label label, PacketId packet, std::uint32_t length, std::uint32_t index) {
    const std::uint64_t flit = format.flit(label, packet, length, index);
    return std::array{static_cast<std::uint32_t>(flit), static_cast<std::uint32_t>(flit >> 32)};
  };
  const auto longest = static_cast<std::uint32_t>(parameters_.flits);
  std::map<PacketId, std::uint32_t> shorter;  // packets that are not of full length
  for (const Transfer& t : trace.transfers) {
    if (t.flits != longest) shorter[t.packet] = t.flits;
    // The trace has no labels. If the run is stuck, that of the last packet on each link is looked at
    // (last_packets.hpp): all packets of the link get it.
    const Label label = run_.stuck ? run_.last_labels[t.from][t.port] : 0;
    for (std::uint32_t i = 0; i < t.flits; ++i)
      observer_->on_link_flit(
          {{t.cycle, t.step}, t.from, t.port, words_of_flit(label, t.packet, t.flits, i).data()});
  }
  for (const Delivery& d : trace.deliveries) {
    const auto found = shorter.find(d.packet);
    const std::uint32_t length = found == shorter.end() ? longest : found->second;
    for (std::uint32_t i = 0; i < length; ++i) {
      observer_->on_delivered_flit(
          {{d.cycle, d.step}, d.node, d.port, words_of_flit(0, d.packet, length, i).data(), i + 1 == length});
    }
  }
}

NodeCounters ReferenceMachine::counters(std::uint32_t node) const {
  const ReferenceCounters& c = run_.counters[node];
  NodeCounters counters;
  counters.sent = c.sent;
  counters.received = c.received;
  counters.delivered = c.delivered;
  counters.last_delivery_cycle = c.last_delivery_cycle;
  counters.last_delivery_step = c.last_delivery_step;
  counters.delay_sum = c.delay_sum;
  counters.peak_occupancy = c.peak_occupancy;
  counters.peak_transit = c.peak_transit;
  counters.peak_stored = c.peak_stored;
  counters.peak_waiting = c.peak_waiting;
  counters.violations = c.violations;
  counters.first_violation_cycle = c.first_violation_cycle;
  return counters;
}

NodeStatus status_of(const ReferenceWait& wait) {
  NodeStatus status;
  status.idle = wait.queued == 0;
  status.occupancy = wait.queued;
  status.wait_credit = wait.credit;
  status.wait_grant = wait.grant;
  return status;
}

}  // namespace safnet
