// collective - which packets must be delivered where: the definitions that schedules and runs are checked by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

enum class CollectiveKind : std::uint8_t {
  kBroadcast,
  kScatter,
  kTotalExchange,
  kMultipath,
  kGather,
  kReduction,              ///< accumulation: every node's packet, combined on the way, reaches the root
  kPartialExchange,        ///< each of some nodes has a packet of its own for every other node
  kPartialGather,          ///< every node has a packet of its own for each of some nodes
  kMultinodeBroadcast,     ///< every node's packet reaches all others
  kMultinodeAccumulation,  ///< every node gets a packet of each node, combined on the way
  kAllreduce,              ///< every node gets the same: a packet of each node, combined on the way
  kConcurrentBroadcast,    ///< some nodes have one or more packets that must reach all others
  // Sources: A = Varvarigos and Bertsekas, partial multinode broadcast in d-dimensional meshes; B =
  // Varvarigos, folded cubes.
  kScan,             ///< every node learns how many active nodes come before it, and how many there are
  kPacking,          ///< the i-th active node's packet to node i (A Theorem 3)
  kMonotoneRouting,  ///< the i-th active node's packet to the i-th destination (A Theorem 4)
  kPartialMultinodeBroadcast,     ///< the packet of each active node to all others (A Theorem 6, B section 3)
  kPartialMultinodeAccumulation,  ///< every active node gets a packet of each node, combined on the way (B
                                  ///< section 3)
};

/// The kinds of node that can carry out a collective, and what it needs to be told: a set of these.
enum CollectiveTrait : std::uint32_t {
  kOnPifo = 1,  ///< pifo_nodes; for a policy that scans first, exchange_nodes, which are pifo_nodes that can
  kOnTdm = 2,
  kOnScan = 4,  ///< scan_nodes, which find out by themselves which nodes are active
  kNeedsRoot = 8,
  kNeedsDestination = 16,
  kNeedsActive = 32,  ///< the nodes that take part
  kNeedsDestinations = 64,
  kOnSchedules = kOnPifo | kOnTdm,  ///< its packets are known beforehand: they can be planned and listed
  kOnAnyNode = kOnSchedules | kOnScan,
};

/// What becomes of a collective's packets on the way.
enum class Handling : std::uint8_t {
  kOther,         ///< not known without more than the collective, the nodes and the root
  kPersonal,      ///< one packet for every pair of an origin and a destination
  kCopied,        ///< an origin's packet is for all destinations
  kCombined,      ///< one packet of every origin becomes a result, for each destination one of its own
  kCombinedOnce,  ///< the same, one result for all destinations
};

/// Where a collective's packets come from, or go to.
enum class Parties : std::uint8_t { kNone, kRoot, kActive, kAll };

/// Some of a network's nodes, ascending: all below a number, or those of a list.
struct SomeNodes {
  NodeId all = 0;
  std::vector<NodeId> listed = {};  ///< if `all` is 0

  NodeId size() const { return all + static_cast<NodeId>(listed.size()); }
  NodeId operator[](NodeId place) const { return all != 0 ? place : listed[place]; }
  bool contains(NodeId v) const { return v < all || std::ranges::binary_search(listed, v); }
  /// How many of the nodes are below v.
  NodeId below(NodeId v) const {
    return all != 0 ? v : static_cast<NodeId>(std::ranges::lower_bound(listed, v) - listed.begin());
  }
  std::vector<NodeId> list() const;
};
/// Those of `nodes` nodes that `parties` stands for.
SomeNodes some_nodes(Parties parties, NodeId nodes, NodeId root, const std::vector<NodeId>& active);

/// One row of the table of collectives, which every command, file format and test goes by.
struct CollectiveName {
  CollectiveKind kind;
  std::string name;         ///< the papers' name: "total-exchange"
  std::string mpi_name;     ///< the MPI name, also accepted: "alltoall"; the same where MPI has none
  std::uint32_t traits;     ///< of CollectiveTrait
  std::string description;  ///< one line
  Handling handling = Handling::kOther;
  Parties from = Parties::kNone, to = Parties::kNone;
  bool has_root = (traits & kNeedsRoot) != 0;
  bool has_destination = (traits & kNeedsDestination) != 0;
  bool has_active = (traits & kNeedsActive) != 0;
  bool scans = (traits & kOnAnyNode) == kOnScan;  ///< scan_nodes alone can do it
};
const std::vector<CollectiveName>& collective_names();
const CollectiveName& name_of(CollectiveKind kind);

