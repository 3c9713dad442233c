#include "cpp_model/systemc/timetable_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <systemc>
#include <type_traits>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/systemc/link.hpp"
#include "cpp_model/systemc/simulation_context.hpp"
#include "cpp_model/systemc/slow_line.hpp"
#include "cpp_model/systemc/timetable_node.hpp"

namespace safnet {
namespace {

using reference::RunLog;
using reference::TimetableFlit;
using reference::TimetableNode;

// Starts the network when programs and credits have settled, and ends the run.
class TimetableWatch : public reference::Clocked {
 public:
  sc_core::sc_out<bool> started;

  /// Nothing moves any more if nothing has moved for `patience` cycles; a slot up to `last_slot` that has not
  /// come yet counts as a movement.
  TimetableWatch(const sc_core::sc_module_name& name, const RunLog& log, std::uint64_t patience,
                 std::uint64_t last_cycle)
      : Clocked(name), started("started"), log_(log), patience_(patience), last_cycle_(last_cycle) {}

  bool stuck() const { return stuck_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  void on_edge() override {
    ++cycles_;
    const bool moved = log_.movements != movements_seen_ || (running_ && ++run_cycles_ <= last_cycle_);
    quiet_ = moved ? 0 : quiet_ + 1;
    movements_seen_ = log_.movements;
    const bool done = running_ && log_.outstanding == 0;
    const bool at_rest = quiet_ > patience_;
    if (!running_ && at_rest) {
      running_ = true;
      quiet_ = 0;
      started.write(true);
      return;
    }
    stuck_ = running_ && !done && at_rest;
    if (done || stuck_) sc_core::sc_pause();  // unlike sc_stop it prints nothing
  }

  const RunLog& log_;
  std::uint64_t patience_, last_cycle_;
  std::uint64_t cycles_ = 0, run_cycles_ = 0, movements_seen_ = 0, quiet_ = 0;
  bool running_ = false, stuck_ = false;
};

// Signals of one kind, one per link: what is driven at one end, and what is heard at the other. Where nothing
// is delayed both are one. Credits do not depend on a link's width.
template <class Value>
class SignalsOfLinks {
 public:
  SignalsOfLinks(const char* name, const Graph& graph, std::uint32_t link_latency,
                 const sc_core::sc_clock& clock) {
    for (LinkId l = 0; l < graph.link_count(); ++l) {
      driven_.push_back(make_signal());
      heard_.push_back(driven_.back());
      const LinkTiming timing = graph.timing(l);
      const std::uint32_t latency = link_latency + timing.latency;
      const std::string spelled = fmt::format("{}_{}", name, l);
      if constexpr (std::is_same_v<Value, TimetableFlit>) {
        if (timing.cycles_per_flit > 1) {
          connect(slow_lines_, clock, spelled.c_str(), latency, std::uint32_t{timing.cycles_per_flit});
          continue;
        }
      }
      if (latency > 0) connect(links_, clock, spelled.c_str(), static_cast<int>(latency));
    }
  }
  ~SignalsOfLinks() {
    reference::destroy_youngest_first(links_);
    reference::destroy_youngest_first(slow_lines_);
    reference::destroy_youngest_first(signals_);
  }
  SignalsOfLinks(const SignalsOfLinks&) = delete;
  SignalsOfLinks& operator=(const SignalsOfLinks&) = delete;

  auto& driven(LinkId link) { return *driven_[link]; }
  auto& heard(LinkId link) { return *heard_[link]; }

