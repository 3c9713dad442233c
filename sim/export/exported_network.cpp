#include "sim/export/exported_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/export/bit_string.hpp"

namespace safnet {
namespace {

// What a link carries from its source's output, and what comes back from its target's input.
constexpr const char* kForward[] = {"valid", "flit", "request"};
constexpr const char* kBackward[] = {"credit", "grant"};

bool is_linked(const std::string& port) { return port.starts_with("tx_") || port.starts_with("rx_"); }

std::string node_wire(NodeId v, const std::string& what) { return fmt::format("node_{}_tx_{}", v, what); }

// Values of a field per port, port 0 lowest.
std::string per_port(const ExportedNetwork& network, int width, const std::vector<TdmLinkTiming>& links,
                     bool latency) {
  BitString bits;
  for (int p = 0; p < network.value("Radix"); ++p) {
    const TdmLinkTiming timing =
        static_cast<std::size_t>(p) < links.size() ? links[static_cast<std::size_t>(p)] : TdmLinkTiming{};
    bits.put(latency ? timing.latency : timing.cycles_per_flit, width);
  }
  return fmt::format("{}'h{}", bits.width(), bits.hex());
}

template <class Value>
std::string per_class(const ExportedNetwork& network, const std::string& port,
                      const std::vector<Value>& values, int fields) {
  const int width = network.bits(port) / fields;
  BitString bits;
  for (int i = 0; i < fields; ++i)
    bits.put(
        static_cast<std::size_t>(i) < values.size() ? std::uint64_t{values[static_cast<std::size_t>(i)]} : 0,
        width);
  return fmt::format("{}'h{}", bits.width(), bits.hex());
}

// What comes in through the ports of `v`, port 0 lowest: from the output that leads to each, or from the
// input at the far end of the output of that number. Zeros where there is none.
std::string incoming(const ExportedNetwork& network, NodeId v, const std::string& what, bool backward,
                     int width) {
  std::string text;
  for (int p = network.value("Radix") - 1; p >= 0; --p) {
    const auto port = static_cast<PortId>(p);
    const bool there = port < (backward ? network.graph.degree(v) : network.graph.in_degree(v));
    const Endpoint far = !there     ? Endpoint{}
                         : backward ? network.graph.peer(v, port)
                                    : network.graph.feeder(v, port);
    text += text.empty() ? "" : ", ";
    if (!there)
      text += constant(0, width);
    else if (width == 1)
      text += fmt::format("{}[{}]", node_wire(far.node, what), far.port);
    else
      text +=
          fmt::format("{}[{} +: {}]", node_wire(far.node, what), static_cast<int>(far.port) * width, width);
  }
  return "{" + text + "}";
}

void refuse_other_timers(const ExportedNetwork& network) {
  if (network.hardware.kind->timer != "slot_timer")
    throw std::logic_error(fmt::format("no export of nodes with a {}", network.hardware.kind->timer));
}

}  // namespace

std::string constant(std::uint64_t value, int bits) { return fmt::format("{}'h{:x}", bits, value); }

HostModule ExportedNetwork::host() const {
  return has("send_i") ? HostModule::kTdm : has("pending_i") ? HostModule::kScan : HostModule::kRouter;
}

int ExportedNetwork::value(const std::string& parameter) const {
  const auto found = node.parameters.find(parameter);
  if (found == node.parameters.end() || !found->second)
    throw std::logic_error(fmt::format("{} has no parameter {}", hardware.kind->top, parameter));
  return static_cast<int>(*found->second);
}

std::map<std::string, std::string> tied_inputs(const ExportedNetwork& network, NodeId v) {
  const NodeSettings& settings = network.hardware.settings;
  const RecordedHost& host = network.hosts.at(v);
  std::map<std::string, std::string> tied;
  const auto tie = [&](const std::string& port, std::uint64_t value) {
    if (network.has(port)) tied[port] = constant(value, network.bits(port));
  };
  tie("slot_cycles_i", settings.slot_cycles);
  tie("link_latency_i", settings.link_latency);
  tie("port_model_i", settings.port_model);
  tie("grant_cycles_i", settings.grant_cycles);
  tie("queue_depth_i", settings.queue_depth);
  tie("window_i", settings.window);
  tie("fault_drop_i", 0);
  tie("fault_corrupt_i", 0);
  if (network.has("branch_first_i"))
    tie("branch_first_i",
        host.router.branch_first & ((~std::uint64_t{0}) >> (64 - network.bits("branch_first_i"))));
  if (network.has("rx_latency_i")) {
    static const std::vector<TdmLinkTiming> kAlike;
    const auto* program = host.timetable.instructions.get();
    const auto& in = program == nullptr ? kAlike : program->incoming;
    const auto& out = program == nullptr ? kAlike : program->outgoing;
    tied["rx_latency_i"] = per_port(network, 16, in, true);
    tied["rx_interval_i"] = per_port(network, 8, in, false);
    tied["credit_latency_i"] = per_port(network, 16, out, true);
    tied["tx_interval_i"] = per_port(network, 8, out, false);
  }
  if (host.scan) {
    const int classes = network.value("Classes"), digits = network.value("Digits");
    tied["coordinates_i"] = per_class(network, "coordinates_i", host.scan->place.address, classes);
    tied["plus_port_i"] = per_class(network, "plus_port_i", host.scan->place.plus_port, classes * digits);
    tied["minus_port_i"] = per_class(network, "minus_port_i", host.scan->place.minus_port, classes * digits);
    tie("base_i", host.scan->settings.base);
    tie("ring_i", host.scan->settings.ring ? 1 : 0);
  }
  return tied;
}

std::map<std::string, std::string> collective_inputs(const ExportedNetwork& network, NodeId v) {
  const RecordedHost& host = network.hosts.at(v);
  std::map<std::string, std::string> said;
  const auto say = [&](const std::string& port, std::uint64_t value) {
    said[port] = constant(value, network.bits(port));
  };
  if (network.host() == HostModule::kTdm) say("operation_i", host.timetable.operation);
  if (!host.scan) return said;
  const ScanSettings& s = host.scan->settings;
  const int classes = network.value("Classes");
  say("operation_i", static_cast<std::uint64_t>(s.operation));
  say("repeat_i", s.repeat ? 1 : 0);
  say("known_i", s.known ? 1 : 0);
  say("classed_i", s.classed ? 1 : 0);
  say("class_count_i", s.class_count);
  say("two_pieces_i", s.two_pieces ? 1 : 0);
  say("alternate_i", s.alternate ? 1 : 0);
  say("pass_on_first_i", s.pass_on_first ? 1 : 0);
  say("header_flit_i", s.header_flit ? 1 : 0);
  say("pack_flits_i", s.pack_flits);
  say("cast_flits_i", s.cast_flits);
  say("known_group_i", s.known_group);
  said["known_rank_i"] = per_class(network, "known_rank_i", host.scan->place.known_rank, classes);
  said["known_total_i"] = per_class(network, "known_total_i", host.scan->place.known_total, classes);
  say("known_class_i", host.scan->place.known_class);
  return said;
}

std::vector<std::string> outer_ports(const ExportedNetwork& network) {
  static const std::set<std::string> kTime{"clk_i", "rst_ni", "cycle_i", "step_i", "slot_open_next_i"};
  const auto tied = tied_inputs(network, 0);
  std::vector<std::string> ports;
  for (const auto& [port, what] : network.node.ports) {
    if (!kTime.contains(port) && !tied.contains(port) && !is_linked(port)) ports.push_back(port);
  }
  return ports;
}

std::string outer_name(NodeId v, const std::string& port) { return fmt::format("node_{}_{}", v, port); }

std::string network_text(const ExportedNetwork& network) {
  refuse_other_timers(network);
  const Graph& graph = network.graph;
  const auto range = [](int bits) { return bits == 1 ? std::string() : fmt::format("[{}:0] ", bits - 1); };
  std::string text = fmt::format(
      "// {} - a network of {} {}s with all links: {}.\n//\n// Written by safnet; README.md here has its "
      "ports and how it was made.\n"
      "module {} (\n  input  logic clk_i,\n  input  logic rst_ni,   // synchronous, low for two cycles at "
      "least\n"
      "  input  logic start_i,  // a pulse; cycle 1 is the cycle after it\n  output logic running_o,\n"
      "  output logic [31:0] cycle_o,\n  output logic [31:0] step_o",
      network.name, graph.node_count(), network.hardware.kind->top, network.title, network.name);
  const std::vector<std::string> outer = outer_ports(network);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    text += fmt::format(",\n  // node {}:", graph.node_name(v));
    for (PortId p = 0; p < graph.degree(v); ++p)
      text +=
          fmt::format("{} port {} leads to {}", p == 0 ? "" : ",", p, graph.node_name(graph.peer(v, p).node));
    for (std::size_t i = 0; i < outer.size(); ++i) {
      text += fmt::format("{}\n  {} logic {}{}", i == 0 ? "" : ",",
                          network.node.ports.at(outer[i]).is_input ? "input " : "output",
                          range(network.bits(outer[i])), outer_name(v, outer[i]));
    }
  }
  text += "\n);\n  logic slot_open_next;\n";
  text += fmt::format(
      "  slot_timer u_slot_timer (\n    .clk_i, .rst_ni, .start_i, .running_o, .cycle_o, .step_o,\n"
      "    .slot_cycles_i    ({}),\n    .slot_open_next_o (slot_open_next)\n  );\n\n",
      constant(network.hardware.settings.slot_cycles, 32));
  const int radix = network.value("Radix");
  const auto width = [&](const std::string& what) { return network.bits("tx_" + what + "_o") / radix; };
  const auto each_wire = [&](auto&& use) {
    for (const char* what : kForward)
      if (network.has(fmt::format("tx_{}_o", what))) use(std::string(what), false);
    for (const char* what : kBackward)
      if (network.has(fmt::format("tx_{}_o", what))) use(std::string(what), true);
  };
  text += "  // what leaves the nodes through their ports, port 0 lowest\n";
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    each_wire([&](const std::string& what, bool) {
      text += fmt::format("  logic {}{};\n", range(width(what) * radix), node_wire(v, what));
    });
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    text += fmt::format("\n  {} #(\n", network.hardware.kind->top);
    for (std::size_t i = 0; i < network.hardware.parameters.size(); ++i) {
      const auto& [name, value] = network.hardware.parameters[i];
      text +=
          fmt::format("    .{}({}){}\n", name, value, i + 1 == network.hardware.parameters.size() ? "" : ",");
    }
    text += fmt::format("  ) u_node_{} (\n    .clk_i, .rst_ni, .cycle_i (cycle_o), ", v);
    if (network.has("step_i")) text += ".step_i (step_o), ";
    text += ".slot_open_next_i (slot_open_next)";
    each_wire([&](const std::string& what, bool backward) {
      text += fmt::format(",\n    .tx_{}_o ({})", what, node_wire(v, what));
      text += fmt::format(",\n    .rx_{}_i ({})", what, incoming(network, v, what, backward, width(what)));
    });
    for (const auto& [port, value] : tied_inputs(network, v))
      text += fmt::format(",\n    .{} ({})", port, value);
    for (const std::string& port : outer) text += fmt::format(",\n    .{} ({})", port, outer_name(v, port));
    text += "\n  );\n";
  }
  // What a node sends through a port that leads nowhere is read by nobody.
  std::string unread;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    each_wire([&](const std::string& what, bool) { unread += fmt::format(", {}", node_wire(v, what)); });
  }
  text += fmt::format("\n  logic unused;\n  assign unused = &{{1'b0{}}};\nendmodule\n", unread);
  return text;
}

}  // namespace safnet
