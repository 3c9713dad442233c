#include "cpp_model/algorithm/torus/torus_subtrees.hpp"

#include <algorithm>
#include <numeric>

namespace safnet {
namespace {

// The link into v that moves its digit i away from 0.
DimensionedLink link_by_digit(const MultidimensionalTorus& torus, NodeId v, std::uint32_t i,
                              ParentRule rule) {
  const std::uint32_t k = torus.radix(), value = torus.digit(v, i);
  const bool from_below = rule == ParentRule::kAsPrinted ? value <= k / 2 : 2 * value < k;
  const std::uint32_t before = from_below ? value - 1 : (value + 1) % k;
  return {torus.with_digit(v, i, before), torus.label_between(i, before, value)};
}

}  // namespace

DimensionedLink link_into(const MultidimensionalTorus& torus, NodeId v, ParentRule rule) {
  std::uint32_t p = 0;
  while (torus.digit(v, p) == 0) ++p;
  const DimensionedLink link = link_by_digit(torus, v, p, rule);
  const bool repair =
      rule == ParentRule::kRepaired && torus.radix() % 2 == 0 && link.tail != 0 && !torus.is_full(link.tail);
  if (!repair) return link;
  std::uint32_t higher = p + 1;
  while (higher < torus.dimensions() && torus.digit(v, higher) == 0) ++higher;
  return higher < torus.dimensions() ? link_by_digit(torus, v, higher, rule) : link;
}

std::vector<DimensionedLink> path_in_subtree(const MultidimensionalTorus& torus, NodeId generator,
                                             std::uint32_t subtree, ParentRule rule) {
  std::vector<DimensionedLink> path;
  for (NodeId v = generator; v != 0; v = path.back().tail) path.push_back(link_into(torus, v, rule));
  std::reverse(path.begin(), path.end());
  for (DimensionedLink& link : path) link = torus.rotate(link, subtree);
  return path;
}

std::vector<DimensionedLink> bst_links(const MultidimensionalTorus& torus, ParentRule rule) {
  std::vector<DimensionedLink> links(torus.node_count());
  for (NodeId v = 1; v < torus.node_count(); ++v)
    links[v] = torus.rotate(link_into(torus, torus.generator(v), rule), torus.displacement(v));
  return links;
}

SpanningTree balanced_spanning_tree(const Graph& graph, const MultidimensionalTorus& torus, NodeId root,
                                    ParentRule rule) {
  const std::vector<DimensionedLink> links = bst_links(torus, rule);
  std::vector<NodeId> parent(torus.node_count(), kNoNode);
  std::vector<PortId> port(torus.node_count(), 0);
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    const NodeId there = torus.translate(root, v);
    parent[there] = torus.translate(root, links[v].tail);
    port[there] = torus.port_of_label(links[v].label);
  }
  return finish_tree(graph, root, std::move(parent), std::move(port));
}

std::vector<std::uint32_t> bst_subtree_of(const MultidimensionalTorus& torus, ParentRule rule) {
  const std::vector<DimensionedLink> links = bst_links(torus, rule);
  std::vector<NodeId> outwards(torus.node_count());
  std::iota(outwards.begin(), outwards.end(), NodeId{0});
  std::ranges::stable_sort(outwards, {}, [&](NodeId v) { return torus.distance(v); });
  std::vector<std::uint32_t> subtree(torus.node_count(), 0);
  for (const NodeId v : outwards) subtree[v] = links[v].tail == 0 ? links[v].label : subtree[links[v].tail];
  return subtree;
}

NodeId forwarded_to(const MultidimensionalTorus& torus, NodeId v, NodeId destination, std::uint32_t subtree,
                    RoutingRule rule) {
  const std::uint32_t n = torus.dimensions(), k = torus.radix();
  const std::uint32_t first = (n - 1 + n - subtree % n) % n;  // digit (n-1-subtree) mod n
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t p = rule == RoutingRule::kAsPrinted ? (first + 1 + i) % n : (first + n - i) % n;
    const std::uint32_t here = torus.digit(v, p), there = torus.digit(destination, p);
    if (here == there) continue;
    if (rule == RoutingRule::kAsPrinted) return torus.with_digit(v, p, there);
    const bool negated = (p + subtree) / n % 2 == 1;
    const bool up = 2 * there < k || (2 * there == k && negated);
    return torus.with_digit(v, p, (here + (up ? 1 : k - 1)) % k);
  }
  return v;
}

}  // namespace safnet
