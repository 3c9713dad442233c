// partial_broadcast_plan - partial multinode broadcast and accumulation as their papers describe them, run
// node by node and slot by slot: every transfer, without hardware.
//
// Varvarigos and Bertsekas 1994, section 3; Varvarigos, folded cubes, section 3. In each class
// (digit_network) a node acts on what it has received:
// - Prefix (meshes, Fig. 2), forward, digit 0 first: among the nodes whose lower digits are all p - 1 the sum
//   so far goes up each row, from the node with digit x in slot x. Reverse, the highest digit first: what
//   comes before the row, and M, go down the same rows. Every node then knows its rank and M.
// - Packing, digit 0 first, p - 1 slots each: the packet of rank r moves to where the digit is that of r.
// - Broadcast, the highest digit first. In batch b each node sends rank b p^(j+1) + (its own digits j ... 0),
//   if there is one, up and down in slot 0 and passes on in slot t what came in slot t - 1, as far as
//   hops_of_batch() says; halves 0 and 1 go one way each.
// All classes run at once, by the timetable of the fullest, and never share a link.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

enum class PartialTransferKind : std::uint8_t {
  kClassScanForward,
  kClassScanReverse,
  kRankScanForward,
  kRankScanReverse,
  kPacking,
  kBroadcast,
  kAccumulation,  ///< a broadcast's transfer backwards
  kUnpacking,     ///< the result of rank r goes to the node with this rank
};
/// "class scan forward", "packing", ...
const std::string& to_string(PartialTransferKind kind);

struct PartialTransfer {
  std::uint64_t cycle = 0;  ///< in which the first flit leaves, counted from 1
  LinkId link = 0;
  PartialTransferKind kind = PartialTransferKind::kPacking;
  std::uint32_t packet_class = 0;
  std::uint32_t piece = 0;  ///< half 0 or 1
  std::uint32_t rank = 0;   ///< of the packet in its class. Prefixes: the sum or what comes before the row
  std::uint32_t flits = 1;
  friend auto operator<=>(const PartialTransfer&, const PartialTransfer&) = default;  // by time, then link
};

/// A packet, or its part, in a class.
struct RankedPacket {
  NodeId node = 0;  ///< whose packet it is
  std::uint32_t packet_class = 0, rank = 0;
  friend auto operator<=>(const RankedPacket&, const RankedPacket&) = default;
};

enum class BroadcastRule : std::uint8_t {
  kBatches,
  /// Meshes, Theorem 2: a node passes on at once what comes, and sends one of its own, lowest rank first,
  /// whenever nothing came. The timetable of the digits stays the same.
  kPassOnFirst,
};

struct PartialPlan {
  PartialBroadcastTime time;          ///< the timetable
  std::uint64_t last_arrival = 0;     ///< cycle at the end of which the last flit is there; 0: nothing sent
  std::vector<RankedPacket> packets;  ///< in order
  std::vector<PartialTransfer> transfers;  ///< in order
};

/// Where packets are not split: the class along whose digits the class scan counts.
inline constexpr std::uint32_t kClassScanOrder = 0;

/// Every active node's packet to all nodes. `active`: ascending, each once; may be empty. Throws
/// std::invalid_argument otherwise, and std::logic_error if two packets meet on a link or the rule does not
/// end in time, which no set of active nodes is known to lead to.
PartialPlan plan_partial_broadcast(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                                   const std::vector<NodeId>& active,
                                   BroadcastRule rule = BroadcastRule::kBatches);

/// Dual: every active node gets what all nodes have for it, combined. Prefixes as before, then the broadcast
/// and the packing backwards in time over links turned round, but for the order of batches, which go up here
/// too: what is for rank r gathers at the node of address r, and results are unpacked. Throws
/// std::invalid_argument also for alternating batches.
PartialPlan plan_partial_accumulation(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                                      const std::vector<NodeId>& active);

/// Empty, or one line on the first transfer that is in one list and not in the other. Both in order.
std::string first_difference(const Graph& graph, std::span<const PartialTransfer> expected,
                             std::span<const PartialTransfer> found);

}  // namespace safnet
