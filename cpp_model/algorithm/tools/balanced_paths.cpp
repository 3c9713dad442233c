#include "cpp_model/algorithm/tools/balanced_paths.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>

#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

// Dijkstra's search from a node, until `to` is next. `cost`, by node, is kFar to begin with; price(link) is
// asked for every link on the way, better(node, link) is told of every better way, before `cost` is. Returns
// whether `to` was reached.
template <class Price, class Better>
bool search_cheapest(const FlatGraph& graph, NodeId from, NodeId to, std::vector<std::uint64_t>& cost,
                     Price price, Better better) {
  using Entry = std::pair<std::uint64_t, NodeId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  cost[from] = 0;
  queue.push({0, from});
  while (!queue.empty() && queue.top().second != to) {
    const auto [reached, v] = queue.top();
    queue.pop();
    if (reached != cost[v]) continue;
    for (const LinkId link : graph.out_of(v)) {
      const NodeId u = graph.target[link];
      const std::uint64_t through = reached + price(link);
      if (through >= cost[u]) continue;
      better(u, link);
      cost[u] = through;
      queue.push({through, u});
    }
  }
  return !queue.empty();
}

class PathBalancer {
 public:
  PathBalancer(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
               std::uint64_t seed)
      : graph_(graph),
        occupancy_(occupancy),
        trips_(trips),
        random_(seed),
        loads_(occupancy.count, 0),
        paths_(trips.size()),
        cost_(graph.nodes, kFar),
        by_(graph.nodes, 0),
        by_origin_(graph.nodes) {
    for (std::size_t i = 0; i < trips.size(); ++i) {
      if (trips[i].from == trips[i].to) {
        throw bad_input("packet {}: expected a destination other than its origin", trips[i].packet);
      }
      by_origin_[trips[i].from].push_back(i);
    }
    for (NodeId v = 0; v < graph.nodes; ++v) {
      if (!by_origin_[v].empty()) origins_.push_back(v);
    }
  }

  void balance(const BalanceEffort& effort) {
    // The first sweep gives every trip a path. Prices are coarse at first, so that differences between
    // resources far below the busiest one count as well.
    for (width_shift_ = 3; width_shift_ <= 8; ++width_shift_) {
      sweep(true);
      if (visited_ > effort.links_visited / 2) break;
    }
    width_shift_ = 31;
    for (const bool shortest : {true, false}) {
      if (!shortest && (effort.shortest_only || trips_.size() * graph_.out.size() > effort.links_visited / 8))
        break;  // the negotiation below gets further for the same effort
      int in_vain = 0;
      auto best = top();
      auto best_paths = paths_;
      auto best_loads = loads_;
      while (in_vain < 4 && visited_ < effort.links_visited / 2) {
        sweep(shortest);
        ++in_vain;
        if (top() >= best) continue;
        in_vain = 0;
        best = top();
        best_paths = paths_;
        best_loads = loads_;
      }
      paths_ = std::move(best_paths);
      loads_ = std::move(best_loads);
    }
    if (effort.shortest_only) return;
    prove(std::vector<std::uint64_t>(loads_.size(), 1));
    // Aims half-way between what is reached and what is proven, again and again; where an aim is missed,
    // half-way between that aim and what is reached.
    std::uint64_t low = 0;
    while (visited_ < effort.links_visited) {
      low = std::max(low, proven_);
      const std::uint64_t high = top().first;
      if (low >= high) break;
      const std::uint64_t goal = (low + high) / 2;
      if (!negotiate_down_to(static_cast<std::uint32_t>(goal), (effort.links_visited - visited_) / 3 + 1))
        low = goal + 1;
    }
  }
  std::uint64_t proven() const { return proven_; }

