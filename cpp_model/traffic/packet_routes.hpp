// packet_routes - the ways that a total exchange policy gives single packets, and how they load the network.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/traffic/traffic_pattern.hpp"

namespace safnet {

/// What a policy for total exchange does with a packet from one processor to another. Its label tables are
/// kept as they are; its injections say with which label and rank a packet starts.
class PacketRoutes {
 public:
  /// `algorithm`: a policy for total exchange, by name; empty: "transit-first" where it applies, which at
  /// each node serves packets in the order of arrival, those in transit before the node's own, else the best
  /// there is. Throws std::invalid_argument if there is none of that name, if it sends packets to several
  /// nodes at once, or for more than 4096 nodes.
  PacketRoutes(Graph graph, PortModel ports, const std::string& algorithm);

  struct Start {
    Label label = 0;
    std::uint32_t rank = 0;
  };
  const Graph& graph() const { return graph_; }
  PortModel ports() const { return ports_; }
  const Algorithm& algorithm() const { return *algorithm_; }
  const Policy& policy() const { return policy_; }
  Start start(NodeId source, NodeId destination) const {
    return starts_[std::size_t{source} * graph_.processor_count() + destination];
  }
  std::uint32_t hops(NodeId source, NodeId destination) const;
  /// Calls `cross` with every link on the way: its source and output port. Where links are dealt, it is the
  /// first link of a branch. Throws std::invalid_argument if the way does not end.
  void follow(NodeId source, NodeId destination, const std::function<void(NodeId, PortId)>& cross) const;
  /// Links that packets of the branch which begins at this port are dealt to.
  std::uint32_t branch_links(NodeId node, PortId port) const;

 private:
  static constexpr std::uint8_t kDelivered = 0xff;

  Graph graph_;
  PortModel ports_;
  const Algorithm* algorithm_;
  Policy policy_;
  std::vector<Start> starts_;       // [source][destination]
  std::vector<std::uint8_t> port_;  // [node][label]
};

/// What the links carry, per flit that each sending node sends.
struct TrafficLimit {
  Rational busiest_link;   ///< flits on the link with the most
  LinkId link = 0;         ///< of several the lowest
  Rational load = 1;       ///< busy cycles of whatever has the most to do: a link, a port or a host
  std::string limited_by;  ///< what that is
  Rational mean_hops;      ///< of a packet
  /// Flits per sending node and cycle that can be carried at most: 1 / load.
  Rational throughput() const { return 1 / load; }
};

/// Adds up the ways of all packets, weighed as in the pattern. Ports limit the load with PortModel::kOnePort
/// (sending and receiving) and kOnePortSend (sending): a flit keeps one busy for `port_cycles_per_flit`
/// cycles. A host hands over a flit a cycle at most. Finite queues can only lower what is carried.
TrafficLimit traffic_limit(const PacketRoutes& routes, const TrafficPattern& pattern,
                           const Rational& port_cycles_per_flit = 1);

}  // namespace safnet
