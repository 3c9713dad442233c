// node_program - what one node and its host are told before the start, for every kind of node: data alone.
//
// A program of a whole network is one of these per node. They are made one at a time where all of them
// together would not fit in memory (label tables of thousands of entries at thousands of nodes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "rtl_constants.hpp"

namespace safnet {

struct NetworkTime;

// ---- routers: pifo_node, exchange_node, fifo_node ----

/// An entry of a label table in the form the hardware stores. `mask`: a bit for each output port. `order`:
/// the ports in the order of service, a permutation, or empty where the node has no such order. `rest_rank`:
/// see TableEntry of cpp_model/schedule/policy.hpp.
struct LabelEntry {
  std::uint32_t label = 0;
  std::uint64_t mask = 0;
  bool deliver = false;
  std::uint32_t rank = 0;
  std::vector<std::uint8_t> order = {};
  std::optional<std::uint32_t> rest_rank = {};
};

/// A packet for a host to inject: its flits, as 32-bit words, its rank at the source, and the injection port
/// that it goes through. A packet for outputs of several injection ports is one of these for each.
struct HostPacket {
  std::vector<std::uint32_t> words;
  std::uint32_t rank = 0;
  std::uint32_t port = 0;
};

struct RouterProgram {
  std::vector<LabelEntry> table;
  /// Bit p: output p is the first link of its branch; for nodes that deal the packets of a branch to its
  /// links.
  std::uint64_t branch_first = ~std::uint64_t{0};
  std::vector<HostPacket> packets;  ///< in the order of injection, per port
};

// ---- timetables: tdm_node ----

/// One instruction of an output: in slot `slot` or later, send.
struct TdmSend {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  ///< of the buffer: how many packets it has held before this one
  std::uint32_t name = 0;        ///< of the packet; for the host, the hardware only needs its buffer
  std::uint16_t buffer = 0;
  std::uint8_t flits = 1;
  bool own = false;  ///< the host's packet, not one from a buffer
};

/// What a receiving lane does with its next packet; bits of TdmReceive::actions.
inline constexpr std::uint8_t kTdmStore = 1 << rtl::tdm_pkg::kStoreBit,
                              kTdmCombine = 1 << rtl::tdm_pkg::kCombineBit,
                              kTdmDeliver = 1 << rtl::tdm_pkg::kDeliverBit;

/// One instruction of a receiving lane; see rtl/tdm/README.md.
struct TdmReceive {
  std::uint32_t name = 0;  ///< of the packet, or of the one that it is combined into
  std::uint32_t generation = 0;
  std::uint16_t buffer = 0;
  std::uint8_t parts = 1;    ///< packets that are combined in the buffer; 1 without combining
  std::uint8_t uses = 0;     ///< sends from the buffer before it is free
  std::uint8_t actions = 0;  ///< kTdmStore, kTdmCombine, kTdmDeliver
};

/// The host's own part of a packet that is combined at its node: from slot `slot` on the host sends it in.
struct TdmLoad {
  TdmReceive receive;
  std::uint32_t slot = 0;  ///< 0: before the start
  std::uint32_t part = 0;  ///< name of the part
  std::uint8_t flits = 1;
};

/// A link from a node to itself. Each of its packets leaves a buffer and is a part of what another holds.
struct TdmLoopback {
  std::vector<TdmSend> sends;
  std::vector<TdmReceive> receives;  ///< one for each send
};

/// What a node is told of one of its links where they differ; nothing else says so there.
struct TdmLinkTiming {
  std::uint16_t latency = 0;         ///< cycles, at most those that the node is built for
  std::uint8_t cycles_per_flit = 1;  ///< that the link is busy with each flit
};

struct TdmNodeProgram {
  std::vector<TdmLinkTiming> incoming, outgoing;  ///< per port; empty where all links are alike
  std::vector<std::vector<TdmSend>> sends;        ///< per output port
  std::vector<std::vector<TdmReceive>> receives;  ///< per input port
  std::vector<TdmLoad> loads;
  std::vector<TdmLoopback> loopbacks;
};

struct TimetableProgram {
  std::shared_ptr<const TdmNodeProgram> instructions;
  std::uint32_t operation = 0;      ///< what combining does: tdm_pkg::CombineSum, ...
  std::uint32_t feed_interval = 1;  ///< cycles between two instructions from the host for one program
};

/// A send that could not start in its slot.
struct LateSend {
  enum class Reason : std::uint8_t { kPacket, kRoom, kPort };
  std::uint32_t port = 0;
  std::uint32_t number = 0;  ///< which instruction of that port, from 0
  std::uint32_t cycle = 0;   ///< in which it was to start
  Reason reason = Reason::kPacket;
};
inline constexpr std::size_t kLateKept = 4;  ///< late sends that a node's status lists

// ---- scans: scan_node ----

/// What an interval consists of.
enum class ScanOperation : std::uint8_t {
  kScan = rtl::scan_pkg::kOperationScan,
  kPack = rtl::scan_pkg::kOperationPack,
  kMonotone = rtl::scan_pkg::kOperationMonotone,
  kBroadcast = rtl::scan_pkg::kOperationBroadcast,
  kAccumulate = rtl::scan_pkg::kOperationAccumulate
};

/// Phases of an interval.
enum class ScanPhase : std::uint8_t {
  kIdle = rtl::scan_pkg::kPhaseIdle,
  kClassScan = rtl::scan_pkg::kPhaseClassScan,
  kRankScan = rtl::scan_pkg::kPhaseRankScan,
  kPack = rtl::scan_pkg::kPhasePack,
  kBroadcast = rtl::scan_pkg::kPhaseBroadcast,
  kCombine = rtl::scan_pkg::kPhaseCombine,
  kUnpack = rtl::scan_pkg::kPhaseUnpack
};
inline constexpr std::size_t kScanPhases = rtl::scan_pkg::kPhases;
inline constexpr std::array<const char*, kScanPhases> kScanPhaseWords{
    "idle", "class scan", "rank scan", "packing", "broadcast", "combining", "unpacking"};

/// What is common to all nodes; see the inputs of rtl/scan/scan_node.sv. Lengths are flits, header included.
struct ScanSettings {
  ScanOperation operation = ScanOperation::kBroadcast;
  bool repeat = false;
  bool known = false;    ///< ranks are given, not found
  bool classed = false;  ///< whole packets, of class rank mod class_count; else a part of each in every class
  std::uint32_t class_count = 1;
  std::uint32_t base = 2;  ///< of the digits: the side of the network
  bool ring = false;
  bool two_pieces = false;
  bool alternate = false;
  bool pass_on_first = false;
  bool header_flit = false;
  std::uint32_t pack_flits = 1;
  std::uint32_t cast_flits = 1;
  std::uint64_t known_group = 0;  ///< digit by digit, as the hardware has it
};

/// Where a node is, for every class; and its rank if ranks are known. Addresses, ranks and totals digit by
/// digit, digit_width bits each, lowest first. Ports to the next and the previous node: [class][digit].
struct ScanPlace {
  std::vector<std::uint64_t> address;
  std::vector<std::uint32_t> plus_port, minus_port;
  std::vector<std::uint64_t> known_rank, known_total;
  std::uint32_t known_class = 0;
};

/// A flit that a node contributes to the sum of a rank (digit by digit), written into it before the start.
struct ScanOperand {
  std::uint32_t class_number = 0;
  std::uint64_t rank = 0;
  std::uint32_t piece = 0;
  std::uint32_t flit = 0;
  std::uint64_t value = 0;
};

/// The hosts of all nodes while the network runs. Calls for one node come in order of time; with several
/// threads, calls for different nodes may come at once.
class ScanSource {
 public:
  virtual ~ScanSource() = default;
  /// Whether the host of `node` has a packet to broadcast, or wants a sum, when the next cycle begins.
  virtual bool is_pending(NetworkTime now, std::uint32_t node) = 0;
  /// An interval begins in cycle now.cycle + 1, and `node` is active in it: with its packet, if it has any.
  virtual void on_taken(NetworkTime now, std::uint32_t node) = 0;
  /// Flit `index` of the packet that was taken last; of the next one if none was taken yet.
  virtual std::uint64_t own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) = 0;
};

struct ScanProgram {
  ScanSettings settings;
  ScanPlace place;
  std::vector<ScanOperand> operands;
  ScanSource* source = nullptr;  ///< outlives the run
};

/// What a scan_node has found out, and how long it took.
struct ScanStatus {
  ScanPhase phase = ScanPhase::kIdle;
  bool active = false;
  std::uint32_t class_number = 0;
  std::vector<std::uint64_t> rank, total;  ///< per class, digit by digit
  std::uint64_t group_total = 0;           ///< digit by digit
  std::uint32_t intervals = 0;             ///< completed
  std::uint32_t last_cycle = 0;            ///< in which the last one ended
  std::array<std::uint32_t, kScanPhases> phase_cycles{};
};

/// Delivery lanes of a class of a scan_node, for observers. 0, 1: pieces of a broadcast that moved towards
/// smaller, larger coordinates; 2, 3: whole packets that did; 4: what was at the node already.
inline constexpr std::uint32_t kScanWhole = 2, kScanHere = 4, kScanLanes = 5;

using NodeProgram = std::variant<RouterProgram, TimetableProgram, ScanProgram>;

}  // namespace safnet
