#include "cpp_model/schedule/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

struct PortModelName {
  PortModel ports;
  std::string name;
};

const std::array<PortModelName, 3>& port_model_names() {
  static const std::array<PortModelName, 3> names{PortModelName{PortModel::kAllPort, "all"},
                                                  PortModelName{PortModel::kOnePort, "one"},
                                                  PortModelName{PortModel::kOnePortSend, "one-send"}};
  return names;
}

}  // namespace

const std::vector<CollectiveName>& collective_names() {
  static const std::vector<CollectiveName> names{
      {CollectiveKind::kBroadcast, "broadcast", "bcast", kOnSchedules | kNeedsRoot,
       "one packet of the root reaches every other node"},
      {CollectiveKind::kScatter, "scatter", "scatter", kOnSchedules | kNeedsRoot,
       "the root has a packet of its own for every other node"},
      {CollectiveKind::kTotalExchange, "total-exchange", "alltoall", kOnSchedules,
       "every node has a packet of its own for every other node"},
      {CollectiveKind::kMultipath, "multipath", "send", kOnPifo | kNeedsRoot | kNeedsDestination,
       "the root sends another node a packet over each of several node-disjoint paths"},
      {CollectiveKind::kGather, "gather", "gather", kOnSchedules | kNeedsRoot,
       "every other node has a packet for the root"},
      {CollectiveKind::kReduction, "reduction", "reduce", kOnTdm | kNeedsRoot,
       "the root gets every node's packet, combined on the way"},
      {CollectiveKind::kPartialExchange, "partial-exchange", "partial-exchange", kOnSchedules | kNeedsActive,
       "each active node has a packet of its own for every other node"},
      {CollectiveKind::kPartialGather, "partial-gather", "partial-gather", kOnTdm | kNeedsActive,
       "every node has a packet of its own for each active node"},
      {CollectiveKind::kMultinodeBroadcast, "multinode-broadcast", "allgather", kOnSchedules,
       "a packet of every node reaches every other node"},
      {CollectiveKind::kMultinodeAccumulation, "multinode-accumulation", "reduce-scatter", kOnTdm,
       "every node gets a packet of each node, combined on the way"},
      {CollectiveKind::kAllreduce, "allreduce", "allreduce", kOnTdm,
       "all nodes get the same packet: one of every node, combined on the way"},
      {CollectiveKind::kConcurrentBroadcast, "concurrent-broadcast", "concurrent-broadcast",
       kOnSchedules | kNeedsActive,
       "each active node has a packet for all others, as many as it is named times"},
      {CollectiveKind::kScan, "scan", "scan", kOnScan | kNeedsActive,
       "every node learns how many active nodes come before it, and how many there are"},
      {CollectiveKind::kPacking, "packing", "packing", kOnScan | kNeedsActive,
       "the packet of the i-th active node goes to node i"},
      {CollectiveKind::kMonotoneRouting, "monotone-routing", "monotone-routing",
       kOnScan | kNeedsActive | kNeedsDestinations,
       "the packet of the i-th active node goes to the i-th of --destinations"},
      {CollectiveKind::kPartialMultinodeBroadcast, "partial-multinode-broadcast",
       "partial-multinode-broadcast", kOnScan | kNeedsActive, "each active node has a packet for all others"},
      {CollectiveKind::kPartialMultinodeAccumulation, "partial-multinode-accumulation",
       "partial-multinode-accumulation", kOnScan | kNeedsActive,
       "each active node gets a packet of every node, combined on the way"},
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
  std::vector<std::string> expected;
  for (const PortModelName& entry : port_model_names()) {
    if (word == entry.name) return entry.ports;
    expected.push_back(entry.name);
  }
  throw bad_input("port model {}: expected {}", in_quotes(word), fmt::join(expected, ", "));
}

const std::string& to_string(PortModel ports) {
  for (const PortModelName& entry : port_model_names()) {
    if (entry.ports == ports) return entry.name;
  }
  throw std::logic_error("a port model without a name");
}

const std::string& in_words(PortModel ports) {
  static const std::array<std::string, 3> words{"all-port", "one-port", "one-port-send"};
  return words.at(static_cast<std::size_t>(ports));
}

Collective::Collective(CollectiveKind kind, NodeId node_count, NodeId root, std::uint32_t messages)
    : kind_(kind), node_count_(node_count), root_(root), messages_(messages) {
  if (root >= node_count) {
    throw bad_input("root {}: expected a node from 0 to {}", root, node_count - 1);
  }
}

Collective Collective::multipath(NodeId node_count, NodeId root, NodeId destination, std::uint32_t packets) {
  Collective collective(CollectiveKind::kMultipath, node_count, root);
  if (destination >= node_count || destination == root) {
    throw bad_input("destination {}: expected a node from 0 to {} other than the root, {}", destination,
                    node_count - 1, root);
  }
  collective.destination_ = destination;
  collective.packets_ = packets;
  return collective;
}

Collective Collective::partial_exchange(NodeId node_count, std::vector<NodeId> active,
                                        std::uint32_t messages) {
  Collective collective(CollectiveKind::kPartialExchange, node_count, 0, messages);
  collective.active_ = std::move(active);
  return collective;
}

Collective Collective::concurrent_broadcast(std::vector<std::uint32_t> packets) {
  Collective collective(CollectiveKind::kConcurrentBroadcast, static_cast<NodeId>(packets.size()), 0);
  collective.packets_below_.assign(packets.size() + 1, 0);
  std::partial_sum(packets.begin(), packets.end(), collective.packets_below_.begin() + 1);
  return collective;
}

bool Collective::is_active(NodeId v) const { return std::ranges::binary_search(active_, v); }
std::uint32_t Collective::active_below(NodeId v) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(active_, v) - active_.begin());
}

