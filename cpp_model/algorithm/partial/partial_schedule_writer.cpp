#include "cpp_model/algorithm/partial/partial_schedule_writer.hpp"

#include <utility>

namespace safnet {

PartialScheduleWriter::PartialScheduleWriter(const DigitNetwork& network, std::uint32_t link_latency,
                                             Halves halves)
    : network_(network),
      halves_(halves),
      recording_(Schedule(network.graph())),
      next_tag_(network.graph().node_count()) {
  recording_.schedule.link_latency = link_latency;
  recording_.kind_words = {"prefix", "packing", "broadcast", "sum", "result", "unknown"};
}

void PartialScheduleWriter::begin(const std::vector<OwnedPacket>& packets) {
  owned_.clear();
  packed_.clear();
  results_.clear();
  broadcast_.clear();
  parts_.clear();
  for (const OwnedPacket& packet : packets) owned_[{packet.packet_class, packet.rank}] = packet;
}

void PartialScheduleWriter::add(const PartialTransfer& t) {
  recording_.schedule.sends.push_back({static_cast<std::uint32_t>(t.cycle), t.link, packet_of(t)});
}

PacketIndex PartialScheduleWriter::make(Kind kind, NodeId origin, std::uint32_t flits,
                                        std::uint32_t generated, const std::vector<NodeId>& destinations,
                                        const std::vector<PacketIndex>& parts) {
  recording_.kinds.push_back(static_cast<std::uint8_t>(kind));
  recording_.generated.push_back(generated);
  return recording_.schedule.packets.add(origin, next_tag_[origin]++, flits, destinations, parts);
}

PacketIndex PartialScheduleWriter::packet_of(const PartialTransfer& t) {
  const auto now = static_cast<std::uint32_t>(t.cycle);
  if (t.kind < PartialTransferKind::kPacking) return make(Kind::kPrefix, source(t), t.flits, now, {});
  const auto owned = owned_.find(place_of(t));
  if (owned == owned_.end()) return make(Kind::kUnknown, source(t), t.flits, now, {});
  switch (t.kind) {
    case PartialTransferKind::kBroadcast:
      return broadcast(t, owned->second);
    case PartialTransferKind::kAccumulation:
      return sum(t);
    case PartialTransferKind::kUnpacking:
      if (owned->second.destination == kNoNode) return result(t, owned->second);
      [[fallthrough]];
    default:
      return packed(t, owned->second);
  }
}

// A packed packet goes to the node that its rank names, and if it is unpacked from there to its destination.
PacketIndex PartialScheduleWriter::packed(const PartialTransfer& t, const OwnedPacket& owned) {
  const auto [found, is_new] = packed_.try_emplace(place_of(t), kNoPacket);
  if (!is_new) return found->second;
  std::vector<NodeId> destinations;
  if (owned.destination != kNoNode) {
    destinations = {owned.destination};
  } else if (halves_ != Halves::kNone) {
    destinations = {network_.node_at(t.packet_class, t.rank)};
  }
  return found->second = make(Kind::kPacked, owned.node, t.flits, owned.generated, destinations);
}

PacketIndex PartialScheduleWriter::broadcast(const PartialTransfer& t, const OwnedPacket& owned) {
  const auto [found, is_new] = broadcast_.try_emplace(piece_of(t), kNoPacket);
  if (!is_new) return found->second;
  const NodeId from = network_.node_at(t.packet_class, t.rank);
  const auto packed = packed_.find(place_of(t));
  const bool is_whole = halves_ == Halves::kNone;
  std::vector<NodeId> destinations;
  for (NodeId v = 0; v < network_.graph().node_count(); ++v) {
    // The source has it. Who has packed it as a whole gets it with the packed packet, unless it is one with
    // this one.
    if (v != (halves_ == Halves::kPlain ? from : owned.node) && (is_whole || v != from))
      destinations.push_back(v);
  }
  std::vector<PacketIndex> parts;
  if (packed != packed_.end() && halves_ != Halves::kPlain) parts.push_back(packed->second);
  return found->second = make(Kind::kBroadcast, from, t.flits, owned.generated, destinations, parts);
}

// What has come to a node for a rank, its own contribution first.
std::vector<PacketIndex>& PartialScheduleWriter::parts_at(const Piece& piece, NodeId v, std::uint32_t flits) {
  std::vector<PacketIndex>& parts = parts_[{piece, v}];
  if (parts.empty()) parts.push_back(make(Kind::kSum, v, flits, 1, {}));
  return parts;
}

PacketIndex PartialScheduleWriter::sum(const PartialTransfer& t) {
  const std::vector<PacketIndex> parts = parts_at(piece_of(t), source(t), t.flits);
  const PacketIndex sum = parts.size() == 1 ? parts[0] : make(Kind::kSum, source(t), t.flits, 1, {}, parts);
  parts_at(piece_of(t), target(t), t.flits).push_back(sum);
  return sum;
}

PacketIndex PartialScheduleWriter::result(const PartialTransfer& t, const OwnedPacket& owned) {
  const auto [found, is_new] = results_.try_emplace(place_of(t), kNoPacket);
  if (!is_new) return found->second;
  std::vector<PacketIndex> parts;
  if (halves_ == Halves::kNone) parts = parts_at({t.packet_class, t.rank, 0}, source(t), t.flits);
  if (halves_ == Halves::kMade) {
    for (std::uint32_t piece = 0; piece < 2; ++piece) {
      const std::vector<PacketIndex>& half = parts_at({t.packet_class, t.rank, piece}, source(t), t.flits);
      parts.insert(parts.end(), half.begin(), half.end());
    }
  }
  return found->second = make(Kind::kResult, source(t), t.flits, 1, {owned.node}, parts);
}

void PartialScheduleWriter::finish_results(std::uint32_t flits, std::uint32_t pieces) {
  for (const auto& [place, owned] : owned_) {
    const auto [packet_class, rank] = place;
    const NodeId at = network_.node_at(packet_class, rank);
    if (halves_ != Halves::kPlain && (results_.contains(place) || at != owned.node)) continue;
    for (std::uint32_t piece = 0; piece < pieces; ++piece)
      make(Kind::kResult, at, flits, 1, {at}, parts_at({packet_class, rank, piece}, at, flits));
  }
}

Recording PartialScheduleWriter::take() {
  sort_sends(recording_.schedule);
  return std::move(recording_);
}

}  // namespace safnet
