#include "cpp_model/algorithm/tools/list_scheduling.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>

#include "cpp_model/algorithm/tools/step_matching.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

void check_hops(const Occupancy& occupancy, const Hops& hops) {
  if (hops.after.size() != hops.link.size() || hops.packet.size() != hops.link.size())
    throw std::invalid_argument("hops: expected columns of the same length");
  for (HopIndex h = 0; h < hops.size(); ++h) {
    if (hops.link[h] >= occupancy.sending.size()) {
      throw bad_input("hop {}: link {}, expected one from 0 to {}", h, hops.link[h],
                      occupancy.sending.size() - 1);
    }
    if (hops.after[h] != kNoHop && hops.after[h] >= h)
      throw bad_input("hop {} after hop {}: expected an earlier one", h, hops.after[h]);
  }
}

// Hops that follow each hop: of hop h, list[first[h]] ... list[first[h + 1] - 1].
struct Followers {
  explicit Followers(const Hops& hops) : first(hops.size() + 1, 0), list(hops.size()) {
    for (const HopIndex h : hops.after) {
      if (h != kNoHop) ++first[h + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<HopIndex> next(first.begin(), first.end() - 1);
    for (HopIndex h = 0; h < hops.size(); ++h) {
      if (hops.after[h] != kNoHop) list[next[hops.after[h]]++] = h;
    }
  }
  std::span<const HopIndex> of(HopIndex h) const { return {list.data() + first[h], first[h + 1] - first[h]}; }
  std::vector<HopIndex> first, list;
};

// Place of every hop in the order of priority, the first to go first.
std::vector<std::uint32_t> ranks(const Occupancy& occupancy, const Hops& hops, const ListRule& rule) {
  struct Key {
    std::uint64_t major = 0, minor = 0;  // the larger first
    std::uint32_t chance = 0;
    HopIndex hop = 0;
  };
  const std::vector<std::uint32_t> loads = resource_loads(occupancy, hops);
  std::mt19937_64 random(rule.seed);
  std::vector<std::uint32_t> behind(hops.size(), 0);
  std::vector<std::uint64_t> busiest(hops.size(), 0), sum(hops.size(), 0);
  std::vector<Key> keys(hops.size());
  for (HopIndex h = hops.size(); h-- > 0;) {
    const HopIndex before = hops.after[h];
    if (before == kNoHop) continue;
    std::uint64_t load = 0;
    occupancy.for_each(hops.link[h],
                       [&](std::uint32_t r) { load = std::max<std::uint64_t>(load, loads[r]); });
    behind[before] = std::max(behind[before], behind[h] + 1);
    busiest[before] = std::max({busiest[before], busiest[h], load});
    sum[before] += sum[h] + load;
  }
  for (HopIndex h = 0; h < hops.size(); ++h) {
    const auto chance = static_cast<std::uint32_t>(random());
    switch (rule.priority) {
      case HopPriority::kFurthestFirst:
        keys[h] = {behind[h], busiest[h], chance, h};
        break;
      case HopPriority::kBusiestAhead:
        keys[h] = {busiest[h], behind[h], chance, h};
        break;
      case HopPriority::kMostAhead:
        keys[h] = {sum[h], behind[h], chance, h};
        break;
    }
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return std::tie(b.major, b.minor, a.chance, a.hop) < std::tie(a.major, a.minor, b.chance, b.hop);
  });
  std::vector<std::uint32_t> rank(hops.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) rank[keys[i].hop] = i;
  return rank;
}

// Hops whose packet is at the sender, by the resource that they wait for, ordered by rank.
class Waiting {
 public:
  Waiting(std::size_t queues, std::vector<std::uint32_t> rank)
      : rank_(std::move(rank)), hop_(rank_.size()), queues_(queues) {
    for (HopIndex h = 0; h < rank_.size(); ++h) hop_[rank_[h]] = h;
  }
  void push(std::uint32_t queue, HopIndex hop) {
    std::vector<std::uint32_t>& heap = queues_[queue];
    if (heap.empty()) active_.push_back(queue);
    heap.push_back(rank_[hop]);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  HopIndex pop(std::uint32_t queue) {
    std::vector<std::uint32_t>& heap = queues_[queue];
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const HopIndex hop = hop_[heap.back()];
    heap.pop_back();
    return hop;
  }
  std::uint32_t best_rank(std::uint32_t queue) const { return queues_[queue].front(); }
  // Queues that are not empty; drop_empty() first.
  const std::vector<std::uint32_t>& active() const { return active_; }
  void drop_empty() {
    std::erase_if(active_, [this](std::uint32_t queue) { return queues_[queue].empty(); });
  }

 private:
  std::vector<std::uint32_t> rank_;
  std::vector<HopIndex> hop_;
  std::vector<std::vector<std::uint32_t>> queues_;
  std::vector<std::uint32_t> active_;
};

// The step of every hop. A hop waits in the queue `queue_of` its link; in every step the first of each of the
// queues that `choose` lists, from those that are not empty, are sent.
template <class QueueOf, class Choose>
std::vector<std::uint32_t> step_by_step(const Hops& hops, Waiting waiting, QueueOf queue_of, Choose choose) {
  const Followers followers(hops);
  for (HopIndex h = 0; h < hops.size(); ++h) {
    if (hops.after[h] == kNoHop) waiting.push(queue_of(hops.link[h]), h);
  }
  std::vector<std::uint32_t> steps(hops.size(), 0);
  std::vector<HopIndex> sent;
  for (std::uint32_t step = 1; !waiting.active().empty(); ++step) {
    sent.clear();
    for (const std::uint32_t queue : choose(waiting)) sent.push_back(waiting.pop(queue));
    waiting.drop_empty();
    for (const HopIndex h : sent) {
      steps[h] = step;
      for (const HopIndex next : followers.of(h)) waiting.push(queue_of(hops.link[next]), next);
    }
  }
  return steps;
}

std::vector<std::uint32_t> one_resource_each(const Occupancy& occupancy, const Hops& hops,
                                             std::vector<std::uint32_t> rank) {
  return step_by_step(
      hops, Waiting(occupancy.count, std::move(rank)), [&](LinkId link) { return occupancy.sending[link]; },
      [](const Waiting& waiting) -> const std::vector<std::uint32_t>& { return waiting.active(); });
}

std::vector<std::uint32_t> by_matching(const Occupancy& occupancy, const Hops& hops,
                                       std::vector<std::uint32_t> rank, std::uint64_t seed) {
  std::vector<std::uint32_t> to_come = resource_loads(occupancy, hops);
  StepMatching matching(occupancy, seed);
  std::vector<std::uint32_t> first(occupancy.sending.size());  // rank of the hop that waits first, by link
  return step_by_step(
      hops, Waiting(occupancy.sending.size(), std::move(rank)), [](LinkId link) { return link; },
      [&](const Waiting& waiting) -> const std::vector<LinkId>& {
        for (const LinkId link : waiting.active()) first[link] = waiting.best_rank(link);
        const std::vector<LinkId>& links = matching.match(waiting.active(), first, to_come);
        for (const LinkId link : links) occupancy.for_each(link, [&](std::uint32_t r) { --to_come[r]; });
        return links;
      });
}

}  // namespace

HopIndex Hops::add(LinkId over, HopIndex behind, PacketIndex what) {
  link.push_back(over);
  after.push_back(behind);
  packet.push_back(what);
  return size() - 1;
}

std::vector<std::uint32_t> resource_loads(const Occupancy& occupancy, const Hops& hops) {
  std::vector<std::uint32_t> loads(occupancy.count, 0);
  for (const LinkId link : hops.link) occupancy.for_each(link, [&](std::uint32_t r) { ++loads[r]; });
  return loads;
}

std::vector<std::uint32_t> list_schedule(const Occupancy& occupancy, const Hops& hops, const ListRule& rule) {
  check_hops(occupancy, hops);
  std::vector<std::uint32_t> rank = ranks(occupancy, hops, rule);
  if (occupancy.receiving.empty()) return one_resource_each(occupancy, hops, std::move(rank));
  return by_matching(occupancy, hops, std::move(rank), rule.seed);
}

void schedule_trees(Schedule& schedule, const Hops& hops, const ListRule& rule) {
  const Graph& graph = schedule.network;
  const Occupancy occupancy = port_occupancy(graph, schedule.ports);
  check_hops(occupancy, hops);
  for (HopIndex h = 0; h < hops.size(); ++h) {
    if (hops.packet[h] >= schedule.packets.size())
      throw bad_input("hop {}: packet {} does not exist", h, hops.packet[h]);
    const HopIndex before = hops.after[h];
    const NodeId from = graph.link_source(hops.link[h]);
    const bool there = before == kNoHop ? schedule.packets.origin(hops.packet[h]) == from
                                        : hops.packet[before] == hops.packet[h] &&
                                              graph.link_target(hops.link[before]) == from;
    if (!there) throw bad_input("hop {}: its packet is not at node {}", h, from);
  }
  add_sends(schedule, hops, list_schedule(occupancy, hops, rule));
  sort_sends(schedule);
}

void add_sends(Schedule& schedule, const Hops& hops, std::span<const std::uint32_t> steps) {
  schedule.sends.reserve(schedule.sends.size() + hops.size());
  for (HopIndex h = 0; h < hops.size(); ++h)
    schedule.sends.push_back({steps[h], hops.link[h], hops.packet[h]});
}

}  // namespace safnet