bool Collective::expects(NodeId node, PacketId packet) const {
  if (node >= node_count_ || packet.source >= node_count_ || packet.source == node) return false;
  const bool is_personal = packet.tag % node_count_ == node && packet.tag / node_count_ < messages_;
  switch (kind_) {
    case CollectiveKind::kBroadcast:
      return packet.source == root_ && packet.tag < messages_;
    case CollectiveKind::kMultinodeBroadcast:
      return packet.tag < messages_;
    case CollectiveKind::kScatter:
      return packet.source == root_ && is_personal;
    case CollectiveKind::kTotalExchange:
      return is_personal;
    case CollectiveKind::kPartialExchange:
      return is_personal && is_active(packet.source);
    case CollectiveKind::kConcurrentBroadcast:
      return packet.tag < packets_of(packet.source);
    case CollectiveKind::kMultipath:
      return node == destination_ && packet.source == root_ && packet.tag < packets_;
    case CollectiveKind::kGather:
      return node == root_ && is_personal;
    default:
      return false;
  }
}

std::uint64_t Collective::expected_deliveries() const {
  if (kind_ == CollectiveKind::kMultipath) return packets_;
  std::uint64_t sum = 0;
  for (NodeId v = 0; v < node_count_; ++v) sum += expected_at_node(v);
  return sum;
}

bool Collective::from_every_node() const {
  return kind_ == CollectiveKind::kTotalExchange || kind_ == CollectiveKind::kGather ||
         kind_ == CollectiveKind::kMultinodeBroadcast;
}

std::uint32_t Collective::delivery_index(NodeId node, PacketId packet) const {
  if (!expects(node, packet)) {
    throw std::out_of_range(
        fmt::format("packet ({}, {}) is not meant for node {}", packet.source, packet.tag, node));
  }
  if (kind_ == CollectiveKind::kMultipath || kind_ == CollectiveKind::kBroadcast) return packet.tag;
  const std::uint32_t message =
      kind_ == CollectiveKind::kMultinodeBroadcast ? packet.tag : packet.tag / node_count_;
  if (kind_ == CollectiveKind::kPartialExchange) {
    const std::uint32_t itself = is_active(node) && packet.source > node ? 1 : 0;
    return message * (expected_at_node(node) / messages_) + active_below(packet.source) - itself;
  }
  if (kind_ == CollectiveKind::kConcurrentBroadcast)
    return packets_below_[packet.source] + packet.tag - (packet.source > node ? packets_of(node) : 0);
  if (!from_every_node()) return message;
  return message * (node_count_ - 1) + (packet.source < node ? packet.source : packet.source - 1);
}

std::uint32_t Collective::expected_at_node(NodeId node) const {
  if (node >= node_count_) return 0;  // it only routes
  switch (kind_) {
    case CollectiveKind::kTotalExchange:
    case CollectiveKind::kMultinodeBroadcast:
      return (node_count_ - 1) * messages_;
    case CollectiveKind::kPartialExchange:
      return (static_cast<std::uint32_t>(active_.size()) - (is_active(node) ? 1 : 0)) * messages_;
    case CollectiveKind::kConcurrentBroadcast:
      return packets_below_.back() - packets_of(node);
    case CollectiveKind::kMultipath:
      return node == destination_ ? packets_ : 0;
    case CollectiveKind::kGather:
      return node == root_ ? (node_count_ - 1) * messages_ : 0;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kScatter:
      return node == root_ ? 0 : messages_;
    default:
      return 0;
  }
}

PacketId Collective::expected_packet(NodeId node, std::uint32_t index) const {
  if (index >= expected_at_node(node)) {
    throw std::out_of_range(
        fmt::format("node {} expects {} packets, no number {}", node, expected_at_node(node), index));
  }
  if (kind_ == CollectiveKind::kBroadcast || kind_ == CollectiveKind::kMultipath) return {root_, index};
  if (kind_ == CollectiveKind::kScatter) return {root_, node + index * node_count_};
  if (kind_ == CollectiveKind::kPartialExchange) {
    const std::uint32_t each = expected_at_node(node) / messages_;
    const std::uint32_t place = index % each;
    const bool itself = is_active(node) && place >= active_below(node);
    return {active_[place + (itself ? 1 : 0)], node + index / each * node_count_};
  }
  if (kind_ == CollectiveKind::kConcurrentBroadcast) {
    const std::uint32_t place = index + (index < packets_below_[node] ? 0 : packets_of(node));
    const auto after = std::ranges::upper_bound(packets_below_, place);
    const auto source = static_cast<NodeId>(after - packets_below_.begin() - 1);
    return {source, place - packets_below_[source]};
  }
  const std::uint32_t message = index / (node_count_ - 1);
  const NodeId source = index % (node_count_ - 1) + (index % (node_count_ - 1) < node ? 0 : 1);
  return {source, kind_ == CollectiveKind::kMultinodeBroadcast ? message : node + message * node_count_};
}

}  // namespace safnet
