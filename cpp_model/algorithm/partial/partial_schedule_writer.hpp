// partial_schedule_writer - the transfers of partial broadcasts and accumulations, planned or seen on links,
// become a recording: which packet every transfer carries.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// A packet that waits at its node, or, in an accumulation, what that node wants.
struct OwnedPacket : RankedPacket {
  NodeId destination = kNoNode;  ///< whose host gets it when it is unpacked; kNoNode: not of that kind
  std::uint32_t generated = 1;   ///< cycle from which on its node has it
};

/// Packets become these packets of the schedule:
/// - Packing: one, from its node to the node that its rank names. Nobody's host gets it there unless the
///   collective ends with that, or halves are made of it.
/// - Broadcast: one (or two halves) from there to all nodes, made of the packed one.
/// - Accumulation: each node's contribution, and one for each sum of what has come to a node. The result is
///   made of the last.
/// - Prefixes: one of one hop each.
class PartialScheduleWriter {
 public:
  enum class Purpose : std::uint8_t {
    /// For check_schedule(): halves, which are shorter than what they are made of, are packets made of
    /// nothing;
    /// packets that come back to the node whose they are, and prefixes, are for its host.
    kCheck,
    /// For eyes: what is made of what, and who gets something that it did not have.
    kView,
  };
  /// `network` must outlive the writer. `in_halves`: packets are packed as a whole and broadcast in two
  /// halves.
  PartialScheduleWriter(const DigitNetwork& network, std::uint32_t link_latency, bool in_halves,
                        Purpose purpose);

  /// An interval begins, with these packets.
  void begin(const std::vector<OwnedPacket>& packets);
  /// A transfer of this interval, later than or as late as the one before. A packet that is not of the
  /// interval becomes one of a single hop.
  void add(const PartialTransfer& transfer);
  /// The interval ends: results of an accumulation whose nodes they came together at need not be sent. Plain
  /// halves of all results come to an end there. `flits`: of each.
  void finish_results(std::uint32_t flits, std::uint32_t pieces);
  /// All that was added. The writer must not be used any more.
  Recording take();

 private:
  // A packet by class and rank; a half of it by class, rank and half.
  using Place = std::tuple<std::uint32_t, std::uint32_t>;
  using Piece = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Place place_of(const PartialTransfer& t) { return {t.packet_class, t.rank}; }
  static Piece piece_of(const PartialTransfer& t) { return {t.packet_class, t.rank, t.piece}; }
  NodeId source(const PartialTransfer& t) const { return network_.graph().link_source(t.link); }
  NodeId target(const PartialTransfer& t) const { return network_.graph().link_target(t.link); }

  /// What a packet is, in the order of the words that the recording has for it.
  enum class Kind : std::uint8_t { kPrefix, kPacked, kBroadcast, kSum, kResult, kUnknown };
  PacketIndex make(Kind kind, NodeId origin, std::uint32_t flits, std::uint32_t generated,
                   const std::vector<NodeId>& destinations, const std::vector<PacketIndex>& parts = {});
  PacketIndex packet_of(const PartialTransfer& t);
  PacketIndex packed(const PartialTransfer& t, const OwnedPacket& owned);
  PacketIndex broadcast(const PartialTransfer& t, const OwnedPacket& owned);
  std::vector<PacketIndex>& parts_at(const Piece& piece, NodeId v, std::uint32_t flits);
  PacketIndex sum(const PartialTransfer& t);
  PacketIndex result(const PartialTransfer& t, const OwnedPacket& owned);

  const DigitNetwork& network_;
  bool plain_halves() const { return in_halves_ && purpose_ == Purpose::kCheck; }
  bool in_halves_;
  Purpose purpose_;
  Recording recording_;
  std::vector<std::uint32_t> next_tag_;
  // Of this interval.
  std::map<Place, OwnedPacket> owned_;
  std::map<Place, PacketIndex> packed_, results_;
  std::map<Piece, PacketIndex> broadcast_;
  std::map<std::pair<Piece, NodeId>, std::vector<PacketIndex>> parts_;
};

}  // namespace safnet
