// waved_network - where things are in the waveform of a network: scopes of nodes and of the clock, names of
// links, time. The waveform is written by these names, and its GTKWave view asks for signals by them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Cycle c begins at time 10 c of a waveform.
inline constexpr std::uint64_t kWaveUnitsPerCycle = 10;
constexpr std::uint64_t wave_time(std::uint64_t cycle) { return cycle * kWaveUnitsPerCycle; }

class WavedNetwork {
 public:
  /// `node`, `timer`: the modules of a node and of the network's clock. `whole`: the module of a whole
  /// network, which is one model; empty: every node is a model of its own.
  WavedNetwork(Graph graph, std::string node, std::string timer, std::string whole = {})
      : graph_(std::move(graph)),
        node_(std::move(node)),
        timer_(std::move(timer)),
        whole_(std::move(whole)) {}

  const Graph& graph() const { return graph_; }
  bool is_one_model() const { return !whole_.empty(); }
  /// The scope of a node's signals, and that of the clock.
  std::string scope_of(NodeId v) const;
  std::string timer_scope() const;

  /// The scope of all links; in it is a scope for each node, with a signal for each of its outputs.
  static constexpr const char* kLinks = "links";
  std::string link_scope(NodeId v) const { return "node_" + graph_.node_name(v); }
  std::string link_name(NodeId v, PortId p) const;
  /// The whole name of the signal that says which packet is on the link of an output.
  std::string link_signal(NodeId v, PortId p) const;
  /// The name of the node at the other end of output `p`; of parallel links also the number of the link.
  std::string neighbour_to(NodeId v, PortId p) const;
  /// The same of the node whose output leads to input `q`.
  std::string neighbour_from(NodeId v, PortId q) const;

 private:
  Graph graph_;
  std::string node_, timer_, whole_;
};

}  // namespace safnet
