#include "cpp_model/algorithm/product/dimension_rounds.hpp"

#include <algorithm>

#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/graph/bipartite_colouring.hpp"

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
        const NodeId at = exchange.network.link_source(send->link);
        const PortId port = exchange.network.link_port(send->link);
        for (const auto& copy : dimensions[i].list) {
          schedule.sends.push_back({round.before + send->start, dimensions[i].link(graph, copy, at, port),
                                    packet_at[dimensions[i].node(copy, from)]});
        }
      }
      crossed[type][i] = true;
    }
  }
  sort_sends(schedule);
  return schedule;
}

namespace {

Schedule plan_rounds(const Problem& problem, const std::string& name) {
  const Graph& graph = problem.graph;
  const std::vector<Graph> dimensions = dimensions_of(graph);
  const NodeId n = dimensions[0].node_count();
  const Schedule exchange = shortest_exchange(dimensions[0], problem.ports);
  const std::uint32_t steps = last_step(exchange);
  // Types and (dimension, difference): every type in a round of each dimension that it differs in.
  std::vector<BipartiteEdge> edges;
  for (NodeId type = 1; type < graph.node_count(); ++type) {
    const std::vector<NodeId> difference = graph.coordinates(type);
    for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
      if (difference[i] != 0) edges.push_back({type, i * n + difference[i]});
    }
  }
  const auto colours =
      colour_bipartite(edges, graph.node_count(), static_cast<std::uint32_t>(dimensions.size()) * n);
  const std::uint32_t rounds = *std::max_element(colours.begin(), colours.end()) + 1;
  std::vector<DimensionRound> list;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < dimensions.size(); ++i)
      list.push_back({i, round * steps, std::vector<NodeId>(n, kNoType)});
  }
  for (std::size_t e = 0; e < edges.size(); ++e)
    list[colours[e] * dimensions.size() + edges[e].right / n].types[edges[e].right % n] = edges[e].left;
  return schedule_of_rounds(problem, name, std::vector<Schedule>(dimensions.size(), exchange), list);
}

Algorithm colouring_of_rounds() {
  return {.name = "colouring-of-rounds",
          .collective = CollectiveKind::kTotalExchange,
          .source = "Koenig 1916, edge colouring; beyond thesis Corollary 5.7",
          .description =
              "total exchanges of all dimensions at once, round by round, for any number of equal dimensions",
          .domain = "powers of a network, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
            const std::vector<Graph>& factors = p.graph.factors();
            if (factors.size() < 2 || !all_same(factors))
              return "needs a product of two or more equal networks";
            if (factors[0].node_count() < 2) return "needs dimensions of two or more nodes";
            return why_exchange_too_large(p.graph);
          },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            const auto rounds = promised_rounds(p.graph.factors(), p.ports);
            return rounds ? std::optional(rounds->front()) : std::nullopt;
          },
          .plan = [](const Problem& p) { return plan_rounds(p, "colouring-of-rounds"); }};
}

}  // namespace

std::vector<Algorithm> colouring_of_rounds_algorithms() { return {colouring_of_rounds()}; }

}  // namespace safnet
