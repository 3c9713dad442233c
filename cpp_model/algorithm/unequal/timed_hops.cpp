#include "cpp_model/algorithm/unequal/timed_hops.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <utility>

#include "cpp_model/algorithm/unequal/port_calendar.hpp"

namespace safnet {
namespace {

// Searches for ways stop after so many links, with the ways that there are.
constexpr std::uint64_t kMostLinksSearched = 300'000'000;
constexpr int kRounds = 6;
// Ways of more hops are compared by what is busiest.
constexpr std::uint64_t kMostTimedHops = 100'000;

// Ways for trips, and how long they keep links or ports busy.
class WaySearch {
 public:
  WaySearch(const Graph& graph, const LinkTimes& times, PortModel ports, std::span<const Trip> trips)
      : graph_(graph),
        times_(times),
        ports_(ports),
        occupancy_(port_occupancy(graph, ports)),
        trips_(trips),
        load_(occupancy_.count),
        ways_(trips.size()),
        cost_(graph.node_count()),
        last_(graph.node_count()) {}

  Hops run() {
    for (std::size_t t = 0; t < trips_.size(); ++t) route(t);
    Hops best = hops();
    std::uint32_t best_time = time_of(best);
    // Prices that hardly count keep to quick ways, high ones share out the work.
    for (const double highest : {2.0, 8.0, 64.0}) {
      highest_price_ = highest;
      for (int round = 0; round < kRounds && searched_ < kMostLinksSearched; ++round) {
        for (std::size_t t = 0; t < trips_.size(); ++t) {
          if (t % 16 == 0) most_ = static_cast<double>(std::max<std::uint64_t>(1, peak()));
          take(t, false);
          route(t);
        }
        Hops other = hops();
        const std::uint32_t time = time_of(other);
        if (time >= best_time) continue;
        best_time = time;
        best = std::move(other);
      }
    }
    return best;
  }

 private:
  Hops hops() const {
    Hops all;
    for (std::size_t t = 0; t < trips_.size(); ++t) {
      HopIndex after = kNoHop;
      for (const LinkId link : ways_[t]) after = all.add(link, after, trips_[t].packet);
    }
    return all;
  }
  // Cycles that a timetable takes over these ways or, of many hops, that something is busy.
  std::uint32_t time_of(const Hops& over) {
    if (over.size() > kMostTimedHops) return static_cast<std::uint32_t>(peak());
    searched_ += 64 * over.size();
    return last_arrival(times_, over, timed_list_schedule(graph_, times_, ports_, over, 1));
  }
  std::uint64_t peak() const { return *std::ranges::max_element(load_); }
  // What is as busy as the busiest costs many times what is half as busy.
  double price(std::uint32_t resource) const {
    const double part = static_cast<double>(load_[resource]) / most_;
    const double squared = part * part, fourth = squared * squared;
    return highest_price_ * fourth * fourth;
  }
  void take(std::size_t trip, bool add) {
    for (const LinkId link : ways_[trip]) {
      occupancy_.for_each(link, [&](std::uint32_t r) {
        load_[r] = add ? load_[r] + times_.busy[link] : load_[r] - times_.busy[link];
      });
    }
  }
  void route(std::size_t trip) {
    const auto [from, to, packet] = trips_[trip];
    using Reached = std::pair<double, NodeId>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    std::ranges::fill(cost_, std::numeric_limits<double>::infinity());
    cost_[from] = 0;
    open.emplace(0, from);
    while (!open.empty() && open.top().second != to) {
      const auto [at, v] = open.top();
      open.pop();
      if (at != cost_[v]) continue;
      for (PortId p = 0; p < graph_.degree(v); ++p) {
        const LinkId link = graph_.link(v, p);
        double cost = at + times_.crossing[link];
        occupancy_.for_each(link, [&](std::uint32_t r) { cost += price(r) * times_.busy[link]; });
        const NodeId u = graph_.link_target(link);
        ++searched_;
        if (cost >= cost_[u]) continue;
        cost_[u] = cost;
        last_[u] = link;
        open.emplace(cost, u);
      }
    }
    ways_[trip].clear();
    for (NodeId v = to; v != from; v = graph_.link_source(last_[v])) ways_[trip].push_back(last_[v]);
    std::ranges::reverse(ways_[trip]);
    take(trip, true);
  }

