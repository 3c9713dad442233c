#include "cpp_model/proof/slot_prices.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "cpp_model/graph/maximum_flow.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 30, kMostArcs = std::uint64_t{1} << 22;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 4;

// Steps in which no price changes, and what it costs to use each link, ports included.
struct Period {
  std::uint64_t first = 1, last = 0;
  std::vector<std::uint64_t> price;
};

std::uint64_t room_of(const SlotPrices& prices) {
  std::uint64_t room = 0;
  for (const SlotPrice& each : prices) room += each.price * (each.last + 1 - each.first);
  return room;
}

std::vector<Period> periods_of(const Task& task, const SlotPrices& prices) {
  std::set<std::uint64_t> starts{1, task.steps + 1};
  for (const SlotPrice& each : prices) {
    starts.insert(each.first);
    starts.insert(each.last + 1);
  }
  std::vector<Period> periods;
  for (auto start = starts.begin(); std::next(start) != starts.end(); ++start) {
    Period& period =
        periods.emplace_back(*start, *std::next(start) - 1, std::vector<std::uint64_t>(task.links.size(), 0));
    std::vector<std::uint64_t> send(task.nodes, 0), receive(task.nodes, 0);
    for (const SlotPrice& each : prices) {
      if (each.first > period.first || each.last < period.first) continue;
      (each.kind == SlotKind::kLink   ? period.price
       : each.kind == SlotKind::kSend ? send
                                      : receive)[each.index] += each.price;
    }
    for (std::size_t l = 0; l < task.links.size(); ++l)
      period.price[l] += send[task.links[l].from] + receive[task.links[l].to];
  }
  return periods;
}

// Cheapest ways from one node to all within the periods.
std::vector<std::uint64_t> cheapest_ways(const Task& task, const std::vector<Period>& periods, NodeId origin,
                                         std::uint64_t& looks) {
  std::vector<std::uint64_t> cost(task.nodes, kNever), after;
  cost[origin] = 0;
  for (const Period& period : periods) {
    for (std::uint64_t step = period.first; step <= period.last && looks < kMostLooks; ++step) {
      after = cost;
      for (std::size_t l = 0; l < task.links.size(); ++l) {
        const DirectedLink& link = task.links[l];
        after[link.to] = std::min(after[link.to], cost[link.from] + period.price[l]);
      }
      looks += task.links.size() + task.nodes;
      if (after == cost) break;
      cost.swap(after);
    }
  }
  return cost;
}

// A set of nodes that copied packets must enter.
class EnteredSet {
 public:
  EnteredSet(const Task& task, const std::vector<NodeId>& nodes) : task_(task), inside_(task.nodes, 0) {
    for (const NodeId v : nodes) inside_[v] = 1;
    for (const NodeId v : task.destinations) {
      if (inside_[v] != 0) wanted_.push_back(v);
    }
    for (std::size_t l = 0; l < task.links.size(); ++l) {
      if (inside_[task.links[l].from] != 0 || inside_[task.links[l].to] == 0) continue;
      into_.push_back(l);
      feeders_.insert(task.links[l].from);
      entered_.insert(task.links[l].to);
    }
    rest_ = steps_within();
  }
  bool is_wanted_by(NodeId origin) const { return !wanted_.empty() && inside_[origin] == 0; }

  /// What a packet pays at least that reaches nodes after so many hops; kNever if it cannot be in time.
  std::uint64_t cheapest(const std::vector<Period>& periods, const std::vector<std::uint32_t>& hops) const {
    std::uint64_t cost = kNever;
    for (const std::size_t l : into_) {
      const std::uint64_t soonest = std::uint64_t{hops[task_.links[l].from]} + 1;
      for (const Period& period : periods) {
        if (std::max(period.first, soonest) + rest_ <= std::min(period.last + rest_, task_.steps))
          cost = std::min(cost, period.price[l]);
      }
    }
    return cost;
  }

 private:
  // Steps from a packet's first entry until it is at all destinations in the set: how far it gets in each
  // step, and where nodes send one packet per step, how many nodes can have it.
  std::uint64_t steps_within() const {
    std::set<NodeId> near = entered_;
    const std::size_t more = entered_.size() == 1 ? 0 : feeders_.size();
    std::size_t known = std::min(feeders_.size(), entered_.size());
    const bool one_is_no_destination =
        std::ranges::none_of(wanted_, [this](NodeId v) { return entered_.contains(v); });
    const std::size_t needed = wanted_.size() + (one_is_no_destination ? 1 : 0);
    std::uint64_t steps = 0;
    while (!std::ranges::all_of(wanted_, [&](NodeId v) { return near.contains(v); }) ||
           (task_.sends_one && known < needed)) {
      std::set<NodeId> grown = near;
      for (const DirectedLink& link : task_.links) {
        if (near.contains(link.from) && inside_[link.to] != 0) grown.insert(link.to);
      }
      if (grown == near && known >= near.size()) break;
      near.swap(grown);
      known = std::min(2 * known + more, near.size());
      ++steps;
    }
    return steps;
  }

  const Task& task_;
  std::vector<std::uint8_t> inside_;
  std::vector<NodeId> wanted_;
  std::vector<std::size_t> into_;
  std::set<NodeId> feeders_, entered_;
  std::uint64_t rest_ = 0;
};

