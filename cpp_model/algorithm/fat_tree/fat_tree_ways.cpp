#include "cpp_model/algorithm/fat_tree/fat_tree_ways.hpp"

#include <algorithm>
#include <map>

namespace safnet {

std::vector<NodeId> nodes_between(const FatTree& tree, NodeId from, NodeId to) {
  std::vector<NodeId> nodes;
  const std::uint32_t top = tree.turning_level(from, to);
  for (std::uint32_t level = 1; level <= top; ++level) nodes.push_back(tree.above(from, level));
  for (std::uint32_t level = top; level-- > 0;) nodes.push_back(tree.above(to, level));
  return nodes;
}

LinkId first_link(const Graph& graph, const FatTree& tree, NodeId from, NodeId to) {
  const bool up = to > from;
  return graph.link(from,
                    up ? tree.up_port(from) : tree.down_port(tree.level_of(from), tree.child_number(to)));
}

LinkId FatTreeWays::next_link(NodeId from, NodeId to) {
  const LinkId branch = first_link(graph_, tree_, from, to);
  const PortId turn = dealt_[branch];
  dealt_[branch] = (turn + 1) % tree_.capacity(tree_.level_of(std::max(from, to)));
  return branch + turn;
}

std::vector<LinkId> FatTreeWays::path(NodeId from, NodeId to) {
  std::vector<LinkId> links;
  for (const NodeId next : nodes_between(tree_, from, to)) {
    links.push_back(next_link(from, next));
    from = next;
  }
  return links;
}

void FatTreeWays::add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                            std::span<const NodeId> destinations) {
  std::map<NodeId, HopIndex> reached{{origin, kNoHop}};  // by which hop
  for (const NodeId destination : destinations) {
    NodeId here = origin;
    for (const NodeId next : nodes_between(tree_, origin, destination)) {
      if (!reached.contains(next)) reached[next] = hops.add(next_link(here, next), reached[here], packet);
      here = next;
    }
  }
}

void FatTreeWays::add_multicast(Hops& hops, PacketIndex packet, NodeId origin) {
  struct Arrival {
    NodeId node, from;
    HopIndex hop;
  };
  std::vector<Arrival> open{{origin, kNoNode, kNoHop}};
  while (!open.empty()) {
    const Arrival here = open.back();
    open.pop_back();
    const std::uint32_t level = tree_.level_of(here.node);
    const auto go_on = [&](NodeId to) {
      open.push_back({to, here.node, hops.add(next_link(here.node, to), here.hop, packet)});
    };
    for (std::uint32_t c = 0; level > 0 && c < tree_.arity(level); ++c) {
      if (const NodeId child = tree_.child(here.node, c); child != here.from) go_on(child);
    }
    if (here.node == tree_.root()) continue;
    if (const NodeId parent = tree_.parent(here.node); parent != here.from) go_on(parent);
  }
}

}  // namespace safnet
