#include "sim/machine/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {
namespace {

constexpr std::size_t kNodesShown = 64;
constexpr const char* kDecimal = "@24\n";

// Of a fat tree the root first, then level by level down to the leaves.
std::vector<NodeId> shown_nodes(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> shown = nodes;
  if (const std::optional<FatTree> tree = fat_tree_shape(graph); tree && shown.empty()) {
    for (std::uint32_t level = tree->height() + 1; level-- > 0;) {
      for (std::uint32_t i = 0; i < tree->nodes_of(level) && shown.size() < kNodesShown; ++i)
        shown.push_back(tree->node(level, i));
    }
  }
  if (shown.empty()) {
    for (NodeId v = 0; v < graph.node_count() && v < kNodesShown; ++v) shown.push_back(v);
  }
  if (shown.size() > kNodesShown) shown.resize(kNodesShown);
  return shown;
}

// `timer`: the module that is the network's clock.
std::string heading(const std::string& wave_path, const std::string& timer = "slot_timer") {
  std::string text = fmt::format("[dumpfile] \"{}\"\n[timestart] 0\n[size] 1500 900\n[pos] -1 -1\n*-5.0 0\n",
                                 std::filesystem::absolute(wave_path).string());
  text += "[sst_expanded] 1\n";
  text += fmt::format("{0}+{{step}} network.{1}.step_o[31:0]\n+{{cycle}} network.{1}.cycle_o[31:0]\n",
                      kDecimal, timer);
  return text;
}

// The other end of a link; of parallel ones also which.
std::string neighbour(const Graph& graph, NodeId u, PortId first, PortId p) {
  return graph.node_name(u) + (first == p ? "" : fmt::format(" link {}", p - first));
}
std::string neighbour_to(const Graph& graph, NodeId v, PortId p) {
  const NodeId u = graph.peer(v, p).node;
  return neighbour(graph, u, graph.port_to(v, u).value_or(p), p);
}
std::string neighbour_from(const Graph& graph, NodeId v, PortId q) {
  const NodeId u = graph.feeder(v, q).node;
  PortId first = 0;
  while (graph.feeder(v, first).node != u) ++first;
  return neighbour(graph, u, first, q);
}

// "+{words} signal" shows a signal under other words: here, which neighbour a counter is about.
std::string sent_to(const Graph& graph, NodeId v, PortId p, const std::string& counters) {
  return fmt::format("+{{sent to {}}} {}.sent_q[31:0]\n", neighbour_to(graph, v, p), counters);
}
std::string received_from(const Graph& graph, NodeId v, PortId q, const std::string& counters) {
  return fmt::format("+{{received from {}}} {}.received_q[31:0]\n", neighbour_from(graph, v, q), counters);
}

void write(const std::string& wave_path, const std::string& text) {
  std::ofstream out(wave_view_path(wave_path));
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + wave_view_path(wave_path));
}

}  // namespace

std::string wave_view_path(const std::string& wave_path) {
  return std::filesystem::path(wave_path).replace_extension(".gtkw").string();
}

