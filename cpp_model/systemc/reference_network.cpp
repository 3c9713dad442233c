#include "cpp_model/systemc/reference_network.hpp"

#include <algorithm>
#include <memory>
#include <systemc>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/trace.hpp"
#include "cpp_model/systemc/link.hpp"
#include "cpp_model/systemc/node.hpp"
#include "cpp_model/systemc/run_log.hpp"
#include "cpp_model/systemc/run_watch.hpp"
#include "cpp_model/systemc/simulation_context.hpp"

namespace safnet {
namespace {

using reference::Drive;
using DriveLink = reference::Link<reference::Drive>;
using reference::Node;
using reference::RunLog;
using reference::RunWatch;

void require(bool holds, const char* name, int value, const std::string& expected) {
  if (!holds) throw bad_input("{} {}: expected {}", name, value, expected);
}

void check(const ReferenceParameters& p) {
  require(p.flits >= 1, "flits", p.flits, "at least 1");
  require(p.link_latency >= 0, "link_latency", p.link_latency, "at least 0");
  require(p.queue_depth >= 1, "queue_depth", p.queue_depth, "at least 1");
  require(p.host_depth >= 1, "host_depth", p.host_depth, "at least 1");
  const int grant = 2 * p.link_latency + 2;
  require(p.grant_cycles == 0 || (p.grant_cycles == grant && p.ports == PortModel::kOnePort), "grant_cycles",
          p.grant_cycles, fmt::format("0, or {} with one-port", grant));
  const int slot = p.flits + p.link_latency + p.grant_cycles;
  require(p.slot_cycles == 1 || p.slot_cycles >= slot, "slot_cycles", p.slot_cycles,
          fmt::format("1, or at least {}", slot));
}

using Signal = sc_core::sc_signal<Drive>;

// By link: what drives it, and what is heard at its end. Without latency both are one.
struct Wiring {
  std::vector<std::unique_ptr<Signal>> signals;
  std::vector<std::unique_ptr<DriveLink>> links;
  std::vector<Signal*> driven, heard;

  Signal* make_signal() { return signals.emplace_back(std::make_unique<Signal>()).get(); }
};

Wiring make_wiring(const Graph& graph, int latency, const sc_core::sc_clock& clock) {
  Wiring wiring;
  for (LinkId l = 0; l < graph.link_count(); ++l) wiring.driven.push_back(wiring.make_signal());
  wiring.heard = wiring.driven;
  for (LinkId l = 0; latency > 0 && l < graph.link_count(); ++l) {
    const std::string name = fmt::format("link_{}_{}", graph.link_source(l), graph.link_port(l));
    DriveLink& link = *wiring.links.emplace_back(std::make_unique<DriveLink>(name.c_str(), latency));
    wiring.heard[l] = wiring.make_signal();
    link.clock(clock);
    link.in(*wiring.driven[l]);
    link.out(*wiring.heard[l]);
  }
  return wiring;
}

}  // namespace

ReferenceRun run_reference(const Graph& graph, const Policy& policy, const ReferenceParameters& parameters,
                           std::uint64_t max_cycles, std::uint64_t max_transfers) {
  check(parameters);
  if (graph.has_one_way_links()) {
    throw bad_input("{}: has one-way links; expected edges, whose links return credits to each other",
                    one_line(graph.spelling()));
  }
  const reference::SimulationContext context;

  RunLog log;
  const sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  Wiring wiring = make_wiring(graph, parameters.link_latency, clock);
  std::vector<std::unique_ptr<Node>> nodes;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    auto node = std::make_unique<Node>(fmt::format("node_{}", v).c_str(), graph, v, policy, parameters, log);
    node->clock(clock);
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint from = graph.feeder(v, p);
      node->in[p](*wiring.heard[graph.link(from.node, from.port)]);
      node->out[p](*wiring.driven[graph.link(v, p)]);
    }
    nodes.push_back(std::move(node));
  }
  // Every wait that ends at all ends within a slot, a packet's length and a few crossings of a link.
  const auto patience = static_cast<std::uint64_t>(
      4 * (parameters.slot_cycles + parameters.flits + 2 * parameters.link_latency + 4));
  RunWatch watch("watch", log, max_cycles, max_transfers, patience);
  watch.clock(clock);
  sc_core::sc_start();

  ReferenceRun run;
  run.stuck = watch.stuck();
  if (watch.out_of_time()) log.complain("the run had not ended after {} cycles", max_cycles);
  if (watch.too_many_transfers())
    log.complain("stopped: more than {} transfers were made, and packets were on their way still",
                 max_transfers);
  for (const auto& node : nodes) {
    run.counters.push_back(node->counters());
    run.waits.push_back(node->wait());
  }
  sort_by_time(log.trace);
  run.trace = std::move(log.trace);
  run.problems = std::move(log.problems);
  run.node_cycles = watch.cycles() * graph.node_count();
  reference::destroy_youngest_first(nodes);
  reference::destroy_youngest_first(wiring.links);
  return run;
}

}  // namespace safnet
