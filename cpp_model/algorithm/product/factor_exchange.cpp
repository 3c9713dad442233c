#include "cpp_model/algorithm/product/factor_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// Above this many nodes only what a formula promises is looked at, not the result of every planner.
constexpr NodeId kMaxCompared = 64;

// Up to this many nodes kTries random orders are tried as well.
constexpr NodeId kMaxTried = 24;

constexpr int kTries = 100;

bool is_path(const Graph& graph) {
  const NodeId n = graph.node_count();
  if (graph.link_count() != 2 * (std::uint64_t{n} - 1) || graph.max_degree() > 2) return false;
  for (NodeId v = 0; v + 1 < n; ++v) {
    if (!graph.port_to(v, v + 1)) return false;
  }
  return true;
}

// One-port total exchange on a linear array: all packets to the right, each node furthest first as in thesis
// 4.2, then all to the left. If n is even the two middle nodes first swap a packet, which takes a step off
// both halves. floor(n^2/2) steps, one less for even n: what a middle node has to send and forward.
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
      if (first.second == n / 2) {
        --left;
      } else {
        waiting[n / 2].insert(first);
      }
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

// Total exchange on a small graph by trying: in every step the nodes with most left to do choose first, each
// the packet with the most hops to go that some nearer neighbour can take, ties at random. The best of many
// tries; empty unless it is below `below` steps.
class RandomExchange {
 public:
  RandomExchange(const Graph& graph, PortModel ports) : graph_(graph), ports_(ports), n_(graph.node_count()) {
    for (NodeId v = 0; v < n_; ++v) distance_.push_back(graph.distances_from(v));
  }
  std::optional<Schedule> best_of(int tries, std::uint64_t bound, std::uint64_t below) {
    std::mt19937_64 random(1);
    std::vector<Send> best;
    const bool alike = graph_.translations() && ports_ == PortModel::kAllPort;
    for (int i = 0; i < tries && below > bound; ++i) {
      std::vector<Send> sends = alike ? attempt_alike(random, below) : attempt(random, below);
      if (sends.empty()) continue;
      below = sends.back().start;
      best = std::move(sends);
    }
    if (best.empty()) return std::nullopt;
    Schedule schedule =
        empty_schedule({graph_, CollectiveKind::kTotalExchange, ports_}, "best of random orders");
    schedule.sends = std::move(best);
    sort_sends(schedule);
    return schedule;
  }

 private:
  std::vector<Send> attempt(std::mt19937_64& random, std::uint64_t below) const {
    using Packet = std::pair<NodeId, NodeId>;  // origin, destination
    std::vector<std::vector<Packet>> waiting(n_);
    std::size_t left = std::size_t{n_} * (n_ - 1);
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId d = 0; d < n_; ++d) {
        if (d != v) waiting[v].emplace_back(v, d);
      }
    }
    std::vector<Send> sends;
    for (std::uint32_t step = 1; left > 0; ++step) {
      if (step >= below) return {};
      std::vector<std::pair<std::size_t, NodeId>> order;
      for (NodeId v = 0; v < n_; ++v) {
        shuffle(waiting[v], random);
        std::stable_sort(waiting[v].begin(), waiting[v].end(), [&](const Packet& a, const Packet& b) {
          return distance_[v][a.second] > distance_[v][b.second];
        });
        order.emplace_back(waiting[v].size(), v);
      }
      shuffle(order, random);
      std::stable_sort(order.begin(), order.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      std::vector<bool> receives(n_, false);
      std::vector<std::pair<NodeId, Packet>> arrived;
      for (const auto& [count, v] : order) {
        std::vector<bool> used(graph_.degree(v), false);
        for (std::size_t i = 0; i < waiting[v].size();) {
          const Packet packet = waiting[v][i];
          const std::optional<PortId> port = choose(v, packet.second, used, receives, random);
          if (!port) {
            ++i;
            continue;
          }
          const NodeId u = graph_.peer(v, *port).node;
          sends.push_back({step, graph_.link(v, *port), exchange_packet(packet.first, packet.second, n_)});
          waiting[v].erase(waiting[v].begin() + static_cast<std::ptrdiff_t>(i));
          if (u == packet.second) {
            --left;
          } else {
            arrived.emplace_back(u, packet);
          }
          used[*port] = true;
          receives[u] = ports_ == PortModel::kOnePort;
          if (ports_ != PortModel::kAllPort) break;
        }
      }
      for (const auto& [u, packet] : arrived) waiting[u].push_back(packet);
    }
    return sends;
  }
  // On a Cayley graph all nodes do what node 0 does, moved to where they are; then no two packets meet on a
  // link if no two of node 0's use a generator in the same step.
  std::vector<Send> attempt_alike(std::mt19937_64& random, std::uint64_t below) const {
    const Translations& t = *graph_.translations();
    std::vector<std::pair<NodeId, NodeId>> packets;  // where it is, destination
    for (NodeId d = 1; d < n_; ++d) packets.emplace_back(0, d);
    std::vector<Send> sends;
    const std::vector<bool> nobody(n_, false);
    for (std::uint32_t step = 1; !packets.empty(); ++step) {
      if (step >= below) return {};
      shuffle(packets, random);
      std::stable_sort(packets.begin(), packets.end(), [&](const auto& a, const auto& b) {
        return distance_[a.first][a.second] > distance_[b.first][b.second];
      });
      std::vector<bool> used(graph_.degree(0), false);
      for (auto& [at, destination] : packets) {
        const std::optional<PortId> port = choose(at, destination, used, nobody, random);
        if (!port) continue;
        used[*port] = true;
        for (NodeId v = 0; v < n_; ++v) {
          sends.push_back(
              {step, graph_.link(t.apply(v, at), *port), exchange_packet(v, t.apply(v, destination), n_)});
        }
        at = graph_.peer(at, *port).node;
      }
      std::erase_if(packets, [](const auto& packet) { return packet.first == packet.second; });
    }
    return sends;
  }
  // A random one of the unused ports to neighbours nearer the destination that can still receive.
  std::optional<PortId> choose(NodeId v, NodeId destination, const std::vector<bool>& used,
                               const std::vector<bool>& receives, std::mt19937_64& random) const {
    std::optional<PortId> chosen;
    std::uint64_t seen = 0;
    for (PortId p = 0; p < graph_.degree(v); ++p) {
      const NodeId u = graph_.peer(v, p).node;
      if (used[p] || receives[u] || distance_[u][destination] >= distance_[v][destination]) continue;
      if (random() % ++seen == 0) chosen = p;
    }
    return chosen;
  }

  const Graph& graph_;
  PortModel ports_;
  NodeId n_;
  std::vector<std::vector<std::uint32_t>> distance_;
};

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
  if (last_step(best) > bound && graph.node_count() <= kMaxTried) {
    auto tried = RandomExchange(graph, ports).best_of(kTries, bound, last_step(best));
    if (tried) return *std::move(tried);
  }
  return best;
}

}  // namespace safnet
