#include "sim/scan/scan_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostPacketsKept = 5'000'000;  // on links, in 40 bytes each

std::vector<NodeId> by_address(const DigitNetwork& network, std::vector<NodeId> nodes, std::uint32_t c) {
  std::sort(nodes.begin(), nodes.end(),
            [&](NodeId a, NodeId b) { return network.address(a, c) < network.address(b, c); });
  return nodes;
}

}  // namespace

ScanRanks ranks_of(const DigitNetwork& network, const ScanSettings& settings,
                   const std::vector<NodeId>& active) {
  const NodeId nodes = network.graph().node_count();
  ScanRanks ranks;
  ranks.class_of.resize(nodes);
  if (settings.classed) {
    std::uint32_t place = 0;
    for (const NodeId v : settings.known ? active : by_address(network, active, 0))
      ranks.class_of[v] = place++ % settings.class_count;
  }
  for (std::uint32_t c = 0; c < settings.class_count; ++c) {
    std::uint64_t next = 0;
    std::vector<std::uint64_t>& rank = ranks.rank.emplace_back(nodes, ScanRanks::kNone);
    for (const NodeId v : by_address(network, active, c)) {
      if (!settings.classed || ranks.class_of[v] == c) rank[v] = next++;
    }
    ranks.total.push_back(next);
    ranks.group = std::max(ranks.group, next);
  }
  return ranks;
}

ScanHosts::ScanHosts(const DigitNetwork& network, const ScanSettings& settings,
                     const ScanParameters& parameters, Keep keep)
    : Recorder(network.graph(), false),
      network_(network),
      settings_(settings),
      code_{network.side(), network.digits(), static_cast<std::uint32_t>(parameters.digit_width)},
      packets_(settings.pack_flits, settings.cast_flits, settings.header_flit, settings.two_pieces),
      keep_(keep),
      parts_(settings.classed ? 1 : settings.class_count),
      pieces_(settings.two_pieces ? 2 : 1),
      place_(nodes(), kNowhere),
      lanes_(std::size_t{nodes()} * settings.class_count * kScanLanes),
      flits_left_(keep.packets ? places() : 0) {}

void ScanHosts::begin_interval(ScanWork work) {
  for (const NodeId v : active_) place_[v] = kNowhere;
  active_ = std::move(work.active);
  destinations_ = std::move(work.destinations);
  numbers_ = std::move(work.numbers);
  numbers_.resize(active_.size());
  generated_ = std::move(work.generated);
  generated_.resize(active_.size(), 1);
  for (std::size_t i = 0; i < active_.size(); ++i) place_[active_[i]] = static_cast<std::uint32_t>(i);
  ranks_ = ranks_of(network_, settings_, active_);
  got_.assign((is_broadcast() ? nodes() : std::size_t{1}) * active_.size(), 0);
  deliveries_.assign(active_.size(), 0);
  last_delivery_.assign(active_.size(), 0);
  if (keep_.packets) intervals_.push_back({owned_packets(), {}});
}

std::uint64_t ScanHosts::expected_of_each() const {
  if (settings_.operation == ScanOperation::kScan) return 0;
  return is_broadcast() ? std::uint64_t{nodes() - 1} * parts_ * pieces_ : parts_;
}

std::size_t ScanHosts::drop_unfinished() {
  std::size_t unfinished = 0;
  for (Flits& flits : lanes_) {
    unfinished += flits.empty() ? 0 : 1;
    flits.clear();
  }
  return unfinished;
}

ScanPlace ScanHosts::place_of(NodeId node) const {
  ScanPlace place;
  for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
    place.address.push_back(digits_of(network_.address(node, c)));
    for (std::uint32_t l = 0; l < network_.digits(); ++l) {
      const PortId plus = network_.plus_port(node, c, l), minus = network_.minus_port(node, c, l);
      place.plus_port.push_back(plus == kNoPort ? 0 : plus);
      place.minus_port.push_back(minus == kNoPort ? 0 : minus);
    }
    if (!settings_.known) continue;
    const std::uint64_t rank = ranks_.rank[c][node];
    place.known_rank.push_back(rank == ScanRanks::kNone ? 0 : digits_of(rank));
    place.known_total.push_back(digits_of(ranks_.total[c]));
  }
  if (settings_.known && place_[node] != kNowhere) place.known_class = ranks_.class_of[node];
  return place;
}

