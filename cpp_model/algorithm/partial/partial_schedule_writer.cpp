#include "cpp_model/algorithm/partial/partial_schedule_writer.hpp"

#include <utility>

namespace safnet {

PartialScheduleWriter::PartialScheduleWriter(const DigitNetwork& network, std::uint32_t link_latency,
                                             bool in_halves, Purpose purpose)
    : network_(network),
      in_halves_(in_halves),
      purpose_(purpose),
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
  if (t.kind < PartialTransferKind::kPacking) {
    std::vector<NodeId> destinations;
    if (purpose_ == Purpose::kCheck) destinations.push_back(target(t));
    return make(Kind::kPrefix, source(t), t.flits, now, destinations);
  }
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
  } else if (in_halves_) {
    destinations = {network_.node_at(t.packet_class, t.rank)};
  }
  return found->second = make(Kind::kPacked, owned.node, t.flits, owned.generated, destinations);
}

PacketIndex PartialScheduleWriter::broadcast(const PartialTransfer& t, const OwnedPacket& owned) {
  const auto [found, is_new] = broadcast_.try_emplace(piece_of(t), kNoPacket);
  if (!is_new) return found->second;
  const NodeId from = network_.node_at(t.packet_class, t.rank);
  const auto packed = packed_.find(place_of(t));
  std::vector<PacketIndex> parts;
  if (packed != packed_.end() && !plain_halves()) parts.push_back(packed->second);
  std::vector<NodeId> destinations;
  for (NodeId v = 0; v < network_.graph().node_count(); ++v) {
    // The node that it starts from gets it as a whole, when it is made of the packed one, or has got that.
    if (v == from && (in_halves_ || parts.empty())) continue;
    if (v == owned.node && purpose_ == Purpose::kView) continue;
    destinations.push_back(v);
  }
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
  if (!in_halves_) parts = parts_at({t.packet_class, t.rank, 0}, source(t), t.flits);
  if (in_halves_ && !plain_halves()) {
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
    if (!plain_halves() && (results_.contains(place) || at != owned.node)) continue;
    for (std::uint32_t piece = 0; piece < pieces; ++piece)
      make(Kind::kResult, at, flits, 1, {at}, parts_at({packet_class, rank, piece}, at, flits));
  }
}

Recording PartialScheduleWriter::take() {
  sort_sends(recording_.schedule);
  return std::move(recording_);
}

}  // namespace safnet
