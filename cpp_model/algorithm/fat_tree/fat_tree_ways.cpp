#include "cpp_model/algorithm/fat_tree/fat_tree_ways.hpp"

#include <map>

namespace safnet {

LinkId FatTreeWays::next_link(NodeId from, PortId first, PortId links) {
  const LinkId branch = graph_.link(from, first);
  const PortId turn = dealt_[branch];
  dealt_[branch] = (turn + 1) % links;
  return branch + turn;
}

LinkId FatTreeWays::link_up(NodeId from) {
  return next_link(from, tree_.up_port(from), tree_.capacity(tree_.level_of(from) + 1));
}

LinkId FatTreeWays::link_down(NodeId from, std::uint32_t child) {
  const std::uint32_t level = tree_.level_of(from);
  return next_link(from, tree_.down_port(level, child), tree_.capacity(level));
}

std::vector<LinkId> FatTreeWays::path(NodeId from, NodeId to) {
  std::vector<LinkId> links;
  NodeId here = from;
  const std::uint32_t top = tree_.turning_level(from, to);
  for (std::uint32_t level = 0; level < top; ++level, here = tree_.parent(here))
    links.push_back(link_up(here));
  for (std::uint32_t level = top; level > 0; --level) {
    const NodeId next = tree_.above(to, level - 1);
    links.push_back(link_down(here, tree_.child_number(next)));
    here = next;
  }
  return links;
}

void FatTreeWays::add_path(Hops& hops, PacketIndex packet, NodeId origin, NodeId destination) {
  HopIndex after = kNoHop;
  for (const LinkId link : path(origin, destination)) after = hops.add(link, after, packet);
}

void FatTreeWays::add_paths(Hops& hops, PacketIndex packet, NodeId origin,
                            std::span<const NodeId> destinations) {
  std::map<NodeId, HopIndex> reached{{origin, kNoHop}};  // by which hop
  for (const NodeId destination : destinations) {
    NodeId here = origin;
    const std::uint32_t top = tree_.turning_level(origin, destination);
    for (std::uint32_t hop = 0; hop < 2 * top; ++hop) {
      const NodeId next = hop < top ? tree_.parent(here) : tree_.above(destination, 2 * top - hop - 1);
      if (!reached.contains(next)) {
        const LinkId link = hop < top ? link_up(here) : link_down(here, tree_.child_number(next));
        reached[next] = hops.add(link, reached[here], packet);
      }
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
    for (std::uint32_t c = 0; level > 0 && c < tree_.arity(level); ++c) {
      const NodeId child = tree_.child(here.node, c);
      if (child != here.from)
        open.push_back({child, here.node, hops.add(link_down(here.node, c), here.hop, packet)});
    }
    if (here.node == tree_.root() || (here.from != kNoNode && here.from == tree_.parent(here.node))) continue;
    open.push_back({tree_.parent(here.node), here.node, hops.add(link_up(here.node), here.hop, packet)});
  }
}

}  // namespace safnet
