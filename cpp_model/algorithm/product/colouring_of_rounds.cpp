#include "cpp_model/algorithm/product/colouring_of_rounds.hpp"

#include <algorithm>

#include "cpp_model/algorithm/product/dimension_rounds.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/tools/bipartite_colouring.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"

namespace safnet {
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
            const bool power = factors.size() >= 2 &&
                               std::all_of(factors.begin(), factors.end(),
                                           [&](const Graph& f) { return same_network(f, factors[0]); });
            if (!power) return "needs a product of two or more equal networks";
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
