#include "cpp_model/proof/slot_prices.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace safnet {
namespace {

constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 30, kMostCosts = std::uint64_t{1} << 23;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t room_of(const SlotPrices& prices) {
  std::uint64_t room = 0;
  for (const SlotPrice& each : prices) room += each.price * (each.last + 1 - each.first);
  return room;
}

// The prices of one link, or of one node's sending or receiving.
class PricesOfSlot {
 public:
  void add(const SlotPrice& price) {
    rises_[price.first] += price.price;
    rises_[price.last + 1] -= price.price;  // unsigned: a price that ends takes away what it had added
  }
  /// Steps in which the price changes, ascending.
  std::vector<std::uint64_t> changes() const {
    std::vector<std::uint64_t> steps;
    for (const auto& [step, rise] : rises_) steps.push_back(step);
    return steps;
  }
  /// After all have been added.
  void sum_up() {
    Sum sum;
    for (const auto& [step, rise] : rises_) {
      sum.before += sum.price * (step - sum.from);
      sum.from = step;
      sum.price += rise;
      sums_.push_back(sum);
    }
  }
  /// Of the steps from `first` to `last`.
  std::uint64_t cost(std::uint64_t first, std::uint64_t last) const { return up_to(last) - up_to(first - 1); }

 private:
  struct Sum {
    std::uint64_t from = 0, before = 0, price = 0;  // per step from `from` on; all steps before it
  };
  std::uint64_t up_to(std::uint64_t step) const {
    const auto next = std::ranges::upper_bound(sums_, step, {}, &Sum::from);
    if (next == sums_.begin()) return 0;
    const Sum& sum = *std::prev(next);
    return sum.before + sum.price * (step + 1 - sum.from);
  }

  std::map<std::uint64_t, std::uint64_t> rises_;
  std::vector<Sum> sums_;
};

// Steps in which it costs the same to begin to cross a link, and what: by link, ports included. kNever if the
// packet would not arrive in time.
struct Period {
  std::uint64_t first = 1, last = 0;
  std::vector<std::uint64_t> cost;
};

// When a packet begins to cross a link in step s, it keeps the link and the sending node busy in the steps
// from s to s + busy - 1, and the receiving node as many steps, latency later.
class CrossingCosts {
 public:
  CrossingCosts(const Task& task, const SlotPrices& prices) : task_(task) {
    for (const SlotPrice& each : prices) slots_[{each.kind, each.index}].add(each);
    for (auto& [slot, of_slot] : slots_) of_slot.sum_up();
    for (std::uint32_t l = 0; l < task.links.size(); ++l) uses_.push_back(uses_of(l));
  }

  /// Nothing if there are too many of them.
  std::vector<Period> periods() const {
    const std::vector<std::uint64_t> starts = starts_of_periods();
    std::vector<Period> periods;
    if (starts.size() * task_.links.size() > kMostCosts) return periods;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      Period& period = periods.emplace_back(starts[i], starts[i + 1] - 1);
      for (std::uint32_t l = 0; l < task_.links.size(); ++l) period.cost.push_back(cost(l, starts[i]));
    }
    return periods;
  }

