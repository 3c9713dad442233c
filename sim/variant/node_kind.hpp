// node_kind - a kind of node as a descriptor: where its RTL is, how it is verilated, what its host is.
//
// To add a kind: a folder in rtl/ with a list of its sources, a folder in sim/ with its host and a function
// that makes its Hardware from parameters. Nothing else in sim/variant or sim/machine knows of it.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/node_settings.hpp"
#include "sim/machine/waved_network.hpp"

namespace safnet {

class WaveView;
struct ShownSignal;
struct ViewedRun;
struct Hardware;

struct NodeKind {
  std::string name;                  ///< "pifo"; names of variants begin with it
  std::string top;                   ///< module of a node with its links
  std::string timer = "slot_timer";  ///< module that is the clock of a network of such nodes
  std::vector<std::string> folders;  ///< of rtl/, in order of compilation; each has a list FOLDER/FOLDER.f
  std::vector<std::string> sources = {};    ///< further RTL, as absolute paths
  std::string host_header = {}, host = {};  ///< the class template that is the C++ side of a node
  std::string network = {};  ///< module of a whole network in rtl/network; empty: there is none
  /// The queues of a node as signals of a waveform, in which `scope` is the node's; empty: it has none.
  std::function<std::vector<ShownSignal>(const WavedNetwork&, const Hardware&, NodeId,
                                         const std::string& scope)>
      queues = {};
  /// Shows in a GTKWave view what a node has beside links and queues; empty: nothing.
  std::function<void(WaveView&, const Hardware&, NodeId, const std::string& scope)> show_node = {};
};

/// One set of RTL parameters of a kind of node: what a variant is built from; and how its nodes are to run.
struct Hardware {
  std::shared_ptr<const NodeKind> kind;
  /// Parameters of the top module and their values; others keep their defaults.
  std::vector<std::pair<std::string, int>> parameters = {};
  NodeSettings settings = {};  ///< what the nodes are told at run time; no part of the variant
  bool quick_build = false;    ///< so much code that it is compiled with -O1 alone
  bool waves = false;  ///< with the code that writes waveforms, which takes as long to compile as the rest
  /// Memory of a node's names, which its model does not contain; an estimate.
  double scope_bytes = 0;
  /// Memory of a node that a run is known to use, on average: pages that are never written to do not exist.
  /// 0: all of it.
  double used_bytes = 0;

  /// The value of a parameter; `otherwise` if the kind does not have it.
  int value(const std::string& name, int otherwise = 1) const;
  /// Kind and main parameters, such as "pifo_r4_all_f1": how the names in build/variants begin.
  std::string readable_name() const;
  /// Where things are in a waveform of a network of such nodes. `whole`: of one that is elaborated as a
  /// whole.
  WavedNetwork waved_network(const Graph& graph, bool whole) const;
  /// Writes the GTKWave view of the waveform of a run.
  void write_wave_view(const std::string& wave_path, const Graph& graph, const ViewedRun& run) const;
  /// By kind, parameters and waves: hardware that is equal is one variant.
  friend std::strong_ordering operator<=>(const Hardware& a, const Hardware& b) {
    if (const auto order = a.kind->name <=> b.kind->name; order != 0) return order;
    if (const auto order = a.parameters <=> b.parameters; order != 0) return order;
    return a.waves <=> b.waves;
  }
  friend bool operator==(const Hardware& a, const Hardware& b) { return (a <=> b) == 0; }
};

}  // namespace safnet
