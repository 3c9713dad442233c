#include "cpp_model/algorithm/tree/spanning_tree.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

struct Growing {
  explicit Growing(const Graph& graph, NodeId root)
      : parent(graph.node_count(), kNoNode), port(graph.node_count(), 0), reached(graph.node_count(), false) {
    reached[root] = true;
  }
  bool add(const Graph& graph, NodeId from, PortId p) {
    const NodeId to = graph.peer(from, p).node;
    if (reached[to]) return false;
    reached[to] = true;
    parent[to] = from;
    port[to] = p;
    return true;
  }
  std::vector<NodeId> parent;
  std::vector<PortId> port;
  std::vector<bool> reached;
};

}  // namespace

SpanningTree finish_tree(const Graph& graph, NodeId root, std::vector<NodeId> parent,
                         std::vector<PortId> parent_port) {
  const NodeId n = graph.node_count();
  SpanningTree tree;
  tree.root = root;
  tree.parent = std::move(parent);
  tree.parent_port = std::move(parent_port);
  tree.children.resize(n);
  tree.depth.assign(n, 0);
  tree.subtree_size.assign(n, 1);
  for (NodeId v = 0; v < n; ++v) {
    if (v != root) tree.children[tree.parent[v]].push_back(tree.parent_port[v]);
  }
  tree.order = {root};
  for (std::size_t head = 0; head < tree.order.size(); ++head) {
    const NodeId v = tree.order[head];
    std::sort(tree.children[v].begin(), tree.children[v].end());
    for (const PortId p : tree.children[v]) {
      const NodeId child = graph.peer(v, p).node;
      tree.depth[child] = tree.depth[v] + 1;
      tree.order.push_back(child);
    }
  }
  if (tree.order.size() != n) throw std::logic_error("spanning tree does not span");
  for (std::size_t i = n; i-- > 1;)
    tree.subtree_size[tree.parent[tree.order[i]]] += tree.subtree_size[tree.order[i]];
  return tree;
}

SpanningTree tree_from_parents(const Graph& graph, NodeId root, std::vector<NodeId> parent) {
  std::vector<PortId> port(graph.node_count(), 0);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (v != root) port[v] = graph.port_to(parent[v], v).value();
  }
  return finish_tree(graph, root, std::move(parent), std::move(port));
}

std::uint32_t SpanningTree::height() const { return *std::max_element(depth.begin(), depth.end()); }

SpanningTree shortest_path_tree(const Graph& graph, NodeId root) {
  Growing tree(graph, root);
  std::vector<NodeId> queue{root};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (PortId p = 0; p < graph.degree(queue[head]); ++p) {
      if (tree.add(graph, queue[head], p)) queue.push_back(graph.peer(queue[head], p).node);
    }
  }
  return finish_tree(graph, root, std::move(tree.parent), std::move(tree.port));
}

SpanningTree depth_first_tree(const Graph& graph, NodeId root) {
  Growing tree(graph, root);
  std::vector<std::pair<NodeId, PortId>> stack{{root, 0}};  // node and the port to be tried next
  while (!stack.empty()) {
    auto& [v, p] = stack.back();
    if (p == graph.degree(v)) {
      stack.pop_back();
    } else if (const PortId port = p++; tree.add(graph, v, port)) {
      stack.emplace_back(graph.peer(v, port).node, 0);
    }
  }
  return finish_tree(graph, root, std::move(tree.parent), std::move(tree.port));
}

SpanningTree random_tree(const Graph& graph, NodeId root, std::uint64_t seed) {
  Growing tree(graph, root);
  std::mt19937_64 random(seed);
  std::vector<std::pair<NodeId, PortId>> frontier;
  const auto extend = [&](NodeId v) {
    for (PortId p = 0; p < graph.degree(v); ++p) frontier.emplace_back(v, p);
  };
  extend(root);
  while (!frontier.empty()) {
    std::swap(frontier[random() % frontier.size()], frontier.back());
    const auto [v, p] = frontier.back();
    frontier.pop_back();
    if (tree.add(graph, v, p)) extend(graph.peer(v, p).node);
  }
  return finish_tree(graph, root, std::move(tree.parent), std::move(tree.port));
}

SpanningTree product_tree(const Graph& graph, NodeId root) {
  const auto& factors = graph.factors();
  if (factors.empty()) {
    throw bad_input("tree product: expected a product of graphs (mesh, torus, hypercube, ...), not {}",
                    one_line(graph.spelling()));
  }
  const auto origin = graph.coordinates(root);
  std::vector<SpanningTree> trees;
  for (std::size_t i = 0; i < factors.size(); ++i) trees.push_back(shortest_path_tree(factors[i], origin[i]));
  std::vector<NodeId> parent(graph.node_count(), kNoNode);
  std::vector<PortId> port(graph.node_count(), 0);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (v == root) continue;
    auto where = graph.coordinates(v);
    std::size_t lowest = 0;
    while (where[lowest] == origin[lowest]) ++lowest;
    const NodeId digit = where[lowest];
    where[lowest] = trees[lowest].parent[digit];
    parent[v] = graph.node_at(where);
    port[v] = trees[lowest].parent_port[digit];
    for (std::size_t j = 0; j < lowest; ++j) port[v] += factors[j].degree(where[j]);
  }
  return finish_tree(graph, root, std::move(parent), std::move(port));
}

std::uint32_t order_for_one_port_broadcast(SpanningTree& tree, const Graph& graph) {
  std::vector<std::uint32_t> steps(graph.node_count(), 0);
  for (std::size_t i = tree.order.size(); i-- > 0;) {
    const NodeId v = tree.order[i];
    auto& ports = tree.children[v];
    const auto below = [&](PortId p) { return steps[graph.peer(v, p).node]; };
    std::stable_sort(ports.begin(), ports.end(), [&](PortId a, PortId b) { return below(a) > below(b); });
    for (std::size_t k = 0; k < ports.size(); ++k) {
      steps[v] = std::max(steps[v], below(ports[k]) + static_cast<std::uint32_t>(k) + 1);
    }
  }
  return steps[tree.root];
}

RoutedTree::RoutedTree(NodeId root, std::span<const NodeId> order, const std::vector<NodeId>& parent,
                       const std::vector<PortId>& parent_port)
    : enter_(parent.size(), 0), size_(parent.size(), 0), children_(parent.size()) {
  size_[root] = 1;
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    size_[*v] += 1;
    size_[parent[*v]] += size_[*v];
  }
  std::vector<std::uint32_t> next(parent.size(), 1);  // number of the next child
  for (const NodeId v : order) {
    const NodeId above = parent[v];
    enter_[v] = enter_[above] + next[above];
    next[above] += size_[v];
    children_[above].push_back({enter_[v], parent_port[v]});
  }
}

std::optional<PortId> RoutedTree::port_towards(NodeId v, NodeId d) const {
  const std::uint32_t number = enter_[d];
  if (number <= enter_[v] || number >= enter_[v] + size_[v]) return std::nullopt;
  const auto after = std::ranges::upper_bound(children_[v], number, {}, &Child::enter);
  return std::prev(after)->port;
}

}  // namespace safnet
