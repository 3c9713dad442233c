// flat_graph - the links of a graph in flat arrays, for planners that look at them over and over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Links and neighbours of a graph in flat arrays. Links that lead nowhere are left out.
struct FlatGraph {
  explicit FlatGraph(const Graph& graph);
  NodeId nodes = 0;
  std::vector<NodeId> source, target;              ///< by link
  std::vector<std::uint32_t> first_out, first_in;  ///< by node, into the lists
  std::vector<LinkId> out, in;
  /// The links that leave a node, and those that enter it.
  std::span<const LinkId> out_of(NodeId v) const {
    return {out.data() + first_out[v], first_out[v + 1] - first_out[v]};
  }
  std::span<const LinkId> into(NodeId v) const {
    return {in.data() + first_in[v], first_in[v + 1] - first_in[v]};
  }
  /// Hops from a node to every other, or from every other to it; kUnreachable where there is no way.
  std::vector<std::uint32_t> distances_from(NodeId node) const { return search(node, false); }
  std::vector<std::uint32_t> distances_to(NodeId node) const { return search(node, true); }

 private:
  std::vector<std::uint32_t> search(NodeId node, bool backwards) const;
};

}  // namespace safnet
