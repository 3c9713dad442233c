#include "cpp_model/algorithm/fat_tree/fat_tree_single_source.hpp"

#include <algorithm>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"

namespace safnet {
namespace {

std::string why_not_here(const Problem& problem, bool ports_fit, const char* ports) {
  if (!problem.tree.empty()) return "has no use for --tree";
  if (!fat_tree_shape(problem.graph)) return "needs a fat tree";
  return ports_fit ? "" : std::string("needs --ports ") + ports;
}

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
  const FatTree tree = *fat_tree_shape(problem.graph);
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
  return {
      .name = children_first ? "children-first" : "parent-first",
      .collective = CollectiveKind::kBroadcast,
      .source = "thesis 6.2.1, Theorem 6.1",
      .description = children_first ? "routers send to their children before they send to their parent"
                                    : "routers send to their parent, then to their children",
      .domain = "fat trees, one-port and one-port-send",
      .why_not =
          [](const Problem& p) { return why_not_here(p, p.ports != PortModel::kAllPort, "one or one-send"); },
      .policy = [children_first](const Problem& p) { return broadcast_policy(p, children_first); },
      .closed_form = [children_first](const Problem& p) -> std::optional<std::uint64_t> {
        const FatTree tree = *fat_tree_shape(p.graph);
        return children_first ? children_first_steps(tree) : parent_first_steps(tree);
      },
      .chosen_by_name_only = children_first,
      .knows_routers = true};
}

// Theorem 6.2, of scatter and gather alike. Only k_1 matters; in a tree of height 1 the second step brings
// the second packet, whatever k_1.
std::uint64_t one_root_steps(const FatTree& tree) {
  return tree.arity(1) == 2 && tree.height() > 1 ? tree.leaves() + 1 : tree.leaves();
}

// The theorem is about leaves that send or receive one packet a step: one port, or one link.
bool leaf_moves_one_packet(const Problem& problem, const FatTree& tree) {
  return problem.ports != PortModel::kAllPort || tree.capacity(1) == 1;
}

Policy scatter_policy(const Problem& problem, bool nearest_first) {
  const FatTree tree = *fat_tree_shape(problem.graph);
  const NodeId root = problem.root;
  Policy policy;
  policy.label_count = tree.leaves();
  policy.host_packets = tree.leaves() - 1;
  policy.deals_links = !tree.has_constant_capacities();
  policy.conflict_free = true;  // one way to every leaf
  policy.queue_bound = problem.ports == PortModel::kAllPort ? tree.leaves() - 1 : 1;
  policy.table = [tree](NodeId v, Label leaf) { return entry_towards_leaf(tree, v, leaf); };
  policy.injections = [tree, root, nearest_first](NodeId v) {
    std::vector<Injection> packets;
    if (v != root) return packets;
    for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf) {
      if (leaf != root) packets.push_back({leaf, leaf, 0});
    }
    const auto distance = [&](const Injection& packet) { return tree.turning_level(root, packet.label); };
    if (nearest_first) {
      std::ranges::stable_sort(packets, std::less<>(), distance);
    } else {
      std::ranges::stable_sort(packets, std::greater<>(), distance);
    }
    return packets;
  };
  return policy;
}

Algorithm scatter(bool nearest_first) {
  return {.name = nearest_first ? "fat-tree-nearest-first" : "fat-tree-furthest-first",
          .collective = CollectiveKind::kScatter,
          .source = "thesis 6.2.2, Theorem 6.2; 6.3.1",
          .description = nearest_first ? "packets of the nearest leaves leave first"
                                       : "packets of the furthest leaves leave first",
          .domain = "fat trees",
          .why_not = [](const Problem& p) { return why_not_here(p, true, ""); },
          .policy = [nearest_first](const Problem& p) { return scatter_policy(p, nearest_first); },
          .closed_form = [nearest_first](const Problem& p) -> std::optional<std::uint64_t> {
            const FatTree tree = *fat_tree_shape(p.graph);
            if (!leaf_moves_one_packet(p, tree)) return std::nullopt;
            return nearest_first ? std::uint64_t{tree.leaves()} + 2 * tree.height() - 2
                                 : one_root_steps(tree);
          },
          .chosen_by_name_only = nearest_first,
          .knows_routers = true};
}

Policy gather_policy(const Problem& problem) {
  const FatTree tree = *fat_tree_shape(problem.graph);
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
  return {
      .name = "first-come-first-served",
      .collective = CollectiveKind::kGather,
      .source = "thesis 6.2.2, Theorem 6.2; 6.3.1",
      .description = "all leaves send in step 1, routers forward in the order of arrival",
      .domain = "fat trees, all-port and one-port-send",
      .why_not =
          [](const Problem& p) { return why_not_here(p, p.ports != PortModel::kOnePort, "all or one-send"); },
      .policy = gather_policy,
      .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
        const FatTree tree = *fat_tree_shape(p.graph);
        if (!leaf_moves_one_packet(p, tree)) return std::nullopt;
        return one_root_steps(tree);
      },
      .knows_routers = true};
}

}  // namespace

std::vector<Algorithm> fat_tree_single_source_algorithms() {
  return {broadcast(false), broadcast(true), scatter(false), scatter(true), gather()};
}

}  // namespace safnet