  Hops hops() const {
    Hops hops;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      HopIndex before = kNoHop;
      for (const LinkId link : paths_[i]) before = hops.add(link, before, trips_[i].packet);
    }
    return hops;
  }

 private:
  // How busy the busiest are, and how many of them there are.
  std::pair<std::uint32_t, std::size_t> top() const {
    const std::uint32_t peak = *std::max_element(loads_.begin(), loads_.end());
    return {peak, static_cast<std::size_t>(std::count(loads_.begin(), loads_.end(), peak))};
  }
  void set_prices() {
    constexpr std::uint32_t kDoublings = 20;
    const std::uint32_t peak = *std::max_element(loads_.begin(), loads_.end());
    const std::uint32_t width = std::max(peak >> width_shift_, 1U);
    price_.assign(std::size_t{peak} + 2, 1);
    for (std::uint32_t load = 0; load < price_.size(); ++load) {
      const std::uint32_t below = (peak + 1 - load) / width;
      if (below < kDoublings) price_[load] += std::uint64_t{1} << (kDoublings - below);
    }
  }
  std::uint64_t price(std::uint32_t resource) const {
    const std::uint32_t load = loads_[resource];
    if (goal_ != 0) return (1 + dearer_[resource]) * (load < goal_ ? 1 : 1 + pressure_ * (load + 1 - goal_));
    return load < price_.size() ? price_[load]
                                : price_.back() << std::min(load + 1 - price_.size(), std::size_t{16});
  }
  std::uint64_t price_of_link(LinkId link) const {
    std::uint64_t cost = 0;
    occupancy_.for_each(link, [&](std::uint32_t resource) { cost += price(resource); });
    return cost;
  }
  void count(const std::vector<LinkId>& path, bool on) {
    const std::uint32_t change = on ? 1 : std::uint32_t(-1);
    for (const LinkId link : path)
      occupancy_.for_each(link, [&](std::uint32_t resource) { loads_[resource] += change; });
  }
  void sweep(bool shortest) {
    shuffle(origins_, random_);
    for (const NodeId origin : origins_) {
      set_prices();
      if (shortest) distance_ = graph_.distances_from(origin);
      if (shortest) visited_ += graph_.out.size();
      shuffle(by_origin_[origin], random_);
      for (const std::size_t i : by_origin_[origin]) {
        count(paths_[i], false);
        const bool found = shortest ? find_shortest(trips_[i]) : find_cheapest(trips_[i]);
        if (!found) {
          throw bad_input("node {}: no way leads to node {}", trips_[i].from, trips_[i].to);
        }
        paths_[i] = path_;
        count(paths_[i], true);
      }
    }
  }

  void prove(const std::vector<std::uint64_t>& prices) {
    proven_ = std::max(proven_, congestion_bound(graph_, occupancy_, trips_, prices));
    visited_ += origins_.size() * graph_.out.size();
  }

  // Leads paths away from resources with more than `goal`, each time dearer, until that is reached or the
  // prices prove that it cannot be. Without success all stays as is.
  bool negotiate_down_to(std::uint32_t goal, std::uint64_t links_visited) {
    const auto paths = paths_;
    const auto loads = loads_;
    goal_ = goal;
    pressure_ = 1;
    dearer_.assign(loads_.size(), 0);
    bool reached = false;
    const std::uint64_t limit = visited_ + links_visited;
    for (int round = 1; !reached && visited_ < limit; ++round) {
      std::vector<std::size_t> losers;
      for (std::size_t i = 0; i < paths_.size(); ++i) {
        bool over = false;
        for (const LinkId link : paths_[i])
          occupancy_.for_each(link, [&](std::uint32_t resource) { over |= loads_[resource] > goal; });
        if (over) losers.push_back(i);
      }
      reached = losers.empty();
      for (std::size_t r = 0; r < loads_.size(); ++r) {
        if (loads_[r] > goal) dearer_[r] += loads_[r] - goal;
      }
      if (!reached && round % 8 == 0) {
        prove(dearer_);
        if (proven_ > goal) break;
      }
      shuffle(losers, random_);
      for (const std::size_t i : losers) {
        if (visited_ >= limit) break;
        count(paths_[i], false);
        find_cheapest(trips_[i]);
        paths_[i] = path_;
        count(paths_[i], true);
      }
      pressure_ = std::min<std::uint64_t>(pressure_ + 1, 64);
    }
    goal_ = 0;
    if (!reached) {
      paths_ = paths;
      loads_ = loads;
    }
    return reached;
  }

  // The cheapest of the shortest paths: backwards from the destination, level by level.
  bool find_shortest(const Trip& trip) {
    if (distance_[trip.to] == kUnreachable) return false;
    seen_.assign(1, trip.to);
    cost_[trip.to] = 0;
    for (std::size_t head = 0; head < seen_.size() && seen_[head] != trip.from; ++head) {
      const NodeId v = seen_[head];
      for (const LinkId link : graph_.into(v)) {
        const NodeId u = graph_.source[link];
        ++visited_;
        if (distance_[u] == kUnreachable || distance_[u] + 1 != distance_[v]) continue;
        const std::uint64_t cost = cost_[v] + price_of_link(link);
        if (cost_[u] == kFar) seen_.push_back(u);
        if (cost < cost_[u] || (cost == cost_[u] && random_() % 2 == 0)) {
          cost_[u] = cost;
          by_[u] = link;
        }
      }
    }
    path_.clear();
    for (NodeId v = trip.from; v != trip.to; v = graph_.target[by_[v]]) path_.push_back(by_[v]);
    for (const NodeId v : seen_) cost_[v] = kFar;
    return true;
  }

  bool find_cheapest(const Trip& trip) {
    seen_.assign(1, trip.from);
    const auto cost_of = [this](LinkId link) {
      ++visited_;
      return price_of_link(link);
    };
    const auto better = [this](NodeId u, LinkId link) {
      if (cost_[u] == kFar) seen_.push_back(u);
      by_[u] = link;
    };
    const bool found = search_cheapest(graph_, trip.from, trip.to, cost_, cost_of, better);
    path_.clear();
    for (NodeId v = trip.to; found && v != trip.from; v = graph_.source[by_[v]]) path_.push_back(by_[v]);
    std::reverse(path_.begin(), path_.end());
    for (const NodeId v : seen_) cost_[v] = kFar;
    return found;
  }

  const FlatGraph& graph_;
  const Occupancy& occupancy_;
  std::span<const Trip> trips_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> loads_;
  std::vector<std::vector<LinkId>> paths_;
  std::vector<std::uint64_t> cost_, price_;
  std::vector<LinkId> by_, path_;
  std::vector<NodeId> seen_, origins_;
  std::vector<std::vector<std::size_t>> by_origin_;
  std::vector<std::uint32_t> distance_;
  std::uint64_t visited_ = 0;
  // While negotiating: what is aimed at (0: not negotiating), what was fought for.
  std::uint32_t goal_ = 0;
  std::uint64_t pressure_ = 1;
  std::vector<std::uint64_t> dearer_;
  std::uint64_t proven_ = 0;
  int width_shift_ = 31;  // a price doubles with every (busiest >> width_shift_) packets
};

