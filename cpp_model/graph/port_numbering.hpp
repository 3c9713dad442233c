// port_numbering - a graph from a list of edges: ports are numbered in the order in which edges come.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Nodes and what has been connected so far: full-duplex edges, or one-way links with LinkPairs::kNotAll.
class PortNumbering {
 public:
  explicit PortNumbering(std::size_t nodes = 0, LinkPairs pairs = LinkPairs::kAll)
      : ports_(nodes), inputs_(nodes), pairs_(pairs) {}
  /// Makes room for a node that was not counted before.
  void add_node(NodeId v);
  bool empty() const { return ports_.empty(); }

  /// The end of an edge, or of a link from u to v, that has kMaxDegree ports and none left for it, if there
  /// is one.
  std::optional<NodeId> full_end(NodeId u, NodeId v) const;
  /// An edge takes the next free port of both nodes, a link that of u's outputs and v's inputs.
  void connect(NodeId u, NodeId v);

  /// Throws what Graph throws.
  Graph graph(std::string spelling) &&;

 private:
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<PortId> inputs_;  // taken, by node
  LinkPairs pairs_;
};

}  // namespace safnet
