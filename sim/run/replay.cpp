#include "sim/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cpp_model/schedule/sum_parts.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/reference.hpp"
#include "sim/run/timetable_reference.hpp"
#include "sim/run/wait_graph.hpp"
#include "sim/tdm/tdm_recorder.hpp"

namespace safnet {
namespace {

// Calls `visit(receive, sender)` for all that a node is to receive of a packet.
template <class Visit>
void for_each_receive(const Graph& graph, const TdmProgram& program, NodeId v, PacketIndex packet,
                      Visit visit) {
  for (PortId q = 0; q < graph.in_degree(v); ++q) {
    for (const TdmReceive& receive : program.nodes[v].receives[q]) {
      if (receive.name == packet) visit(receive, graph.feeder(v, q).node);
    }
  }
}

// Who can bring a packet to a node: the neighbour that is to send it there, if any.
std::string source_of(const Schedule& schedule, const TdmProgram& program, NodeId v, PacketIndex packet) {
  std::optional<NodeId> first;
  for_each_receive(schedule.network, program, v, packet, [&](const TdmReceive& receive, NodeId sender) {
    if ((receive.actions & (kTdmStore | kTdmCombine)) != 0 && !first) first = sender;
  });
  if (!first) return schedule.packets.parts(packet).empty() ? ", which nobody sends it" : ", which is a sum";
  return fmt::format(" from node {}", schedule.network.node_name(*first));
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
                                       const Machine& machine) {
  const Graph& graph = schedule.network;
  std::vector<std::string> lines;
  std::vector<Wait> waits;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeStatus status = machine.status(v);
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
        for_each_receive(graph, program, v, head.name, [&](const TdmReceive&, NodeId sender) {
          waits.push_back({v, p, sender});
        });
      }
      if (lines.size() < kProblemsKept) {
        lines.push_back(describe_wait(schedule, program, v, p, head,
                                      room ? LateSend::Reason::kRoom : LateSend::Reason::kPacket));
      }
    }
    for (PortId q = 0; q < graph.in_degree(v) && lines.size() < kProblemsKept; ++q) {
      if (((status.wait_buffer >> q) & 1) == 0) continue;
      lines.push_back(fmt::format("node {} has no room yet for what node {} is to send it next",
                                  graph.node_name(v), graph.node_name(graph.feeder(v, q).node)));
    }
  }
  const std::vector<std::size_t> cycle = shortest_cycle(graph.node_count(), waits);
  if (!cycle.empty()) lines.insert(lines.begin(), cycle_in_words(graph, waits, cycle));
  if (lines.empty()) lines.emplace_back("no program waits for a packet or for room, yet packets are missing");
  return lines;
}

// The first sends that were late, in words; at most three. `first_cycle`: when the first was to start.
std::vector<std::string> late_lines(const Schedule& schedule, const TdmProgram& program,
                                    const Machine& machine, std::uint32_t& first_cycle) {
  constexpr std::size_t kShown = 3;
  std::multimap<std::uint32_t, std::pair<NodeId, LateSend>> first;  // by cycle, those of one by node
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) {
    for (const LateSend& late : machine.status(v).first_late) {
      if (late.number >= program.nodes[v].sends[late.port].size()) continue;
      first.emplace(late.cycle, std::pair(v, late));
      if (first.size() > kShown) first.erase(std::prev(first.end()));
    }
  }
  if (!first.empty()) first_cycle = first.begin()->first;
  std::vector<std::string> lines;
  for (const auto& [cycle, node_and_send] : first) {
    const auto& [node, late] = node_and_send;
    const TdmSend& send = program.nodes[node].sends[late.port][late.number];
    lines.push_back(fmt::format("late: {} (cycle {})",
                                describe_wait(schedule, program, node, late.port, send, late.reason), cycle));
  }
  return lines;
}

// Checks what a schedule promises beyond deliveries: the cycle of every send, and that of the last delivery.
void compare_with_plan(const Schedule& schedule, ReplayResult& result) {
  if (result.stuck) return;
  if (result.transmissions != schedule.sends.size())
    result.complain("{} packets were sent, {} were planned", result.transmissions, schedule.sends.size());
  if (result.problems.empty() && result.cycles != result.planned_cycles)
    result.complain("the last delivery was in cycle {}, planned was {}", result.cycles,
                    result.planned_cycles);
}

void account_for(const Schedule& schedule, const TdmProgram& program, const Machine& machine,
                 TdmRecorder& recorder, ReplayResult& result) {
  std::vector<std::string> late;
  std::uint64_t late_sends = 0;
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) late_sends += machine.counters(v).late;
  if (late_sends != 0) {
    late = late_lines(schedule, program, machine, result.first_late);
    late.insert(late.begin(),
                fmt::format("{} of {} sends started later than planned", late_sends, schedule.sends.size()));
    if (const std::string early = first_late_sum(schedule); !early.empty())
      late.push_back("planned too early for tdm_nodes: " + early);
  }
  take_account(result, schedule.network, machine, recorder, late);
  result.measured_buffers = result.peak_queue;
  result.on_time = recorder.on_time();
  Problems problems;
  recorder.judge_late(machine, problems);
  std::ranges::copy(problems.with_rest(), std::back_inserter(result.problems));
  compare_with_plan(schedule, result);
  if (result.stuck) result.waits = explain_stuck(schedule, program, machine);
}

