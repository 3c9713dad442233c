#include "cpp_model/algorithm/tree/tree_scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "cpp_model/algorithm/tree/balanced_tree.hpp"
#include "cpp_model/algorithm/tree/named_tree.hpp"
#include "cpp_model/algorithm/tree/root_port_assignment.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"

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

Policy scatter_policy(const Problem& problem, SpanningTree spanning) {
  const auto tree = std::make_shared<const SpanningTree>(std::move(spanning));
  const auto routed = std::make_shared<const RoutedTree>(tree->root, std::span(tree->order).subspan(1),
                                                         tree->parent, tree->parent_port);
  Policy policy;
  policy.label_count = problem.graph.node_count();
  policy.host_packets = problem.graph.node_count() - 1;
  policy.conflict_free = true;  // every node has one parent
  policy.table = [routed, root = tree->root](NodeId v, Label d) {
    TableEntry entry;
    if (d == v) {
      entry.deliver = v != root;
    } else if (const auto port = routed->port_towards(v, d)) {
      entry.output_mask = port_bit(*port);
    }
    return entry;
  };
  policy.injections = [tree](NodeId v) {
    std::vector<Injection> packets;
    if (v != tree->root) return packets;
    // All ranks are equal: the order of injection is the priority, and below the root no packet waits.
    for (std::size_t i = tree->order.size(); i-- > 1;) packets.push_back({tree->order[i], tree->order[i]});
    return packets;
  };
  return policy;
}

// Scatter over the tree that `tree` makes.
Algorithm over_tree(std::string name, std::string source, std::string description, std::string domain,
                    std::function<std::string(const Problem&)> why_not,
                    std::function<SpanningTree(const Problem&)> tree) {
  return {.name = name,
          .collective = CollectiveKind::kScatter,
          .source = std::move(source),
          .description = std::move(description),
          .domain = std::move(domain),
          .why_not = std::move(why_not),
          .policy = [tree](const Problem& p) { return scatter_policy(p, tree(p)); },
          .closed_form = [tree](const Problem& p) -> std::optional<std::uint64_t> {
            if (p.ports != PortModel::kAllPort) return p.graph.node_count() - 1;
            return largest_root_subtree(tree(p), p.graph);
          },
          .plan =
              [tree, name](const Problem& p) {
                return personal_schedule(p, name, scatter_over_tree(p.graph, tree(p), p.ports));
              },
          .knows_one_way = true};
}

std::string brings_its_own_tree(const Problem& p) {
  return p.tree.empty() ? "" : "brings its own tree, without --tree";
}

Algorithm over_torus_regions(bool as_printed) {
  Algorithm algorithm = over_tree(
      as_printed ? "torus-regions-as-printed" : "torus-regions", "thesis 3.4.2",
      as_printed ? "the four regions word for word: out of balance on n x 4 tori of even n"
                 : "four regions around the root, equally large from 4 x 4 on",
      "two-dimensional tori",
      [](const Problem& p) {
        const std::string tree = brings_its_own_tree(p);
        return tree.empty() ? why_no_torus_regions(p.graph) : tree;
      },
      [as_printed](const Problem& p) { return torus_region_tree(p.graph, p.root, as_printed); });
  algorithm.chosen_by_name_only = as_printed;
  return algorithm;
}

// Not a tree (thesis 3.4, Fig. 3.4(b)): a destination may be reached through whichever of the root's ports
// has the least to send, so nodes that several routes pass tell packets apart by destination.
Policy balanced_routes_policy(const Problem& problem) {
  const auto assigned = std::make_shared<const RootPortAssignment>(problem.graph, problem.root);
  const NodeId root = problem.root, n = problem.graph.node_count();
  Policy policy;
  policy.label_count = n;
  policy.host_packets = n - 1;
  policy.rank_levels = std::max<std::uint32_t>(2, assigned->longest());
  policy.conflict_free = false;
  policy.queue_bound = n;
  // Packets with the furthest destinations go first, at the root and on the way.
  const auto rank = [assigned](NodeId v, NodeId d) { return assigned->longest() - assigned->hops(v, d); };
  policy.table = [assigned, rank, root](NodeId v, Label d) {
    TableEntry entry;
    if (v == d) {
      entry.deliver = v != root;
    } else if (const auto port = assigned->next_port(v, d)) {
      entry.output_mask = port_bit(*port);
      entry.rank = rank(v, d);
    }
    return entry;
  };
  policy.injections = [rank, root, n](NodeId v) {
    std::vector<Injection> packets;
    if (v != root) return packets;
    for (NodeId d = 0; d < n; ++d) {
      if (d != root) packets.push_back({d, d, rank(root, d), 0});
    }
    std::stable_sort(packets.begin(), packets.end(),
                     [](const Injection& a, const Injection& b) { return a.rank < b.rank; });
    return packets;
  };
  return policy;
}

Algorithm over_balanced_routes() {
  return {
      .name = "balanced-routes",
      .collective = CollectiveKind::kScatter,
      .source = "after thesis 3.4, Fig. 3.4(b)",
      .description = "destinations shared out evenly among the root's ports; the routes need not be a tree",
      .domain = fmt::format("networks of at most {} nodes, all-port", kMaxAssignedNodes),
      .why_not = [](const Problem& p) -> std::string {
        if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
        if (p.graph.node_count() > kMaxAssignedNodes)
          return fmt::format("needs a graph of at most {} nodes", kMaxAssignedNodes);
        return {};
      },
      .policy = balanced_routes_policy,
      .knows_one_way = true};
}

}  // namespace

std::vector<Algorithm> scatter_algorithms() {
  return {over_tree(
              "furthest-first", "thesis 3.3, Theorem 3.6; 3.4, Theorem 3.7",
              "packets of the deepest nodes of a spanning tree leave first; --tree names the tree",
              "any network, any spanning tree", [](const Problem&) { return std::string(); }, scatter_tree),
          over_tree(
              "weight-rule-tree", "thesis 3.4.1, Theorem 3.8",
              "furthest first over the paths of the weight rule, equally long", "extended rings",
              [](const Problem& p) -> std::string {
                if (!p.tree.empty()) return brings_its_own_tree(p);
                return as_extended_ring(p.graph) ? "" : "needs an extended ring";
              },
              [](const Problem& p) { return weight_rule_tree(p.graph, p.root); }),
          over_torus_regions(false), over_torus_regions(true), over_balanced_routes()};
}

}  // namespace safnet
