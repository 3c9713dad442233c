// policy - an on-line algorithm in the form a pifo_node runs it: label tables, ranks and what each host
// injects.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

using Label = std::uint32_t;

/// What a node's label table says of one label.
struct TableEntry {
  PortSet output_mask = 0;  ///< forward through these ports; more than one is multicast
  bool deliver = false;     ///< hand a copy to the local host
  std::uint32_t rank = 0;   ///< priority of packets in transit, smallest first
  /// Order in which a one-port node serves the ports of the mask; ports not listed follow in ascending order.
  std::vector<PortId> service_order;
  /// One-port nodes: the rank of a multicast packet once its first copy has left. Its other copies then join
  /// the queue anew, as if the packet had arrived in that cycle, but before all packets that do. Empty, or
  /// equal to `rank`: the packet keeps its place.
  std::optional<std::uint32_t> rest_rank = {};
};

/// One packet that a host hands to its node before the run starts. Packets of one host are injected in the
/// order of the list. A local packet loses every tie in rank against packets in transit.
struct Injection {
  Label label = 0;
  std::uint32_t tag = 0;
  std::uint32_t rank = 0;   ///< priority of this packet at its source
  std::uint32_t flits = 0;  ///< its length; 0: as long as the run's packets are
};

/// What hosts inject: rounds that differ only in the packets' tags, one round for each message. A function of
/// the node alone is one round. Hosts with many packets need not list them all.
struct InjectionRounds {
  std::function<std::vector<Injection>(NodeId)> round;
  std::uint32_t rounds = 1;
  std::uint32_t tag_stride = 0;  ///< the tags of a round are so much above those of the round before

  InjectionRounds() = default;
  template <std::invocable<NodeId> Round>
  requires(!std::same_as<std::remove_cvref_t<Round>, InjectionRounds>) InjectionRounds(Round one_round)
      : round(std::move(one_round)) {}
  std::vector<Injection> operator()(NodeId v) const;  ///< all rounds
};

/// A node's place in a tree of links: ports as masks. `towards` is 0 at the root, `away` at leaves.
struct TreePorts {
  std::uint64_t towards = 0, away = 0;
};

/// What exchange_nodes find out before they exchange packets: how many nodes of their row and of their column
/// are active, added up over one tree per row and per column. A node whose row has more than its column is of
/// class 1, others of class 0. Beforehand a node knows only whether it is active itself.
struct ClassScan {
  std::uint32_t hops = 0;  ///< that a scan takes: twice the depth of the trees
  std::function<TreePorts(NodeId)> row, column;
  std::function<bool(NodeId)> is_active;
  /// What a host injects if its node is of the class: for both classes the same packets in the same order,
  /// apart from their ranks and bit 0 of their labels, which is the class.
  std::function<std::vector<Injection>(NodeId, std::uint32_t)> injections;
  /// What the scan has to find: active nodes of the node's row and column.
  std::function<std::uint32_t(NodeId)> row_sum, column_sum;
};

/// Everything a network of pifo_nodes needs to run one algorithm. Functions, not tables: a network of
/// thousands of nodes never holds all its tables in memory twice.
struct Policy {
  std::uint32_t label_count = 1;  ///< labels are 0 ... label_count-1
  std::uint32_t rank_levels = 1;  ///< ranks are 0 ... rank_levels-1
  std::function<TableEntry(NodeId, Label)> table;
  InjectionRounds injections;
  /// True if no node is ever sent two packets in one step: one-port nodes then need no grants.
  bool conflict_free = false;
  /// Where several neighbouring ports lead to the same node they are one branch: masks name its first port,
  /// and the router deals the packets of a branch to its links in turn as they arrive (those that arrive at
  /// once in the order of their input ports, the host's last). Otherwise masks name links.
  bool deals_links = false;
  bool rest_ranks = false;         ///< some table entry has a rest_rank; one-port nodes are built for it
  std::uint32_t host_packets = 1;  ///< most packets that one host injects
  /// Not null: for exchange_nodes. `injections` are then what the scan leads to.
  std::shared_ptr<const ClassScan> scan = nullptr;
  /// Upper bound on the packets that can wait at once in a queue, and of those that came over one link in any
  /// queues of a node; sizes the hardware's queues.
  std::uint64_t queue_bound = 1;
};

}  // namespace safnet