// Ranks beyond the number of active nodes are left out, as no sum is asked for them.
std::vector<ScanOperand> ScanHosts::operands_of(NodeId node) const {
  std::vector<ScanOperand> operands;
  if (settings_.operation != ScanOperation::kAccumulate) return operands;
  for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
    for (std::uint64_t rank = 0; rank < ranks_.total[c]; ++rank) {
      for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
        for (std::uint32_t k = 0; k < settings_.cast_flits; ++k) {
          std::uint64_t value = ScanPackets::operand(node, c, rank, piece, k);
          if (k == 0)
            value = (value & ~ScanPackets::kHeaderMask) | ScanPackets::header(digits_of(rank), 0, 0);
          operands.push_back({c, digits_of(rank), piece, k, value});
        }
      }
    }
  }
  return operands;
}

// What the payload of a packet's part is made from: no two parts of a node's packets have the same.
std::uint32_t ScanHosts::name_of(std::size_t place, std::uint32_t class_number) const {
  return numbers_[place] * parts_ + part_of(class_number);
}
std::uint64_t ScanHosts::destination_digits(std::size_t place) const {
  if (settings_.operation != ScanOperation::kMonotone) return 0;
  return digits_of(network_.address(destinations_[place], 0));
}

std::uint64_t ScanHosts::own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) {
  const std::uint32_t place = place_[node];
  if (place == kNowhere) return 0;
  return ScanPackets::own(node, name_of(place, class_number), index, destination_digits(place));
}

// The packets of this interval: who has them, and whose hosts get them where packets are not broadcast.
std::vector<OwnedPacket> ScanHosts::owned_packets() const {
  std::vector<OwnedPacket> packets;
  for (std::size_t place = 0; place < active_.size(); ++place) {
    for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
      const std::uint64_t rank = ranks_.rank[c][active_[place]];
      if (rank == ScanRanks::kNone) continue;
      OwnedPacket packet{{active_[place], c, static_cast<std::uint32_t>(rank)}, kNoNode, generated_[place]};
      if (settings_.operation == ScanOperation::kPack)
        packet.destination = network_.node_at(c, static_cast<NodeId>(rank));
      if (settings_.operation == ScanOperation::kMonotone) packet.destination = destinations_[place];
      packets.push_back(packet);
    }
  }
  return packets;
}

void ScanHosts::on_link_flit(const FlitEvent& flit) {
  count_sent(flit);
  if (keep_.flits) transfers_.push_back({flit.now.cycle, flit.node, flit.port, flit.value()});
  if (!keep_.packets) return;
  std::uint32_t& left = flits_left_[Recorder::place_of(flit)];
  if (left == 0) {
    if (++packets_seen_ > kMostPacketsKept)
      throw bad_input("the run: more than {} packets on links; expected fewer for a page or a trace",
                      kMostPacketsKept);
    const PartialTransfer packet = packet_on_link(flit);
    intervals_.back().transfers.push_back(packet);
    left = packet.flits;
  }
  --left;
}

// The packet whose first flit has entered a link: of which kind, as the phase of the node tells, and which
// one, as the flit tells.
PartialTransfer ScanHosts::packet_on_link(const FlitEvent& first) const {
  using enum PartialTransferKind;
  PartialTransfer packet;
  packet.cycle = first.now.cycle;
  packet.link = graph().link(first.node, first.port);
  packet.packet_class = SeenInterval::kUnknownClass;
  packet.rank = static_cast<std::uint32_t>(number_of(ScanPackets::rank_of(first.value())));
  packet.flits = settings_.pack_flits;
  switch (machine_->status(first.node).scan.phase) {
    case ScanPhase::kClassScan:
    case ScanPhase::kRankScan:
      packet.kind = kRankScanForward;
      packet.flits = 1;
      break;
    case ScanPhase::kCombine:
      packet.kind = kAccumulation;
      packet.flits = settings_.cast_flits;
      break;
    case ScanPhase::kBroadcast:
      packet.kind = kBroadcast;
      packet.flits = settings_.cast_flits;
      find_part(first.value(), packet);
      break;
    case ScanPhase::kUnpack:
      packet.kind = kUnpacking;
      if (settings_.operation == ScanOperation::kAccumulate)
        find_result(first.value(), packet);
      else
        find_part(first.value(), packet);
      break;
    default:
      packet.kind = kPacking;
      find_part(first.value(), packet);
  }
  return packet;
}

