#include "cpp_model/optimum/gossip.hpp"

#include <utility>

namespace safnet {

std::vector<std::vector<std::uint32_t>> hops_between(const Gossip& gossip) {
  std::vector<std::vector<NodeId>> next(gossip.nodes);
  for (const DirectedLink& link : gossip.links) next[link.from].push_back(link.to);
  std::vector<std::vector<std::uint32_t>> hops(gossip.nodes,
                                               std::vector<std::uint32_t>(gossip.nodes, kUnreachable));
  for (NodeId source = 0; source < gossip.nodes; ++source) {
    hops[source][source] = 0;
    std::vector<NodeId> queue{source};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const NodeId v : next[queue[head]]) {
        if (hops[source][v] != kUnreachable) continue;
        hops[source][v] = hops[source][queue[head]] + 1;
        queue.push_back(v);
      }
    }
  }
  return hops;
}

Gossip transposed(Gossip gossip) {
  for (DirectedLink& link : gossip.links) std::swap(link.from, link.to);
  std::swap(gossip.sends_one, gossip.receives_one);
  return gossip;
}

}  // namespace safnet
