#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"

#include <unordered_map>
#include <utility>

#include "cpp_model/algorithm/tree/informing_step.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

static_assert(kMaxSearchedForBroadcast <= 64);

SpanningTree fewest_steps_tree(const Graph& graph, NodeId root) {
  const NodeId n = graph.node_count();
  if (n > kMaxSearchedForBroadcast) {
    throw bad_input("tree fewest-steps: {} has {} nodes; expected at most {}", one_line(graph.spelling()), n,
                    kMaxSearchedForBroadcast);
  }
  const std::vector<NodeSet> informers = informers_of(graph);
  const NodeSet all = full_set(n), start = only(root);
  std::unordered_map<NodeSet, NodeSet> before{{start, 0}};  // set of informed nodes -> the one a step earlier
  std::vector<NodeSet> layer{start};
  while (before.count(all) == 0) {
    std::vector<NodeSet> next;
    for (const NodeSet informed : layer) {
      const auto visit = [&](NodeSet targets) {
        if (before.try_emplace(informed | targets, informed).second) next.push_back(informed | targets);
      };
      InformingStep(informers, informed).each_largest(visit, [] { return true; });
    }
    layer = std::move(next);
  }
  std::vector<NodeId> parent(n, kNoNode);
  for (NodeSet now = all; now != start; now = before[now]) {
    const NodeSet earlier = before[now];
    const std::vector<NodeId> informer = InformingStep(informers, earlier).informers(now & ~earlier);
    for (NodeId v = 0; v < n; ++v) {
      if (informer[v] != kNoNode) parent[v] = informer[v];
    }
  }
  return tree_from_parents(graph, root, std::move(parent));
}

}  // namespace safnet
