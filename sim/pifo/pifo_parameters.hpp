// pifo_parameters - the parameters of pifo_nodes and of exchange_nodes, which are pifo_nodes that scan first;
// and kinds of routers, which are built for a policy's parameters.
#pragma once

#include <algorithm>
#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "rtl_constants.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// What routers are built for beyond what a run uses, so that runs share their builds; what is less than the
/// run uses counts as that.
struct RouterReserve {
  int flits = 1;
  int link_latency = 0;
  int queue_depth = 1;
  bool grants = false;  ///< one-port
  bool deals_links = false;
  friend auto operator<=>(const RouterReserve&, const RouterReserve&) = default;
};

/// How routers run, and with what: parameters and settings of rtl/pifo/pifo_node.sv (rtl/pifo/README.md).
struct PifoParameters {
  int radix = 4;
  int flit_width = 64;   ///< bits, a multiple of 32
  int flits = 1;         ///< flits in the longest packet
  int link_latency = 0;  ///< cycles
  int slot_cycles = 1;   ///< 1: nodes run freely
  int queue_depth = 16;  ///< packets per link, and credits of a link
  int host_depth = 16;   ///< packets of the node's own, of each injection port
  int inject_ports = 1;  ///< port j feeds the outputs j, j + inject_ports, ...
  int label_depth = 64;
  int rank_levels = 4;
  int port_model = rtl::safnet_pkg::kAllPort;
  int grant_cycles = 0;   ///< cycles from request to start; 0: there are no grants
  int node_id_width = 8;  ///< bits
  int tag_width = 8;      ///< bits
  int deals_links = 0;    ///< 1: packets are dealt to the parallel links of a branch
  int rest_ranks = 0;     ///< 1: see TableEntry::rest_rank
  int scans_first = 0;    ///< 1: exchange_nodes, which stamp a packet's class into bit 0 of its label
  RouterReserve reserve = {};
  int built_flits() const { return std::max(flits, reserve.flits); }
  int built_latency() const { return std::max(link_latency, reserve.link_latency); }
  int built_depth() const { return std::max(queue_depth, reserve.queue_depth); }
  /// Cycles that the longest packet takes from one node to the next: flits, link latency, request and grant.
  int hop_cycles() const { return flits + link_latency + grant_cycles; }
  friend auto operator<=>(const PifoParameters&, const PifoParameters&) = default;
};

/// A kind of node whose host is a PifoHost (pifo_host.hpp) and whose program is a RouterProgram.
struct RouterKind {
  std::string name;  ///< as after --node
  /// The hardware for these parameters. Throws std::invalid_argument if it cannot have them.
  std::function<Hardware(const PifoParameters&)> hardware;
  /// Serves packets by rank and ports in a label's order, scans, and deals packets to the links of a branch.
  /// Plain routers serve packets in order of arrival: what a policy says of ranks and orders is ignored.
  bool follows_orders = false;
};

/// The NodeKind of such a router: `kind`, with its host.
std::shared_ptr<const NodeKind> router_node_kind(NodeKind kind);
/// The parameters of a router that does not order packets and is built for one way of running, by their names
/// in the RTL.
std::vector<std::pair<std::string, int>> plain_router_parameters(const PifoParameters& parameters);
/// Hardware with these parameters, of routers with a queue per output (all-port) or one for the node.
Hardware router_hardware(std::shared_ptr<const NodeKind> kind, const PifoParameters& parameters);

/// The kind "pifo".
Hardware pifo_hardware(const PifoParameters& parameters);
/// The kind "exchange": all-port nodes that find out the class of their packets before the first one moves.
Hardware exchange_hardware(const PifoParameters& parameters);

/// The queues of a node that has one per output, or one for all (NodeKind::queues): the packets in them,
/// `u_frame.g_queue[q].occupancy_q`.
std::vector<ShownSignal> router_queues(const WavedNetwork& network, const Hardware& hardware, NodeId v,
                                       const std::string& scope);
/// Shows the packets that each port of a node has sent and received (NodeKind::show_node).
void show_counters(WaveView& view, const Hardware& hardware, NodeId v, const std::string& scope);

}  // namespace safnet
