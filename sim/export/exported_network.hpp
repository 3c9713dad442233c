// exported_network - what is known of a network that leaves as SystemVerilog: its nodes' module with the
// ports that Verilator finds, its links, and the run that it is to repeat.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/export/recorded_run.hpp"
#include "sim/user/module_interface.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// Which module of rtl/host is the host of a kind of node.
enum class HostModule : std::uint8_t { kRouter, kTdm, kScan };

struct ExportedNetwork {
  std::string name = {};     ///< of the module of the network: an identifier
  std::string title = {};    ///< a line for people: topology, collective, algorithm
  std::string command = {};  ///< that exports the same again
  Graph graph;
  Hardware hardware;
  ModuleInterface node = {};  ///< at the hardware's parameters
  std::vector<RecordedHost> hosts = {};
  bool is_bare = false;             ///< no run is known: without hosts, memories and testbench
  bool hosts_start_empty = false;   ///< hosts inject after the start alone
  std::uint64_t flits = 0;          ///< that hosts get
  std::uint32_t last_delivery = 0;  ///< cycle, by the nodes' counters
  std::uint32_t cycles = 0;  ///< of the run; a partial collective's interval may end after the last delivery

  HostModule host() const;

  /// The value of a parameter or localparam of the nodes. Throws std::logic_error if it has none.
  int value(const std::string& parameter) const;
  bool has(const std::string& port) const { return node.ports.contains(port); }
  int bits(const std::string& port) const { return static_cast<int>(node.ports.at(port).bits); }
};

/// A constant of the language: 12'h0ab.
std::string constant(std::uint64_t value, int bits);

/// Inputs of a node that say where it is and how the network runs, with their values: the network's own.
std::map<std::string, std::string> tied_inputs(const ExportedNetwork& network, NodeId v);

/// Inputs of a node that say what the collective does, with their values: for the hosts to say.
std::map<std::string, std::string> collective_inputs(const ExportedNetwork& network, NodeId v);

/// Ports of a node that lead out of the network, all others being tied or joined to links and timer.
std::vector<std::string> outer_ports(const ExportedNetwork& network);

/// The name of a node's port in the network: node_3_inject_flit_i.
std::string outer_name(NodeId v, const std::string& port);

/// The network as a module: nodes, links, timer, and the nodes' other ports by name.
std::string network_text(const ExportedNetwork& network);

}  // namespace safnet
