#include "cpp_model/claim/thesis/brute_force.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// A set of nodes, a bit each.
using Nodes = std::uint32_t;
constexpr NodeId kMostNodes = 16;
constexpr Nodes bit(NodeId v) { return Nodes{1} << v; }

std::vector<Nodes> neighbours(const Graph& graph) {
  if (graph.node_count() > kMostNodes) throw std::invalid_argument("too many nodes for a search");
  std::vector<Nodes> near(graph.node_count(), 0);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) near[v] |= bit(graph.peer(v, p).node);
  }
  return near;
}

// Adds all sets of nodes that can be informed after a step in which the nodes from `v` on still may call.
void add_calls(const std::vector<Nodes>& near, Nodes callers, NodeId v, Nodes informed,
               std::set<Nodes>& after) {
  while (v < near.size() && (callers & bit(v)) == 0) ++v;
  if (v == near.size()) {
    after.insert(informed);
    return;
  }
  const Nodes missing = near[v] & ~informed;
  for (Nodes left = missing; left != 0; left &= left - 1)
    add_calls(near, callers, v + 1, informed | (left & ~(left - 1)), after);
  if (missing == 0) add_calls(near, callers, v + 1, informed, after);
}

// A network spread out over T steps: place v at time t, with what may still flow from place to place.
class SpreadOverTime {
 public:
  SpreadOverTime(const Graph& graph, std::uint32_t steps)
      : nodes_(graph.node_count()), places_(nodes_ * (steps + 1)), room_((places_ + 1) * (places_ + 1), 0) {
    constexpr std::uint32_t kAnyNumber = kMostNodes;
    for (std::uint32_t t = 0; t < steps; ++t) {
      for (NodeId v = 0; v < nodes_; ++v) {
        room(t * nodes_ + v, (t + 1) * nodes_ + v) = kAnyNumber;
        for (PortId p = 0; p < graph.degree(v); ++p)
          ++room(t * nodes_ + v, (t + 1) * nodes_ + graph.peer(v, p).node);
      }
    }
    for (NodeId v = 0; v < nodes_; ++v) room(steps * nodes_ + v, places_) = 1;  // to the end: one packet each
  }
  // Sends one packet more from the root at time 0 to the end, the others on other ways if need be.
  bool send_one_more(NodeId root) {
    room((places_ / nodes_ - 1) * nodes_ + root, places_) = 0;  // the root needs none
    std::vector<bool> seen(places_ + 1, false);
    return send(root, seen);
  }

 private:
  std::uint32_t& room(std::size_t from, std::size_t to) { return room_[from * (places_ + 1) + to]; }
  bool send(std::size_t from, std::vector<bool>& seen) {
    if (from == places_) return true;
    seen[from] = true;
    for (std::size_t to = 0; to <= places_; ++to) {
      if (room(from, to) == 0 || seen[to] || !send(to, seen)) continue;
      --room(from, to);
      ++room(to, from);
      return true;
    }
    return false;
  }

  std::size_t nodes_, places_;
  std::vector<std::uint32_t> room_;
};

// Costs of the cheapest ways between all nodes, one after the other; `link` has the costs of links.
using Costs = std::vector<std::uint32_t>;
constexpr std::uint32_t kNoWay = 1U << 28;
std::uint64_t sum_of_cheapest(Costs cost, NodeId n) {
  for (NodeId via = 0; via < n; ++via) {
    for (NodeId v = 0; v < n; ++v) {
      for (NodeId u = 0; u < n; ++u)
        cost[v * n + u] = std::min(cost[v * n + u], cost[v * n + via] + cost[via * n + u]);
    }
  }
  std::uint64_t sum = 0;
  for (const std::uint32_t c : cost) sum += c;
  return sum;
}

// What there is to pay for: by link (v, u) the number of its price, and how often each price is taken per
// step.
struct Priced {
  std::map<std::pair<NodeId, NodeId>, std::size_t> price_of;
  std::vector<std::uint64_t> copies;
};

