#include "cpp_model/traffic/host_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

const std::array<std::string, 3> kNames{"separate", "halving", "chain"};

std::vector<NodeId> in_order_of_numbers(const Graph& graph) {
  std::vector<NodeId> order(graph.processor_count());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Back and forth along each dimension, so that only one coordinate changes at a time, by one: a coordinate is
// counted backwards if the coordinates before it make up an odd number.
std::vector<NodeId> back_and_forth(const Graph& graph) {
  const std::vector<Graph>& factors = graph.factors();
  if (factors.empty() || graph.has_routers()) return in_order_of_numbers(graph);
  std::vector<NodeId> order;
  for (NodeId i = 0; i < graph.node_count(); ++i) {
    std::vector<NodeId> coordinates(factors.size());
    NodeId rest = i;
    for (std::size_t d = factors.size(); d-- > 0;) {
      const NodeId side = factors[d].node_count();
      const NodeId before = rest / side;
      coordinates[d] = before % 2 == 0 ? rest % side : side - 1 - rest % side;
      rest = before;
    }
    order.push_back(graph.node_at(coordinates));
  }
  return order;
}

void adopt(HostTree& tree, NodeId parent, NodeId child) {
  tree.parent[child] = parent;
  tree.children[parent].push_back(child);
}

void separate(HostTree& tree, const Graph& graph) {
  const std::vector<std::uint32_t> distance = graph.distances_from(tree.root);
  std::vector<NodeId> others = in_order_of_numbers(graph);
  std::erase(others, tree.root);
  std::ranges::stable_sort(others, std::ranges::greater(), [&](NodeId v) { return distance[v]; });
  for (const NodeId v : others) adopt(tree, tree.root, v);
}

// Hosts first .. last - 1 get the packets from `holder`, one of them, which sends to the nearest host of the
// half that it is not in.
void halve(HostTree& tree, NodeId first, NodeId last, NodeId holder) {
  while (last - first > 1) {
    const NodeId middle = first + (last - first + 1) / 2;
    if (holder < middle) {
      adopt(tree, holder, middle);
      halve(tree, middle, last, middle);
      last = middle;
    } else {
      adopt(tree, holder, middle - 1);
      halve(tree, first, middle, middle - 1);
      first = middle;
    }
  }
}

void chain(HostTree& tree, const Graph& graph) {
  const std::vector<NodeId> order = back_and_forth(graph);
  const auto root = static_cast<std::size_t>(std::ranges::find(order, tree.root) - order.begin());
  for (std::size_t i = root; i + 1 < order.size(); ++i) adopt(tree, order[i], order[i + 1]);
  for (std::size_t i = root; i > 0; --i) adopt(tree, order[i], order[i - 1]);
}

}  // namespace

std::span<const std::string> host_tree_names() { return kNames; }

HostTree make_host_tree(const std::string& name, const Graph& graph, NodeId root) {
  const NodeId hosts = graph.processor_count();
  check_root(graph, root);
  HostTree tree{name, root, std::vector<NodeId>(hosts, kNoNode), std::vector<std::vector<NodeId>>(hosts)};
  if (name == kNames[0]) {
    separate(tree, graph);
  } else if (name == kNames[1]) {
    halve(tree, 0, hosts, root);
  } else if (name == kNames[2]) {
    chain(tree, graph);
  } else {
    throw bad_input("--host-tree {}: expected {}", in_quotes(name), fmt::join(kNames, ", "));
  }
  return tree;
}

}  // namespace safnet
