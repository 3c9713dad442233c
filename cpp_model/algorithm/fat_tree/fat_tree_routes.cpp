#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"

#include <numeric>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {
namespace {

bool is_above(const FatTree& tree, NodeId node, NodeId leaf) {
  return tree.above(leaf, tree.level_of(node)) == node;
}

std::uint32_t child_towards(const FatTree& tree, NodeId router, NodeId leaf) {
  return tree.child_number(tree.above(leaf, tree.level_of(router) - 1));
}

}  // namespace

TableEntry entry_towards_leaf(const FatTree& tree, NodeId node, NodeId leaf) {
  TableEntry entry;
  entry.deliver = node == leaf;
  if (entry.deliver) return entry;
  entry.output_mask = port_bit(is_above(tree, node, leaf)
                                   ? tree.down_port(tree.level_of(node), child_towards(tree, node, leaf))
                                   : tree.up_port(node));
  return entry;
}

TableEntry entry_away_from_leaf(const FatTree& tree, NodeId node, NodeId origin) {
  TableEntry entry;
  const std::uint32_t level = tree.level_of(node);
  if (level == 0 && node != origin) {
    entry.deliver = true;
    return entry;
  }
  const bool upwards = is_above(tree, node, origin);
  for (std::uint32_t c = 0; level > 0 && c < tree.arity(level); ++c) {
    if (!upwards || c != child_towards(tree, node, origin))
      entry.output_mask |= port_bit(tree.down_port(level, c));
  }
  if (upwards && node != tree.root()) {
    entry.output_mask |= port_bit(tree.up_port(node));
    entry.service_order.resize(tree.capacity(level + 1));
    std::iota(entry.service_order.begin(), entry.service_order.end(), tree.up_port(node));
  }
  return entry;
}

std::vector<PortId> ports_to_children(const FatTree& tree, NodeId router) {
  const std::uint32_t level = tree.level_of(router);
  std::vector<PortId> ports(tree.arity(level) * tree.capacity(level));
  std::iota(ports.begin(), ports.end(), PortId{0});
  return ports;
}

Policy one_packet_each(const FatTree& tree) {
  Policy policy;
  policy.label_count = tree.leaves();
  policy.deals_links = !tree.has_constant_capacities();
  policy.injections = [leaves = tree.leaves()](NodeId v) {
    return v < leaves ? std::vector<Injection>{{v, 0, 0}} : std::vector<Injection>{};
  };
  return policy;
}

Policy personal_policy(const FatTree& tree, const LeafOrder& destinations) {
  Policy policy = one_packet_each(tree);
  policy.host_packets = tree.leaves() - 1;
  policy.table = [tree](NodeId v, Label leaf) { return entry_towards_leaf(tree, v, leaf); };
  policy.injections = [tree, destinations](NodeId v) {
    std::vector<Injection> packets;
    if (v >= tree.leaves()) return packets;
    for (const NodeId leaf : destinations(tree, v)) packets.push_back({leaf, leaf, 0});
    return packets;
  };
  return policy;
}

FatTree shape_of(const Problem& problem) { return *fat_tree_shape(problem.graph); }

std::string why_not_all_port_fat_tree(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  return fat_tree_shape(problem.graph) ? "" : "needs a fat tree";
}

std::string why_not_fat_tree(const Problem& problem, bool ports_fit, const std::string& ports) {
  if (!problem.tree.empty()) return "has no use for --tree";
  if (!fat_tree_shape(problem.graph)) return "needs a fat tree";
  return ports_fit ? "" : "needs --ports " + ports;
}

}  // namespace safnet
