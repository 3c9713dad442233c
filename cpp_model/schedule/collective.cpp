#include "cpp_model/schedule/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

const std::array<std::string, 3>& port_model_names() {
  static const std::array<std::string, 3> names{"all", "one", "one-send"};
  return names;
}

}  // namespace

const std::vector<CollectiveName>& collective_names() {
  using enum CollectiveKind;
  using enum Handling;
  using enum Parties;
  static const std::vector<CollectiveName> names{
      {kBroadcast, "broadcast", "bcast", kOnSchedules | kNeedsRoot,
       "one packet of the root reaches every other node", kCopied, kRoot, kAll},
      {kScatter, "scatter", "scatter", kOnSchedules | kNeedsRoot,
       "the root has a packet of its own for every other node", kPersonal, kRoot, kAll},
      {kTotalExchange, "total-exchange", "alltoall", kOnSchedules,
       "every node has a packet of its own for every other node", kPersonal, kAll, kAll},
      {kMultipath, "multipath", "send", kOnPifo | kNeedsRoot | kNeedsDestination,
       "the root sends another node a packet over each of several node-disjoint paths"},
      {kGather, "gather", "gather", kOnSchedules | kNeedsRoot, "every other node has a packet for the root",
       kPersonal, kAll, kRoot},
      {kReduction, "reduction", "reduce", kOnTdm | kNeedsRoot,
       "the root gets every node's packet, combined on the way", kCombined, kAll, kRoot},
      {kPartialExchange, "partial-exchange", "partial-exchange", kOnSchedules | kNeedsActive,
       "each active node has a packet of its own for every other node", kPersonal, kActive, kAll},
      {kPartialGather, "partial-gather", "partial-gather", kOnTdm | kNeedsActive,
       "every node has a packet of its own for each active node", kPersonal, kAll, kActive},
      {kMultinodeBroadcast, "multinode-broadcast", "allgather", kOnSchedules,
       "a packet of every node reaches every other node", kCopied, kAll, kAll},
      {kMultinodeAccumulation, "multinode-accumulation", "reduce-scatter", kOnTdm,
       "every node gets a packet of each node, combined on the way", kCombined, kAll, kAll},
      {kAllreduce, "allreduce", "allreduce", kOnTdm,
       "all nodes get the same packet: one of every node, combined on the way", kCombinedOnce, kAll, kAll},
      {kConcurrentBroadcast, "concurrent-broadcast", "concurrent-broadcast", kOnSchedules | kNeedsActive,
       "each active node has a packet for all others, as many as it is named times", kCopied, kActive, kAll},
      {kScan, "scan", "scan", kOnScan | kNeedsActive,
       "every node learns how many active nodes come before it, and how many there are"},
      {kPacking, "packing", "packing", kOnScan | kNeedsActive,
       "the packet of the i-th active node goes to node i"},
      {kMonotoneRouting, "monotone-routing", "monotone-routing", kOnScan | kNeedsActive | kNeedsDestinations,
       "the packet of the i-th active node goes to the i-th of --destinations"},
      {kPartialMultinodeBroadcast, "partial-multinode-broadcast", "partial-multinode-broadcast",
       kOnScan | kNeedsActive, "each active node has a packet for all others"},
      {kPartialMultinodeAccumulation, "partial-multinode-accumulation", "partial-multinode-accumulation",
       kOnScan | kNeedsActive, "each active node gets a packet of every node, combined on the way"},
  };
  return names;
}

CollectiveKind parse_collective(const std::string& word, std::uint32_t on) {
  std::vector<std::string> expected;
  for (const CollectiveName& entry : collective_names()) {
    if ((entry.traits & on) == 0) continue;
    if (word == entry.name || word == entry.mpi_name) return entry.kind;
    expected.push_back(entry.name == entry.mpi_name ? entry.name
                                                    : fmt::format("{} ({})", entry.name, entry.mpi_name));
  }
  throw bad_input("collective {}: expected {}", in_quotes(word), fmt::join(expected, ", "));
}

const CollectiveName& name_of(CollectiveKind kind) {
  for (const CollectiveName& entry : collective_names()) {
    if (entry.kind == kind) return entry;
  }
  throw std::logic_error("a collective without a name");
}