 private:
  struct Use {
    const PricesOfSlot* slot;
    std::uint32_t later;
  };
  std::vector<Use> uses_of(std::uint32_t link) const {
    std::vector<Use> uses;
    const auto use = [&](SlotKind kind, std::uint32_t index, std::uint32_t later) {
      const auto slot = slots_.find({kind, index});
      if (slot != slots_.end()) uses.push_back({&slot->second, later});
    };
    use(SlotKind::kLink, link, 0);
    use(SlotKind::kSend, task_.links[link].from, 0);
    use(SlotKind::kReceive, task_.links[link].to, task_.crossing[link] - task_.busy[link]);
    return uses;
  }
  std::uint64_t cost(std::uint32_t link, std::uint64_t start) const {
    if (start + task_.crossing[link] > task_.steps + 1) return kNever;
    std::uint64_t sum = 0;
    for (const auto& [slot, later] : uses_[link])
      sum += slot->cost(start + later, start + later + task_.busy[link] - 1);
    return sum;
  }
  // Where any link's cost changes: it does from one step to the next if a price changes among the steps that
  // the two crossings use. Empty if there are too many.
  std::vector<std::uint64_t> starts_of_periods() const {
    std::vector<bool> starts(task_.steps + 2, false);
    starts[1] = starts[task_.steps + 1] = true;
    for (std::uint32_t l = 0; l < task_.links.size(); ++l) {
      const std::uint64_t busy = task_.busy[l], crossing = task_.crossing[l];
      if (crossing <= task_.steps) starts[task_.steps + 2 - crossing] = true;
      for (const auto& [slot, later] : uses_[l]) {
        for (const std::uint64_t change : slot->changes()) {
          const std::uint64_t end = change <= later ? 0 : change - later;
          if (std::min(end, busy) * task_.links.size() > kMostCosts) return {};
          for (std::uint64_t s = end < busy ? 1 : end + 1 - busy; s <= end; ++s) starts[s] = true;
        }
      }
    }
    std::vector<std::uint64_t> list;
    for (std::uint64_t s = 1; s < starts.size(); ++s) {
      if (starts[s]) list.push_back(s);
    }
    return list;
  }

  const Task& task_;
  std::map<std::pair<SlotKind, std::uint32_t>, PricesOfSlot> slots_;
  std::vector<std::vector<Use>> uses_;  // by link: the priced slots that a crossing uses
};

// The least that packets of one origin pay on their ways to all nodes, step by step.
class CheapestWays {
 public:
  CheapestWays(const Task& task, const std::vector<Period>& periods)
      : task_(task), periods_(periods), leaving_(task.nodes, [&](const auto& put) {
          for (std::uint32_t l = 0; l < task.links.size(); ++l) put(task.links[l].from, l);
        }) {}

  /// By node; kNever if there is no way in time.
  const std::vector<std::uint64_t>& from(NodeId origin) {
    cost_.assign(task_.nodes, kNever);
    on_the_way_.assign(task_.nodes, {});
    cost_[origin] = 0;
    for (const Period& period : periods_) {
      receive_before(period.first);
      cheaper_.clear();
      for (NodeId v = 0; v < task_.nodes; ++v) {
        if (cost_[v] < kNever) cheaper_.push_back(v);
      }
      send(period, period.first);
      // Later in the period it is worth sending only what has come in meanwhile.
      while (!arrivals_.empty() && arrivals_.top().step < period.last && looks_ < kMostLooks) {
        const std::uint64_t step = arrivals_.top().step + 1;
        receive_before(step);
        send(period, step);
      }
    }
    receive_before(task_.steps + 1);
    return cost_;
  }
  bool takes_too_long() const { return looks_ >= kMostLooks; }

 private:
  struct Arrival {
    std::uint64_t step = kNever, cost = kNever;
    NodeId node = 0;
    friend auto operator<=>(const Arrival&, const Arrival&) = default;
  };

  void receive_before(std::uint64_t step) {
    cheaper_.clear();
    for (; !arrivals_.empty() && arrivals_.top().step < step; arrivals_.pop()) {
      const Arrival& arrival = arrivals_.top();
      if (arrival.cost >= cost_[arrival.node]) continue;
      cost_[arrival.node] = arrival.cost;
      cheaper_.push_back(arrival.node);
    }
  }
  void send(const Period& period, std::uint64_t step) {
    for (const NodeId v : cheaper_) {
      for (const std::uint32_t l : leaving_.of(v)) {
        ++looks_;
        const Arrival arrival{step + task_.crossing[l] - 1, cost_[v] + period.cost[l], task_.links[l].to};
        Arrival& known = on_the_way_[arrival.node];
        if (arrival.cost >= cost_[arrival.node] || period.cost[l] >= kNever ||
            (arrival.cost >= known.cost && arrival.step >= known.step))
          continue;
        known = arrival;
        arrivals_.push(arrival);
      }
    }
  }

