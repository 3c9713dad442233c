#include "cpp_model/transform/tighten.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "cpp_model/algorithm/tools/list_scheduling.hpp"
#include "cpp_model/transform/free_running.hpp"

namespace safnet {
namespace {

// Another send, and how many steps later at least the one that waits for it can start.
struct Before {
  SendNumber send = 0;
  std::uint32_t steps = 1;
};

// Send i must come after sends before[first[i]] ... before[first[i + 1] - 1].
struct Order {
  std::vector<std::uint32_t> earliest;  // by send: its first possible step
  std::vector<std::uint64_t> first;
  std::vector<Before> before;
};

// What a combined packet waits for, the sends of all parts of its parts. Every loopback on the way takes a
// step.
struct Waits {
  std::vector<Before> before;
  std::uint32_t earliest = 1;  // of a loopback of what is there from the start
};

// Nothing if there are more than kMostTightenedWaits.
std::optional<std::vector<Waits>> waits_of_sums(const Schedule& schedule, const Supply& supply) {
  std::vector<Waits> waits(supply.arrivals.size());
  std::size_t number = 0;
  for (PacketIndex sum = 0; sum < waits.size(); ++sum) {
    Waits& all = waits[sum];
    for (const Arrival& part : supply.arrivals[sum]) all.before.push_back({part.send, part.loops ? 2U : 1U});
    for (const PacketIndex part : own_sums(schedule.packets, sum)) {
      const std::uint32_t loop = supply.sum_loops[part] ? 1 : 0;
      all.earliest = std::max(all.earliest, waits[part].earliest + loop);
      number += waits[part].before.size();
      if (number > kMostTightenedWaits) return std::nullopt;
      for (const Before& earlier : waits[part].before)
        all.before.push_back({earlier.send, earlier.steps + loop});
    }
    // A send that goes into it in several ways counts with the longest of them.
    std::ranges::sort(all.before, [](const Before& a, const Before& b) {
      return std::pair(a.send, b.steps) < std::pair(b.send, a.steps);
    });
    const auto repeated = std::ranges::unique(all.before, {}, &Before::send);
    all.before.erase(repeated.begin(), repeated.end());
  }
  return waits;
}

// Nothing if it would be too long.
std::optional<Order> order_of(const Schedule& schedule) {
  const Supply supply = find_supply(schedule);
  const auto waits = waits_of_sums(schedule, supply);
  if (!waits) return std::nullopt;
  const std::size_t sends = schedule.sends.size();
  Order order;
  order.earliest.assign(sends, 1);
  order.first.push_back(0);
  for (SendNumber i = 0; i < sends; ++i) {
    if (supply.feeder[i] != kFromTheStart) {
      order.before.push_back({supply.feeder[i], 1});
    } else if (!waits->empty()) {
      const Waits& parts = (*waits)[schedule.sends[i].packet];
      order.earliest[i] = parts.earliest;
      order.before.insert(order.before.end(), parts.before.begin(), parts.before.end());
      if (order.before.size() > sends + kMostTightenedWaits) return std::nullopt;
    }
    order.first.push_back(order.before.size());
  }
  return order;
}

// The steps in which each resource is busy.
class Calendar {
 public:
  explicit Calendar(const Occupancy& occupancy) : occupancy_(occupancy), busy_(occupancy.count) {}
  bool free(LinkId link, std::uint32_t step) const {
    return is_free(occupancy_.sending[link], step) &&
           (occupancy_.receiving.empty() || is_free(occupancy_.receiving[link], step));
  }
  void take(LinkId link, std::uint32_t step) {
    mark(occupancy_.sending[link], step);
    if (!occupancy_.receiving.empty()) mark(occupancy_.receiving[link], step);
  }

 private:
  bool is_free(std::uint32_t resource, std::uint32_t step) const {
    return step >= busy_[resource].size() || !busy_[resource][step];
  }
  void mark(std::uint32_t resource, std::uint32_t step) {
    if (step >= busy_[resource].size()) busy_[resource].resize(step + 1, false);
    busy_[resource][step] = true;
  }
  const Occupancy& occupancy_;
  std::vector<std::vector<bool>> busy_;  // by resource and step
};

class Timing {
 public:
  Timing(Schedule& schedule, Order order)
      : schedule_(schedule),
        sends_(schedule.sends),
        occupancy_(port_occupancy(schedule.network, schedule.ports)),
        order_(std::move(order)),
        number_(sends_.size()),
        step_(sends_.size()),
        last_(sends_.back().start) {
    std::iota(number_.begin(), number_.end(), 0U);
    for (std::size_t i = 0; i < sends_.size(); ++i) step_[i] = sends_[i].start;
  }

