// Scatter, furthest-first over a spanning tree: thesis 3.3, Theorem 3.6 (one-port) and 3.4, Theorem 3.7
// (all-port).
//
// The label is the destination. The root sends the packets of the deepest nodes first; below it no packet
// ever waits.
#include <algorithm>
#include <memory>

#include "cpp_model/algorithm/spanning_tree.hpp"
#include "cpp_model/algorithm/tree_collectives.hpp"

namespace safnet {
namespace {

std::uint32_t largest_root_subtree(const SpanningTree& tree, const Graph& graph) {
  std::uint32_t largest = 0;
  for (const PortId p : tree.children[tree.root])
    largest = std::max(largest, tree.subtree_size[graph.peer(tree.root, p).node]);
  return largest;
}

// Without --tree: of the trees at hand the one whose largest subtree at the root is the smallest.
SpanningTree scatter_tree(const Problem& problem) {
  if (!problem.tree.empty()) return make_tree(problem.tree, problem.graph, problem.root);
  SpanningTree best = shortest_path_tree(problem.graph, problem.root);
  if (!problem.graph.factors().empty()) {
    SpanningTree other = product_tree(problem.graph, problem.root);
    if (largest_root_subtree(other, problem.graph) < largest_root_subtree(best, problem.graph))
      best = std::move(other);
  }
  return best;
}

// A tree with what is needed to find, at any node, the child on the way to a destination.
struct RoutedTree {
  explicit RoutedTree(const Graph& graph, SpanningTree spanning)
      : tree(std::move(spanning)), enter(graph.node_count()) {
    // Depth-first numbers: the subtree of v is enter[v] ... enter[v] + subtree_size[v] - 1.
    for (const NodeId v : tree.order) {
      std::uint32_t next = enter[v] + 1;
      for (const PortId p : tree.children[v]) {
        const NodeId child = graph.peer(v, p).node;
        enter[child] = next;
        next += tree.subtree_size[child];
      }
    }
    child_enter.resize(graph.node_count());
    for (const NodeId v : tree.order) {
      for (const PortId p : tree.children[v]) child_enter[v].push_back(enter[graph.peer(v, p).node]);
    }
  }
  bool below(NodeId v, NodeId d) const {
    return enter[d] >= enter[v] && enter[d] < enter[v] + tree.subtree_size[v];
  }
  PortId port_towards(NodeId v, NodeId d) const {
    const auto& starts = child_enter[v];
    const auto child = std::upper_bound(starts.begin(), starts.end(), enter[d]) - starts.begin() - 1;
    return tree.children[v][static_cast<std::size_t>(child)];
  }
  SpanningTree tree;
  std::vector<std::uint32_t> enter;
  std::vector<std::vector<std::uint32_t>> child_enter;
};

Policy scatter_policy(const Problem& problem) {
  const auto routed = std::make_shared<const RoutedTree>(problem.graph, scatter_tree(problem));
  Policy policy;
  policy.label_count = problem.graph.node_count();
  policy.host_packets = problem.graph.node_count() - 1;
  policy.conflict_free = true;  // every node has one parent
  policy.table = [routed](NodeId v, Label d) {
    TableEntry entry;
    if (d == v) {
      entry.deliver = v != routed->tree.root;
    } else if (routed->below(v, d)) {
      entry.output_mask = std::uint64_t{1} << routed->port_towards(v, d);
    }
    return entry;
  };
  policy.injections = [routed](NodeId v) {
    std::vector<Injection> packets;
    if (v != routed->tree.root) return packets;
    // All ranks are equal: the order of injection is the priority, and below the root no packet waits.
    for (std::size_t i = routed->tree.order.size(); i-- > 1;) {
      const NodeId d = routed->tree.order[i];
      packets.push_back({d, d, 0});
    }
    return packets;
  };
  return policy;
}

}  // namespace

std::vector<Algorithm> scatter_algorithms() {
  Algorithm algorithm;
  algorithm.name = "furthest-first";
  algorithm.collective = CollectiveKind::kScatter;
  algorithm.source = "thesis 3.3, Theorem 3.6; 3.4, Theorem 3.7";
  algorithm.description =
      "packets of the deepest nodes of a spanning tree leave first; --tree names the tree";
  algorithm.domain = "any network, any spanning tree";
  algorithm.why_not = [](const Problem&) { return std::string(); };
  algorithm.policy = scatter_policy;
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    if (p.ports != PortModel::kAllPort) return p.graph.node_count() - 1;
    return largest_root_subtree(scatter_tree(p), p.graph);
  };
  return {algorithm};
}

}  // namespace safnet
