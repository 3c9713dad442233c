#include "cpp_model/algorithm/fat_tree/fat_tree_single_source.hpp"

#include <algorithm>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {
namespace {

// Theorem 6.1 with arities that differ: sum of k_i, + h - 1. As often as there are levels on the way down the
// last child waits for all its siblings; at the turning levels the one that brought the packet is no child
// to be served.
std::uint64_t parent_first_steps(const FatTree& tree) {
  std::uint64_t steps = tree.height() - 1;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) steps += tree.arity(i);
  return steps;
}

// The way up costs k_i at level i, where k_i - 1 children come first, and one step at the leaf; then the same
// as above from the root down.
std::uint64_t children_first_steps(const FatTree& tree) {
  std::uint64_t steps = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) steps += 2 * std::uint64_t{tree.arity(i)};
  return steps - tree.arity(tree.height());
}

Policy broadcast_policy(const Problem& problem, bool children_first) {
  const FatTree tree = shape_of(problem);
  const NodeId root = problem.root;
  Policy policy;
  policy.deals_links = !tree.has_constant_capacities();
  policy.conflict_free = true;  // one way to every leaf
  policy.table = [tree, root, children_first](NodeId v, Label) {
    TableEntry entry = entry_away_from_leaf(tree, v, root);
    if (children_first && tree.level_of(v) > 0) entry.service_order = ports_to_children(tree, v);
    return entry;
  };
  policy.injections = [root](NodeId v) {
    return v == root ? std::vector<Injection>{{0, 0, 0}} : std::vector<Injection>{};
  };
  return policy;
}

Algorithm broadcast(bool children_first) {
  return {.name = children_first ? "children-first" : "parent-first",
          .collective = CollectiveKind::kBroadcast,
          .source = "thesis 6.2.1, Theorem 6.1",
          .description = children_first ? "routers send to their children before they send to their parent"
                                        : "routers send to their parent, then to their children",
          .domain = "fat trees, one-port and one-port-send",
          .why_not =
              [](const Problem& p) {
                return why_not_fat_tree(p, p.ports != PortModel::kAllPort, "one or one-send");
              },
          .policy = [children_first](const Problem& p) { return broadcast_policy(p, children_first); },
          .closed_form =
              [children_first](const Problem& p) {
                return (children_first ? children_first_steps : parent_first_steps)(shape_of(p));
              },
          .chosen_by_name_only = children_first,
          .knows_routers = true};
}

// Theorem 6.2, for scatter and gather alike, where a leaf sends or receives one packet a step because it has
// one port or one link. Only k_1 matters; in a tree of height 1 the second step brings the second packet,
// whatever k_1.
std::optional<std::uint64_t> one_root_steps(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  if (problem.ports == PortModel::kAllPort && tree.capacity(1) != 1) return std::nullopt;
  return tree.arity(1) == 2 && tree.height() > 1 ? tree.leaves() + 1 : tree.leaves();
}

Policy scatter_policy(const Problem& problem, bool nearest_first) {
  const FatTree shape = shape_of(problem);
  Policy policy = personal_policy(shape, [root = problem.root, nearest_first](const FatTree& tree, NodeId v) {
    if (v != root) return std::vector<NodeId>{};
    std::vector<NodeId> leaves = other_leaves(tree, root);
    std::ranges::stable_sort(leaves, [&](NodeId a, NodeId b) {
      const std::uint32_t to_a = tree.turning_level(root, a), to_b = tree.turning_level(root, b);
      return nearest_first ? to_a < to_b : to_a > to_b;
    });
    return leaves;
  });
  policy.conflict_free = true;  // one way to every leaf
  policy.queue_bound = problem.ports == PortModel::kAllPort ? shape.leaves() - 1 : 1;
  return policy;
}

Algorithm scatter(bool nearest_first) {
  return {.name = nearest_first ? "fat-tree-nearest-first" : "fat-tree-furthest-first",
          .collective = CollectiveKind::kScatter,
          .source = "thesis 6.2.2, Theorem 6.2; 6.3.1",
          .description = nearest_first ? "packets of the nearest leaves leave first"
                                       : "packets of the furthest leaves leave first",
          .domain = "fat trees",
          .why_not = [](const Problem& p) { return why_not_fat_tree(p, true, ""); },
          .policy = [nearest_first](const Problem& p) { return scatter_policy(p, nearest_first); },
          .closed_form = [nearest_first](const Problem& p) -> std::optional<std::uint64_t> {
            const std::optional<std::uint64_t> steps = one_root_steps(p);
            if (!steps || !nearest_first) return steps;
            const FatTree tree = shape_of(p);
            return std::uint64_t{tree.leaves()} + 2 * tree.height() - 2;
          },
          .chosen_by_name_only = nearest_first,
          .knows_routers = true};
}

Policy gather_policy(const Problem& problem) {
  const FatTree tree = shape_of(problem);
  const NodeId root = problem.root;
  Policy policy;
  policy.deals_links = !tree.has_constant_capacities();
  policy.queue_bound = tree.leaves() - 1;
  policy.table = [tree, root](NodeId v, Label) { return entry_towards_leaf(tree, v, root); };
  policy.injections = [tree, root](NodeId v) {
    return v < tree.leaves() && v != root ? std::vector<Injection>{{0, root, 0}} : std::vector<Injection>{};
  };
  return policy;
}

Algorithm gather() {
  return {.name = "first-come-first-served",
          .collective = CollectiveKind::kGather,
          .source = "thesis 6.2.2, Theorem 6.2; 6.3.1",
          .description = "all leaves send in step 1, routers forward in the order of arrival",
          .domain = "fat trees, all-port and one-port-send",
          .why_not =
              [](const Problem& p) {
                return why_not_fat_tree(p, p.ports != PortModel::kOnePort, "all or one-send");
              },
          .policy = gather_policy,
          .closed_form = one_root_steps,
          .knows_routers = true};
}

}  // namespace

std::vector<Algorithm> fat_tree_single_source_algorithms() {
  return {broadcast(false), broadcast(true), scatter(false), scatter(true), gather()};
}

}  // namespace safnet
