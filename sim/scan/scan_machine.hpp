// scan_machine - a network of scan_nodes as its hosts see it; all that such a variant's shared object shares
// with the program beyond machine.hpp.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "sim/machine/machine.hpp"

namespace safnet {

/// Parameters of rtl/scan/linked_scan_node.sv; a change of any of them needs a build of its own
/// (variant.hpp).
struct ScanParameters {
  int radix = 4;
  int digits = 2;
  int digit_width = 2;
  int classes = 2;
  int length_width = 5;  ///< packets of fewer than 2^length_width flits
  int link_latency = 0;
  int pieces = 1;  ///< 2: packets may be broadcast in two pieces
  friend auto operator<=>(const ScanParameters&, const ScanParameters&) = default;

  int remainder_width() const { return index_width(classes); }
  int address_width() const { return digits * digit_width; }
  int rank_width() const { return (digits + 1) * digit_width; }
  int port_width() const { return index_width(radix); }
  int lanes() const { return 3 * classes; }
  static constexpr int kFlitWidth = 64;

 private:
  static int index_width(int count) {
    int width = 1;
    while ((1 << width) < count) ++width;
    return width;
  }
};

/// What an interval consists of; values of rtl/scan/scan_pkg.sv.
enum class ScanOperation : std::uint8_t { kScan, kPack, kMonotone, kBroadcast, kAccumulate };

/// Phases of an interval; values of rtl/scan/scan_pkg.sv.
enum class ScanPhase : std::uint8_t { kIdle, kClassScan, kRankScan, kPack, kBroadcast, kCombine, kUnpack };
inline constexpr std::size_t kScanPhases = 7;

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
/// digit, digit_width bits each, lowest first. Ports: [class][digit].
struct ScanPlace {
  std::vector<std::uint64_t> address;
  std::vector<std::uint32_t> plus_port, minus_port;
  std::vector<std::uint64_t> known_rank, known_total;
  std::uint32_t known_class = 0;
};

/// What a node has found out, and how long it took.
struct ScanStatus {
  ScanPhase phase = ScanPhase::kIdle;
  bool active = false;
  std::uint32_t class_number = 0;
  std::vector<std::uint64_t> rank, total;  ///< per class, digit by digit
  std::uint64_t group_total = 0;
  std::uint32_t intervals = 0;   ///< completed
  std::uint32_t last_cycle = 0;  ///< in which the last one ended
  std::array<std::uint32_t, kScanPhases> phase_cycles{};
};

/// The hosts of all nodes. Calls for one node come in order of time; with several threads, calls for
/// different nodes may come at once.
class ScanHosts {
 public:
  virtual ~ScanHosts() = default;
  /// In the cycle that is about to begin, has the host of `node` a packet to broadcast (a sum it wants)?
  virtual bool is_pending(NetworkTime now, std::uint32_t node) = 0;
  /// An interval begins in cycle now.cycle + 1, and `node` is active in it: with its packet, if it has any.
  virtual void on_taken(NetworkTime now, std::uint32_t node) = 0;
  /// Flit of the packet that was taken last; of the next one if none was taken yet.
  virtual std::uint64_t own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) = 0;
};

/// Delivery lanes of a class, as the observer sees them: pieces of a broadcast that came towards smaller and
/// towards larger coordinates, whole packets from there, and what was at the node.
inline constexpr std::uint32_t kScanWhole = 2, kScanHere = 4, kScanLanes = 5;

/// Batch of scan_nodes.
class ScanBatch : public NodeBatch {
 public:
  virtual void configure(const ScanSettings& settings, ScanHosts* hosts) = 0;
  virtual void place(std::uint32_t index, const ScanPlace& place) = 0;
  /// Writes a flit of what the node has for `rank` (digit by digit). Before the start.
  virtual void load(std::uint32_t index, std::uint32_t class_number, std::uint64_t rank, std::uint32_t piece,
                    std::uint32_t flit, std::uint64_t value) = 0;
  virtual ScanStatus scan_status(std::uint32_t index) const = 0;
};

}  // namespace safnet
