// scan_run - one partial collective on scan_nodes, which find out by themselves which nodes are active.
//
// Sources: A = Varvarigos and Bertsekas, partial multinode broadcast in d-dimensional meshes; B = Varvarigos,
// folded cubes. All times are clock cycles; a packet's time on a link is its flits (and the latency of the
// link).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "sim/run/account.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/run/phase_watch.hpp"
#include "sim/scan/scan_hosts.hpp"

namespace safnet {

inline constexpr int kMostScanFlits = 4096;  ///< of a packet on scan_nodes

/// Whether the model of the algorithm (scan_check.hpp) covers this collective.
bool has_model(CollectiveKind kind);

/// What packets are made of, and how they travel.
struct ScanManner {
  int flits = 1;  ///< payload flits of a packet
  int header_flits =
      0;  ///< 1: every packet has a flit for its header; 0: the header is beside payload in the first
  int link_latency = 0;
  bool split = false;          ///< a part of each packet in every class; else whole packets, a class each
  bool single_class = false;   ///< algorithm A_0 by itself
  bool alternating = false;    ///< tori: shorter ways, see --alternating in sim/command/README.md
  bool pass_on_first = false;  ///< own packets in empty slots (A Theorem 2), not at the beginning of batches
  bool known_ranks = false;    ///< ranks are known, no scans: a multinode broadcast if all are active
};

/// Faults are active from the start on, whatever `fault_until` says.
struct ScanRequest : HardwareOptions, ScanManner {
  explicit ScanRequest(DigitNetwork of, ScanManner manner = {})
      : ScanManner(manner), network(std::move(of)) {}
  DigitNetwork network;
  CollectiveKind collective = CollectiveKind::kPartialMultinodeBroadcast;
  std::vector<NodeId> active;        ///< ascending, each once; may be empty
  std::vector<NodeId> destinations;  ///< of monotone routing: as many, ascending, each once
  bool keep_transfers = false;       ///< flit by flit; `keep_trace`: packet by packet
};

/// Every packet on every link, interval by interval, and what the network did when.
struct ScanTrace {
  std::vector<SeenInterval> intervals;
  std::vector<PhaseStart> phases;
};

/// In the account, `cycles` is the length of the interval, to the end of the common timetable; deliveries are
/// those of whole packets or, if these travel in parts, of parts; transmissions are flits.
struct ScanResult : Account {
  ScanParameters parameters;
  ScanSettings settings;
  Hardware hardware;
  std::uint32_t last_delivery = 0;  ///< cycle of the last delivery; by the nodes' counters
  std::array<std::uint32_t, kScanPhases> phase_cycles{};  ///< by the nodes' counters
  std::uint64_t flits_sent = 0;
  std::uint64_t returned = 0;  ///< a node's own packet, seen again: part of the algorithm
  std::vector<ScanTransfer> transfers;
  ScanTrace trace;  ///< if it was asked for
};

/// Throws std::invalid_argument for what no hardware can run or what does not fit together, naming the value.
void check_request(const ScanRequest& request);
ScanParameters scan_parameters(const ScanRequest& request);
ScanSettings scan_settings(const ScanRequest& request);

/// Runs a request. Builds the variant if it is missing. Throws std::invalid_argument like check_request().
ScanResult run_scan(const ScanRequest& request, VariantStore& store);

}  // namespace safnet