// Negotiates the packets' paths and steps together: a packet's way is a sequence of (node, step).
struct TimedPath {
  std::vector<LinkId> links;
  std::vector<std::uint32_t> steps;
};

class Negotiation {
 public:
  Negotiation(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
              std::uint32_t steps, std::uint64_t seed)
      : graph_(graph),
        occupancy_(occupancy),
        trips_(trips),
        steps_(steps),
        random_(seed),
        used_(std::size_t{occupancy.count} * steps, 0),
        dearer_(used_.size(), 0),
        paths_(trips.size()),
        to_(graph.nodes),
        from_(graph.nodes),
        cost_(std::size_t{graph.nodes} * (steps + 1)),
        by_(cost_.size()) {}

  std::optional<TimedHops> run(const TimedHops& start, std::uint64_t links_visited) {
    for (const Trip& trip : trips_) {
      if (to_[trip.to].empty()) to_[trip.to] = graph_.distances_to(trip.to);
      if (from_[trip.from].empty()) from_[trip.from] = graph_.distances_from(trip.from);
      if (from_[trip.from][trip.to] > steps_) return std::nullopt;
    }
    std::vector<std::size_t> losers = take_over(start);
    while (visited_ < links_visited) {
      shuffle(losers, random_);
      for (const std::size_t i : losers) {
        if (visited_ >= links_visited) return std::nullopt;
        count(paths_[i], false);
        reroute(i);
        count(paths_[i], true);
      }
      losers = in_conflict();
      if (losers.empty()) return result();
      pressure_ = std::min<std::uint64_t>(pressure_ + 1, 64);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kWait = std::numeric_limits<std::uint32_t>::max();

  std::size_t slot(std::uint32_t resource, std::uint32_t step) const {
    return std::size_t{step - 1} * occupancy_.count + resource;
  }
  std::uint64_t price(std::size_t at) const { return (1 + dearer_[at]) * (1 + pressure_ * used_[at]); }
  std::uint64_t price_of_hop(LinkId link, std::uint32_t step) const {
    std::uint64_t cost = 0;
    occupancy_.for_each(link, [&](std::uint32_t resource) { cost += price(slot(resource, step)); });
    return cost;
  }
  template <class Act>
  void for_slots(const TimedPath& path, Act act) {
    for (std::size_t i = 0; i < path.links.size(); ++i)
      occupancy_.for_each(path.links[i], [&](std::uint32_t resource) { act(slot(resource, path.steps[i])); });
  }
  void count(const TimedPath& path, bool on) {
    for_slots(path, [&](std::size_t at) { used_[at] += on ? 1 : std::uint32_t(-1); });
  }

  // The paths of `start`; returns those that are too long.
  std::vector<std::size_t> take_over(const TimedHops& start) {
    std::vector<std::size_t> losers;
    std::size_t h = 0;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      TimedPath path;
      do {
        path.links.push_back(start.hops.link[h]);
        path.steps.push_back(start.steps[h]);
        ++h;
      } while (h < start.hops.size() && start.hops.after[h] != kNoHop);
      if (path.steps.back() > steps_) {
        losers.push_back(i);
        continue;
      }
      paths_[i] = std::move(path);
      count(paths_[i], true);
    }
    return losers;
  }

  std::vector<std::size_t> in_conflict() {
    for (std::size_t at = 0; at < used_.size(); ++at) {
      if (used_[at] > 1) dearer_[at] += used_[at] - 1;
    }
    std::vector<std::size_t> losers;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      bool conflict = false;
      for_slots(paths_[i], [&](std::size_t at) { conflict = conflict || used_[at] > 1; });
      if (conflict) losers.push_back(i);
    }
    return losers;
  }

