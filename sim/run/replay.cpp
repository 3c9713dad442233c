#include "sim/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/machine/limits.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/stopwatch.hpp"
#include "sim/run/wait_graph.hpp"
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
        for (PortId q = 0; q < graph.in_degree(v); ++q) {
          for (const TdmReceive& receive : program.nodes[v].receives[q]) {
            if (receive.name == head.name) waits.push_back({v, p, graph.feeder(v, q).node});
          }
        }
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
  if (lines.empty()) lines.push_back("no program waits for a packet or for room, yet packets are missing");
  return lines;
}

// The first sends that were late, in words; at most three.
std::vector<std::string> late_lines(const Schedule& schedule, const TdmProgram& program,
                                    const Machine& machine) {
  constexpr std::size_t kShown = 3;
  struct Late {
    std::uint32_t cycle;
    NodeId node;
    LateSend send;
  };
  std::vector<Late> all;
  const auto earlier = [](const Late& a, const Late& b) { return a.cycle < b.cycle; };
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) {
    for (const LateSend& late : machine.status(v).first_late) {
      if (late.number < program.nodes[v].sends[late.port].size()) all.push_back({late.cycle, v, late});
    }
    if (all.size() < 4096) continue;
    std::stable_sort(all.begin(), all.end(), earlier);
    all.resize(kShown);
  }
  std::stable_sort(all.begin(), all.end(), earlier);
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < all.size() && k < kShown; ++k) {
    const LateSend& late = all[k].send;
    lines.push_back(
        fmt::format("late: {} (cycle {})",
                    describe_wait(schedule, program, all[k].node, late.port,
                                  program.nodes[all[k].node].sends[late.port][late.number], late.reason),
                    late.cycle));
  }
  return lines;
}

// What a schedule promises beyond deliveries: every send in its very cycle, and the last delivery too.
void compare_with_plan(const Schedule& schedule, ReplayResult& result) {
  const auto problem = [&result](const std::string& line) { result.problems.push_back(line); };
  if (!result.stuck && result.transmissions != schedule.sends.size())
    problem(
        fmt::format("{} packets were sent, {} were planned", result.transmissions, schedule.sends.size()));
  if (!result.stuck && result.late == 0 && result.on_time != result.transmissions)
    problem(fmt::format("{} of {} sends started in their cycle", result.on_time, result.transmissions));
  if (result.problems.empty() && !result.stuck && result.cycles != result.planned_cycles) {
    problem(fmt::format("the last delivery was in cycle {}, planned was {}", result.cycles,
                        result.planned_cycles));
  }
}

void account_for(const Schedule& schedule, const TdmProgram& program, const Machine& machine,
                 TdmRecorder& recorder, ReplayResult& result) {
  std::vector<std::string> late;
  std::uint64_t late_sends = 0;
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) late_sends += machine.counters(v).late;
  if (late_sends != 0) {
    late = late_lines(schedule, program, machine);
    late.insert(late.begin(),
                fmt::format("{} of {} sends started later than planned", late_sends, schedule.sends.size()));
  }
  take_account(result, schedule.network, machine, recorder, late);
  result.measured_buffers = result.peak_queue;
  result.on_time = recorder.on_time();
  compare_with_plan(schedule, result);
  if (result.stuck) result.waits = explain_stuck(schedule, program, machine);
}

}  // namespace

TdmParameters replay_parameters(const Schedule& schedule, const TdmProgram& program,
                                const ReplayRequest& request) {
  TdmParameters parameters = tdm_parameters(schedule, program, request.exact_buffers);
  if (request.buffers != 0) {
    if (request.buffers < static_cast<int>(program.peak_buffers) || request.buffers > kMostBuffers) {
      throw std::invalid_argument(fmt::format("--buffers {}: expected {}, which the schedule needs, to {}",
                                              request.buffers, program.peak_buffers, kMostBuffers));
    }
    parameters.buffers = request.buffers;
  }
  check_range("--program-depth", request.program_depth, 2, 1024);
  check_range("--feed-interval", request.feed_interval, 1, 1024);
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
  result.hardware = tdm_hardware(result.parameters);
  result.planned_steps = program.planned_slots;
  result.planned_cycles = program.planned_cycles;
  result.expected_deliveries = program.deliveries;
  result.peak_buffers = program.peak_buffers;
  result.peak_packets = program.peak_packets;

  TdmRecorder recorder(schedule, program, result.parameters, request.keep_trace);
  const auto machine = make_machine(graph, result.hardware, request, &recorder, store, result);
  const Stopwatch watch;
  load_program(*machine, graph.node_count(), [&](NodeId v) {
    // The program outlives the machine: nothing is owned.
    return TimetableProgram{{std::shared_ptr<void>(), &program.nodes[v]},
                            static_cast<std::uint32_t>(schedule.operation),
                            static_cast<std::uint32_t>(request.feed_interval)};
  });
  const auto crossing = static_cast<std::uint32_t>(2 * schedule.link_latency + 8);
  settle_before_start(*machine, crossing);

  // A program may wait for a slot far ahead; only beyond the last planned one does silence mean the end.
  const std::uint32_t last_slot = schedule.sends.empty() ? 0 : schedule.sends.back().start;
  const auto patience = static_cast<std::uint32_t>(4 * schedule.slot_cycles + 2 * crossing + 64 +
                                                   16 * static_cast<std::uint32_t>(request.feed_interval));
  Drive drive(*machine, patience, request.faults, request.fault_until);
  drive.start();
  std::uint32_t cycles = 0;
  result.stuck = drive.run([&](NetworkTime now) {
    if (now.step <= last_slot) drive.stir();
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
