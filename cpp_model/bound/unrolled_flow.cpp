#include "cpp_model/bound/unrolled_flow.hpp"

#include <algorithm>

#include "cpp_model/graph/maximum_flow.hpp"

namespace safnet {

std::uint64_t unrolled_flow(const Wiring& wiring, PacketsAtOnce at_once,
                            const std::vector<std::uint64_t>& supply,
                            const std::vector<std::uint64_t>& wanted, std::uint32_t steps) {
  // A vertex per node and step; where nodes receive one packet at a time another before it for the arrivals,
  // and where they send one at a time another after it for the departures. Packets stay or cross a link.
  const NodeId n = wiring.nodes();
  const auto place = [n](NodeId v, std::uint32_t t) { return t * n + v; };
  const std::uint32_t places = n * (steps + 1);
  const std::uint32_t arrivals = at_once.receives_one ? places : 0;
  const std::uint32_t departures = at_once.sends_one ? arrivals + places : 0;
  const std::uint32_t source = places + std::max(arrivals, departures), sink = source + 1;
  MaximumFlow flow(sink + 1);
  std::vector<std::uint8_t> supplies(n);
  for (NodeId v = 0; v < n; ++v) {
    supplies[v] = supply[v] != 0 ? 1 : 0;
    if (supply[v] != 0) flow.add(source, place(v, 0), supply[v]);
    if (wanted[v] != 0) flow.add(place(v, steps), sink, wanted[v]);
  }
  const std::vector<std::uint32_t> there_after = wiring.distance_from_nearest(supplies);
  for (std::uint32_t t = 0; t < steps; ++t) {
    for (NodeId v = 0; v < n; ++v) {
      if (there_after[v] > t + 1) continue;
      if (arrivals != 0) flow.add(arrivals + place(v, t + 1), place(v, t + 1), 1);
      if (there_after[v] > t) continue;
      flow.add(place(v, t), place(v, t + 1), MaximumFlow::kUnlimited);
      if (departures != 0) flow.add(place(v, t), departures + place(v, t), 1);
      for (const NodeId u : wiring.targets_of(v))
        flow.add(departures + place(v, t), arrivals + place(u, t + 1), 1);
    }
  }
  return flow.maximum(source, sink);
}

std::uint64_t scattered(const Wiring& wiring, PacketsAtOnce at_once, NodeId root, std::uint64_t messages,
                        std::uint32_t steps) {
  std::vector<std::uint64_t> supply(wiring.nodes(), 0), wanted(wiring.nodes(), messages);
  supply[root] = messages * (wiring.nodes() - 1);
  wanted[root] = 0;
  return unrolled_flow(wiring, at_once, supply, wanted, steps);
}

}  // namespace safnet
