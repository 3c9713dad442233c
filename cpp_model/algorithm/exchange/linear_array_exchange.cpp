#include "cpp_model/algorithm/exchange/linear_array_exchange.hpp"

#include <fmt/format.h>

#include <queue>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"

namespace safnet {
namespace {

constexpr NodeId kMostNodes = 256;  // 5.6 million sends

struct Crossing {
  std::uint32_t step = 0;
  NodeId from = 0;  // to from + 1
  NodeId origin = 0, destination = 0;
};

// Total exchange of n nodes towards higher numbers: furthest first, then the smaller origin (thesis 4.2).
// In step 1 only the nodes that `starts` names send.
template <class Starts>
std::vector<Crossing> rightward(NodeId n, Starts starts) {
  // The first to leave on top: the highest destination, then the lowest origin.
  using Packet = std::pair<NodeId, NodeId>;  // destination, n - 1 - origin
  std::vector<std::priority_queue<Packet>> waiting(n);
  std::size_t under_way = 0;
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId d = v + 1; d < n; ++d) waiting[v].emplace(d, n - 1 - v);
    under_way += n - 1 - v;
  }
  std::vector<Crossing> crossings;
  for (std::uint32_t step = 1; under_way > 0; ++step) {
    const std::size_t before = crossings.size();
    for (NodeId v = 0; v + 1 < n; ++v) {
      if (waiting[v].empty() || (step == 1 && !starts(v))) continue;
      const auto [destination, origin] = waiting[v].top();
      waiting[v].pop();
      crossings.push_back({step, v, n - 1 - origin, destination});
    }
    for (std::size_t i = before; i < crossings.size(); ++i) {
      const Crossing& c = crossings[i];
      if (c.from + 1 == c.destination) {
        --under_way;
      } else {
        waiting[c.from + 1].emplace(c.destination, n - 1 - c.origin);
      }
    }
  }
  return crossings;
}

Schedule rightward_then_leftward(const Problem& problem) {
  Schedule schedule = empty_schedule(problem, "rightward-then-leftward");
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  const auto add = [&](std::uint32_t step, NodeId from, NodeId to, NodeId origin, NodeId destination) {
    schedule.sends.push_back(
        {step, graph.link(from, *graph.port_to(from, to)), exchange_packet(origin, destination, n)});
  };
  // Nodes middle and middle + 1 swap if n is even: the one on the left receives nothing else in step 1, the
  // one on the right sends nothing else.
  const bool swap = n % 2 == 0;
  const NodeId middle = n / 2 - 1;
  std::uint32_t half = 0;
  for (const Crossing& c :
       rightward(n, [&](NodeId v) { return !swap || (v + 1 != middle && v != middle + 1); })) {
    add(c.step, c.from, c.from + 1, c.origin, c.destination);
    half = c.step;
  }
  // In the mirror image the right one of the two is `middle`, and step 1 is its part of the swap.
  for (const Crossing& c : rightward(n, [&](NodeId v) { return !swap || v == middle; })) {
    const std::uint32_t step = !swap ? half + c.step : c.step == 1 ? 1 : half + c.step - 1;
    add(step, n - 1 - c.from, n - 2 - c.from, n - 1 - c.origin, n - 1 - c.destination);
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::vector<Algorithm> linear_array_exchange_algorithms() {
  return {Algorithm{
      .name = "rightward-then-leftward",
      .collective = CollectiveKind::kTotalExchange,
      .source = "after thesis 4.2",
      .description = "furthest first to the right, then to the left; first the middle two swap a packet",
      .domain = fmt::format("linear arrays of at most {} nodes, one-port", kMostNodes),
      .why_not = [](const Problem& p) -> std::string {
        if (!p.tree.empty()) return "has no use for --tree";
        if (linear_array_length(p.graph) < 2) return "needs a linear array";
        if (p.ports == PortModel::kAllPort) return "needs --ports one or one-send";
        if (p.graph.node_count() > kMostNodes)
          return fmt::format("needs a linear array of at most {} nodes", kMostNodes);
        return {};
      },
      .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
        const std::uint64_t n = p.graph.node_count();
        return n * n / 2 - (n % 2 == 0 ? 1 : 0);
      },
      .plan = rightward_then_leftward}};
}

}  // namespace safnet