const std::string& to_string(CollectiveKind kind) { return name_of(kind).name; }

PortModel parse_port_model(const std::string& word) {
  const auto& names = port_model_names();
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) {
    throw bad_input("port model {}: expected {}", in_quotes(word), fmt::join(names, ", "));
  }
  return static_cast<PortModel>(found - names.begin());
}

const std::string& to_string(PortModel ports) {
  return port_model_names().at(static_cast<std::size_t>(ports));
}

const std::string& in_words(PortModel ports) {
  static const std::array<std::string, 3> words{"all-port", "one-port", "one-port-send"};
  return words.at(static_cast<std::size_t>(ports));
}

std::vector<NodeId> SomeNodes::list() const {
  std::vector<NodeId> nodes(size());
  for (NodeId i = 0; i < size(); ++i) nodes[i] = (*this)[i];
  return nodes;
}

SomeNodes some_nodes(Parties parties, NodeId nodes, NodeId root, const std::vector<NodeId>& active) {
  if (parties == Parties::kAll) return {nodes};
  if (parties == Parties::kActive) return {0, active};
  return {0, parties == Parties::kRoot ? std::vector<NodeId>{root} : std::vector<NodeId>{}};
}

Collective::Collective(CollectiveKind kind, NodeId node_count, NodeId root, std::uint32_t messages,
                       const std::vector<NodeId>& active)
    : kind_(kind), node_count_(node_count), root_(root), messages_(messages) {
  if (root >= node_count) {
    throw bad_input("root {}: expected a node from 0 to {}", root, node_count - 1);
  }
  const CollectiveName& name = name_of(kind);
  handling_ = name.handling;
  from_ = some_nodes(name.from, node_count, root, active);
  to_ = some_nodes(name.to, node_count, root, active);
}

Collective Collective::multipath(NodeId node_count, NodeId root, NodeId destination, std::uint32_t packets) {
  Collective collective(CollectiveKind::kMultipath, node_count, root, packets);
  if (destination >= node_count || destination == root) {
    throw bad_input("destination {}: expected a node from 0 to {} other than the root, {}", destination,
                    node_count - 1, root);
  }
  collective.handling_ = Handling::kCopied;
  collective.from_.listed = {root};
  collective.to_.listed = {destination};
  return collective;
}

Collective Collective::partial_exchange(NodeId node_count, const std::vector<NodeId>& active,
                                        std::uint32_t messages) {
  return {CollectiveKind::kPartialExchange, node_count, 0, messages, active};
}

Collective Collective::concurrent_broadcast(std::vector<std::uint32_t> packets) {
  Collective collective(CollectiveKind::kConcurrentBroadcast, static_cast<NodeId>(packets.size()), 0);
  collective.from_ = collective.to_;
  collective.packets_below_.assign(packets.size() + 1, 0);
  std::partial_sum(packets.begin(), packets.end(), collective.packets_below_.begin() + 1);
  return collective;
}

std::uint32_t Collective::message_of(PacketId packet) const {
  return is_personal() ? packet.tag / node_count_ : packet.tag;
}

std::uint32_t Collective::tags_of(NodeId origin) const {
  if (!packets_below_.empty()) return own_packets(origin);
  return messages_ * (handling_ == Handling::kCombined ? to_.size() : 1);
}

bool Collective::has(PacketId packet) const {
  if (!from_.contains(packet.source) || message_of(packet) >= tags_of(packet.source)) return false;
  const NodeId to = packet.tag % node_count_;
  return !is_personal() || (to != packet.source && to_.contains(to));
}

bool Collective::expects(NodeId node, PacketId packet) const {
  if (!forwards() || node == packet.source || !has(packet)) return false;
  return is_personal() ? node == packet.tag % node_count_ : to_.contains(node);
}

std::uint64_t Collective::expected_deliveries() const {
  std::uint64_t sum = 0;
  for (NodeId i = 0; i < to_.size(); ++i) sum += expected_at_node(to_[i]);
  return sum;
}

