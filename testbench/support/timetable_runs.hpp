// timetable_runs - a timetable on the RTL of tdm_nodes and on their SystemC reference, flit by flit, and the
// first thing in which two such runs differ.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/systemc/timetable_network.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/timetable_reference.hpp"
#include "sim/tdm/tdm_program.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {

struct FlitOnLink {
  std::uint32_t cycle = 0, step = 0;
  NodeId node = 0;
  std::uint32_t port = 0;
  std::uint64_t flit = 0;
  friend auto operator<=>(const FlitOnLink&, const FlitOnLink&) = default;
};
struct PacketAtHost {
  std::uint32_t cycle = 0, step = 0;  // in which its last flit came
  NodeId node = 0;
  std::uint32_t lane = 0;
  std::vector<std::uint64_t> flits;
  friend auto operator<=>(const PacketAtHost&, const PacketAtHost&) = default;
};

// Writes down what a machine does.
class FlitWriter final : public MachineObserver {
 public:
  explicit FlitWriter(const Graph& graph) : arriving_(graph.node_count()) {}
  void on_link_flit(const FlitEvent& flit) override {
    links.push_back({flit.now.cycle, flit.now.step, flit.node, flit.port, flit.value()});
  }
  void on_delivered_flit(const FlitEvent& flit) override {
    auto& lanes = arriving_[flit.node];
    if (lanes.size() <= flit.port) lanes.resize(flit.port + 1);
    lanes[flit.port].push_back(flit.value());
    if (flit.last)
      hosts.push_back(
          {flit.now.cycle, flit.now.step, flit.node, flit.port, std::exchange(lanes[flit.port], {})});
  }
  std::vector<FlitOnLink> links;
  std::vector<PacketAtHost> hosts;

 private:
  std::vector<std::vector<std::vector<std::uint64_t>>> arriving_;  // per node and lane
};

// All runs share eight builds of the node: of 4 or 8 ports, for links with a latency or without, with
// loopbacks or without.
constexpr std::uint32_t kLoopbacksBuilt = 4, kBuffersBuilt = 128, kCountBuilt = 15;
inline bool shares_builds(const TdmProgram& program) {
  return program.loopbacks <= kLoopbacksBuilt && program.peak_buffers <= kBuffersBuilt &&
         program.largest_count <= kCountBuilt;
}

struct Timetable {
  const Schedule& schedule;
  TdmProgram program;
  TdmParameters parameters;
  explicit Timetable(const Schedule& of) : schedule(of), program(compile_program(of)) {
    REQUIRE(shares_builds(program));
    parameters = tdm_parameters(of, program);
    REQUIRE(parameters.radix <= 8);
    parameters.loopbacks = program.loopbacks != 0 ? kLoopbacksBuilt : 0;
    const int latency = of.link_latency == 0 ? 0 : 2;
    parameters.reserve = {.flits = 4, .link_latency = latency, .window = 8, .combining = true};
  }
};

struct TimetableOutcome {
  std::vector<FlitOnLink> links;
  std::vector<PacketAtHost> hosts;
  std::vector<NodeCounters> counters;
  std::vector<NodeStatus> status;
  bool stuck = false;
};

inline TimetableOutcome on_rtl(const Timetable& timetable) {
  const Schedule& schedule = timetable.schedule;
  const Graph& graph = schedule.network;
  FlitWriter writer(graph);
  const Hardware hardware = tdm_hardware(timetable.parameters);
  Fabric fabric(graph, hardware, VariantStore::standard().load(hardware), &writer, {});
  fabric.reset();
  load_program(fabric, graph.node_count(), [&](NodeId v) {
    return TimetableProgram{{std::shared_ptr<void>(), &timetable.program.nodes[v]},
                            static_cast<std::uint32_t>(schedule.operation),
                            1};
  });
  settle_before_start(fabric, 2 * schedule.link_latency + 8);
  Drive drive(fabric, 4 * schedule.slot_cycles + 4 * schedule.link_latency + 100, {}, 0,
              schedule.slot_cycles);
  drive.start();
  TimetableOutcome run;
  run.stuck = drive.run([&](NetworkTime now) {
    if (now.step <= schedule.last_start()) drive.stir();
    return true;
  });
  run.links = std::move(writer.links);
  run.hosts = std::move(writer.hosts);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    run.counters.push_back(fabric.counters(v));
    run.status.push_back(fabric.status(v));
  }
  return run;
}

struct ReferenceOutcome {
  std::vector<FlitOnLink> links;
  std::vector<PacketAtHost> hosts;
  TimetableRun run;
};

inline ReferenceOutcome on_reference(const Timetable& timetable,
                                     const std::vector<ReferenceProgram>& programs) {
  const Schedule& schedule = timetable.schedule;
  FlitWriter writer(schedule.network);
  TimetableHosts hosts(schedule.network, schedule.operation, timetable.parameters, writer);
  const auto window = static_cast<std::uint32_t>(timetable.parameters.window);
  TimetableRun run =
      run_reference_timetable(schedule.network, programs, timetable_parameters(schedule, window), hosts);
  return {std::move(writer.links), std::move(writer.hosts), std::move(run)};
}