void write_wave_view(const std::string& wave_path, const Graph& graph, const NodeParameters& parameters,
                     const std::vector<NodeId>& nodes, bool scans_first) {
  const std::vector<NodeId> shown = shown_nodes(graph, nodes);
  std::string text = heading(wave_path, scans_first ? "exchange_timer" : "slot_timer");
  const std::size_t queues = parameters.port_model == 0 ? static_cast<std::size_t>(parameters.radix) : 1;
  const int depth = std::max(parameters.queue_depth, parameters.host_depth);
  const int occupancy_top =
      std::bit_width(static_cast<unsigned>(depth) * static_cast<unsigned>(parameters.radix + 1)) - 1;
  for (const NodeId v : shown) {
    const std::string node = fmt::format("node_{}.pifo_node", graph.node_name(v));
    text += fmt::format("@800200\n-node {}\n", graph.node_name(v));
    text += kDecimal;
    for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p) {
      const std::string counters = fmt::format("{}.u_counters.g_port[{}]", node, p);
      if (p < graph.degree(v)) text += sent_to(graph, v, p, counters);
      if (p < graph.in_degree(v)) text += received_from(graph, v, p, counters);
    }
    for (std::size_t q = 0; q < queues; ++q) {
      if (parameters.port_model == 0 && q >= graph.degree(v)) break;
      const std::string where = parameters.port_model == 0
                                    ? " to " + neighbour_to(graph, v, static_cast<PortId>(q))
                                    : std::string();
      text += fmt::format("+{{queued{}}} {}.g_queue[{}].u_queue.occupancy_q[{}:0]\n", where, node, q,
                          occupancy_top);
    }
    text += fmt::format("@1000200\n-node {}\n", graph.node_name(v));
  }
  write(wave_path, text);
}

void write_tdm_wave_view(const std::string& wave_path, const Graph& graph, const std::vector<NodeId>& nodes) {
  std::string text = heading(wave_path);
  for (const NodeId v : shown_nodes(graph, nodes)) {
    const std::string node = fmt::format("node_{}.tdm_node", graph.node_name(v));
    text += fmt::format("@800200\n-node {}\n{}", graph.node_name(v), kDecimal);
    for (PortId p = 0; p < std::max(graph.degree(v), graph.in_degree(v)); ++p) {
      const std::string counters = fmt::format("{}.u_counters.g_port[{}]", node, p);
      if (p < graph.degree(v)) {
        text += sent_to(graph, v, p, counters);
        text += fmt::format("+{{next slot to {}}} {}.g_output[{}].slot[31:0]\n", neighbour_to(graph, v, p),
                            node, p);
      }
      if (p < graph.in_degree(v)) text += received_from(graph, v, p, counters);
    }
    text += fmt::format("@28\n{0}.late_o\n{0}.wait_packet_o\n{0}.wait_credit_o\n{1}{0}.occupancy_o\n", node,
                        kDecimal);
    text += fmt::format("@1000200\n-node {}\n", graph.node_name(v));
  }
  write(wave_path, text);
}

void write_scan_wave_view(const std::string& wave_path, const Graph& graph, const ScanParameters& parameters,
                          const std::vector<NodeId>& nodes) {
  const auto top = [](int width) { return fmt::format("[{}:0]", width - 1); };
  std::string text = heading(wave_path);
  for (const NodeId v : shown_nodes(graph, nodes)) {
    const std::string node = fmt::format("node_{}.scan_node", graph.node_name(v));
    text += fmt::format("@800200\n-node {}\n@28\n+{{active}} {}.active_o\n{}", graph.node_name(v), node,
                        kDecimal);
    text += fmt::format("+{{phase}} {}.phase_o[2:0]\n", node);
    text += fmt::format(
        "+{{digit}} {}.u_timetable.digit_q{}\n", node,
        top(parameters.digits <= 2 ? 1 : std::bit_width(static_cast<unsigned>(parameters.digits - 1))));
    text += fmt::format("+{{slot}} {}.u_timetable.hop_o{}\n", node, top(parameters.digit_width));
    for (int c = 0; c < parameters.classes; ++c) {
      // Digit by digit: hexadecimal.
      text += fmt::format("@22\n+{{rank in class {0}}} {1}.g_class[{0}].u_engine.rank_q{2}\n", c, node,
                          top(parameters.address_width()));
    }
    text += fmt::format(
        "@28\n+{{sends, by port}} {0}.tx_valid_o[{1}:0]\n+{{receives, by port}} {0}.rx_valid_i[{1}:0]\n",
        node, parameters.radix - 1);
    text += fmt::format("@1000200\n-node {}\n", graph.node_name(v));
  }
  write(wave_path, text);
}

}  // namespace safnet