// Finds the class, the rank and the piece of what begins with `flit`: the payload of no two of them is the
// same.
void ScanHosts::find_part(std::uint64_t flit, PartialTransfer& packet) const {
  const NodeId source = ScanPackets::source_of(flit);
  if (source >= nodes() || place_[source] == kNowhere) return;
  const bool whole = packet.kind != PartialTransferKind::kBroadcast;
  const std::size_t place = place_[source];
  for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
    const std::uint64_t rank = ranks_.rank[c][source];
    if (rank == ScanRanks::kNone) continue;
    for (std::uint32_t piece = 0; piece < (whole ? 1 : pieces_); ++piece) {
      const std::uint32_t name = name_of(place, c);
      const std::uint64_t expected =
          whole ? ScanPackets::packed(source, name, 0, digits_of(rank), destination_digits(place))
                : packets_.piece(source, name, piece, 0, digits_of(rank));
      if (flit != expected) continue;
      packet.packet_class = c;
      packet.piece = piece;
      packet.rank = static_cast<std::uint32_t>(rank);
      return;
    }
  }
}

// Finds the class of a result, which its header names by rank and by the address of who wants it; if that is
// the same in several classes, the sum decides.
void ScanHosts::find_result(std::uint64_t flit, PartialTransfer& packet) const {
  for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
    for (const NodeId v : active_) {
      if (ranks_.rank[c][v] != packet.rank) continue;
      // The field of the source has a parity bit between nodes.
      if (ScanPackets::destination_of(flit) == digits_of(network_.address(v, c)) &&
          (flit & ~ScanPackets::kHeaderMask) == (expected_flit(v, c, 0) & ~ScanPackets::kHeaderMask))
        packet.packet_class = c;
    }
  }
}

PacketInWords ScanHosts::packet_in_words(const FlitEvent& first) const {
  if (machine_ == nullptr) return {};
  const PartialTransfer packet = packet_on_link(first);
  if (packet.kind < PartialTransferKind::kPacking) return {"scan", 1};
  if (settings_.operation == ScanOperation::kAccumulate)
    return {fmt::format("sum #{}", packet.rank), packet.flits};
  const NodeId source = ScanPackets::source_of(first.value());
  if (source >= nodes() || place_[source] == kNowhere) return {"?", packet.flits};
  if (packet.packet_class == SeenInterval::kUnknownClass) return {node_in_words(source) + ">?", packet.flits};
  const std::size_t place = place_[source];
  const bool whole = packet.kind != PartialTransferKind::kBroadcast;
  const NodeId to = settings_.operation == ScanOperation::kMonotone
                        ? destinations_[place]
                        : network_.node_at(packet.packet_class, packet.rank);
  return {
      fmt::format("{}>{} #{}{}{}", node_in_words(source), whole ? node_in_words(to) : "*", numbers_[place],
                  parts_ == 1 ? "" : fmt::format(" part {}", part_of(packet.packet_class)),
                  whole || pieces_ == 1 ? "" : fmt::format(" piece {}", packet.piece)),
      packet.flits};
}

void ScanHosts::on_delivered_flit(const FlitEvent& flit) {
  const auto& [now, node, lane, words, last] = flit;
  Flits& flits = lanes_[std::size_t{node} * settings_.class_count * kScanLanes + lane];
  flits.push_back(flit.value());
  if (!last) return;
  count_got(node, {now.cycle, 0});  // scan_nodes count no steps
  if (settings_.operation == ScanOperation::kAccumulate) {
    receive_sum(now, node, lane / kScanLanes, flits);
  } else {
    receive_packet(now, node, lane / kScanLanes, lane % kScanLanes, flits);
  }
  flits.clear();
}