  const Task& task_;
  const std::vector<Period>& periods_;
  Groups leaving_;  // by node: the links that leave it
  std::vector<std::uint64_t> cost_;
  std::vector<Arrival> on_the_way_;  // by node: one of those that were sent to it
  std::vector<NodeId> cheaper_;      // nodes that have just got something cheaper than before
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::uint64_t looks_ = 0;
};

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
    to_go_ = soonest(task, wanted_, true);
    rest_ = steps_within();
  }
  bool is_wanted_by(NodeId origin) const { return !wanted_.empty() && inside_[origin] == 0; }

  /// What a packet pays at least that can be at each node after so many steps; kNever if it cannot be in
  /// time.
  std::uint64_t cheapest(const std::vector<Period>& periods, const std::vector<std::uint64_t>& there) const {
    std::uint64_t cost = kNever;
    for (const std::size_t l : into_) {
      const auto [from, to] = task_.links[l];
      const std::uint64_t rest = std::max(rest_, to_go_[to]);
      if (there[from] >= task_.steps || rest >= task_.steps) continue;
      for (const Period& period : periods) {
        const std::uint64_t start = std::max(period.first, there[from] + 1);
        if (start <= period.last && start + task_.crossing[l] - 1 + rest <= task_.steps)
          cost = std::min(cost, period.cost[l]);
      }
    }
    return cost;
  }

 private:
  // Steps from a packet's first entry until it is at all destinations in the set: how far it gets in each
  // step, and where nodes send one packet per step over links that are alike, how many nodes can have it.
  std::uint64_t steps_within() const {
    const std::vector<std::uint64_t> near =
        soonest(task_, {entered_.begin(), entered_.end()}, false, inside_);
    std::uint64_t rest = 0;
    for (const NodeId v : wanted_) rest = std::max(rest, near[v]);
    if (!task_.sends_one || !task_.alike) return rest;
    const std::uint64_t more = entered_.size() == 1 ? 0 : feeders_.size();
    const bool one_is_no_destination =
        std::ranges::none_of(wanted_, [this](NodeId v) { return entered_.contains(v); });
    const std::uint64_t needed = wanted_.size() + (one_is_no_destination ? 1 : 0);
    std::uint64_t known = std::min(feeders_.size(), entered_.size()), steps = 0;
    for (std::uint64_t before = known + 1; known < needed && known != before; ++steps) {
      before = known;
      const auto reached = std::ranges::count_if(near, [&](std::uint64_t t) { return t <= steps + 1; });
      known = std::min(2 * known + more, static_cast<std::uint64_t>(reached));
    }
    return std::max(rest, steps);
  }

  const Task& task_;
  std::vector<std::uint8_t> inside_;
  std::vector<NodeId> wanted_;
  std::vector<std::size_t> into_;
  std::set<NodeId> feeders_, entered_;
  std::vector<std::uint64_t> to_go_;  // by node: steps to the nearest destination in the set
  std::uint64_t rest_ = 0;
};

}  // namespace

const char* to_string(SlotKind kind) {
  return kind == SlotKind::kLink ? "link" : kind == SlotKind::kSend ? "send" : "receive";
}

bool ways_cost_more(const Task& task, const SlotPrices& prices) {
  const std::uint64_t room = room_of(prices);
  const std::vector<Period> periods = CrossingCosts(task, prices).periods();
  if (periods.empty() && task.steps != 0) return false;
  CheapestWays ways(task, periods);
  std::uint64_t owed = 0;
  for (const NodeId origin : task.origins) {
    const std::vector<std::uint64_t>& cost = ways.from(origin);
    if (ways.takes_too_long()) return false;
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
  const std::vector<Period> periods = CrossingCosts(task, prices).periods();
  if (periods.empty() && task.steps != 0) return false;
  std::vector<std::vector<std::uint64_t>> there;
  for (const NodeId origin : task.origins) there.push_back(soonest(task, {origin}));
  std::uint64_t owed = 0;
  for (const std::vector<NodeId>& nodes : sets) {
    const EnteredSet set(task, nodes);
    for (std::size_t i = 0; i < task.origins.size(); ++i) {
      if (!set.is_wanted_by(task.origins[i])) continue;
      const std::uint64_t cost = set.cheapest(periods, there[i]);
      if (cost >= kNever) return true;
      owed += task.messages * cost;
    }
  }
  return owed > room;
}

}  // namespace safnet
