#include "cpp_model/systemc/router_modules.hpp"

#include <fmt/format.h>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/systemc/simulation_context.hpp"

namespace safnet::reference {
namespace {

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

}  // namespace

void RouterModules::make_links(const Graph& graph, int latency, const sc_core::sc_signal_in_if<bool>& clock) {
  for (LinkId l = 0; l < graph.link_count(); ++l) driven_.push_back(make_signal());
  heard_ = driven_;
  for (LinkId l = 0; latency > 0 && l < graph.link_count(); ++l) {
    const std::string name = fmt::format("link_{}_{}", graph.link_source(l), graph.link_port(l));
    Link<Drive>& link = *links_.emplace_back(std::make_unique<Link<Drive>>(name.c_str(), latency));
    heard_[l] = make_signal();
    link.clock(clock);
    link.in(*driven_[l]);
    link.out(*heard_[l]);
  }
}

RouterModules::RouterModules(const Graph& graph, const Policy& policy, const ReferenceParameters& parameters,
                             const sc_core::sc_signal_in_if<bool>& clock, RunLog& log) {
  check(parameters);
  if (graph.has_one_way_links()) {
    throw bad_input("{}: has one-way links; expected edges, whose links return credits to each other",
                    one_line(graph.spelling()));
  }
  make_links(graph, parameters.link_latency, clock);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    auto node = std::make_unique<Node>(fmt::format("node_{}", v).c_str(), graph, v, policy, parameters, log);
    node->clock(clock);
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint from = graph.feeder(v, p);
      node->in[p](*heard_[graph.link(from.node, from.port)]);
      node->out[p](*driven_[graph.link(v, p)]);
    }
    nodes_.push_back(std::move(node));
  }
}

RouterModules::~RouterModules() {
  destroy_youngest_first(nodes_);
  destroy_youngest_first(links_);
}

void RouterModules::hold_in_reset(bool held) {
  for (const auto& node : nodes_) node->hold_in_reset(held);
  for (const auto& link : links_) link->hold_in_reset(held);
}

}  // namespace safnet::reference
