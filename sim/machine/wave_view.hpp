// wave_view - a GTKWave view beside a waveform: the network's time, then a group of signals per node, the
// neighbours named in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/system/output_file.hpp"

namespace safnet {

/// Where the view of a waveform goes: the same name, ending in .gtkw.
std::string wave_view_path(const std::string& wave_path);

/// A view that is being written. Signals of a node are shown in decimal until base() says otherwise.
class WaveView {
 public:
  /// `timer`: the module that is the network's clock.
  WaveView(const std::string& wave_path, const Graph& graph, const std::string& timer);

  const Graph& graph() const { return graph_; }
  /// The nodes to be shown: `nodes`, or if there are none all, of a fat tree the root first; at most 64.
  std::vector<NodeId> shown(const std::vector<NodeId>& nodes) const;
  void begin_node(NodeId v);
  void end_node(NodeId v);
  enum class Base : std::uint8_t { kDecimal, kHexadecimal, kBinary };
  void base(Base base) { base_ = base; }
  /// Shows `signal` under its own name, or under other words.
  void show(const std::string& signal);
  void show(const std::string& words, const std::string& signal);
  /// The packets that a node has sent and received through port `p`, with the neighbours' names; `node` is
  /// the node's scope. `after_sent` shows further signals of the output in between.
  void show_port_counters(const std::string& node, NodeId v, PortId p,
                          const std::string& after_sent_words = {}, const std::string& after_sent = {});
  /// The name of the node at the other end of output `p`; of parallel links also the number of the link.
  std::string neighbour_to(NodeId v, PortId p) const;
  /// Throws std::runtime_error if the file cannot be written.
  void write() const { write_whole_file(path_, text_); }

 private:
  std::string path_, text_;
  Base base_ = Base::kDecimal;
  std::optional<Base> written_base_;  // that holds for the next signal
  const Graph& graph_;
  void put_base();
};

}  // namespace safnet
