// wave_view - a GTKWave view (.gtkw) beside a waveform: the step as ruler, markers, an overview of packets on
// links and of queues, then a closed group for each node, the neighbours named in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/machine/waved_network.hpp"

namespace safnet {

/// Where the view of a waveform goes: the same name, ending in .gtkw.
std::string wave_view_path(const std::string& wave_path);

/// What of a run its view shows. Cycles count from 1.
struct ViewedRun {
  std::vector<NodeId> nodes = {};                           ///< that the waveform has; empty: all
  bool whole_network = false;                               ///< that was elaborated as a whole
  std::uint32_t first_cycle = 0, last_cycle = 0xffff'ffff;  ///< that the waveform has
  std::uint32_t slot_cycles = 1;                            ///< of a step
  std::uint32_t flits = 1;                                  ///< of a packet: it has room for its name
  std::uint32_t start = 1;  ///< cycle in which the first step begins: after a scan, if there is one
  std::uint32_t first_late = 0, last_delivery = 0;  ///< cycles of further markers; 0: there was none
};

/// A signal, and the words under which it is shown.
struct ShownSignal {
  std::string words, signal;
};

/// A view that is being written. Signals of a node are shown in decimal until base() says otherwise.
class WaveView {
 public:
  WaveView(const std::string& wave_path, WavedNetwork network, const ViewedRun& run);

  const WavedNetwork& network() const { return network_; }
  const Graph& graph() const { return network_.graph(); }
  /// The nodes to be shown: those of the waveform, or if it has all of a fat tree the root first; at most 64.
  const std::vector<NodeId>& shown() const { return shown_; }
  /// Shows the first links, and the first of `queues`: what can be seen before any group is opened.
  void show_overview(const std::vector<ShownSignal>& queues);
  /// A closed group for a node, which begins with the packets on its links.
  void begin_node(NodeId v);
  void end_node(NodeId v);
  enum class Base : std::uint8_t { kDecimal, kHexadecimal, kBinary };
  void base(Base base) { base_ = base; }
  /// Shows `signal` under its own name, or under other words.
  void show(const std::string& signal);
  void show(const std::string& words, const std::string& signal);
  /// Shows a number as a curve of steps, three lines high.
  void show_curve(const ShownSignal& signal);
  /// The packets that a node has sent and received through port `p`, with the neighbours' names; `node` is
  /// the node's scope. `after_sent` shows further signals of the output in between.
  void show_port_counters(const std::string& node, NodeId v, PortId p,
                          const std::string& after_sent_words = {}, const std::string& after_sent = {});
  /// Throws std::runtime_error if the file cannot be written.
  void write() const { write_whole_file(path_, text_); }

 private:
  std::string path_, text_;
  WavedNetwork network_;
  std::vector<NodeId> shown_;
  Base base_ = Base::kDecimal;
  std::uint32_t flags_ = 0;  // that hold for the next signal

  void put_head(const std::string& wave_path, const ViewedRun& run);
  void put_flags(std::uint32_t flags);
  void put_signal(const std::string& words, const std::string& signal);
  void put_words(const std::string& words, const std::string& signal);
  void put_comment(std::uint32_t flags, const std::string& words);
};

}  // namespace safnet
