#include "cpp_model/algorithm/tools/flat_graph.hpp"

#include <numeric>

namespace safnet {

FlatGraph::FlatGraph(const Graph& graph)
    : nodes(graph.node_count()),
      source(graph.link_count()),
      target(graph.link_count()),
      first_out(std::size_t{nodes} + 1, 0),
      first_in(std::size_t{nodes} + 1, 0) {
  for (LinkId link = 0; link < source.size(); ++link) {
    source[link] = graph.link_source(link);
    target[link] = graph.link_target(link);
    if (target[link] == kNoNode) continue;
    ++first_out[source[link] + 1];
    ++first_in[target[link] + 1];
  }
  std::partial_sum(first_out.begin(), first_out.end(), first_out.begin());
  std::partial_sum(first_in.begin(), first_in.end(), first_in.begin());
  out.resize(first_out.back());
  in.resize(first_in.back());
  std::vector<std::uint32_t> next_out(first_out), next_in(first_in);
  for (LinkId link = 0; link < source.size(); ++link) {
    if (target[link] == kNoNode) continue;
    out[next_out[source[link]]++] = link;
    in[next_in[target[link]]++] = link;
  }
}

std::vector<std::uint32_t> FlatGraph::search(NodeId node, bool backwards) const {
  std::vector<std::uint32_t> distance(nodes, kUnreachable);
  std::vector<NodeId> queue{node};
  distance[node] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const NodeId v = queue[head];
    for (const LinkId link : backwards ? into(v) : out_of(v)) {
      const NodeId u = backwards ? source[link] : target[link];
      if (distance[u] != kUnreachable) continue;
      distance[u] = distance[v] + 1;
      queue.push_back(u);
    }
  }
  return distance;
}

}  // namespace safnet
