#include "cpp_model/algorithm/tools/many_paths.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>
#include <stdexcept>

#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/number/groups.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kNoWay = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kLongestDetour = 4;
constexpr std::uint64_t kMostDetouringSweeps = 16;
constexpr std::uint32_t kGroups = 8;  // of the packets for a destination

// The price of one more packet over a resource, by its load: doubles with every `width` packets, is linear
// between the doublings, and 2^kPeak at `peak` packets. At least `least`, and small enough for sums over
// paths.
class PriceTable {
 public:
  static constexpr int kPeak = 32;
  void make(std::uint32_t peak, std::uint32_t width, std::uint64_t least) {
    price_.resize(std::size_t{2} * peak + 64);
    for (std::size_t load = 0; load < price_.size(); ++load) {
      const std::int64_t above = static_cast<std::int64_t>(load) - peak + kPeak * std::int64_t{width};
      if (above < 0) {
        price_[load] = least;
        continue;
      }
      const auto doublings = std::min<std::int64_t>(above / width, kMost);
      const std::uint64_t part = static_cast<std::uint64_t>(above % width) * (std::uint64_t{1} << doublings);
      price_[load] = std::max(least, 1 + (std::uint64_t{1} << doublings) + part / width);
    }
  }
  std::uint64_t operator[](std::uint32_t load) const {
    return load < price_.size() ? price_[load] : price_.back();
  }

 private:
  static constexpr std::int64_t kMost = 46;
  std::vector<std::uint64_t> price_;
};

class ManyPathsBalancer {
 public:
  ManyPathsBalancer(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
                    std::uint64_t proven)
      : graph_(graph),
        occupancy_(occupancy),
        trips_(trips),
        loads_(occupancy.count, 0),
        length_(trips.size(), 0),
        distance_(graph.nodes),
        cost_(graph.nodes),
        proven_(proven) {
    for (const Trip& trip : trips) {
      if (trip.from == trip.to)
        throw bad_input("packet {}: expected a destination other than its origin", trip.packet);
    }
    by_destination_ = Groups(graph.nodes, [&](const auto& put) {
      for (std::uint32_t i = 0; i < trips.size(); ++i) put(trips[i].to, i);
    });
    for (NodeId d = 0; d < graph.nodes; ++d) {
      const std::span<std::uint32_t> all = trips_to(d);
      if (all.empty()) continue;
      destinations_.push_back(d);
      shuffle(all, random_);
    }
    make_room();
  }

  std::uint32_t peak() const { return *std::max_element(loads_.begin(), loads_.end()); }

  void balance() {
    // Prices are coarse at first, so that differences between resources far below the busiest one count too.
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    int in_vain = 0;
    for (width_shift_ = 3; width_shift_ <= 8 && in_vain < 2; ++width_shift_) {
      sweep(true);
      in_vain = peak() < best - best / 1000 ? 0 : in_vain + 1;
      best = std::min(best, peak());
      if (peak() - proven_ <= proven_ / 200) return;
    }
    // Detours make all resources busier, so they are not tried where there is little to gain.
    if (peak() - proven_ > proven_ / 50 && links_.size() <= kMostDetouredHops) take_detours();
  }

