// reference_run - what the reference network is given, and what a run of it leaves behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/trace.hpp"

namespace safnet {

/// The parameters of rtl/pifo/README.md that change what a network does; times in cycles, depths in packets.
struct ReferenceParameters {
  int flits = 1;         ///< in the longest packet
  int link_latency = 0;  ///< cycles
  int slot_cycles = 1;   ///< 1: packets start in any cycle
  int queue_depth = 16;  ///< packets per lane of a link, and credits of a link
  int host_depth = 16;   ///< packets of the host, for each injection port
  /// Port j feeds the outputs j, j + inject_ports, ... With more than one, hosts deal the packets of a branch
  /// to its links themselves.
  int inject_ports = 1;
  /// Hosts inject from cycle 1 on, in order of rank; otherwise their packets are in the queues by then, as
  /// far as they fit: in the order of the list, but in order of rank through one of several ports that has
  /// not places for all.
  bool hosts_start_empty = false;
  int grant_cycles = 0;  ///< 0: nobody asks; else 2 x link_latency + 2, one-port only
  PortModel ports = PortModel::kAllPort;
};

/// What a node has counted; the same meanings as the outputs of pifo_node.
struct ReferenceCounters {
  std::vector<std::uint32_t> sent;      ///< packets per output port
  std::vector<std::uint32_t> received;  ///< packets per input port
  std::uint32_t delivered = 0;
  std::uint32_t last_delivery_cycle = 0;
  std::uint32_t last_delivery_step = 0;
  std::uint64_t delay_sum = 0;  ///< of the steps of all deliveries
  std::uint32_t peak_occupancy = 0;
  std::uint32_t peak_transit = 0;
  std::vector<std::uint32_t> peak_stored, peak_waiting;  ///< per queue
  std::uint32_t violations = 0;
  std::uint32_t first_violation_cycle = 0;
};

/// What a node waits for in a run's last cycle; the same meanings as the outputs of pifo_node.
struct ReferenceWait {
  std::uint64_t credit = 0;  ///< bit p: a packet for output p has no credit
  std::uint64_t grant = 0;   ///< bit p: a packet has asked for output p and has no grant
  std::uint32_t queued = 0;  ///< packets in the fullest queue
};

struct ReferenceRun {
  Trace trace;                                  ///< ordered by cycle, node, port
  std::vector<ReferenceCounters> counters;      ///< per node
  bool stuck = false;                           ///< packets remain and nothing moves any more
  std::vector<ReferenceWait> waits;             ///< per node, at the end
  std::vector<std::vector<Label>> last_labels;  ///< per node and output: of the packet that left by it last
  std::vector<std::string> problems;  ///< damaged packets and broken policies, one line each; first 20
  std::uint64_t node_cycles = 0;      ///< nodes times cycles that were simulated
};

}  // namespace safnet