std::uint32_t Collective::delivery_index(NodeId node, PacketId packet) const {
  if (!expects(node, packet)) {
    throw std::out_of_range(
        fmt::format("packet ({}, {}) is not meant for node {}", packet.source, packet.tag, node));
  }
  if (!packets_below_.empty())
    return packets_below_[packet.source] + packet.tag - (packet.source > node ? own_packets(node) : 0);
  const bool itself = packet.source > node && from_.contains(node);
  return message_of(packet) * origins_for(node) + from_.below(packet.source) - (itself ? 1 : 0);
}

std::uint32_t Collective::expected_at_node(NodeId node) const {
  if (!forwards() || !to_.contains(node)) return 0;
  return packets_below_.empty() ? origins_for(node) * messages_ : packets_below_.back() - own_packets(node);
}

PacketId Collective::expected_packet(NodeId node, std::uint32_t index) const {
  if (index >= expected_at_node(node)) {
    throw std::out_of_range(
        fmt::format("node {} expects {} packets, no number {}", node, expected_at_node(node), index));
  }
  if (!packets_below_.empty()) {
    const std::uint32_t place = index + (index < packets_below_[node] ? 0 : own_packets(node));
    const auto after = std::ranges::upper_bound(packets_below_, place);
    const auto source = static_cast<NodeId>(after - packets_below_.begin() - 1);
    return {source, place - packets_below_[source]};
  }
  const std::uint32_t message = index / origins_for(node), place = index % origins_for(node);
  const bool itself = from_.contains(node) && place >= from_.below(node);
  return {from_[place + (itself ? 1 : 0)], is_personal() ? node + message * node_count_ : message};
}

std::uint64_t Collective::packets_of_a_message() const {
  if (!packets_below_.empty()) return packets_below_.back();
  const std::uint64_t origins = from_.size(), destinations = to_.size();
  return is_personal() ? origins * destinations - std::min(origins, destinations) : origins;
}

PacketIndex Collective::number(PacketId packet) const {
  if (!has(packet)) return kNoPacket;
  if (!packets_below_.empty()) return packets_below_[packet.source] + packet.tag;
  const NodeId before = from_.below(packet.source);
  if (!is_personal()) return packet.tag * from_.size() + before;
  // Origins that are destinations as well have a packet less, none for themselves.
  const NodeId to = packet.tag % node_count_, both_before = std::min(before, to_.below(packet.source));
  const auto first = static_cast<PacketIndex>(message_of(packet) * packets_of_a_message());
  return first + before * to_.size() - both_before + to_.below(to) -
         (packet.source < to && to_.contains(packet.source) ? 1 : 0);
}

PacketList Collective::packets(const std::function<std::uint32_t(PacketIndex)>& flits) const {
  const std::vector<NodeId> origins = from_.list(), destinations = to_.list();
  PacketList list;
  const auto add = [&](NodeId origin, std::uint32_t tag, std::span<const NodeId> to) {
    list.add(origin, tag, flits ? flits(list.size()) : 1, to);
  };
  // A packet of a node for all others.
  const auto add_copied = [&](NodeId origin, std::uint32_t tag) {
    std::vector<NodeId> others = destinations;
    std::erase(others, origin);
    add(origin, tag, others);
  };
  if (!packets_below_.empty()) {
    for (const NodeId v : origins) {
      for (std::uint32_t tag = 0; tag < own_packets(v); ++tag) add_copied(v, tag);
    }
    return list;
  }
  if (is_personal()) {
    const std::uint64_t most = std::uint64_t{messages_} * origins.size() * destinations.size();
    list.reserve(most, most);
  }
  const std::uint32_t tags = origins.empty() ? 0 : tags_of(origins.front());
  for (std::uint32_t m = 0; m < tags; ++m) {
    for (const NodeId v : origins) {
      if (is_copied()) add_copied(v, m);
      if (!forwards()) add(v, m, {});
      for (std::size_t i = 0; is_personal() && i < destinations.size(); ++i) {
        if (destinations[i] != v) add(v, destinations[i] + m * node_count_, std::span(&destinations[i], 1));
      }
    }
  }
  return list;
}

}  // namespace safnet