  // The cheapest way of a trip through the steps; waiting costs nothing.
  void reroute(std::size_t trip) {
    const NodeId n = graph_.nodes, from = trips_[trip].from, to = trips_[trip].to;
    const std::vector<std::uint32_t>& behind = from_[from];
    const std::vector<std::uint32_t>& ahead = to_[to];
    std::fill(cost_.begin(), cost_.end(), kFar);
    cost_[from] = 0;
    for (std::uint32_t step = 1; step <= steps_; ++step) {
      const std::uint64_t* now = &cost_[std::size_t{step - 1} * n];
      std::uint64_t* then = &cost_[std::size_t{step} * n];
      std::uint32_t* how = &by_[std::size_t{step} * n];
      for (NodeId v = 0; v < n; ++v) {
        then[v] = now[v];
        how[v] = kWait;
      }
      for (NodeId v = 0; v < n; ++v) {
        if (now[v] == kFar || v == to || behind[v] >= step || ahead[v] > steps_ + 1 - step) continue;
        for (const LinkId link : graph_.out_of(v)) {
          const NodeId u = graph_.target[link];
          ++visited_;
          if (ahead[u] > steps_ - step) continue;
          const std::uint64_t cost = now[v] + price_of_hop(link, step);
          if (cost < then[u] || (cost == then[u] && random_() % 2 == 0)) {
            then[u] = cost;
            how[u] = link;
          }
        }
      }
      visited_ += n;
    }
    TimedPath path;
    NodeId at = to;
    for (std::uint32_t step = steps_; step > 0; --step) {
      const std::uint32_t how = by_[std::size_t{step} * n + at];
      if (how == kWait) continue;
      path.links.push_back(how);
      path.steps.push_back(step);
      at = graph_.source[how];
    }
    std::reverse(path.links.begin(), path.links.end());
    std::reverse(path.steps.begin(), path.steps.end());
    paths_[trip] = std::move(path);
  }

