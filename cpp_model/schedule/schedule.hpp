// schedule - who sends which packet over which link when: planned, or as the hardware did it.
//
// A schedule is complete: it holds the network, the port model, the packets with their destinations, and the
// sends. It can be judged (check/), written to a file (schedule_writer), reversed, and run on tdm_nodes. A
// trace of the hardware becomes one (schedule_of_trace), so one checker and one file format serve both.
//
// Columns, not rows: tens of millions of sends fit in memory, 12 bytes each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/trace.hpp"

namespace safnet {

/// All-port: every link busy in both directions. One-port: at most one packet being sent and one being
/// received by a node. One-port-send: one being sent, any number being received.
enum class PortModel : std::uint8_t { kAllPort, kOnePort, kOnePortSend };

/// What combining packets does to their data, on 32-bit unsigned words; sums wrap around.
enum class Operation : std::uint8_t { kSum, kMinimum, kMaximum, kAnd, kOr };

/// Number of a packet in its schedule: 0, 1, ...
using PacketIndex = std::uint32_t;
inline constexpr PacketIndex kNoPacket = 0xffff'ffff;

/// The packets of a schedule, by columns.
///
/// A plain packet is at its origin from the start. A combined packet has parts, packets with smaller numbers:
/// it comes into being at its origin when all parts are there (plain parts of that origin are from the
/// start), and holds their data combined. A part may be combined itself. All parts are as long as the whole.
class PacketList {
 public:
  /// Adds a packet; returns its number. `flits` >= 1. Throws std::invalid_argument beyond kMaxPackets.
  PacketIndex add(NodeId origin, std::uint32_t tag, std::uint32_t flits, std::span<const NodeId> destinations,
                  std::span<const PacketIndex> parts = {});
  void reserve(std::size_t packets, std::size_t destinations);

  PacketIndex size() const { return static_cast<PacketIndex>(origin_.size()); }
  NodeId origin(PacketIndex p) const { return origin_[p]; }
  /// Number of the origin's choosing; with the origin it names the packet.
  std::uint32_t tag(PacketIndex p) const { return tag_[p]; }
  std::uint32_t flits(PacketIndex p) const { return flits_[p]; }
  PacketId id(PacketIndex p) const { return {origin_[p], tag_[p]}; }
  /// Nodes whose hosts must get it, exactly once each. May hold the origin of a combined packet (its host
  /// gets the result when it is complete), never that of a plain one.
  std::span<const NodeId> destinations(PacketIndex p) const {
    return {destinations_.data() + first_destination_[p], first_destination_[p + 1] - first_destination_[p]};
  }
  /// What a combined packet is made of; empty for a plain one.
  std::span<const PacketIndex> parts(PacketIndex p) const {
    return {parts_.data() + first_part_[p], first_part_[p + 1] - first_part_[p]};
  }
  bool combines() const { return !parts_.empty(); }
  std::uint64_t destination_count() const { return destinations_.size(); }
  std::uint32_t longest() const { return longest_; }
  void set_flits(std::uint32_t flits);  ///< of every packet

  friend bool operator==(const PacketList&, const PacketList&) = default;
  static constexpr std::size_t kMaxPackets = std::size_t{1} << 24;  ///< a header's field of the hardware

 private:
  std::vector<NodeId> origin_;
  std::vector<std::uint32_t> tag_, flits_;
  std::vector<std::uint64_t> first_destination_{0}, first_part_{0};
  std::vector<NodeId> destinations_;
  std::vector<PacketIndex> parts_;
  std::uint32_t longest_ = 0;
};

/// A packet enters a link: its first flit leaves in the first cycle of slot `start`, counted from 1.
struct Send {
  std::uint32_t start = 0;
  LinkId link = 0;  ///< Graph::link(node, port)
  PacketIndex packet = 0;
  friend auto operator<=>(const Send&, const Send&) = default;  // by time, then link
};

struct Schedule {
  explicit Schedule(Graph on) : network(std::move(on)) {}

  Graph network;
  PortModel ports = PortModel::kAllPort;
  std::uint32_t slot_cycles = 1;  ///< clock cycles in a slot; slot s begins in cycle (s-1)*slot_cycles+1
  /// Cycles. A packet of f flits sent in cycle c is there when cycle c+f-1+link_latency ends, and may leave
  /// in the next; over a link with a timing of its own f times its cycles per flit, and its latency as well.
  std::uint32_t link_latency = 0;
  Operation operation = Operation::kSum;
  PacketList packets;
  std::vector<Send> sends;  ///< ordered; see sort_sends()

  // What it is for. Empty words: not said.
  std::string collective;   ///< a name of `safnet list collectives`: what `packets` must then amount to
  NodeId root = 0;          ///< of a collective that has one
  std::string algorithm;    ///< who planned it
  std::string description;  ///< free text, one line

  /// Is it as planners make them: packets of one flit, links without latency, slots of one cycle?
  bool is_of_steps() const { return slot_cycles == 1 && link_latency == 0 && packets.longest() <= 1; }
  /// The slot in which the last send starts; 0 if there is none.
  std::uint32_t last_start() const { return sends.empty() ? 0 : sends.back().start; }
  /// First clock cycle of a send.
  std::uint64_t cycle(const Send& send) const { return (std::uint64_t{send.start} - 1) * slot_cycles + 1; }
  /// Cycles for which it keeps its link busy, and in which it is being received.
  std::uint64_t busy_cycles(const Send& send) const {
    return std::uint64_t{packets.flits(send.packet)} * network.timing(send.link).cycles_per_flit;
  }
  /// Cycles from its sending to its reception.
  std::uint64_t latency(LinkId link) const { return link_latency + network.timing(link).latency; }
  /// Last cycle in which it keeps its link busy.
  std::uint64_t last_cycle(const Send& send) const { return cycle(send) + busy_cycles(send) - 1; }
  /// Cycle at the end of which it has arrived.
  std::uint64_t arrival_cycle(const Send& send) const { return last_cycle(send) + latency(send.link); }
  /// Slot in which it has arrived.
  std::uint64_t arrival_slot(const Send& send) const {
    return (arrival_cycle(send) + slot_cycles - 1) / slot_cycles;
  }
};

/// "packet 7 (origin 1_2, tag 3)".
std::string packet_name(const Schedule& schedule, PacketIndex packet);

/// Puts the sends in order of start, then link, then packet. Near-linear: by counting.
void sort_sends(Schedule& schedule);

/// Gives a schedule of steps the run's packets in lockstep: a slot is flits + latency cycles, starts stay.
/// Throws std::invalid_argument for a schedule that is not of steps. See also free_running().
Schedule in_lockstep(Schedule steps, std::uint32_t flits, std::uint32_t link_latency);

const std::string& to_string(Operation operation);   ///< "sum", "min", "max", "and", "or"
Operation parse_operation(const std::string& word);  ///< throws std::invalid_argument
/// One step of combining, on single words.
std::uint32_t combine(Operation operation, std::uint32_t a, std::uint32_t b);

}  // namespace safnet
