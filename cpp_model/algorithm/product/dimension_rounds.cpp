#include "cpp_model/algorithm/product/dimension_rounds.hpp"

#include <algorithm>

#include "cpp_model/algorithm/tools/dimensions.hpp"

namespace safnet {

Schedule schedule_of_rounds(const Problem& problem, const std::string& algorithm,
                            const std::vector<Schedule>& exchanges, std::vector<DimensionRound> rounds) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  const std::vector<DimensionCopies> dimensions = copies_of_dimensions(graph);
  const std::size_t k = dimensions.size();
  Schedule schedule = empty_schedule(problem, algorithm);
  schedule.sends.reserve(all_hops(graph));
  const auto size_of = [&](std::size_t i) { return dimensions[i].dimension.node_count(); };
  const auto coordinate = [&](NodeId v, std::size_t i) { return v / dimensions[i].stride % size_of(i); };
  // v with the type's differences added, or taken away, in the dimensions of `in`.
  const auto moved = [&](NodeId v, NodeId type, const std::vector<bool>& in, bool back) {
    NodeId result = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const NodeId size = size_of(i);
      NodeId c = coordinate(v, i);
      if (in[i]) c = (c + (back ? size - coordinate(type, i) : coordinate(type, i))) % size;
      result += c * dimensions[i].stride;
    }
    return result;
  };

  std::stable_sort(rounds.begin(), rounds.end(),
                   [](const DimensionRound& a, const DimensionRound& b) { return a.before < b.before; });
  std::vector<std::vector<bool>> crossed(n, std::vector<bool>(k, false));  // [type][dimension]
  const std::vector<bool> all(k, true);
  std::vector<PacketIndex> packet_at(n);
  for (const DimensionRound& round : rounds) {
    const std::size_t i = round.dimension;
    const NodeId size = size_of(i);
    // Hops by the type that they serve.
    std::vector<std::vector<const Send*>> hops(size);
    const Schedule& exchange = exchanges[i];
    for (const Send& send : exchange.sends) {
      const NodeId from = exchange.packets.origin(send.packet);
      hops[(exchange.packets.destinations(send.packet)[0] + size - from) % size].push_back(&send);
    }
    for (NodeId l = 1; l < size; ++l) {
      const NodeId type = round.types[l];
      if (type == kNoType) continue;
      for (NodeId v = 0; v < n; ++v) {
        const NodeId origin = moved(v, type, crossed[type], true);
        packet_at[v] = exchange_packet(origin, moved(origin, type, all, false), n);
      }
      for (const Send* send : hops[l]) {
        const NodeId from = exchange.packets.origin(send->packet);
        for (const auto& copy : dimensions[i].list) {
          schedule.sends.push_back({round.before + send->start, dimensions[i].link(graph, copy, send->link),
                                    packet_at[dimensions[i].node(copy, from)]});
        }
      }
      crossed[type][i] = true;
    }
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet
