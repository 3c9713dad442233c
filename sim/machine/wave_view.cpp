#include "sim/machine/wave_view.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {
namespace {

constexpr std::size_t kNodesShown = 64, kLinksOfOverview = 12, kQueuesOfOverview = 4;

// How GTKWave shows a line: bits of the numbers after "@".
constexpr std::uint32_t kHexadecimal = 0x2, kDecimal = 0x4, kBinary = 0x8, kToTheRight = 0x20,
                        kNoSignal = 0x200, kAscii = 0x800, kCollapsed = 0x1000, kSteps = 0x8000,
                        kMoreHeight = 0x20000, kScaleOfWholeRun = 0x80000, kClosed = 0x400000,
                        kGroupBegin = 0x800000, kGroupEnd = 0x1000000;

std::vector<NodeId> nodes_to_show(const Graph& graph, std::vector<NodeId> nodes) {
  if (const std::optional<FatTree> tree = fat_tree_shape(graph); tree && nodes.empty()) {
    for (std::uint32_t level = tree->height() + 1; level-- > 0;) {
      for (std::uint32_t i = 0; i < tree->nodes_of(level) && nodes.size() < kNodesShown; ++i)
        nodes.push_back(tree->node(level, i));
    }
  }
  if (nodes.empty()) {
    for (NodeId v = 0; v < graph.node_count() && v < kNodesShown; ++v) nodes.push_back(v);
  }
  if (nodes.size() > kNodesShown) nodes.resize(kNodesShown);
  return nodes;
}

// GTKWave's zoom, with which the name of a packet has room on its link: 200 pixels are 2 to the power of its
// negative units of time.
double zoom_of(const Graph& graph, const ViewedRun& run) {
  constexpr double kPixelsOfLetter = 7.5, kPixels = 200;
  const std::size_t letters = 2 * graph.node_name(graph.node_count() - 1).size() + 6;
  const double pixels = kPixelsOfLetter * static_cast<double>(letters);
  return -std::log2(static_cast<double>(wave_time(run.flits)) * kPixels / pixels);
}

}  // namespace

std::string wave_view_path(const std::string& wave_path) {
  return std::filesystem::path(wave_path).replace_extension(".gtkw").string();
}

WaveView::WaveView(const std::string& wave_path, WavedNetwork network, const ViewedRun& run)
    : path_(wave_view_path(wave_path)),
      network_(std::move(network)),
      shown_(nodes_to_show(network_.graph(), run.nodes)) {
  put_head(wave_path, run);
  show("step", network_.timer_scope() + ".step_o[31:0]");
  show("cycle", network_.timer_scope() + ".cycle_o[31:0]");
}

// File, size, zoom, markers A, B and C with their names, and the ruler: a mark where each step begins.
void WaveView::put_head(const std::string& wave_path, const ViewedRun& run) {
  text_ = fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1500 900\n[pos] -1 -1\n",
                      std::filesystem::absolute(wave_path).string(),
                      run.first_cycle <= 1 ? 0 : wave_time(run.first_cycle));
  constexpr std::size_t kMarkersOfGtkwave = 26;
  const std::array<std::pair<std::uint32_t, const char*>, 3> markers{
      {{run.start, "start"}, {run.first_late, "first late send"}, {run.last_delivery, "last delivery"}}};
  std::string times, names;
  for (std::size_t m = 0; m < kMarkersOfGtkwave; ++m) {
    const std::uint32_t cycle = m < markers.size() ? markers[m].first : 0;
    const bool shown = cycle != 0 && cycle >= run.first_cycle && cycle <= run.last_cycle;
    times += shown ? fmt::format(" {}", wave_time(cycle)) : " -1";
    if (shown) names += fmt::format("[markername] {}{}\n", static_cast<char>('A' + m), markers[m].second);
  }
  text_ += fmt::format("*{:.6f} {}{}\n{}", zoom_of(graph(), run), -1, times, names);
  text_ += fmt::format("[ruler] {} {}\n[signals_width] 220\n[sst_expanded] 0\n", wave_time(run.start),
                       wave_time(run.slot_cycles));
}

void WaveView::show_overview(const std::vector<ShownSignal>& queues) {
  std::vector<ShownSignal> links;
  for (const NodeId v : shown_) {
    for (PortId p = 0; p < graph().degree(v) && links.size() < kLinksOfOverview; ++p)
      links.push_back({fmt::format("{} to {}", graph().node_name(v), network_.neighbour_to(v, p)),
                       network_.link_signal(v, p)});
  }
  put_comment(kNoSignal,
              links.size() < graph().link_count() ? "packets on the first links" : "packets on links");
  for (const ShownSignal& link : links) put_words(link.words, link.signal);
  if (queues.empty()) return;
  put_comment(kNoSignal, queues.size() > kQueuesOfOverview ? "the first queues" : "queues");
  for (std::size_t q = 0; q < std::min(queues.size(), kQueuesOfOverview); ++q) show_curve(queues[q]);
  put_comment(kNoSignal, "nodes");
}

void WaveView::begin_node(NodeId v) {
  put_comment(kGroupBegin | kClosed | kNoSignal, "node " + graph().node_name(v));
  base_ = Base::kDecimal;
  for (PortId p = 0; p < graph().degree(v); ++p)
    put_words("to " + network_.neighbour_to(v, p), network_.link_signal(v, p));
  for (PortId q = 0; q < graph().in_degree(v); ++q) {
    const Endpoint from = graph().feeder(v, q);
    put_words("from " + network_.neighbour_from(v, q), network_.link_signal(from.node, from.port));
  }
}
void WaveView::end_node(NodeId v) {
  put_comment(kGroupEnd | kClosed | kCollapsed | kNoSignal, "node " + graph().node_name(v));
}

void WaveView::put_flags(std::uint32_t flags) {
  if (flags != flags_) text_ += fmt::format("@{:x}\n", flags);
  flags_ = flags;
}
void WaveView::put_comment(std::uint32_t flags, const std::string& words) {
  put_flags(flags);
  text_ += fmt::format("-{}\n", words);
}
void WaveView::put_signal(const std::string& words, const std::string& signal) {
  text_ += words.empty() ? signal + "\n" : fmt::format("+{{{}}} {}\n", words, signal);
}
void WaveView::put_words(const std::string& words, const std::string& signal) {
  put_flags(kAscii | kToTheRight);
  put_signal(words, signal);
}

void WaveView::show(const std::string& signal) { show({}, signal); }
void WaveView::show(const std::string& words, const std::string& signal) {
  put_flags(kToTheRight | (base_ == Base::kDecimal       ? kDecimal
                           : base_ == Base::kHexadecimal ? kHexadecimal
                                                         : kBinary));
  put_signal(words, signal);
}
void WaveView::show_curve(const ShownSignal& signal) {
  put_flags(kSteps | kScaleOfWholeRun | kDecimal | kToTheRight);
  put_signal(signal.words, signal.signal);
  put_comment(kMoreHeight, "");
  put_comment(kMoreHeight, "");
}

void WaveView::show_port_counters(const std::string& node, NodeId v, PortId p,
                                  const std::string& after_sent_words, const std::string& after_sent) {
  const std::string counters = fmt::format("{}.u_counters.g_port[{}]", node, p);
  if (p < graph().degree(v)) {
    show("sent to " + network_.neighbour_to(v, p), counters + ".sent_q[31:0]");
    if (!after_sent.empty()) show(after_sent_words, after_sent);
  }
  if (p < graph().in_degree(v))
    show("received from " + network_.neighbour_from(v, p), counters + ".received_q[31:0]");
}

}  // namespace safnet
