// label_use - which labels packets bring to which nodes, where that is a small part of all nodes' tables.
//
// A scatter in a network of 65,536 nodes has as many labels, and each node sees those of the destinations
// behind it: 600,000 entries in all, of four thousand million.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"

namespace safnet {

class LabelUse {
 public:
  /// Follows the packets of all hosts. Nothing if the tables are small enough to be filled with all that a
  /// policy says, or if packets bring many labels to many nodes.
  static std::optional<LabelUse> if_sparse(const Graph& graph, const Policy& policy);

  /// Labels of packets that come to a node or start there, in ascending order.
  std::span<const Label> at(NodeId v) const {
    return std::span(labels_).subspan(begin_[v], begin_[v + 1] - begin_[v]);
  }
  /// Pages of memory that all nodes' entries touch in a table with so many bytes for each.
  std::uint64_t pages(std::uint64_t bytes_of_entry) const;

 private:
  std::vector<std::size_t> begin_;  // of each node's labels
  std::vector<Label> labels_;
};

}  // namespace safnet