/// Reads either name of a collective that some of these kinds of node can carry out. Throws
/// std::invalid_argument naming the word and what was expected.
CollectiveKind parse_collective(const std::string& word, std::uint32_t on = kOnSchedules);
const std::string& to_string(CollectiveKind kind);
/// "all", "one" or "one-send"; throws std::invalid_argument.
PortModel parse_port_model(const std::string& word);
const std::string& to_string(PortModel ports);
/// "all-port", "one-port" or "one-port-send".
const std::string& in_words(PortModel ports);

/// A collective on a network of `node_count` processors, nodes 0 ... node_count-1: which packets must reach
/// which nodes, exactly once. With M messages there are M packets where it has one, m = 0 ... M - 1. Packets
/// are named so: a personal packet (scatter, gather, total exchange) carries its destination + m * nodes as
/// its tag, a broadcast packet m, those of a multipath transfer 0, 1, ... Reductions, partial gather and what
/// scan_nodes do are not one of these.
class Collective {
 public:
  /// `active`, ascending, of a collective of some nodes.
  Collective(CollectiveKind kind, NodeId node_count, NodeId root, std::uint32_t messages = 1,
             const std::vector<NodeId>& active = {});

  /// The root sends `packets` packets to one destination.
  static Collective multipath(NodeId node_count, NodeId root, NodeId destination, std::uint32_t packets);

  /// Each of the `active` nodes, ascending, has a packet of its own for every other node.
  static Collective partial_exchange(NodeId node_count, const std::vector<NodeId>& active,
                                     std::uint32_t messages = 1);

  /// Node v has `packets[v]` packets, with tags 0, 1, ..., that must reach all other nodes.
  static Collective concurrent_broadcast(std::vector<std::uint32_t> packets);

  CollectiveKind kind() const { return kind_; }
  NodeId root() const { return root_; }
  NodeId node_count() const { return node_count_; }
  /// Of a concurrent broadcast: packets of node v.
  std::uint32_t own_packets(NodeId v) const { return packets_below_.at(v + 1) - packets_below_[v]; }
  /// Whether packets are delivered as they were sent, not combined, and the collective says which there are.
  bool forwards() const { return is_personal() || is_copied(); }
  /// Must `packet` be delivered at `node`?
  bool expects(NodeId node, PacketId packet) const;
  /// Deliveries that the whole collective consists of.
  std::uint64_t expected_deliveries() const;
  /// Dense index (0 ... expected_at_node-1) of an expected packet among those that `node` must get.
  std::uint32_t delivery_index(NodeId node, PacketId packet) const;
  std::uint32_t expected_at_node(NodeId node) const;
  /// The packet with that index; the inverse of delivery_index().
  PacketId expected_packet(NodeId node, std::uint32_t index) const;

  /// How many packets there are; only if forwards().
  std::uint64_t packet_count() const { return messages_ * packets_of_a_message(); }
  /// The packets, by message, then by origin, then by destination or tag; contributions to a result are
  /// tagged with its number. `flits(p)`: length of packet number p; without it all have one flit.
  PacketList packets(const std::function<std::uint32_t(PacketIndex)>& flits = {}) const;
  /// Its number among these; kNoPacket if there is no such packet.
  PacketIndex number(PacketId packet) const;

 private:
  bool is_personal() const { return handling_ == Handling::kPersonal; }
  bool is_copied() const { return handling_ == Handling::kCopied; }
  bool has(PacketId packet) const;
  std::uint32_t message_of(PacketId packet) const;
  // How many packets an origin has for each set of destinations.
  std::uint32_t tags_of(NodeId origin) const;
  std::uint64_t packets_of_a_message() const;
  // Origins whose packets a node must get.
  std::uint32_t origins_for(NodeId node) const { return from_.size() - (from_.contains(node) ? 1 : 0); }

  CollectiveKind kind_;
  Handling handling_;
  NodeId node_count_;
  NodeId root_;
  std::uint32_t messages_ = 1;
  SomeNodes from_, to_;                       // one contains the other
  std::vector<std::uint32_t> packets_below_;  // of a concurrent broadcast, by node; one entry more, for all
};

}  // namespace safnet