bool ScanHosts::is_intact(NetworkTime now, NodeId node, NodeId source, std::uint32_t c, bool whole,
                          std::uint32_t piece, const Flits& flits) {
  const std::size_t place = place_[source];
  const std::uint64_t rank = digits_of(ranks_.rank[c][source]);
  const std::uint32_t name = name_of(place, c);
  for (std::uint32_t k = 0; k < flits.size(); ++k) {
    const std::uint64_t expected = whole
                                       ? ScanPackets::packed(source, name, k, rank, destination_digits(place))
                                       : packets_.piece(source, name, piece, k, rank);
    if (flits[k] == expected) continue;
    seen(node).problems.add(
        "cycle {}: flit {} of the packet of node {} is {:016x} at node {}, expected {:016x}", now.cycle, k,
        node_in_words(source), flits[k], node_in_words(node), expected);
    return false;
  }
  if (flits.size() == (whole ? settings_.pack_flits : settings_.cast_flits)) return true;
  seen(node).problems.add("cycle {}: node {} got {} flits of the packet of node {}", now.cycle,
                          node_in_words(node), flits.size(), node_in_words(source));
  return false;
}

void ScanHosts::receive_packet(NetworkTime now, NodeId node, std::uint32_t c, std::uint32_t lane,
                               const Flits& flits) {
  Problems& problems = seen(node).problems;
  const NodeId source = ScanPackets::source_of(flits[0]);
  if (source >= nodes() || place_[source] == kNowhere) {
    return problems.add("cycle {}: node {} got a packet of node {}, which has none", now.cycle,
                        node_in_words(node), node_in_words(source));
  }
  if (ranks_.rank[c][source] == ScanRanks::kNone) {
    return problems.add("cycle {}: node {} got the packet of node {} in class {}", now.cycle,
                        node_in_words(node), node_in_words(source), c);
  }
  const bool whole = lane >= kScanWhole;
  const std::uint32_t piece = whole || !settings_.two_pieces || lane == 1 ? 0 : 1;
  if (!is_intact(now, node, source, c, whole, piece, flits)) return;
  const std::size_t place = place_[source];
  if (is_broadcast()) {
    for (std::uint32_t g = 0; g < pieces_; ++g) {
      if (whole || g == piece) count(now, node, place, part_of(c), g);
    }
    return;
  }
  const NodeId destination = settings_.operation == ScanOperation::kMonotone
                                 ? destinations_[place]
                                 : network_.node_at(0, static_cast<NodeId>(ranks_.rank[c][source]));
  if (node != destination) {
    return problems.add("cycle {}: the packet of node {} arrived at node {}, expected node {}", now.cycle,
                        node_in_words(source), node_in_words(node), node_in_words(destination));
  }
  count(now, node, place, 0, 0);
}

// Flit `k`, as it is packed, of what all nodes give for the sum that an active node wants in a class.
std::uint64_t ScanHosts::expected_flit(NodeId node, std::uint32_t c, std::uint32_t k) const {
  const std::uint32_t piece = packets_.piece_of(k), index = packets_.index_in_piece(k);
  std::uint64_t sum = 0;
  for (NodeId v = 0; v < nodes(); ++v)
    sum = ScanPackets::sum(sum, ScanPackets::operand(v, c, ranks_.rank[c][node], piece, index), index == 0);
  return sum;
}

