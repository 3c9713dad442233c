#include "cpp_model/optimum/unrolled_flow.hpp"

#include <algorithm>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/maximum_flow.hpp"

namespace safnet {

std::uint64_t unrolled_flow(const Gossip& network, const std::vector<std::uint32_t>& supply,
                            const std::vector<std::uint32_t>& wanted, std::uint32_t steps) {
  // A place per node and step, one where a packet leaves the node, and one where it arrives.
  const NodeId n = network.nodes;
  const auto place = [n](NodeId v, std::uint32_t t) { return 3 * (t * n + v); };
  const std::uint32_t source = 3 * n * (steps + 1), sink = source + 1;
  const std::uint64_t any = MaximumFlow::kUnlimited;
  MaximumFlow flow(sink + 1);
  for (NodeId v = 0; v < n; ++v) {
    if (supply[v] != 0) flow.add(source, place(v, 0), supply[v]);
    if (wanted[v] != 0) flow.add(place(v, steps), sink, wanted[v]);
  }
  for (std::uint32_t t = 0; t < steps; ++t) {
    for (NodeId v = 0; v < n; ++v) {
      flow.add(place(v, t), place(v, t + 1), any);
      flow.add(place(v, t), place(v, t) + 1, network.sends_one ? 1 : any);
      flow.add(place(v, t + 1) + 2, place(v, t + 1), network.receives_one ? 1 : any);
    }
    for (const DirectedLink& link : network.links)
      flow.add(place(link.from, t) + 1, place(link.to, t + 1) + 2, 1);
  }
  return flow.maximum(source, sink);
}

std::uint64_t fewest_scatter_steps(const Gossip& network, NodeId root, std::uint32_t messages) {
  std::vector<std::uint32_t> supply(network.nodes, 0), wanted(network.nodes, messages);
  const std::uint32_t packets = messages * (network.nodes - 1);
  supply[root] = packets;
  wanted[root] = 0;
  if (packets == 0) return 0;
  const std::vector<std::uint32_t> hops = hops_between(network)[root];
  auto steps = *std::max_element(hops.begin(), hops.end());
  if (steps == kUnreachable) throw bad_input("node {}: expected ways from it to all others", root);
  while (unrolled_flow(network, supply, wanted, steps) != packets) ++steps;
  return steps;
}

}  // namespace safnet
