#include "cpp_model/algorithm/tools/queue_scheduling.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <random>

#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/algorithm/tools/step_matching.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kClasses = 64;
constexpr std::uint32_t kNoTrip = std::numeric_limits<std::uint32_t>::max();

std::vector<std::uint32_t> loads_of(const Occupancy& occupancy, const PathTable& paths) {
  std::vector<std::uint32_t> loads(occupancy.count, 0);
  for (const LinkId link : paths.link)
    occupancy.for_each(link, [&](std::uint32_t resource) { ++loads[resource]; });
  return loads;
}

// The class of priority of every hop, from 0 to kClasses - 1, the largest to go first: by the hops behind it.
std::vector<std::uint8_t> furthest_first(const PathTable& paths) {
  std::size_t longest = 1;
  for (std::uint32_t t = 0; t < paths.trips(); ++t) longest = std::max(longest, paths.of(t).size());
  const std::size_t hops_of_class = (longest + kClasses - 1) / kClasses;
  std::vector<std::uint8_t> classes(paths.link.size());
  for (std::uint32_t t = 0; t < paths.trips(); ++t) {
    for (std::uint32_t hop = paths.first[t]; hop < paths.first[t + 1]; ++hop)
      classes[hop] = static_cast<std::uint8_t>((paths.first[t + 1] - 1 - hop) / hops_of_class);
  }
  return classes;
}

