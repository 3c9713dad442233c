#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {
namespace {

std::uint64_t bit(PortId port) { return std::uint64_t{1} << port; }

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
  entry.output_mask =
      bit(is_above(tree, node, leaf) ? tree.down_port(tree.level_of(node), child_towards(tree, node, leaf))
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
      entry.output_mask |= bit(tree.down_port(level, c));
  }
  if (upwards && node != tree.root()) {
    entry.output_mask |= bit(tree.up_port(node));
    entry.service_order = ports_to_parent(tree, node);
  }
  return entry;
}

std::vector<PortId> ports_to_children(const FatTree& tree, NodeId router) {
  const std::uint32_t level = tree.level_of(router);
  std::vector<PortId> ports;
  for (PortId p = 0; p < tree.arity(level) * tree.capacity(level); ++p) ports.push_back(p);
  return ports;
}

std::vector<PortId> ports_to_parent(const FatTree& tree, NodeId node) {
  std::vector<PortId> ports;
  if (node == tree.root()) return ports;
  const PortId first = tree.up_port(node);
  for (PortId p = 0; p < tree.capacity(tree.level_of(node) + 1); ++p) ports.push_back(first + p);
  return ports;
}

std::string why_not_all_port_fat_tree(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  return fat_tree_shape(problem.graph) ? "" : "needs a fat tree";
}

}  // namespace safnet
