// pifo_parameters - the parameters of pifo_nodes and of exchange_nodes, which are pifo_nodes that scan first.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "rtl_constants.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// Parameters of rtl/pifo/pifo_node.sv; a change of any of them needs a build of its own.
struct PifoParameters {
  int radix = 4;
  int flit_width = 64;  ///< bits, a multiple of 32
  int flits = 1;        ///< flits in the longest packet
  int link_latency = 0;
  int slot_cycles = 1;
  int queue_depth = 16;
  int host_depth = 16;
  int label_depth = 64;
  int rank_levels = 4;
  int port_model = rtl::safnet_pkg::kAllPort;
  int grant_cycles = 0;
  int node_id_width = 8;
  int tag_width = 8;
  int deals_links = 0;
  int rest_ranks = 0;
  friend auto operator<=>(const PifoParameters&, const PifoParameters&) = default;
};

/// The kinds "pifo" and "exchange".
Hardware pifo_hardware(const PifoParameters& parameters);
/// All-port nodes that find out the class of their packets before the first of them moves.
Hardware exchange_hardware(const PifoParameters& parameters);

/// Writes the view of a wave for nodes with a queue per output or one for the node (NodeKind::write_wave_view):
/// per node what its ports sent and received, and the packets in its queues, `g_queue[q].u_queue.occupancy_q`.
void write_queue_wave_view(const std::string& wave_path, const Graph& graph, const Hardware& hardware,
                           const std::vector<NodeId>& nodes);

}  // namespace safnet