// Nodes that lie alike have the same distances to other nodes, and so have their neighbours. Links that lie
// alike are translations of each other; without translations they have such ends, and nodes at the same
// distances from both.
Priced things_with_prices(const Graph& graph, PortModel ports) {
  const NodeId n = graph.node_count();
  std::vector<std::vector<std::uint32_t>> from, place(n);
  for (NodeId v = 0; v < n; ++v) from.push_back(graph.distances_from(v));
  const auto sorted = [](auto list) {
    std::ranges::sort(list);
    return list;
  };
  for (NodeId v = 0; v < n; ++v) {
    std::vector<std::vector<std::uint32_t>> around;
    for (PortId p = 0; p < graph.degree(v); ++p) around.push_back(sorted(from[graph.peer(v, p).node]));
    place[v] = sorted(from[v]);
    for (const auto& each : sorted(around)) place[v].insert(place[v].end(), each.begin(), each.end());
  }
  Priced priced;
  std::map<std::vector<std::uint32_t>, std::size_t> number;
  const auto price = [&](const std::vector<std::uint32_t>& key) {
    const std::size_t which = number.emplace(key, number.size()).first->second;
    priced.copies.resize(number.size());
    return which;
  };
  for (NodeId v = 0; v < n; ++v) {
    if (ports != PortModel::kAllPort) ++priced.copies[price(place[v])];
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId u = graph.peer(v, p).node;
      std::vector<std::uint32_t> key = place[v];
      if (ports == PortModel::kAllPort && graph.translations()) {
        for (key = {0}; graph.translations()->apply(v, graph.peer(0, key[0]).node) != u;) ++key[0];
      } else if (ports == PortModel::kAllPort) {
        const auto& [less, more] = std::minmax(place[v], place[u]);
        key = less;
        key.insert(key.end(), more.begin(), more.end());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
        for (NodeId x = 0; x < n; ++x) ends.push_back(std::minmax({from[v][x], from[u][x]}));
        for (const auto& [near, far] : sorted(ends)) key.insert(key.end(), {near, far});
      }
      const std::size_t which = price(key);
      priced.price_of[{v, u}] = which;
      if (ports == PortModel::kAllPort) ++priced.copies[which];
    }
  }
  return priced;
}

std::uint64_t largest_bound_by_prices(const Graph& graph, PortModel ports) {
  constexpr std::uint64_t kWork = std::uint64_t{1} << 25;
  const NodeId n = graph.node_count();
  const Priced priced = things_with_prices(graph, ports);
  const std::size_t count = priced.copies.size();
  std::uint64_t prices = 2;  // 0, 1, ...
  const auto work = [&](std::uint64_t many) {
    double total = static_cast<double>(n) * n * n;
    for (std::size_t i = 0; i < count; ++i) total *= static_cast<double>(many);
    return total;
  };
  while (prices < 8 && work(prices + 1) < static_cast<double>(kWork)) ++prices;
  std::uint64_t bound = 0;
  for (NodeId v = 0; v < n; ++v)
    bound = std::max<std::uint64_t>(bound, std::ranges::max(graph.distances_from(v)));
  std::vector<std::uint32_t> price(count, 0);
  const auto next = [&] {  // counts through all prices
    for (std::uint32_t& digit : price) {
      if (++digit < prices) return true;
      digit = 0;
    }
    return false;
  };
  while (next()) {
    Costs cost(std::size_t{n} * n, kNoWay);
    for (NodeId v = 0; v < n; ++v) cost[v * n + v] = 0;
    std::uint64_t income = 0;
    for (const auto& [link, which] : priced.price_of) cost[link.first * n + link.second] = price[which];
    for (std::size_t i = 0; i < count; ++i) income += priced.copies[i] * price[i];
    bound = std::max(bound, divide_up(sum_of_cheapest(std::move(cost), n), income));
  }
  return bound;
}

}  // namespace

std::uint64_t searched_broadcast_steps(const Graph& graph, NodeId root) {
  const std::vector<Nodes> near = neighbours(graph);
  const Nodes all = bit(graph.node_count()) - 1;
  std::set<Nodes> reached{bit(root)};
  std::uint64_t steps = 0;
  for (; !reached.contains(all); ++steps) {
    std::set<Nodes> after;
    for (const Nodes informed : reached) add_calls(near, informed, 0, informed, after);
    reached = std::move(after);
  }
  return steps;
}

std::uint64_t searched_scatter_steps(const Graph& graph, NodeId root) {
  neighbours(graph);  // refuses large networks
  if (graph.node_count() == 1) return 0;
  for (std::uint32_t steps = 1;; ++steps) {
    SpreadOverTime network(graph, steps);
    NodeId informed = 1;
    while (informed < graph.node_count() && network.send_one_more(root)) ++informed;
    if (informed == graph.node_count()) return steps;
  }
}

std::uint64_t searched_disjoint_paths(const Graph& graph, NodeId v, NodeId u) {
  const std::vector<Nodes> near = neighbours(graph);
  const bool adjacent = (near[v] & bit(u)) != 0;
  int fewest = static_cast<int>(graph.node_count());
  for (Nodes removed = 0; removed < bit(graph.node_count()); ++removed) {
    if ((removed & (bit(v) | bit(u))) != 0 || std::popcount(removed) >= fewest) continue;
    Nodes seen = 0;
    for (Nodes next = bit(v); next != 0;) {
      const auto at = static_cast<NodeId>(std::countr_zero(next));
      seen |= bit(at);
      next |= near[at] & ~(at == v ? bit(u) : 0);
      next &= ~(seen | removed);
    }
    if ((seen & bit(u)) == 0) fewest = std::popcount(removed);
  }
  return static_cast<std::uint64_t>(fewest) + (adjacent ? 1 : 0);
}

std::uint64_t searched_exchange_bound(const Graph& graph, PortModel ports) {
  static std::map<std::pair<std::string, PortModel>, std::uint64_t> known;
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  const auto [entry, is_new] = known.try_emplace({graph.spelling(), ports});
  if (is_new) entry->second = largest_bound_by_prices(graph, ports);
  return entry->second;
}

}  // namespace safnet