// The slots that a smallest cut goes through, steps that follow each other as one price.
class CutSlots {
 public:
  void add(SlotKind kind, std::uint32_t index, std::uint64_t step) { steps_[{kind, index}].push_back(step); }
  SlotPrices prices() const {
    SlotPrices prices;
    for (const auto& [slot, steps] : steps_) {
      for (const std::uint64_t step : steps) {
        const bool goes_on = !prices.empty() && prices.back().kind == slot.first &&
                             prices.back().index == slot.second && prices.back().last + 1 == step;
        if (goes_on) {
          prices.back().last = step;
        } else {
          prices.push_back({slot.first, slot.second, step, step, 1});
        }
      }
    }
    return prices;
  }

 private:
  std::map<std::pair<SlotKind, std::uint32_t>, std::vector<std::uint64_t>> steps_;
};

}  // namespace

const char* to_string(SlotKind kind) {
  return kind == SlotKind::kLink ? "link" : kind == SlotKind::kSend ? "send" : "receive";
}

bool ways_cost_more(const Task& task, const SlotPrices& prices) {
  const std::uint64_t room = room_of(prices);
  const std::vector<Period> periods = periods_of(task, prices);
  std::uint64_t owed = 0, looks = 0;
  for (const NodeId origin : task.origins) {
    const std::vector<std::uint64_t> cost = cheapest_ways(task, periods, origin, looks);
    if (looks >= kMostLooks) return false;
    for (const NodeId v : task.destinations) {
      if (cost[v] >= kNever) return true;
      owed += task.messages * cost[v];
    }
    if (owed > room) return true;
  }
  return false;
}

bool entries_cost_more(const Task& task, const std::vector<std::vector<NodeId>>& sets,
                       const SlotPrices& prices) {
  const std::uint64_t room = room_of(prices);
  const std::vector<Period> periods = periods_of(task, prices);
  const Wiring wiring = wiring_of(task);
  std::vector<std::vector<std::uint32_t>> hops;
  for (const NodeId origin : task.origins) hops.push_back(wiring.distances_from(origin));
  std::uint64_t owed = 0;
  for (const std::vector<NodeId>& nodes : sets) {
    const EnteredSet set(task, nodes);
    for (std::size_t i = 0; i < task.origins.size(); ++i) {
      if (!set.is_wanted_by(task.origins[i])) continue;
      const std::uint64_t cost = set.cheapest(periods, hops[i]);
      if (cost >= kNever) return true;
      owed += task.messages * cost;
    }
  }
  return owed > room;
}

SlotPrices prices_of_smallest_cut(const Task& task) {
  // A place per node and step, with another before it for its arrivals and after it for its departures.
  const NodeId n = task.nodes;
  if (task.origins.size() != 1 || task.steps * (task.links.size() + 3 * std::uint64_t{n}) > kMostArcs)
    return {};
  const auto steps = static_cast<std::uint32_t>(task.steps);
  const std::uint32_t places = n * (steps + 1), sink = 3 * places;
  const auto place = [n](NodeId v, std::uint32_t t) { return t * n + v; };
  MaximumFlow flow(sink + 1);
  const auto unless = [](bool limited) { return limited ? 1 : MaximumFlow::kUnlimited; };
  const auto arrival = [&](NodeId v, std::uint32_t t) { return places + place(v, t); };
  const auto departure = [&](NodeId v, std::uint32_t t) { return 2 * places + place(v, t); };
  const std::vector<std::uint32_t> hops = wiring_of(task).distances_from(task.origins[0]);
  for (std::uint32_t t = 0; t < steps; ++t) {
    for (NodeId v = 0; v < n; ++v) {
      if (hops[v] > t + 1) continue;
      flow.add(arrival(v, t + 1), place(v, t + 1), unless(task.receives_one));
      if (hops[v] > t) continue;
      flow.add(place(v, t), place(v, t + 1), MaximumFlow::kUnlimited);
      flow.add(place(v, t), departure(v, t), unless(task.sends_one));
    }
    for (const DirectedLink& link : task.links) {
      if (hops[link.from] <= t) flow.add(departure(link.from, t), arrival(link.to, t + 1), 1);
    }
  }
  std::uint64_t wanted = 0;
  for (const NodeId v : task.destinations) {
    if (v == task.origins[0]) continue;
    wanted += task.messages;
    if (hops[v] <= steps) flow.add(place(v, steps), sink, task.messages);
  }
  const std::uint32_t source = place(task.origins[0], 0);
  if (flow.maximum(source, sink) >= wanted) return {};
  CutSlots slots;
  for (std::uint32_t t = 0; t < steps; ++t) {
    for (NodeId v = 0; v < n; ++v) {
      if (task.sends_one && flow.is_before_cut(place(v, t)) && !flow.is_before_cut(departure(v, t)))
        slots.add(SlotKind::kSend, v, t + 1);
      if (task.receives_one && flow.is_before_cut(arrival(v, t + 1)) && !flow.is_before_cut(place(v, t + 1)))
        slots.add(SlotKind::kReceive, v, t + 1);
    }
    for (std::uint32_t l = 0; l < task.links.size(); ++l) {
      if (flow.is_before_cut(departure(task.links[l].from, t)) &&
          !flow.is_before_cut(arrival(task.links[l].to, t + 1)))
        slots.add(SlotKind::kLink, l, t + 1);
    }
  }
  return slots.prices();
}

}  // namespace safnet
