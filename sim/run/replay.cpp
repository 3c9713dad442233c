#include "sim/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/machine/wait_graph.hpp"
#include "sim/run/stopwatch.hpp"
#include "sim/tdm/tdm_recorder.hpp"

namespace safnet {
namespace {

// Who can bring a packet to a node: the neighbour that is to send it there, if any.
std::string source_of(const Schedule& schedule, const TdmProgram& program, NodeId v, PacketIndex packet) {
  const Graph& graph = schedule.network;
  for (PortId q = 0; q < graph.in_degree(v); ++q) {
    for (const TdmReceive& receive : program.nodes[v].receives[q]) {
      if (receive.name == packet && (receive.actions & (kTdmStore | kTdmCombine)) != 0)
        return fmt::format(" from node {}", graph.node_name(graph.feeder(v, q).node));
    }
  }
  return ", which nobody sends it";
}

std::string describe_wait(const Schedule& schedule, const TdmProgram& program, NodeId v, PortId port,
                          const TdmSend& send, LateSend::Reason reason) {
  const Graph& graph = schedule.network;
  const NodeId to = graph.peer(v, port).node;
  const std::string what = fmt::format("node {} was to send {} to node {} in slot {}", graph.node_name(v),
                                       packet_name(schedule, send.name), graph.node_name(to), send.slot);
  switch (reason) {
    case LateSend::Reason::kPacket:
      return what + (send.own ? " and waits for its host to give it"
                              : " and waits for it" + source_of(schedule, program, v, send.name));
    case LateSend::Reason::kRoom:
      return what + fmt::format(" and waits for room at node {}", graph.node_name(to));
    case LateSend::Reason::kPort:
      return what + " and waits for the node to finish sending another packet";
  }
  return what;
}

// What every program waits for, and whether nodes wait for each other in a circle.
std::vector<std::string> explain_stuck(const Schedule& schedule, const TdmProgram& program,
                                       const TdmMachine& machine) {
  constexpr std::size_t kLines = 20;
  const Graph& graph = schedule.network;
  std::vector<std::string> lines;
  std::vector<Wait> waits;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const TdmStatus status = machine.tdm_status(v);
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const std::vector<TdmSend>& sends = program.nodes[v].sends[p];
      if (status.sent[p] >= sends.size()) continue;
      const TdmSend& head = sends[status.sent[p]];
      const bool packet = ((status.wait_packet >> p) & 1) != 0;
      const bool room = ((status.wait_credit >> p) & 1) != 0;
      if (!packet && !room) continue;
      if (room) {
        waits.push_back({v, p, graph.peer(v, p).node});
      } else {
        for (PortId q = 0; q < graph.in_degree(v); ++q) {
          for (const TdmReceive& receive : program.nodes[v].receives[q]) {
            if (receive.name == head.name) waits.push_back({v, p, graph.feeder(v, q).node});
          }
        }
      }
      if (lines.size() < kLines) {
        lines.push_back(describe_wait(schedule, program, v, p, head,
                                      room ? LateSend::Reason::kRoom : LateSend::Reason::kPacket));
      }
    }
    for (PortId q = 0; q < graph.in_degree(v) && lines.size() < kLines; ++q) {
      if (((status.wait_buffer >> q) & 1) == 0) continue;
      lines.push_back(fmt::format("node {} has no room yet for what node {} is to send it next",
                                  graph.node_name(v), graph.node_name(graph.feeder(v, q).node)));
    }
  }
  const std::vector<std::size_t> cycle = shortest_cycle(graph.node_count(), waits);
  if (!cycle.empty()) lines.insert(lines.begin(), cycle_in_words(graph, waits, cycle));
  if (lines.empty()) lines.push_back("no program waits for a packet or for room, yet packets are missing");
  return lines;
}

}  // namespace

TdmParameters replay_parameters(const Schedule& schedule, const TdmProgram& program,
                                const ReplayRequest& request) {
  TdmParameters parameters = tdm_parameters(schedule, program, request.exact_buffers);
  if (request.buffers != 0) {
    if (request.buffers < static_cast<int>(program.peak_buffers) || request.buffers > 65535) {
      throw std::invalid_argument(fmt::format("--buffers {}: expected {}, which the schedule needs, to 65535",
                                              request.buffers, program.peak_buffers));
    }
    parameters.buffers = request.buffers;
  }
  if (request.program_depth < 2 || request.program_depth > 1024)
    throw std::invalid_argument(fmt::format("--program-depth {}: expected 2 to 1024", request.program_depth));
  if (request.feed_interval < 1 || request.feed_interval > 1024)
    throw std::invalid_argument(fmt::format("--feed-interval {}: expected 1 to 1024", request.feed_interval));
  parameters.program_depth = request.program_depth;
  return parameters;
}

