#include "cpp_model/proof/cut_prices.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cpp_model/graph/maximum_flow.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 22;
// Prices of one argument.
constexpr std::size_t kMostPrices = std::size_t{1} << 20;

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

// The steps in which a link, or a node's port, can be used by what crosses, and the least for which it is.
struct Window {
  std::uint64_t first = kNoWay, after = kNoWay;
  std::uint32_t busy = 0;
};

}  // namespace

SlotPrices prices_across(const Task& task, const std::vector<std::uint8_t>& inside, SlotKind kind,
                         std::uint64_t before, std::uint64_t after) {
  std::vector<NodeId> origins, destinations;
  std::ranges::copy_if(task.origins, std::back_inserter(origins), [&](NodeId v) { return inside[v] != 0; });
  std::ranges::copy_if(task.destinations, std::back_inserter(destinations),
                       [&](NodeId v) { return inside[v] == 0; });
  const std::vector<std::uint64_t> there = soonest(task, origins), to_go = soonest(task, destinations, true);
  std::map<std::uint32_t, Window> windows;
  for (std::uint32_t l = 0; l < task.links.size(); ++l) {
    const auto [from, to] = task.links[l];
    if (inside[from] == 0 || inside[to] != 0 || there[from] == kNoWay || to_go[to] == kNoWay) continue;
    const std::uint64_t latency = task.crossing[l] - task.busy[l];
    Window& window = windows[kind == SlotKind::kLink ? l : kind == SlotKind::kSend ? from : to];
    window.busy = window.busy == 0 ? task.busy[l] : std::min(window.busy, task.busy[l]);
    window.first = std::min(window.first,
                            std::max(there[from], before) + 1 + (kind == SlotKind::kReceive ? latency : 0));
    window.after =
        std::min(window.after, std::max(to_go[to], after) + (kind == SlotKind::kReceive ? 0 : latency));
  }
  SlotPrices prices;
  for (const auto& [index, window] : windows) {
    if (window.after >= task.steps) continue;
    const std::uint64_t last = task.steps - window.after;
    if (window.busy == 1 && window.first <= last) prices.push_back({kind, index, window.first, last, 1});
    if (window.busy == 1) continue;
    for (std::uint64_t step = window.first - 1 + window.busy; step <= last; step += window.busy) {
      prices.push_back({kind, index, step, step, 1});
      if (prices.size() > kMostPrices) return {};
    }
  }
  return prices;
}

SlotPrices prices_of_smallest_cut(const Task& task) {
  // A place per node and step, with another before it for its arrivals and after it for its departures.
  const NodeId n = task.nodes;
  if (!task.alike || task.origins.size() != 1 ||
      task.steps * (task.links.size() + 3 * std::uint64_t{n}) > kMostArcs)
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
