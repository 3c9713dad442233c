// named_edges - what the readers of graph files have in common: a network as its file spells it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/port_numbering.hpp"

namespace safnet {

/// Nodes by name and the edges between them, in the order of the file.
struct NamedEdges {
  std::vector<std::string> names;
  std::vector<std::pair<NodeId, NodeId>> edges;  ///< indices into `names`
  /// Where the format has latencies in cycles, one for each edge.
  std::vector<EdgeLatency> latencies = {};
  bool directed = false;
  bool strict = false;            ///< edges that repeat another are to be left out
  std::set<NodeId> routers = {};  ///< indices into `names` of nodes that only route
  std::set<std::string> unused =
      {};  ///< what the file says of its edges, such as "bandwidth", and is not used
};

/// What files call the kind of a node: a node whose attribute of this name says "switch" or "router" only
/// routes. All other nodes process.
inline constexpr std::string_view kTypeOfNode = "type";
/// Whether a node of this type, in whatever case, only routes.
bool is_router_type(std::string_view type);

/// Whether an attribute of an edge says how fast or long it is. It is not used unless its format defines it
/// in cycles, which the user is told.
bool is_link_speed(std::string_view attribute);

/// Most edges (links, if they are directed) that a DOT or GraphML file may have: Boost's parser of DOT keeps
/// some three kilobytes for each.
inline constexpr std::size_t kMaxParsedEdges = std::size_t{1} << 18;

inline constexpr std::size_t kLongestNodeName = 64;
/// Letters, digits and '_', kLongestNodeName at most, no number: usable as a scope name in a waveform.
bool is_node_name(const std::string& name);

/// Numbers names in the order of their first appearance.
class NameTable {
 public:
  /// The number of `name`, a new one if it was not seen before. Nothing if that were more than kMaxNodes.
  std::optional<NodeId> number_of(std::string_view name);
  bool contains(std::string_view name) const { return numbers_.contains(name); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, NodeId, std::less<>> numbers_;
  std::vector<std::string> names_;
};

/// Tells the user that the least latency of a network from a file counts as none.
void note_latencies(const Graph& graph, const std::string& shown);

/// The graph of these edges, of one-way links if an edge of a directed network has no opposite. Throws
/// std::invalid_argument with one line if a node has too many links or some node cannot be reached from
/// another.
Graph graph_of_named_edges(NamedEdges file, const std::string& shown, std::string spelling);

}  // namespace safnet