  void place(const std::vector<std::uint32_t>& turn) {
    std::stable_sort(number_.begin(), number_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return turn[a] < turn[b]; });
    const std::uint32_t end = forwards();
    if (!may_go_on()) return;
    last_ = end;
    keep();
  }
  // Whether every send comes late enough after those that it waits for.
  bool in_time() const {
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (step_[i] < order_.earliest[i]) return false;
      for (std::uint64_t j = order_.first[i]; j < order_.first[i + 1]; ++j) {
        if (step_[i] < step_[order_.before[j].send] + order_.before[j].steps) return false;
      }
    }
    return true;
  }
  void tighten() {
    while (may_go_on()) {
      backwards();
      const std::uint32_t end = forwards();
      if (end >= last_ || !may_go_on()) break;
      last_ = end;
      keep();
    }
  }
  void write() {
    if (kept_.empty()) return;
    for (std::size_t i = 0; i < sends_.size(); ++i) sends_[i].start = kept_[i];
    sort_sends(schedule_);
  }

 private:
  // The most steps that are looked at; after these the last complete timing is kept.
  static constexpr std::uint64_t kMaxLookedAt = std::uint64_t{1} << 28;

  bool may_go_on() const { return looked_at_ < kMaxLookedAt; }
  void keep() { kept_ = step_; }
  void by_step() {
    std::stable_sort(number_.begin(), number_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return step_[a] < step_[b]; });
  }
  void backwards() {
    by_step();
    step_.assign(sends_.size(), last_);  // the latest step for each send
    Calendar calendar(occupancy_);
    for (std::size_t k = number_.size(); k-- > 0 && may_go_on();) {
      const std::uint32_t i = number_[k];
      const std::uint32_t latest = step_[i];
      while (!calendar.free(sends_[i].link, step_[i])) --step_[i];
      looked_at_ += latest - step_[i] + std::uint64_t{1};
      calendar.take(sends_[i].link, step_[i]);
      for (std::uint64_t j = order_.first[i]; j < order_.first[i + 1]; ++j)
        step_[order_.before[j].send] =
            std::min(step_[order_.before[j].send], step_[i] - order_.before[j].steps);
    }
    if (may_go_on()) by_step();
  }
  std::uint32_t forwards() {
    Calendar calendar(occupancy_);
    std::uint32_t end = 0;
    for (const std::uint32_t i : number_) {
      if (!may_go_on()) break;
      std::uint32_t earliest = order_.earliest[i];
      for (std::uint64_t j = order_.first[i]; j < order_.first[i + 1]; ++j)
        earliest = std::max(earliest, step_[order_.before[j].send] + order_.before[j].steps);
      const std::uint32_t wanted = earliest;
      while (!calendar.free(sends_[i].link, earliest)) ++earliest;
      looked_at_ += earliest - wanted + std::uint64_t{1};
      calendar.take(sends_[i].link, earliest);
      step_[i] = earliest;
      end = std::max(end, earliest);
    }
    return end;
  }

  Schedule& schedule_;
  std::vector<Send>& sends_;
  const Occupancy occupancy_;
  const Order order_;
  std::vector<std::uint32_t> number_, step_;
  std::vector<std::uint32_t> kept_;  // of the best complete timing
  std::uint64_t looked_at_ = 0;
  std::uint32_t last_;
};

bool can_be_placed(const Schedule& schedule) {
  if (schedule.network.has_unequal_links()) return false;  // a send would take more than a step
  if (schedule.sends.empty() || schedule.sends.size() > kMostTightenedSends) return false;
  const std::uint64_t resources = schedule.ports == PortModel::kAllPort ? schedule.network.link_count()
                                                                        : 2 * schedule.network.node_count();
  return resources * schedule.sends.back().start <= kMostTightened;
}

}  // namespace

void tighten(Schedule& schedule) {
  if (!can_be_placed(schedule)) return;
  std::optional<Order> order = order_of(schedule);
  if (!order) return;
  Timing timing(schedule, *std::move(order));
  if (!timing.in_time()) return;
  timing.tighten();
  timing.write();
}

void place_in_turn(Schedule& schedule, const std::vector<std::uint32_t>& turn) {
  if (!can_be_placed(schedule)) return;
  std::optional<Order> order = order_of(schedule);
  if (!order) return;
  Timing timing(schedule, *std::move(order));
  timing.place(turn);
  timing.tighten();
  timing.write();
}

}  // namespace safnet
