#include "cpp_model/algorithm/partial/partial_broadcast_schedule.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace safnet {
namespace {

// A packet by class and rank; a half of it by class, rank and half.
using Place = std::tuple<std::uint32_t, std::uint32_t>;
using Piece = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
Place place_of(const PartialTransfer& t) { return {t.packet_class, t.rank}; }
Piece piece_of(const PartialTransfer& t) { return {t.packet_class, t.rank, t.piece}; }

class Writer {
 public:
  Writer(const DigitNetwork& network, const PartialBroadcastSettings& settings, const PartialPlan& plan)
      : network_(network), settings_(settings), plan_(plan), schedule_(network.graph()) {
    schedule_.link_latency = settings.latency;
    next_tag_.assign(network.graph().node_count(), 0);
    for (NodeId v = 0; v < network.graph().node_count(); ++v) nodes_.push_back(v);
    halves_ = pieces(network.shape(), settings) == 2;
  }

  Schedule write() {
    add_packed();
    for (const PartialTransfer& t : plan_.transfers) {
      switch (t.kind) {
        case PartialTransferKind::kPacking:
          send(t, packed_.at(place_of(t)));
          break;
        case PartialTransferKind::kBroadcast:
          send(t, broadcast_packet(t));
          break;
        case PartialTransferKind::kAccumulation:
          accumulate(t);
          break;
        case PartialTransferKind::kUnpacking:
          send(t, result(t));
          break;
        default:
          send(t, add(source(t), 1, {target(t)}));
      }
    }
    finish_results();
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  NodeId source(const PartialTransfer& t) const { return network_.graph().link_source(t.link); }
  NodeId target(const PartialTransfer& t) const { return network_.graph().link_target(t.link); }

  PacketIndex add(NodeId origin, std::uint32_t flits, const std::vector<NodeId>& destinations,
                  const std::vector<PacketIndex>& parts = {}) {
    return schedule_.packets.add(origin, next_tag_[origin]++, flits, destinations, parts);
  }
  void send(const PartialTransfer& t, PacketIndex packet) {
    schedule_.sends.push_back({static_cast<std::uint32_t>(t.cycle), t.link, packet});
  }

  // A packed packet goes to the node that its rank names. If a broadcast packet is made of it there, it is
  // not handed to that node's host.
  void add_packed() {
    for (const PartialTransfer& t : plan_.transfers) {
      if (t.kind != PartialTransferKind::kPacking || packed_.contains(place_of(t))) continue;
      const NodeId to = network_.node_at(t.packet_class, t.rank);
      packed_[place_of(t)] = add(source(t), t.flits, halves_ ? std::vector{to} : std::vector<NodeId>{});
    }
  }

  PacketIndex broadcast_packet(const PartialTransfer& t) {
    const auto [found, is_new] = broadcast_.try_emplace(piece_of(t), kNoPacket);
    if (!is_new) return found->second;
    const NodeId from = network_.node_at(t.packet_class, t.rank);
    const auto packed = packed_.find(place_of(t));
    if (!halves_ && packed != packed_.end()) {
      found->second = add(from, t.flits, nodes_, {packed->second});
    } else {
      std::vector<NodeId> others = nodes_;
      others.erase(others.begin() + from);
      found->second = add(from, t.flits, others);
    }
    return found->second;
  }

  // What has come to a node for a rank, its own contribution first.
  std::vector<PacketIndex>& parts_at(const Piece& piece, NodeId v, std::uint32_t flits) {
    std::vector<PacketIndex>& parts = parts_[{piece, v}];
    if (parts.empty()) parts.push_back(add(v, flits, {}));
    return parts;
  }
  void accumulate(const PartialTransfer& t) {
    const std::vector<PacketIndex> parts = parts_at(piece_of(t), source(t), t.flits);
    const PacketIndex sum = parts.size() == 1 ? parts[0] : add(source(t), t.flits, {}, parts);
    send(t, sum);
    parts_at(piece_of(t), target(t), t.flits).push_back(sum);
  }

  NodeId owner(std::uint32_t packet_class, std::uint32_t rank) const {
    const auto found = std::find_if(plan_.packets.begin(), plan_.packets.end(), [&](const RankedPacket& p) {
      return p.packet_class == packet_class && p.rank == rank;
    });
    return found->node;
  }
  PacketIndex result(const PartialTransfer& t) {
    const auto [found, is_new] = results_.try_emplace(place_of(t), kNoPacket);
    if (!is_new) return found->second;
    const NodeId to = owner(t.packet_class, t.rank);
    const std::vector<PacketIndex> parts =
        halves_ ? std::vector<PacketIndex>{} : parts_at({t.packet_class, t.rank, 0}, source(t), t.flits);
    found->second = add(source(t), t.flits, {to}, parts);
    return found->second;
  }
  // What is not unpacked, or not as one packet, is for the host where it has been combined.
  void finish_results() {
    if (std::none_of(plan_.transfers.begin(), plan_.transfers.end(),
                     [](const auto& t) { return t.kind == PartialTransferKind::kAccumulation; }))
      return;
    const std::uint32_t flits = broadcast_flits(network_.shape(), settings_);
    for (const RankedPacket& p : plan_.packets) {
      if (!halves_ && results_.contains({p.packet_class, p.rank})) continue;
      const NodeId at = network_.node_at(p.packet_class, p.rank);
      for (std::uint32_t piece = 0; piece < pieces(network_.shape(), settings_); ++piece)
        add(at, flits, {at}, parts_at({p.packet_class, p.rank, piece}, at, flits));
    }
  }

  const DigitNetwork& network_;
  const PartialBroadcastSettings& settings_;
  const PartialPlan& plan_;
  Schedule schedule_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> next_tag_;
  bool halves_ = false;  // packed together, broadcast one by one
  std::map<Place, PacketIndex> packed_, results_;
  std::map<Piece, PacketIndex> broadcast_;
  std::map<std::pair<Piece, NodeId>, std::vector<PacketIndex>> parts_;
};

}  // namespace

Schedule schedule_of_plan(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                          const PartialPlan& plan) {
  return Writer(network, settings, plan).write();
}

}  // namespace safnet
