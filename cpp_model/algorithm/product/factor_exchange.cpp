#include "cpp_model/algorithm/product/factor_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// Above this many nodes only what a formula promises is looked at, not the result of every planner.
constexpr NodeId kMaxCompared = 64;

bool is_path(const Graph& graph) {
  const NodeId n = graph.node_count();
  if (graph.link_count() != 2 * (std::uint64_t{n} - 1) || graph.max_degree() > 2) return false;
  for (NodeId v = 0; v + 1 < n; ++v) {
    if (!graph.port_to(v, v + 1)) return false;
  }
  return true;
}

// One-port total exchange on a linear array of three nodes or more: all packets to the right, each node
// furthest first as in thesis 4.2, then all to the left. If n is even the two middle nodes first swap a
// packet, which takes a step off both halves. floor(n^2/2) steps, one less for even n: what a middle node has
// to send and forward.
Schedule line_exchange(const Graph& graph, PortModel ports) {
  const NodeId n = graph.node_count();
  Problem problem{graph, CollectiveKind::kTotalExchange, ports};
  Schedule schedule = empty_schedule(problem, "two halves of a linear array");
  std::uint32_t step = 0;
  const bool swap = n % 2 == 0;
  // `here(x)` is the node x places from the end that packets come from; waiting[x] holds packets as origin
  // and destination in these places.
  using Packet = std::pair<NodeId, NodeId>;
  const auto furthest_first = [](const Packet& a, const Packet& b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  };
  for (const bool rightward : {true, false}) {
    const auto here = [&](NodeId x) { return rightward ? x : n - 1 - x; };
    const auto send = [&](NodeId x, const Packet& packet) {
      const PortId port = graph.port_to(here(x), here(x + 1)).value();
      schedule.sends.push_back(
          {step, graph.link(here(x), port), exchange_packet(here(packet.first), here(packet.second), n)});
    };
    std::vector<std::set<Packet, decltype(furthest_first)>> waiting(
        n, std::set<Packet, decltype(furthest_first)>(furthest_first));
    for (NodeId x = 0; x < n; ++x) {
      for (NodeId y = x + 1; y < n; ++y) waiting[x].insert({x, y});
    }
    std::size_t left = std::size_t{n} * (n - 1) / 2;
    if (swap) {
      const Packet first = *waiting[n / 2 - 1].begin();
      const std::uint32_t now = step;
      step = 1;
      send(n / 2 - 1, first);
      step = std::max(now, 1U);
      waiting[n / 2 - 1].erase(first);
      waiting[n / 2].insert(first);
    }
    while (left > 0) {
      ++step;
      std::vector<std::pair<NodeId, Packet>> arrived;
      for (NodeId x = 0; x + 1 < n; ++x) {
        if (waiting[x].empty()) continue;
        const Packet packet = *waiting[x].begin();
        waiting[x].erase(packet);
        send(x, packet);
        arrived.emplace_back(x + 1, packet);
      }
      for (const auto& [x, packet] : arrived) {
        if (packet.second == x) {
          --left;
        } else {
          waiting[x].insert(packet);
        }
      }
    }
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::uint32_t last_step(const Schedule& schedule) {
  return schedule.sends.empty() ? 0 : schedule.sends.back().start;
}

std::optional<std::uint64_t> promised_exchange_steps(const Graph& graph, PortModel ports) {
  const std::uint64_t n = graph.node_count();
  const bool all_port = ports == PortModel::kAllPort;
  if (n == 1) return 0;
  if (graph.degree(0) + 1 == n && graph.link_count() == n * (n - 1)) return all_port ? 1 : n - 1;
  if (is_path(graph)) return all_port ? quarter_square(n) : n * n / 2 - (n % 2 == 0 ? 1 : 0);
  if (!graph.translations()) return std::nullopt;
  if (!all_port) return graph.status(0);
  if (graph.max_degree() == 2) return eighth_square(n);
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> promised_rounds(const std::vector<Graph>& factors,
                                                          PortModel ports) {
  std::uint64_t nodes = 1;
  for (const Graph& factor : factors) nodes *= factor.node_count();
  std::vector<std::uint64_t> rounds;
  for (const Graph& factor : factors) {
    const auto steps = promised_exchange_steps(factor, ports);
    if (!steps) return std::nullopt;
    rounds.push_back(nodes / factor.node_count() * *steps);
  }
  return rounds;
}

std::string why_exchange_too_large(const Graph& graph) {
  if (graph.node_count() > kMaxRoutedNodes)
    return fmt::format("needs a network of at most {} nodes", kMaxRoutedNodes);
  if (all_hops(graph) > kMaxPlannedSends)
    return fmt::format("needs a network whose total exchange takes at most {} hops", kMaxPlannedSends);
  return {};
}

Schedule shortest_exchange(const Graph& graph, PortModel ports) {
  const Problem problem{graph, CollectiveKind::kTotalExchange, ports};
  if (graph.node_count() == 1) return empty_schedule(problem, "nothing to do");
  if (ports != PortModel::kAllPort && is_path(graph) && graph.node_count() > 2)
    return line_exchange(graph, ports);
  const std::uint64_t bound = lower_bound(problem).steps;
  const auto steps = [&](const Algorithm* a) {
    return a->closed_form(problem).value_or(std::numeric_limits<std::uint64_t>::max());
  };
  std::vector<const Algorithm*> planners;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == CollectiveKind::kTotalExchange && algorithm.plan &&
        !algorithm.chosen_by_name_only && algorithm.why_not(problem).empty())
      planners.push_back(&algorithm);
  }
  if (planners.empty()) {
    throw bad_input("topology {}: expected a factor that some algorithm solves", one_line(graph.spelling()));
  }
  std::stable_sort(planners.begin(), planners.end(),
                   [&](const Algorithm* a, const Algorithm* b) { return steps(a) < steps(b); });
  Schedule best = planners[0]->plan(problem);
  if (graph.node_count() > kMaxCompared) return best;
  for (std::size_t i = 1; i < planners.size() && last_step(best) > bound; ++i) {
    Schedule next = planners[i]->plan(problem);
    if (last_step(next) < last_step(best)) best = std::move(next);
  }
  return best;
}

}  // namespace safnet
