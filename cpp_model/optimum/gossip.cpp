#include "cpp_model/optimum/gossip.hpp"

#include <utility>

namespace safnet {

Gossip gossip_network(const Problem& problem) {
  const Graph& graph = problem.graph;
  Gossip gossip;
  gossip.nodes = graph.node_count();
  gossip.routers = graph.node_count() - graph.processor_count();
  for (LinkId link = 0; link < graph.link_count(); ++link)
    gossip.links.push_back({graph.link_source(link), graph.link_target(link)});
  gossip.sends_one = problem.ports != PortModel::kAllPort;
  gossip.receives_one = problem.ports == PortModel::kOnePort;
  return gossip;
}

Wiring wiring_of(const Gossip& gossip) {
  return Wiring(Groups(gossip.nodes, [&](const auto& put) {
    for (const DirectedLink& link : gossip.links) put(link.from, link.to);
  }));
}

std::vector<std::vector<std::uint32_t>> hops_between(const Gossip& gossip) {
  const Wiring wiring = wiring_of(gossip);
  std::vector<std::vector<std::uint32_t>> hops;
  for (NodeId source = 0; source < gossip.nodes; ++source) hops.push_back(wiring.distances_from(source));
  return hops;
}

Gossip transposed(Gossip gossip) {
  for (DirectedLink& link : gossip.links) std::swap(link.from, link.to);
  std::swap(gossip.sends_one, gossip.receives_one);
  return gossip;
}

}  // namespace safnet
