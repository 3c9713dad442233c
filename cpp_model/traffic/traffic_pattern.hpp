// traffic_pattern - where the packets of each node go: the patterns that network studies use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/traffic/random_numbers.hpp"

namespace safnet {

/// A pattern among the processors of a network. A node that a pattern maps onto itself sends nothing.
class TrafficPattern {
 public:
  /// By name, one of traffic_pattern_names(). `hot_spot` and `hot_fraction` are for "hot-spot" only: with
  /// that probability a packet goes to that node, otherwise to any but its source. Throws
  /// std::invalid_argument, saying what is needed, if the pattern is unknown or undefined on this network.
  TrafficPattern(const std::string& name, const Graph& graph, NodeId hot_spot = 0,
                 const Rational& hot_fraction = Rational(1, 10));

  const std::string& name() const { return name_; }
  bool sends(NodeId source) const { return destination_.empty() || destination_[source] != source; }
  /// Nodes that send.
  NodeId senders() const;
  /// The destination of the next packet of a node that sends.
  NodeId draw(NodeId source, RandomNumbers& random) const;
  /// The probability that a packet of `source` goes to `destination`, in parts of weight_sum().
  std::uint64_t weight(NodeId source, NodeId destination) const;
  std::uint64_t weight_sum() const { return weight_sum_; }
  /// The destination of each node, if there is only one; else empty.
  const std::vector<NodeId>& permutation() const { return destination_; }

 private:
  bool aims_at_hot_spot(NodeId source) const { return name_ == "hot-spot" && source != hot_spot_; }

  std::string name_;
  NodeId processors_;
  NodeId hot_spot_;
  std::uint64_t hot_parts_, all_parts_;  // the fraction
  Chance aims_;
  std::uint64_t weight_sum_ = 1;
  std::vector<NodeId> destination_;
};

const std::vector<std::string>& traffic_pattern_names();

}  // namespace safnet