  ManyPaths result() {
    PathTable table;
    table.first.resize(trips_.size() + 1);
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      const std::uint32_t start = room_[i];
      table.first[i] = end;
      for (std::uint32_t hop = 0; hop < length_[i]; ++hop) links_[end++] = links_[start + hop];
    }
    table.first.back() = end;
    links_.resize(end);
    table.link = std::move(links_);
    return {std::move(table), peak(), proven_};
  }

 private:
  std::span<std::uint32_t> trips_to(NodeId d) {
    const std::vector<std::uint32_t>& first = by_destination_.first;
    return {by_destination_.numbers.data() + first[d], first[d + 1] - first[d]};
  }
  std::span<LinkId> path(std::uint32_t trip) { return {links_.data() + room_[trip], length_[trip]}; }

  // Room for a shortest path of every trip.
  void make_room() {
    room_.assign(trips_.size() + 1, 0);
    std::uint64_t hops = 0;
    for (const NodeId d : destinations_) {
      order_by_hops(d, false);
      for (const std::uint32_t i : trips_to(d)) {
        if (distance_[trips_[i].from] == kUnreachable)
          throw bad_input("node {}: no way leads to node {}", trips_[i].from, d);
        room_[i + 1] = distance_[trips_[i].from];
        hops += room_[i + 1];
      }
    }
    if (hops >= std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("paths: 2^32 hops or more; expected fewer");
    const std::uint64_t uses = occupancy_.receiving.empty() ? hops : 2 * hops;
    proven_ = std::max(proven_, divide_up(uses, occupancy_.count));
    std::partial_sum(room_.begin(), room_.end(), room_.begin());
    links_.resize(hops);
  }
  // Room for detours.
  void give_slack() {
    links_.resize(links_.size() + kLongestDetour * trips_.size());
    for (std::size_t i = trips_.size(); i-- > 0;) {
      const std::size_t from = room_[i], to = from + kLongestDetour * i;
      std::copy_backward(links_.begin() + static_cast<std::ptrdiff_t>(from),
                         links_.begin() + static_cast<std::ptrdiff_t>(from + length_[i]),
                         links_.begin() + static_cast<std::ptrdiff_t>(to + length_[i]));
    }
    for (std::size_t i = 0; i < room_.size(); ++i) room_[i] += static_cast<std::uint32_t>(kLongestDetour * i);
  }

  std::uint64_t price(LinkId link) const {
    std::uint64_t sum = 0;
    occupancy_.for_each(link, [&](std::uint32_t resource) { sum += price_[loads_[resource]]; });
    return sum;
  }
  void set_prices() {
    const std::uint32_t top = std::max({peak(), static_cast<std::uint32_t>(proven_), 1U});
    price_.make(top, std::max(top >> width_shift_, 1U), least_price_);
  }
  void count(LinkId link, std::uint32_t change) {
    occupancy_.for_each(link, [&](std::uint32_t resource) { loads_[resource] += change; });
  }

  // Sweeps with detours, as long as they help. Where links are far from busy all cost the same, so that hops
  // are saved there.
  void take_detours() {
    give_slack();
    auto best_links = links_;
    auto best_length = length_;
    auto best_loads = loads_;
    std::uint32_t best = peak();
    int in_vain = 0;
    width_shift_ = 5;
    least_price_ = std::uint64_t{1} << (PriceTable::kPeak - 4);
    const std::uint64_t links_of_sweep = (kGroups + 1) * destinations_.size() * graph_.out.size();
    std::uint64_t sweeps = std::min(kMostDetouringSweeps, kMostDetouredLinks / links_of_sweep);
    for (; sweeps > 0 && in_vain < 2; --sweeps) {
      prove();
      if (best <= proven_) break;
      sweep(false);
      const bool is_better = peak() < best;
      in_vain = is_better ? 0 : in_vain + 1;
      // Sharper prices once they help little; less sharp ones if they do not help at all.
      if (!is_better)
        width_shift_ = std::max(width_shift_ - 1, 4);
      else if (peak() > best - best / 50)
        width_shift_ = std::min(width_shift_ + 1, 8);
      if (!is_better) continue;
      best = peak();
      best_links = links_;
      best_length = length_;
      best_loads = loads_;
    }
    links_ = std::move(best_links);
    length_ = std::move(best_length);
    loads_ = std::move(best_loads);
  }

  // All packets anew, group by group of every destination.
  void sweep(bool shortest) {
    std::size_t done = 0;
    for (std::uint32_t group = 0; group < kGroups; ++group) {
      shuffle(destinations_, random_);
      for (const NodeId d : destinations_) {
        const std::span<std::uint32_t> all = trips_to(d);
        const std::size_t begin = all.size() * group / kGroups, end = all.size() * (group + 1) / kGroups;
        if (begin == end) continue;
        if (done++ % 8 == 0) set_prices();
        reroute(d, all.subspan(begin, end - begin), shortest);
      }
    }
  }

  void reroute(NodeId d, std::span<const std::uint32_t> trips, bool shortest) {
    for (const std::uint32_t trip : trips) {
      for (const LinkId link : path(trip)) count(link, std::uint32_t(-1));
    }
    order_by_hops(d, shortest);
    if (!shortest) find_cheapest(d);
    for (const std::uint32_t trip : trips) lead(trip, shortest ? 0 : kLongestDetour);
  }

  // Distances to the destination and, if wanted, the costs of the cheapest of the shortest ways.
  void order_by_hops(NodeId d, bool costs) {
    std::fill(distance_.begin(), distance_.end(), kUnreachable);
    if (costs) std::fill(cost_.begin(), cost_.end(), kNoWay);
    order_.assign(1, d);
    distance_[d] = 0;
    cost_[d] = 0;
    for (std::size_t head = 0; head < order_.size(); ++head) {
      const NodeId v = order_[head];
      for (const LinkId link : graph_.into(v)) {
        const NodeId u = graph_.source[link];
        if (distance_[u] == kUnreachable) {
          distance_[u] = distance_[v] + 1;
          order_.push_back(u);
        }
        if (costs && distance_[u] == distance_[v] + 1) cost_[u] = std::min(cost_[u], cost_[v] + price(link));
      }
    }
  }
  // The costs of the cheapest of all ways.
  void find_cheapest(NodeId d) {
    std::fill(cost_.begin(), cost_.end(), kNoWay);
    using Entry = std::pair<std::uint64_t, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    cost_[d] = 0;
    queue.push({0, d});
    while (!queue.empty()) {
      const auto [reached, v] = queue.top();
      queue.pop();
      if (reached != cost_[v]) continue;
      for (const LinkId link : graph_.into(v)) {
        const NodeId u = graph_.source[link];
        const std::uint64_t through = reached + price(link);
        if (through >= cost_[u]) continue;
        cost_[u] = through;
        queue.push({through, u});
      }
    }
  }

  // A packet goes to its destination in at most `slack` hops more than needed, each nearer to it or on a
  // cheaper way.
  void lead(std::uint32_t trip, std::uint32_t slack) {
    const NodeId to = trips_[trip].to;
    std::uint32_t hops = 0;
    std::uint32_t left = distance_[trips_[trip].from] + slack;
    LinkId* const links = links_.data() + room_[trip];
    for (NodeId v = trips_[trip].from; v != to; --left) {
      const std::span<const LinkId> out = graph_.out_of(v);
      std::uint64_t best = kNoWay;
      LinkId over = out[0];
      turn_ = turn_ * 6364136223846793005U + 1442695040888963407U;
      std::size_t at = (turn_ >> 33) % out.size();  // the first wins a tie
      for (std::size_t i = 0; i < out.size(); ++i, at = at + 1 == out.size() ? 0 : at + 1) {
        const NodeId u = graph_.target[out[at]];
        const bool nearer = distance_[u] + 1 == distance_[v];
        if (!nearer && (slack == 0 || distance_[u] >= left || cost_[u] >= cost_[v])) continue;
        const std::uint64_t cost = cost_[u] + price(out[at]);
        if (cost < best) {
          best = cost;
          over = out[at];
        }
      }
      links[hops++] = over;
      count(over, 1);
      v = graph_.target[over];
    }
    length_[trip] = static_cast<std::uint16_t>(hops);
    if (hops > distance_[trips_[trip].from]) cut_circles(trip);
  }

  // A detour may come back to a node, since a packet that runs out of hops has to go straight on.
  void cut_circles(std::uint32_t trip) {
    LinkId* const links = links_.data() + room_[trip];
    std::uint32_t hops = length_[trip];
    for (std::uint32_t i = 0; i < hops; ++i) {
      std::uint32_t last = hops;  // the last hop that leaves the node that hop i leaves
      for (std::uint32_t j = i + 1; j < hops; ++j) {
        if (graph_.source[links[j]] == graph_.source[links[i]]) last = j;
      }
      if (last == hops) continue;
      for (std::uint32_t j = i; j < last; ++j) count(links[j], std::uint32_t(-1));
      std::copy(links + last, links + hops, links + i);
      hops -= last - i;
    }
    length_[trip] = static_cast<std::uint16_t>(hops);
  }

  // Bound by duality: see congestion_bound(), here with the prices of the present loads.
  void prove() {
    set_prices();
    std::vector<std::uint64_t> prices(loads_.size());
    // Few bits are enough, so that sums over all packets fit.
    for (std::size_t r = 0; r < prices.size(); ++r) prices[r] = price_[loads_[r]] >> 16;
    proven_ = std::max(proven_, congestion_bound(graph_, occupancy_, trips_, prices));
  }

  const FlatGraph& graph_;
  const Occupancy& occupancy_;
  std::span<const Trip> trips_;
  std::mt19937_64 random_{1};
  std::uint64_t turn_ = 1;
  std::vector<std::uint32_t> loads_;
  std::vector<std::uint32_t> room_;    // by trip, where its path begins in links_
  std::vector<std::uint16_t> length_;  // of its path
  std::vector<LinkId> links_;
  Groups by_destination_;  // trips
  std::vector<NodeId> destinations_, order_;
  std::vector<std::uint32_t> distance_;  // to the destination, by node
  std::vector<std::uint64_t> cost_;      // of the cheapest way there
  PriceTable price_;
  std::uint64_t least_price_ = 1;
  int width_shift_ = 3;  // a price doubles with every (busiest >> width_shift_) packets
  std::uint64_t proven_ = 0;
};

}  // namespace

ManyPaths many_paths(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
                     std::uint64_t proven) {
  if (trips.empty()) return {};
  ManyPathsBalancer balancer(graph, occupancy, trips, proven);
  balancer.balance();
  return balancer.result();
}

}  // namespace safnet