  const Graph& graph_;
  const LinkTimes& times_;
  PortModel ports_;
  const Occupancy occupancy_;
  std::span<const Trip> trips_;
  std::vector<std::uint64_t> load_;  // cycles, by resource
  double highest_price_ = 0, most_ = 1;
  std::vector<std::vector<LinkId>> ways_;  // by trip
  std::vector<double> cost_;               // by node, of the search at hand
  std::vector<LinkId> last_;
  std::uint64_t searched_ = 0;
};

// Places of the hops in the order in which they are to go, those with the most time ahead first.
std::vector<std::uint32_t> ranks_by_time(const LinkTimes& times, const Hops& hops, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> ahead(hops.size());
  std::vector<std::uint32_t> chance(hops.size()), order(hops.size()), rank(hops.size());
  for (HopIndex h = hops.size(); h-- > 0;) {
    ahead[h] += times.crossing[hops.link[h]];
    chance[h] = static_cast<std::uint32_t>(random());
    if (hops.after[h] != kNoHop) ahead[hops.after[h]] = std::max(ahead[hops.after[h]], ahead[h]);
  }
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](HopIndex a, HopIndex b) {
    return ahead[a] != ahead[b] ? ahead[a] > ahead[b] : std::pair(chance[a], a) < std::pair(chance[b], b);
  });
  for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

}  // namespace

Hops timed_paths(const Graph& graph, const LinkTimes& times, PortModel ports, std::span<const Trip> trips) {
  return WaySearch(graph, times, ports, trips).run();
}

std::vector<std::uint32_t> timed_list_schedule(const Graph& graph, const LinkTimes& times, PortModel ports,
                                               const Hops& hops, std::uint64_t seed) {
  const std::vector<std::uint32_t> rank = ranks_by_time(times, hops, seed);
  std::vector<HopIndex> by_rank(hops.size());
  std::vector<std::vector<HopIndex>> next(hops.size());
  for (HopIndex h = 0; h < hops.size(); ++h) {
    by_rank[rank[h]] = h;
    if (hops.after[h] != kNoHop) next[hops.after[h]].push_back(h);
  }
  std::vector<std::set<std::uint32_t>> waiting(graph.link_count());  // ranks, by link
  std::set<std::pair<std::uint32_t, HopIndex>> arriving;             // cycle from which a hop may begin
  for (HopIndex h = 0; h < hops.size(); ++h) {
    if (hops.after[h] == kNoHop) arriving.emplace(1, h);
  }
  PortCalendar calendar(graph, times, ports);
  std::vector<std::uint32_t> starts(hops.size());
  std::set<std::pair<std::uint32_t, LinkId>> first;  // of every link for which hops wait: the best rank
  std::uint32_t now = 1;
  while (!arriving.empty() || !first.empty()) {
    for (; !arriving.empty() && arriving.begin()->first <= now; arriving.erase(arriving.begin())) {
      const HopIndex h = arriving.begin()->second;
      std::set<std::uint32_t>& queue = waiting[hops.link[h]];
      if (!queue.empty()) first.erase({*queue.begin(), hops.link[h]});
      queue.insert(rank[h]);
      first.emplace(*queue.begin(), hops.link[h]);
    }
    std::uint32_t soonest = arriving.empty() ? kUnreachable : arriving.begin()->first;
    std::vector<std::pair<std::uint32_t, LinkId>> taken;
    for (const auto& [place, link] : first) {
      const std::uint32_t free = calendar.free_from(link, now);
      if (free > now) {
        soonest = std::min(soonest, free);
        continue;
      }
      const HopIndex h = by_rank[place];
      starts[h] = now;
      calendar.take(link, now);
      taken.emplace_back(place, link);
      for (const HopIndex follower : next[h]) arriving.emplace(now + times.crossing[link], follower);
    }
    for (const auto& entry : taken) {
      first.erase(entry);
      std::set<std::uint32_t>& queue = waiting[entry.second];
      queue.erase(queue.begin());
      if (queue.empty()) continue;
      first.emplace(*queue.begin(), entry.second);
      soonest = std::min(soonest, calendar.free_from(entry.second, now));
    }
    if (!arriving.empty()) soonest = std::min(soonest, arriving.begin()->first);
    now = std::max(now + 1, soonest);
  }
  return starts;
}

std::uint32_t last_arrival(const LinkTimes& times, const Hops& hops, std::span<const std::uint32_t> starts) {
  std::uint32_t last = 0;
  for (HopIndex h = 0; h < hops.size(); ++h)
    last = std::max(last, starts[h] + times.crossing[hops.link[h]] - 1);
  return last;
}

}  // namespace safnet