 private:
  using Signal = sc_core::sc_signal<Value>;
  // Puts something between the ends of the link that was made last.
  template <class Line, class... Arguments>
  void connect(std::vector<std::unique_ptr<Line>>& lines, const sc_core::sc_clock& clock,
               Arguments... arguments) {
    Line& line = *lines.emplace_back(std::make_unique<Line>(arguments...));
    heard_.back() = make_signal();
    line.clock(clock);
    line.in(*driven_.back());
    line.out(*heard_.back());
  }
  Signal* make_signal() { return signals_.emplace_back(std::make_unique<Signal>()).get(); }
  std::vector<std::unique_ptr<Signal>> signals_;
  std::vector<std::unique_ptr<reference::Link<Value>>> links_;
  std::vector<std::unique_ptr<reference::SlowLine>> slow_lines_;
  std::vector<Signal*> driven_, heard_;
};

void check_parameters(const TimetableParameters& p, std::uint32_t longest) {
  if (p.window == 0) throw bad_input("window 0: expected at least 1");
  const std::uint32_t least = longest + p.link_latency;
  if (p.slot_cycles != 1 && p.slot_cycles < least)
    throw bad_input("slot_cycles {}: expected 1, or at least {}", p.slot_cycles, least);
}

struct Extent {
  std::uint32_t longest = 1, last_slot = 0;
};

Extent extent_of(const std::vector<ReferenceProgram>& programs) {
  Extent extent;
  for (const ReferenceProgram& program : programs) {
    for (const auto& sends : program.sends) {
      for (const ReferenceSend& send : sends) {
        extent.longest = std::max(extent.longest, send.flits);
        extent.last_slot = std::max(extent.last_slot, send.slot);
      }
    }
    for (const ReferenceLoad& load : program.loads) extent.last_slot = std::max(extent.last_slot, load.slot);
  }
  return extent;
}

}  // namespace

TimetableRun run_reference_timetable(const Graph& graph, const std::vector<ReferenceProgram>& programs,
                                     const TimetableParameters& parameters, ReferenceHosts& hosts) {
  const Extent extent = extent_of(programs);
  check_parameters(parameters, extent.longest);
  const reference::SimulationContext context;
  RunLog log;
  const sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_signal<bool> started("started");
  SignalsOfLinks<TimetableFlit> flits("flits", graph, parameters.link_latency, clock);
  SignalsOfLinks<bool> credits("credits", graph, parameters.link_latency, clock);
  std::vector<std::unique_ptr<TimetableNode>> nodes;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    auto node = std::make_unique<TimetableNode>(fmt::format("node_{}", v).c_str(), graph, v, programs.at(v),
                                                parameters, hosts, log);
    node->clock(clock);
    node->started(started);
    for (PortId p = 0; p < graph.degree(v); ++p) {
      node->out[p](flits.driven(graph.link(v, p)));
      node->credit_in[p](credits.heard(graph.link(v, p)));
    }
    for (PortId q = 0; q < graph.in_degree(v); ++q) {
      const Endpoint from = graph.feeder(v, q);
      node->in[q](flits.heard(graph.link(from.node, from.port)));
      node->credit_out[q](credits.driven(graph.link(from.node, from.port)));
    }
    nodes.push_back(std::move(node));
  }
  // Every wait that ends at all ends within a slot, a packet's length and a few crossings of a link.
  const std::uint64_t patience = 4 * (std::uint64_t{parameters.slot_cycles} +
                                      extent.longest * std::uint64_t{graph.most_cycles_per_flit()} +
                                      2 * (parameters.link_latency + graph.largest_own_latency()) + 4);
  TimetableWatch watch("watch", log, patience, std::uint64_t{extent.last_slot} * parameters.slot_cycles);
  watch.clock(clock);
  watch.started(started);
  sc_core::sc_start();

  TimetableRun run;
  run.stuck = watch.stuck();
  for (const auto& node : nodes) run.nodes.push_back(node->record());
  run.problems = std::move(log.problems);
  run.node_cycles = watch.cycles() * graph.node_count();
  reference::destroy_youngest_first(nodes);
  return run;
}

TimetableRun run_reference_timetable(const Schedule& schedule, const TimetableParameters& parameters,
                                     ReferenceHosts& hosts) {
  return run_reference_timetable(schedule.network, reference_programs(schedule), parameters, hosts);
}

TimetableParameters timetable_parameters(const Schedule& schedule, std::uint32_t window) {
  return {schedule.slot_cycles, schedule.link_latency, schedule.ports, schedule.operation, window};
}

}  // namespace safnet