// The hardware's programs for the reference.
inline ReferenceReceive translated(const TdmReceive& receive) {
  return {.packet = receive.name,
          .buffer = receive.buffer,
          .generation = receive.generation,
          .parts = receive.parts,
          .uses = receive.uses,
          .stores = (receive.actions & kTdmStore) != 0,
          .combines = (receive.actions & kTdmCombine) != 0,
          .delivers = (receive.actions & kTdmDeliver) != 0};
}
inline ReferenceSend translated(const TdmSend& send) {
  return {send.slot, send.name, send.flits, send.buffer, send.generation, send.own};
}
template <class Instruction>
auto translated(const std::vector<Instruction>& list) {
  std::vector<decltype(translated(list.front()))> result;
  for (const Instruction& instruction : list) result.push_back(translated(instruction));
  return result;
}
inline std::vector<ReferenceProgram> translated(const TdmProgram& program) {
  std::vector<ReferenceProgram> result;
  for (const TdmNodeProgram& node : program.nodes) {
    ReferenceProgram& to = result.emplace_back();
    for (const auto& sends : node.sends) to.sends.push_back(translated(sends));
    for (const auto& receives : node.receives) to.receives.push_back(translated(receives));
    for (const TdmLoad& load : node.loads)
      to.loads.push_back({translated(load.receive), load.part, load.flits, load.slot});
    for (const TdmLoopback& loopback : node.loopbacks)
      to.loopbacks.push_back({translated(loopback.sends), translated(loopback.receives)});
  }
  return result;
}

inline std::string describe(const FlitOnLink& f) {
  return fmt::format("cycle {} step {}: flit {:#x} leaves node {} through port {}", f.cycle, f.step, f.flit,
                     f.node, f.port);
}
inline std::string describe(const PacketAtHost& p) {
  return fmt::format("cycle {} step {}: {} flits from {:#x} to {:#x} are complete at node {} from lane {}",
                     p.cycle, p.step, p.flits.size(), p.flits.front(), p.flits.back(), p.node, p.lane);
}

// The first event that only one side has, or nothing. Events of one cycle may come in any order.
template <class Event>
std::string first_unlike(std::vector<Event> hardware, std::vector<Event> reference) {
  std::ranges::sort(hardware);
  std::ranges::sort(reference);
  for (std::size_t i = 0; i < std::max(hardware.size(), reference.size()); ++i) {
    if (i < hardware.size() && i < reference.size() && hardware[i] == reference[i]) continue;
    return fmt::format("event {}: hardware {}; reference {}", i,
                       i < hardware.size() ? describe(hardware[i]) : "nothing",
                       i < reference.size() ? describe(reference[i]) : "nothing");
  }
  return {};
}

// The first counter of a node that differs, or nothing.
inline std::string counter_unlike(const NodeCounters& hardware, const TimetableNodeRecord& record) {
  ReferenceCounters reference = record.counters;
  reference.sent.resize(hardware.sent.size());  // the hardware counts ports that lead nowhere, too
  reference.received.resize(hardware.received.size());
  if (hardware.sent != reference.sent) return "sent";
  if (hardware.received != reference.received) return "received";
  const auto differs = [](const char* name, std::uint64_t a, std::uint64_t b) {
    return a == b ? "" : fmt::format("{}: hardware {}, reference {}", name, a, b);
  };
  for (const std::string& difference :
       {differs("delivered", hardware.delivered, reference.delivered),
        differs("last_delivery_cycle", hardware.last_delivery_cycle, reference.last_delivery_cycle),
        differs("last_delivery_step", hardware.last_delivery_step, reference.last_delivery_step),
        differs("delay_sum", hardware.delay_sum, reference.delay_sum),
        differs("violations", hardware.violations, reference.violations),
        differs("first_violation_cycle", hardware.first_violation_cycle, reference.first_violation_cycle),
        differs("dry", hardware.dry, 0), differs("mismatches", hardware.mismatches, 0),
        differs("late", hardware.late, record.late)}) {
    if (!difference.empty()) return difference;
  }
  return "";
}

// What differs between a run of each, or nothing. Of packets that come to a host through loopbacks it is only
// looked at that they do: which of several it is depends on the program.
inline std::string unlike(const Timetable& timetable, TimetableOutcome hardware, ReferenceOutcome reference,
                          bool same_loopbacks) {
  const auto first_loopback = static_cast<std::uint32_t>(timetable.parameters.radix) + 1;
  for (auto* hosts : {&hardware.hosts, &reference.hosts}) {
    for (PacketAtHost& packet : *hosts)
      packet.lane = same_loopbacks ? packet.lane : std::min(packet.lane, first_loopback);
  }
  if (!reference.run.problems.empty()) return reference.run.problems.front();
  if (const auto links = first_unlike(hardware.links, reference.links); !links.empty()) return links;
  if (const auto hosts = first_unlike(hardware.hosts, reference.hosts); !hosts.empty()) return hosts;
  if (hardware.stuck != reference.run.stuck) return "stuck";
  for (std::size_t v = 0; v < hardware.counters.size(); ++v) {
    const std::string counter = counter_unlike(hardware.counters[v], reference.run.nodes[v]);
    if (!counter.empty()) return fmt::format("node {}: {}", v, counter);
  }
  return "";
}

}  // namespace safnet::testbench
