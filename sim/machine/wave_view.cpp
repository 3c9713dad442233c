#include "sim/machine/wave_view.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {
namespace {

constexpr std::size_t kNodesShown = 64;

// The name of node u at the other end of port p; of parallel links, the first at port `first`, also which.
std::string neighbour(const Graph& graph, NodeId u, PortId first, PortId p) {
  return graph.node_name(u) + (first == p ? "" : fmt::format(" link {}", p - first));
}
std::string neighbour_from(const Graph& graph, NodeId v, PortId q) {
  const NodeId u = graph.feeder(v, q).node;
  PortId first = 0;
  while (graph.feeder(v, first).node != u) ++first;
  return neighbour(graph, u, first, q);
}

}  // namespace

std::string wave_view_path(const std::string& wave_path) {
  return std::filesystem::path(wave_path).replace_extension(".gtkw").string();
}

WaveView::WaveView(const std::string& wave_path, const Graph& graph, const std::string& timer)
    : path_(wave_view_path(wave_path)), graph_(graph) {
  text_ = fmt::format(
      "[dumpfile] \"{}\"\n[timestart] 0\n[size] 1500 900\n[pos] -1 -1\n*-5.0 0\n[sst_expanded] 1\n",
      std::filesystem::absolute(wave_path).string());
  show("step", fmt::format("network.{}.step_o[31:0]", timer));
  show("cycle", fmt::format("network.{}.cycle_o[31:0]", timer));
}

std::vector<NodeId> WaveView::shown(const std::vector<NodeId>& nodes) const {
  std::vector<NodeId> shown = nodes;
  if (const std::optional<FatTree> tree = fat_tree_shape(graph_); tree && shown.empty()) {
    for (std::uint32_t level = tree->height() + 1; level-- > 0;) {
      for (std::uint32_t i = 0; i < tree->nodes_of(level) && shown.size() < kNodesShown; ++i)
        shown.push_back(tree->node(level, i));
    }
  }
  if (shown.empty()) {
    for (NodeId v = 0; v < graph_.node_count() && v < kNodesShown; ++v) shown.push_back(v);
  }
  if (shown.size() > kNodesShown) shown.resize(kNodesShown);
  return shown;
}

void WaveView::begin_node(NodeId v) {
  text_ += fmt::format("@800200\n-node {}\n", graph_.node_name(v));
  base_ = Base::kDecimal;
  written_base_.reset();
}
void WaveView::end_node(NodeId v) { text_ += fmt::format("@1000200\n-node {}\n", graph_.node_name(v)); }

void WaveView::put_base() {
  if (written_base_ == base_) return;
  text_ += base_ == Base::kDecimal ? "@24\n" : base_ == Base::kHexadecimal ? "@22\n" : "@28\n";
  written_base_ = base_;
}
void WaveView::show(const std::string& signal) {
  put_base();
  text_ += signal + "\n";
}
void WaveView::show(const std::string& words, const std::string& signal) {
  put_base();
  text_ += fmt::format("+{{{}}} {}\n", words, signal);
}

void WaveView::show_port_counters(const std::string& node, NodeId v, PortId p,
                                  const std::string& after_sent_words, const std::string& after_sent) {
  const std::string counters = fmt::format("{}.u_counters.g_port[{}]", node, p);
  if (p < graph_.degree(v)) {
    show("sent to " + neighbour_to(v, p), counters + ".sent_q[31:0]");
    if (!after_sent.empty()) show(after_sent_words, after_sent);
  }
  if (p < graph_.in_degree(v))
    show("received from " + neighbour_from(graph_, v, p), counters + ".received_q[31:0]");
}

std::string WaveView::neighbour_to(NodeId v, PortId p) const {
  const NodeId u = graph_.peer(v, p).node;
  return neighbour(graph_, u, graph_.port_to(v, u).value_or(p), p);
}

}  // namespace safnet