  TimedHops result() const {
    TimedHops timed;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      HopIndex before = kNoHop;
      for (std::size_t k = 0; k < paths_[i].links.size(); ++k) {
        before = timed.hops.add(paths_[i].links[k], before, trips_[i].packet);
        timed.steps.push_back(paths_[i].steps[k]);
      }
    }
    return timed;
  }

  const FlatGraph& graph_;
  const Occupancy& occupancy_;
  std::span<const Trip> trips_;
  std::uint32_t steps_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> used_;
  std::vector<std::uint64_t> dearer_;
  std::vector<TimedPath> paths_;
  std::vector<std::vector<std::uint32_t>> to_, from_;
  std::vector<std::uint64_t> cost_;
  std::vector<std::uint32_t> by_;
  std::uint64_t pressure_ = 1;
  std::uint64_t visited_ = 0;
};

}  // namespace

BalancedPaths balanced_paths(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
                             const BalanceEffort& effort) {
  if (trips.empty()) return {};
  PathBalancer balancer(graph, occupancy, trips, effort.seed);
  balancer.balance(effort);
  return {balancer.hops(), balancer.proven()};
}

std::uint64_t congestion_bound(const FlatGraph& graph, const Occupancy& occupancy,
                               std::span<const Trip> trips, std::span<const std::uint64_t> prices) {
  std::vector<std::uint64_t> price(occupancy.sending.size(), 0);
  for (LinkId link = 0; link < price.size(); ++link)
    occupancy.for_each(link, [&](std::uint32_t resource) { price[link] += prices[resource]; });
  std::vector<std::vector<NodeId>> destinations(graph.nodes);
  for (const Trip& trip : trips) destinations[trip.from].push_back(trip.to);
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> cost(graph.nodes);
  for (NodeId origin = 0; origin < graph.nodes; ++origin) {
    if (destinations[origin].empty()) continue;
    std::fill(cost.begin(), cost.end(), kFar);
    search_cheapest(
        graph, origin, kNoNode, cost, [&](LinkId link) { return price[link]; }, [](NodeId, LinkId) {});
    for (const NodeId d : destinations[origin]) sum += cost[d] == kFar ? 0 : cost[d];
  }
  const std::uint64_t total = std::accumulate(prices.begin(), prices.end(), std::uint64_t{0});
  return total == 0 ? 0 : divide_up(sum, total);
}

std::uint64_t congestion(const Occupancy& occupancy, const Hops& hops) {
  const std::vector<std::uint32_t> loads = resource_loads(occupancy, hops);
  return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
}

std::uint32_t TimedHops::makespan() const {
  return steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
}

std::optional<TimedHops> negotiate(const FlatGraph& graph, const Occupancy& occupancy,
                                   std::span<const Trip> trips, const TimedHops& start, std::uint32_t steps,
                                   const BalanceEffort& effort) {
  if (trips.empty() || steps == 0) return std::nullopt;
  return Negotiation(graph, occupancy, trips, steps, effort.seed).run(start, effort.links_visited);
}

}  // namespace safnet
