// port_numbering - a graph from a list of edges: ports are numbered in the order in which edges come.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Nodes and what has been connected so far: full-duplex edges, or one-way links with LinkPairs::kNotAll.
class PortNumbering {
 public:
  explicit PortNumbering(std::size_t nodes = 0, LinkPairs pairs = LinkPairs::kAll)
      : ports_(nodes), inputs_(nodes), pairs_(pairs) {}
  /// Makes room for a node that was not counted before.
  void add_node(NodeId v) {
    ports_.resize(std::max<std::size_t>(ports_.size(), v + std::size_t{1}));
    inputs_.resize(ports_.size());
  }
  bool empty() const { return ports_.empty(); }

  /// Which of u and v has no port left for an edge between them, or for a link from u to v: all kMaxDegree
  /// are taken.
  std::optional<NodeId> full_end(NodeId u, NodeId v) const {
    if (ports_[u].size() >= kMaxDegree) return u;
    if (inputs_[v] >= kMaxDegree) return v;
    return std::nullopt;
  }
  /// An edge takes the next free port of both nodes, a link that of u's outputs and v's inputs.
  void connect(NodeId u, NodeId v) {
    ports_.at(u).push_back({v, inputs_.at(v)++});
    if (pairs_ == LinkPairs::kAll) ports_[v].push_back({u, inputs_[u]++});
  }

  /// Throws what Graph throws.
  Graph graph(std::string spelling) && { return Graph(std::move(spelling), std::move(ports_), pairs_); }

 private:
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<PortId> inputs_;  // input ports taken, by node
  LinkPairs pairs_;
};

}  // namespace safnet
