// sum_parts - how a tdm_node combines the packets of a schedule: which of them as they arrive, which later.
//
// A part that its node needs for nothing else is combined into its whole as it arrives. A combined packet
// that is neither sent nor delivered and goes into one other at its node is only a step towards that: its
// parts go straight there. Any other part, such as a sum that is sent on and also goes into a further sum,
// has a buffer, and goes from there into each of its wholes over a loopback, a link of the node to itself, in
// the slot after it is complete (rtl/tdm/README.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// A packet that becomes a part of another at a node.
struct PartAt {
  PacketIndex part = 0;
  NodeId node = 0;
  PacketIndex whole = 0;
};

class SumParts {
 public:
  /// Throws std::invalid_argument if a part has no smaller number than its whole, or another length.
  explicit SumParts(const Schedule& schedule);

  /// What a packet is combined into as it arrives at a node; kNoPacket: nothing.
  PacketIndex whole_at(PacketIndex packet, NodeId node) const;
  /// The loopbacks that a packet goes over, by node.
  std::span<const PartAt> loops_of(PacketIndex packet) const;
  /// Packets of hosts, and the combined packets that they go into at their own nodes. Hosts may give the same
  /// packet any number of times.
  std::span<const std::pair<PacketIndex, PacketIndex>> own_parts() const { return own_parts_; }
  /// Whether a combined packet is only a step towards another at its node.
  bool is_step(PacketIndex packet) const { return !is_step_.empty() && is_step_[packet]; }

 private:
  std::vector<PartAt> arriving_, looped_;  // by part, then node
  std::vector<std::pair<PacketIndex, PacketIndex>> own_parts_;
  std::vector<bool> is_step_;
};

/// Slot in which a packet that is complete at the end of `cycle` can begin to leave: the next that opens.
std::uint64_t next_slot(const Schedule& schedule, std::uint64_t cycle);

/// Empty if tdm_nodes can send every sum when the schedule says. Otherwise the first that is sent earlier
/// than a part can be in it that came over a loopback: "packet 7 (origin 1, tag 3): sent in slot 2, complete
/// at its node at the end of slot 2". The schedule must be valid.
std::string first_late_sum(const Schedule& schedule);

}  // namespace safnet