// The queues that are not empty, as bits.
class ActiveQueues {
 public:
  explicit ActiveQueues(std::size_t queues) : words_(queues / 64 + 1, 0) {}
  void set(std::uint32_t queue) { words_[queue / 64] |= std::uint64_t{1} << (queue % 64); }
  void clear(std::uint32_t queue) { words_[queue / 64] &= ~(std::uint64_t{1} << (queue % 64)); }
  // In ascending order.
  void list(std::vector<std::uint32_t>& queues) const {
    queues.clear();
    for (std::uint32_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        queues.push_back(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Trips that wait, by queue and class of priority, below kClasses; the largest goes first.
class ClassQueues {
 public:
  ClassQueues(std::size_t queues, std::uint32_t trips)
      : active(queues), filled_(queues, 0), ends_(queues * kClasses), next_(trips) {}
  ActiveQueues active;

  void push(std::uint32_t queue, std::uint32_t rank, std::uint32_t trip) {
    Ends& ends = ends_[std::size_t{queue} * kClasses + rank];
    next_[trip] = kNoTrip;
    if ((filled_[queue] >> rank & 1) != 0) {
      next_[ends.last] = trip;
    } else {
      ends.first = trip;
    }
    ends.last = trip;
    filled_[queue] |= std::uint64_t{1} << rank;
    active.set(queue);
  }
  std::uint32_t pop(std::uint32_t queue) {
    const std::uint32_t rank = best(queue);
    Ends& ends = ends_[std::size_t{queue} * kClasses + rank];
    const std::uint32_t trip = ends.first;
    ends.first = next_[trip];
    if (ends.first == kNoTrip) {
      filled_[queue] &= ~(std::uint64_t{1} << rank);
      if (filled_[queue] == 0) active.clear(queue);
    }
    return trip;
  }
  // The priority of what goes first from a queue that is not empty.
  std::uint32_t best(std::uint32_t queue) const {
    return kClasses - 1 - static_cast<std::uint32_t>(std::countl_zero(filled_[queue]));
  }

 private:
  struct Ends {
    std::uint32_t first = 0, last = 0;
  };
  std::vector<std::uint64_t> filled_;  // classes with something in them, by queue
  std::vector<Ends> ends_;
  std::vector<std::uint32_t> next_;  // trip behind each trip
};

// The same for any priorities: a heap for each queue.
class HeapQueues {
 public:
  HeapQueues(std::size_t queues, std::uint32_t) : active(queues), heaps_(queues) {}
  ActiveQueues active;

  void push(std::uint32_t queue, std::uint32_t priority, std::uint32_t trip) {
    std::vector<std::uint64_t>& heap = heaps_[queue];
    heap.push_back(std::uint64_t{priority} << 32 | trip);
    std::push_heap(heap.begin(), heap.end());
    active.set(queue);
  }
  std::uint32_t pop(std::uint32_t queue) {
    std::vector<std::uint64_t>& heap = heaps_[queue];
    std::pop_heap(heap.begin(), heap.end());
    const auto trip = static_cast<std::uint32_t>(heap.back());
    heap.pop_back();
    if (heap.empty()) active.clear(queue);
    return trip;
  }
  std::uint32_t best(std::uint32_t queue) const {
    return static_cast<std::uint32_t>(heaps_[queue].front() >> 32);
  }

 private:
  std::vector<std::vector<std::uint64_t>> heaps_;
};

// Goes through the steps with the packets on their paths, or on their paths backwards.
class PathScheduler {
 public:
  PathScheduler(const Occupancy& occupancy, const PathTable& paths)
      : occupancy_(occupancy),
        paths_(paths),
        loads_(loads_of(occupancy, paths)),
        rank_(occupancy.sending.size()) {}

  TimedTable by_distance() { return pass<ClassQueues>(furthest_first(paths_), false); }
  // What was late in the pass before goes first in one the other way.
  TimedTable turned(const TimedTable& before, bool backwards) {
    return pass<HeapQueues>(before.step, backwards);
  }

 private:
  // In every step the first of every queue, or of those that a matching takes, is sent.
  template <class Queues, class Priorities>
  TimedTable pass(const Priorities& priorities, bool backwards) {
    const bool one_resource = occupancy_.receiving.empty();
    Queues waiting(one_resource ? occupancy_.count : occupancy_.sending.size(), paths_.trips());
    const auto queue_of = [&](LinkId link) { return one_resource ? occupancy_.sending[link] : link; };
    TimedTable timed;
    timed.step.resize(paths_.link.size());
    // The next hop of each trip.
    std::vector<std::uint32_t> at(paths_.trips());
    for (std::uint32_t t = 0; t < at.size(); ++t)
      at[t] = backwards ? paths_.first[t + 1] - 1 : paths_.first[t];
    for (const std::uint32_t t : shuffled(paths_.trips()))
      waiting.push(queue_of(paths_.link[at[t]]), priorities[at[t]], t);
    std::optional<StepMatching> matching;
    if (!one_resource) matching.emplace(occupancy_, 1);
    std::vector<std::uint32_t> to_come = loads_, active, sent;
    for (waiting.active.list(active); !active.empty(); waiting.active.list(active)) {
      ++timed.last;
      if (matching) match(*matching, waiting, to_come, active);
      sent.clear();
      for (const std::uint32_t queue : active) sent.push_back(waiting.pop(queue));
      for (const std::uint32_t t : sent) {
        timed.step[at[t]] = timed.last;
        if (at[t] == (backwards ? paths_.first[t] : paths_.first[t + 1] - 1)) continue;
        backwards ? --at[t] : ++at[t];
        waiting.push(queue_of(paths_.link[at[t]]), priorities[at[t]], t);
      }
    }
    return timed;
  }
  // `links`: those over which something waits; then those of the matching.
  template <class Queues>
  void match(StepMatching& matching, const Queues& waiting, std::vector<std::uint32_t>& to_come,
             std::vector<LinkId>& links) {
    for (const LinkId link : links) rank_[link] = ~waiting.best(link);
    links = matching.match(links, rank_, to_come);
    for (const LinkId link : links)
      occupancy_.for_each(link, [&](std::uint32_t resource) { --to_come[resource]; });
  }
  static std::vector<std::uint32_t> shuffled(std::uint32_t count) {
    std::mt19937_64 random(1);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    shuffle(order, random);
    return order;
  }

  const Occupancy& occupancy_;
  const PathTable& paths_;
  std::vector<std::uint32_t> loads_;
  std::vector<std::uint32_t> rank_;  // of what would go first over a link
};

}  // namespace

TimedTable schedule_paths(const Occupancy& occupancy, const PathTable& paths, std::uint64_t goal,
                          std::uint32_t passes) {
  if (paths.trips() == 0) return {};
  PathScheduler scheduler(occupancy, paths);
  TimedTable best = scheduler.by_distance();
  TimedTable before = best;
  bool backwards = true;
  for (; passes > 0 && best.last > goal; --passes, backwards = !backwards) {
    before = scheduler.turned(before, backwards);
    if (before.last >= best.last) continue;
    best = before;
    if (!backwards) continue;
    for (std::uint32_t& step : best.step) step = best.last + 1 - step;
  }
  return best;
}

void add_sends(Schedule& schedule, const PathTable& paths, std::span<const Trip> trips,
               const TimedTable& timed) {
  std::vector<std::uint32_t> next(std::size_t{timed.last} + 2, 0);  // where a step's next send goes
  for (const std::uint32_t step : timed.step) ++next[step + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  schedule.sends.resize(timed.step.size());
  for (std::uint32_t t = 0; t < paths.trips(); ++t) {
    for (std::uint32_t hop = paths.first[t]; hop < paths.first[t + 1]; ++hop) {
      const std::uint32_t step = timed.step[hop];
      schedule.sends[next[step]++] = {step, paths.link[hop], trips[t].packet};
    }
  }
  // Every step's place has moved on to its end.
  for (std::uint32_t step = 1; step <= timed.last; ++step) {
    const auto sends = schedule.sends.begin();
    std::sort(sends + next[step - 1], sends + next[step]);
  }
}

}  // namespace safnet
