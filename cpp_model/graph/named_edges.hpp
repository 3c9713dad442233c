// named_edges - what the readers of graph files have in common: a network as its file spells it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Nodes by name and the edges between them, in the order of the file.
struct NamedEdges {
  std::vector<std::string> names;
  std::vector<std::pair<NodeId, NodeId>> edges;  ///< indices into `names`
  bool directed = false;
  bool strict = false;  ///< edges that repeat another are to be left out
};

/// Most edges (links, if they are directed) that a DOT or GraphML file may have: their parsers keep
/// some three kilobytes for each.
inline constexpr std::size_t kMaxParsedEdges = std::size_t{1} << 18;

/// Numbers names in the order of their first appearance.
class NameTable {
 public:
  /// The number of `name`, a new one if it was not seen before. Throws std::length_error beyond kMaxNodes.
  NodeId number_of(std::string_view name);
  bool contains(std::string_view name) const { return numbers_.contains(name); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, NodeId, std::less<>> numbers_;
  std::vector<std::string> names_;
};

/// Reads DOT (Graphviz). Attributes, ports and the grouping by subgraphs are passed over; edges between
/// subgraphs are refused. `shown` names the file in messages. Throws std::invalid_argument with one line.
NamedEdges read_dot(std::string_view text, const std::string& shown);

/// Reads GraphML. Data are passed over; nested graphs, hyperedges and ports are refused. `shown` names the
/// file in messages. Throws std::invalid_argument with one line.
NamedEdges read_graphml(std::string_view text, const std::string& shown);

}  // namespace safnet