// The machine that is asked for, which on_build hears of if it has to be built first.
ObservedMachine machine_of(const Schedule& schedule, const ReplayRequest& request, MachineObserver* observer,
                           VariantStore& store, ReplayResult& result) {
  const Graph& graph = schedule.network;
  if (request.model == NetworkModel::kRtl) {
    require_memory_of_tdm_nodes(graph, result.parameters);
    return make_machine(graph, result.hardware, request, observer, store, result);
  }
  check_reference_options(request);
  refuse_for_reference(request.buffers != 0, "--buffers");
  refuse_for_reference(request.program_depth != ReplayRequest().program_depth, "--program-depth");
  refuse_for_reference(request.feed_interval != 1, "--feed-interval");
  require_memory_of_timetable_reference(schedule);
  return ObservedMachine(graph.node_count(), observer, [&](MachineObserver* told) {
    return std::make_unique<TimetableReference>(schedule, result.parameters, told);
  });
}

}  // namespace

TdmParameters replay_parameters(const Schedule& schedule, const TdmProgram& program,
                                const ReplayRequest& request) {
  TdmParameters parameters =
      request.fitted ? fitted_tdm_parameters(schedule, program) : tdm_parameters(schedule, program);
  if (request.buffers != 0) {
    if (request.buffers < static_cast<int>(program.peak_buffers) || request.buffers > kMostBuffers)
      throw bad_input("--buffers {}: expected {}, which the schedule needs, to {}", request.buffers,
                      program.peak_buffers, kMostBuffers);
    parameters.buffers = request.buffers;
  }
  check_range("--program-depth", request.program_depth, 2, 1024);
  check_range("--feed-interval", request.feed_interval, 1, 1024);
  parameters.program_depth = request.program_depth;
  return parameters;
}

ReplayResult replay(const Schedule& schedule, const ReplayRequest& request, VariantStore& store) {
  require_memory_of_replay(schedule, request.keep_trace);
  return replay(schedule, compile_program(schedule), request, store);
}

ReplayResult replay(const Schedule& schedule, const TdmProgram& program, const ReplayRequest& request,
                    VariantStore& store) {
  const Graph& graph = schedule.network;
  ReplayResult result;
  result.parameters = replay_parameters(schedule, program, request);
  result.model = request.model;
  result.hardware = tdm_hardware(result.parameters);
  result.fitted = request.fitted;
  result.planned_steps = program.planned_slots;
  result.planned_cycles = program.planned_cycles;
  result.expected_deliveries = program.deliveries;
  result.peak_buffers = program.peak_buffers;
  result.peak_packets = program.peak_packets;

  TdmRecorder recorder(schedule, program, result.parameters, request.keep_trace);
  const auto machine = machine_of(schedule, request, &recorder, store, result);
  const Stopwatch watch;
  load_program(*machine, graph.node_count(), [&](NodeId v) {
    // An aliasing pointer that owns nothing, as the program outlives the machine.
    return TimetableProgram{{std::shared_ptr<void>(), &program.nodes[v]},
                            static_cast<std::uint32_t>(schedule.operation),
                            static_cast<std::uint32_t>(request.feed_interval)};
  });
  const std::uint32_t on_slow_link = std::max(1U, schedule.packets.longest()) * graph.most_cycles_per_flit();
  const std::uint32_t crossing = 2 * (schedule.link_latency + graph.largest_own_latency()) + on_slow_link + 8;
  settle_before_start(*machine, crossing);

  // A program may wait for a slot far ahead, so the patience counts only after the last planned slot.
  const std::uint32_t last_slot = schedule.sends.empty() ? 0 : schedule.sends.back().start;
  const auto patience = static_cast<std::uint32_t>(4 * schedule.slot_cycles + 2 * crossing + 64 +
                                                   16 * static_cast<std::uint32_t>(request.feed_interval));
  Drive drive(*machine, patience, request.faults, request.fault_until, schedule.slot_cycles);
  drive.start();
  std::uint32_t cycles = 0;
  result.stuck = drive.run([&](NetworkTime now) {
    // The reference does its whole run at once, and knows by itself when nothing moves any more.
    if (now.step <= last_slot && request.model == NetworkModel::kRtl) drive.stir();
    if (request.on_progress && (++cycles & 0xff) == 0)
      request.on_progress(recorder.delivered(), result.expected_deliveries, now.cycle);
    return true;
  });
  account_for(schedule, program, *machine, recorder, result);
  if (request.keep_trace) result.trace = recorder.take_trace();
  result.run_seconds = watch.seconds();
  return result;
}

Schedule schedule_of_replay(const Schedule& planned, const Trace& trace) {
  Schedule done = planned;
  done.sends.clear();
  done.description = "what the hardware did";
  std::map<PacketId, PacketIndex> index;  // of packets with the same id, the first
  for (PacketIndex p = 0; p < planned.packets.size(); ++p) index.try_emplace(planned.packets.id(p), p);
  const bool slots = std::all_of(trace.transfers.begin(), trace.transfers.end(),
                                 [&](const Transfer& t) { return (t.cycle - 1) % planned.slot_cycles == 0; });
  if (!slots) done.slot_cycles = 1;
  for (const Transfer& t : trace.transfers) {
    const auto found = index.find(t.packet);
    if (found == index.end()) continue;
    done.sends.push_back(
        {(t.cycle - 1) / done.slot_cycles + 1, done.network.link(t.from, t.port), found->second});
  }
  sort_sends(done);
  return done;
}

}  // namespace safnet