ReplayResult replay(const Schedule& schedule, const ReplayRequest& request, VariantStore& store) {
  return replay(schedule, compile_program(schedule), request, store);
}

ReplayResult replay(const Schedule& schedule, const TdmProgram& program, const ReplayRequest& request,
                    VariantStore& store) {
  const Graph& graph = schedule.network;
  ReplayResult result;
  result.parameters = replay_parameters(schedule, program, request);
  result.planned_steps = program.planned_slots;
  result.planned_cycles = program.planned_cycles;
  result.expected_deliveries = program.deliveries;
  result.peak_buffers = program.peak_buffers;
  result.peak_packets = program.peak_packets;

  const double built_before = store.build_seconds();
  const auto variant =
      request.whole_network ? store.load_network(result.parameters, graph) : store.load(result.parameters);
  result.build_seconds = store.build_seconds() - built_before;

  const Stopwatch begin;
  TdmRecorder recorder(schedule, program, result.parameters, request.keep_trace);
  std::unique_ptr<TdmMachine> machine;
  TdmFabric* fabric = nullptr;
  if (request.whole_network) {
    machine = variant->make_tdm_network(&recorder);
  } else {
    auto made = std::make_unique<TdmFabric>(
        graph, result.parameters, variant, &recorder,
        FabricOptions{request.threads, request.skip_idle, request.pool, request.wave});
    fabric = made.get();
    machine = std::move(made);
  }
  machine->reset();
  machine->configure(
      {static_cast<std::uint32_t>(schedule.operation), static_cast<std::uint32_t>(request.feed_interval)});
  for (NodeId v = 0; v < graph.node_count(); ++v) machine->load_program(v, &program.nodes[v]);

  // Before the start: programs fill their queues, credits cross the links, hosts load what is needed at once.
  const auto crossing = static_cast<std::uint32_t>(2 * schedule.link_latency + 8);
  for (std::uint32_t quiet = 0; quiet < crossing;) {
    machine->clock();
    quiet = machine->progress() != 0 ? 0 : quiet + 1;
  }

  // A program may wait for a slot far ahead; only beyond the last planned one does silence mean the end.
  const std::uint32_t last_slot = schedule.sends.empty() ? 0 : schedule.sends.back().start;
  const auto patience = static_cast<std::uint32_t>(4 * schedule.slot_cycles + 2 * crossing + 64 +
                                                   16 * static_cast<std::uint32_t>(request.feed_interval));
  std::uint32_t quiet = 0;
  for (const LinkFault& fault : request.faults) machine->set_fault(fault);
  bool faulty = !request.faults.empty();
  machine->start();
  for (std::uint32_t cycle = 1; !machine->finished(); ++cycle) {
    const NetworkTime now = machine->clock();
    if (faulty && now.cycle >= request.fault_until) {
      for (LinkFault fault : request.faults) machine->set_fault({fault.node, fault.port, false, false});
      faulty = false;
    }
    quiet = machine->progress() != 0 || now.step <= last_slot ? 0 : quiet + 1;
    if (quiet > patience) {
      result.stuck = true;
      break;
    }
    if (request.on_progress && (cycle & 0xff) == 0)
      request.on_progress(recorder.delivered(), result.expected_deliveries, now.cycle);
  }

  // What the hardware counted.
  std::uint64_t hardware_sent = 0, hardware_delivered = 0;
  std::vector<std::string> late_lines;
  struct FirstLate {
    std::uint32_t cycle;
    std::string line;
  };
  std::vector<FirstLate> first_late;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters counters = machine->counters(v);
    const TdmCounters tdm = machine->tdm_counters(v);
    for (const std::uint32_t sent : counters.sent) hardware_sent += sent;
    hardware_delivered += counters.delivered;
    result.steps = std::max(result.steps, counters.last_delivery_step);
    result.cycles = std::max(result.cycles, counters.last_delivery_cycle);
    result.delay_sum += counters.delay_sum;
    result.measured_buffers = std::max(result.measured_buffers, counters.peak_occupancy);
    result.late += machine->late_count(v);
    for (const LateSend& late : machine->late_sends(v)) {
      const std::vector<TdmSend>& sends = program.nodes[v].sends[late.port];
      if (late.number >= sends.size()) continue;
      first_late.push_back(
          {late.cycle, describe_wait(schedule, program, v, late.port, sends[late.number], late.reason)});
      if (first_late.size() > 4096) {  // keep the earliest
        std::nth_element(first_late.begin(), first_late.begin() + 64, first_late.end(),
                         [](const FirstLate& a, const FirstLate& b) { return a.cycle < b.cycle; });
        first_late.resize(64);
      }
    }
    if (result.problems.size() >= 20) continue;
    if (counters.violations != 0) {
      result.problems.push_back(
          fmt::format("node {} received two packets at once in {} cycles, first in cycle {}: the one-port "
                      "model is broken",
                      graph.node_name(v), counters.violations, counters.first_violation_cycle));
    }
    if (tdm.dry != 0) {
      result.problems.push_back(
          fmt::format("node {}: a program ran dry while instructions were left, in {} cycles, first in cycle "
                      "{}: the host "
                      "feeds too slowly",
                      graph.node_name(v), tdm.dry, tdm.first_dry_cycle));
    }
    if (tdm.mismatches != 0) {
      result.problems.push_back(
          fmt::format("node {}: {} packets were not those that its program expected, first in cycle {}",
                      graph.node_name(v), tdm.mismatches, tdm.first_mismatch_cycle));
    }
  }
  std::stable_sort(first_late.begin(), first_late.end(),
                   [](const FirstLate& a, const FirstLate& b) { return a.cycle < b.cycle; });
  for (std::size_t k = 0; k < first_late.size() && k < 3; ++k)
    late_lines.push_back(fmt::format("late: {} (cycle {})", first_late[k].line, first_late[k].cycle));

  result.transmissions = hardware_sent;
  result.on_time = recorder.on_time();
  result.delivered = recorder.delivered();
  result.duplicated = recorder.duplicated();
  result.lost = result.expected_deliveries - result.delivered;
  if (fabric != nullptr) result.node_evaluations = fabric->evaluations();
  if (result.late != 0) {
    result.problems.push_back(
        fmt::format("{} of {} sends started later than planned", result.late, schedule.sends.size()));
    result.problems.insert(result.problems.end(), late_lines.begin(), late_lines.end());
  }
  for (std::string& line : recorder.problems()) result.problems.push_back(std::move(line));
  if (hardware_delivered != recorder.hosts_got()) {
    result.problems.push_back(fmt::format("the nodes counted {} deliveries, the hosts got {}",
                                          hardware_delivered, recorder.hosts_got()));
  }
  if (hardware_sent != recorder.transmissions()) {
    result.problems.push_back(fmt::format("the nodes counted {} transmissions, the links carried {}",
                                          hardware_sent, recorder.transmissions()));
  }
  if (result.lost != 0) {
    for (std::string& line : recorder.missing(5)) result.problems.push_back(std::move(line));
  }
  if (!result.stuck && hardware_sent != schedule.sends.size()) {
    result.problems.push_back(
        fmt::format("{} packets were sent, {} were planned", hardware_sent, schedule.sends.size()));
  }
  if (!result.stuck && result.late == 0 && result.on_time != hardware_sent) {
    result.problems.push_back(
        fmt::format("{} of {} sends started in their cycle", result.on_time, hardware_sent));
  }
  if (result.problems.empty() && !result.stuck && result.cycles != result.planned_cycles) {
    result.problems.push_back(fmt::format("the last delivery was in cycle {}, planned was {}", result.cycles,
                                          result.planned_cycles));
  }
  if (result.stuck) result.waits = explain_stuck(schedule, program, *machine);
  if (request.keep_trace) result.trace = recorder.take_trace();
  machine.reset();
  result.run_seconds = begin.seconds();
  return result;
}

Schedule schedule_of_replay(const Schedule& planned, const Trace& trace) {
  Schedule done = planned;
  done.sends.clear();
  done.description = "what the hardware did";
  std::vector<std::pair<PacketId, PacketIndex>> index;
  for (PacketIndex p = 0; p < planned.packets.size(); ++p) index.push_back({planned.packets.id(p), p});
  std::sort(index.begin(), index.end());
  const bool slots = std::all_of(trace.transfers.begin(), trace.transfers.end(),
                                 [&](const Transfer& t) { return (t.cycle - 1) % planned.slot_cycles == 0; });
  if (!slots) done.slot_cycles = 1;
  for (const Transfer& t : trace.transfers) {
    const auto found = std::lower_bound(index.begin(), index.end(), std::pair(t.packet, PacketIndex{0}));
    if (found == index.end() || found->first != t.packet) continue;
    done.sends.push_back(
        {(t.cycle - 1) / done.slot_cycles + 1, done.network.link(t.from, t.port), found->second});
  }
  sort_sends(done);
  return done;
}

}  // namespace safnet