void ScanHosts::receive_sum(NetworkTime now, NodeId node, std::uint32_t c, const Flits& flits) {
  Problems& problems = seen(node).problems;
  if (place_[node] == kNowhere || ranks_.rank[c][node] == ScanRanks::kNone) {
    return problems.add("cycle {}: node {} got a sum of class {}, but wants none", now.cycle,
                        node_in_words(node), c);
  }
  Flits expected;
  for (std::uint32_t k = 0; k < settings_.pack_flits; ++k) expected.push_back(expected_flit(node, c, k));
  const std::uint64_t header =
      ScanPackets::header(digits_of(ranks_.rank[c][node]), digits_of(network_.address(node, c)), 0);
  for (std::uint32_t k = 0; k < flits.size(); ++k) {
    const bool first = packets_.index_in_piece(k) == 0;
    const std::uint64_t payload_mask = first ? ~ScanPackets::kHeaderMask : ~std::uint64_t{0};
    if (k >= expected.size() || (flits[k] & payload_mask) != (expected[k] & payload_mask) ||
        (k == 0 && (flits[0] & ScanPackets::kHeaderMask) != header)) {
      return problems.add("cycle {}: flit {} of the sum for node {} in class {} is {:016x}, expected {:016x}",
                          now.cycle, k, node_in_words(node), c, flits[k],
                          k < expected.size() ? expected[k] | (k == 0 ? header : 0) : 0);
    }
  }
  if (flits.size() != settings_.pack_flits) {
    return problems.add("cycle {}: node {} got {} flits of its sum", now.cycle, node_in_words(node),
                        flits.size());
  }
  count(now, node, place_[node], part_of(c), 0);
}

std::uint64_t& ScanHosts::got(NodeId node, std::size_t place) {
  return got_[is_broadcast() ? node * active_.size() + place : place];
}

void ScanHosts::count(NetworkTime now, NodeId node, std::size_t place, std::uint32_t part,
                      std::uint32_t piece) {
  Seen& at = seen(node);
  const std::uint64_t bit = std::uint64_t{1} << (part * pieces_ + piece);
  if ((got(node, place) & bit) != 0) {
    ++at.duplicated;
    return at.problems.add("cycle {}: node {} got the packet of node {} twice", now.cycle,
                           node_in_words(node), node_in_words(active_[place]));
  }
  got(node, place) |= bit;
  if (is_broadcast() && node == active_[place]) {
    ++returned_;
    return;
  }
  ++at.delivered;
  ++deliveries_[place];
  last_delivery_[place] = std::max(last_delivery_[place], now.cycle);
}

void ScanHosts::check_returned(Problems& problems) const {
  if (!is_broadcast()) return;
  for (std::size_t place = 0; place < active_.size(); ++place) {
    const NodeId source = active_[place];
    for (std::uint32_t part = 0; part < parts_; ++part) {
      const std::uint32_t c = settings_.classed ? ranks_.class_of[source] : part;
      const NodeId home = network_.node_at(c, static_cast<NodeId>(ranks_.rank[c][source]));
      for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
        const bool has = (got_[source * active_.size() + place] >> (part * pieces_ + piece) & 1) != 0;
        if (has != (home != source))
          problems.add("part {}, piece {} of the packet of node {}, packed to node {}, {} come back to it",
                       part, piece, node_in_words(source), node_in_words(home),
                       has ? "should not have" : "has not");
      }
    }
  }
}

std::vector<std::string> ScanHosts::missing(std::size_t limit) const {
  std::vector<std::string> lines;
  if (settings_.operation == ScanOperation::kScan) return lines;
  const std::uint32_t pieces = is_broadcast() ? pieces_ : 1;
  for (std::size_t at = 0; at < got_.size(); ++at) {
    const NodeId source = active_[at % active_.size()];
    const auto node = static_cast<NodeId>(at / active_.size());
    if (is_broadcast() && node == source) continue;
    for (std::uint32_t bit = 0; bit < parts_ * pieces; ++bit) {
      if ((got_[at] >> ((bit / pieces) * pieces_ + bit % pieces) & 1) != 0) continue;
      if (lines.size() == limit) return lines;
      lines.push_back(
          is_broadcast() ? fmt::format("node {} has not got part {}, piece {} of the packet of node {}",
                                       node_in_words(node), bit / pieces, bit % pieces, node_in_words(source))
                         : fmt::format("the packet of node {} has not arrived", node_in_words(source)));
    }
  }
  return lines;
}

}  // namespace safnet
