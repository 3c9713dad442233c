// Fat trees whose queues hold a few packets each (beyond thesis 6.3): what queue depth, credits and the order
// of injection cost in steps.
//
// A router has a queue per output, with a lane of Q packets for each input; a credit returns when the fullest
// lane of its input has room. A place can be used once in 3 steps by packets of one flit, once in 2 by
// packets of four flits in slots. k is the arity, h the height, n the number of leaves.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "cpp_model/claim/fat_tree/fat_tree_runs.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kReuse = 3, kReuseInSlots = 2;  // steps between two uses of a place
constexpr int kAsNeeded = 0;                            // as many places as can ever be used
constexpr const char *kDigits = "digit-order", *kAscending = "ascending-order";

bool in_slots(const RunOutcome& o) { return o.flits > 1; }
std::uint64_t reuse_of(const RunOutcome& o) { return in_slots(o) ? kReuseInSlots : kReuse; }
bool is_exchange(const std::string& algorithm) { return !algorithm.starts_with("flooding"); }

const std::vector<std::string>& floodings() {
  static const auto names = listed("flooding flooding-from-above-first flooding-from-below-first");
  return names;
}
std::vector<std::string> all_orders() { return joined(floodings(), {kDigits, kAscending}); }

// When the last of `packets` arrives over a link whose receiver has so many places for them, if the first
// arrives in step `first`.
std::uint64_t last_arrival(std::uint64_t first, std::uint64_t packets, int places, std::uint64_t reuse) {
  const auto q = static_cast<std::uint64_t>(places);
  if (places == kAsNeeded || q >= reuse) return first + packets - 1;
  return first + (packets - 1) / q * reuse + (packets - 1) % q;
}

// No run takes fewer steps. Flooding: a router above leaves gets all but their messages from its parent, the
// first in step 3, and the last has a step to go. Total exchange: the root gets what leaves a branch, the
// first in step h, and the last has h steps to go.
std::uint64_t fewest_steps(const FatTree& tree, const std::string& algorithm, int places,
                           std::uint64_t reuse) {
  const std::uint64_t n = tree.leaves(), h = tree.height(), below = tree.leaves_below(tree.height() - 1);
  if (is_exchange(algorithm))
    return last_arrival(h, divide_up(below * (n - below), tree.capacity(tree.height())), places, reuse) + h;
  return std::max(one_packet_per_leaf(tree),
                  last_arrival(3, divide_up(n - k_of(tree), tree.capacity(2)), places, reuse) + 1);
}

ClaimCase with_queues(const FatTree& tree, const std::string& algorithm, int places, std::uint64_t steps,
                      std::uint64_t steps_in_slots) {
  ClaimCase wanted = all_port_case(
      tree.spelling(), is_exchange(algorithm) ? kTotalExchange : kMultinodeBroadcast, algorithm, steps);
  wanted.queue_depth = places;
  wanted.expected_in_lockstep = steps_in_slots;
  return wanted;
}
ClaimCase with_queues(const FatTree& tree, const std::string& algorithm, int places) {
  return with_queues(tree, algorithm, places, fewest_steps(tree, algorithm, places, kReuse),
                     fewest_steps(tree, algorithm, places, kReuseInSlots));
}

void flooding_runs(bool full, Cases& cases) {
  for (const FatTree& tree : trees_of_words(
           with_more(full, "fat-tree:2,2 fat-tree:2,3 fat-tree:2,4 fat-tree:2,5 fat-tree:3,2 fat-tree:4,2",
                     "fat-tree:4,3"))) {
    for (const int places : {1, 2}) {
      for (const std::string& order : floodings()) {
        ClaimCase& wanted = cases.emplace_back(with_queues(tree, order, places));
        const bool binary = k_of(tree) == 2, from_above = order == "flooding-from-above-first";
        if (from_above ? binary || places == 2 : binary && places == 2) continue;
        wanted = at_least(wanted);
        wanted.inspect = [tree, order, places](const RunOutcome& o) {
          const std::uint64_t fewest = fewest_steps(tree, order, places, reuse_of(o));
          return steps_between(fewest, fewest * 7 / 6)(o);
        };
      }
    }
  }
}

// Steps of the phases of (6.5) with capacities 1, one packet in a step.
std::uint64_t phase_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves();
  return (n * n - 1) / (k_of(tree) + 1);
}

// reuse / places times the steps of the phases, to within 3 steps or half a percent.
Inspection is_phase_by_phase(const FatTree& tree, int places) {
  return [tree, q = static_cast<std::uint64_t>(places)](const RunOutcome& o) {
    const std::uint64_t as_phases = phase_steps(tree) * reuse_of(o);
    const std::uint64_t most = std::max(3 * q, as_phases / 200);
    return unless(o.steps * q + most >= as_phases && o.steps * q <= as_phases + most,
                  "{} steps with {} places, {} / {} expected to within {} / {}", o.steps, q, as_phases, q,
                  most, q);
  };
}

void digit_order_runs(bool full, Cases& cases) {
  for (const FatTree& tree : trees_of_words(with_more(
           full, "fat-tree:2,3 fat-tree:2,4 fat-tree:2,5 fat-tree:3,2 fat-tree:4,2", "fat-tree:4,3"))) {
    const std::uint64_t n = tree.leaves(), phases = phase_steps(tree);
    if (k_of(tree) == 2) {
      cases.push_back(with_queues(tree, kDigits, 1, n * n - 2, 2 * phases));
      cases.push_back(with_queues(tree, kDigits, 2, n * n / 2 + 1, phases + 3));
      continue;
    }
    for (const int places : {1, 2}) {
      cases.push_back(at_least(with_queues(tree, kDigits, places)));
      cases.back().inspect = is_phase_by_phase(tree, places);
    }
  }
}

std::uint64_t ascending_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = k_of(tree);
  return (k == 2 ? n * n * 5 / 16 : n * n / (k * k) * (2 * k - 3)) + 2 * tree.height() - 1;
}

void ascending_order_runs(bool full, Cases& cases) {
  for (const FatTree& tree : trees_of_words(
           with_more(full, "fat-tree:2,2 fat-tree:2,3 fat-tree:2,4 fat-tree:2,5 fat-tree:3,2 fat-tree:4,2",
                     "fat-tree:3,3 fat-tree:5,2 fat-tree:6,2 fat-tree:7,2 fat-tree:4,3")))
    cases.push_back(with_queues(tree, kAscending, kAsNeeded, ascending_steps(tree), ascending_steps(tree)));
}

// A run that has ended.
struct Ended {
  FatTree tree;
  std::string order;
  int places;
  bool in_slots;
  std::uint64_t steps;

  bool is_deeper(const Ended& other) const {
    return other.places != kAsNeeded && (places == kAsNeeded || places > other.places);
  }
};

// What is wrong with the steps of two runs of a tree and of packets of one kind.
std::string compare(const Ended& a, const Ended& b) {
  std::string wrong;
  if (a.order == b.order) wrong = unless(!a.is_deeper(b) || a.steps <= b.steps, "deeper queues are slower");
  if (a.order == kDigits && b.order == kAscending && a.places == b.places)
    wrong = unless(a.steps < b.steps, "ascending order is no slower");
  if (a.order == kDigits && b.order == kAscending && a.in_slots && a.places == 2 && b.places == kAsNeeded) {
    const bool fewer = k_of(a.tree) > 2 || a.tree.height() < 4;
    wrong = unless((a.steps < b.steps) == fewer, "the order costs {} than depth", fewer ? "less" : "more");
  }
  return wrong.empty() ? wrong
                       : fmt::format("{}: {} {} steps with {} places, {} {} with {}", wrong, a.order, a.steps,
                                     a.places, b.order, b.steps, b.places);
}

// The runs of a claim, each of which is compared with all that ended before it.
class RunsCompared {
 public:
  std::string add(const Ended& run) {
    const std::lock_guard lock(mutex_);
    std::string wrong = first_fault(ended_, [&](const Ended& other) {
      if (run.tree.spelling() != other.tree.spelling() || run.in_slots != other.in_slots)
        return std::string();
      const std::string first = compare(run, other);
      return first.empty() ? compare(other, run) : first;
    });
    ended_.push_back(run);
    return wrong;
  }

 private:
  std::mutex mutex_;
  std::vector<Ended> ended_;
};

void depth_and_order_runs(bool full, Cases& cases) {
  const auto compared = std::make_shared<RunsCompared>();
  for (const FatTree& tree :
       trees_of_words(with_more(full, "fat-tree:2,3 fat-tree:4,2 fat-tree:2,5", "fat-tree:4,3"))) {
    std::vector<int> depths{1, 2, kAsNeeded};
    if (full || tree.leaves() == 8) depths.push_back(3);
    for (const int places : with_more(full, depths, {4, 8, 16})) {
      for (const std::string& order : all_orders()) {
        cases.push_back(at_least(with_queues(tree, order, places)));
        cases.back().inspect = [=](const RunOutcome& o) -> std::string {
          const std::uint64_t fewest = fewest_steps(tree, order, places, reuse_of(o));
          const bool enough = places == kAsNeeded || static_cast<std::uint64_t>(places) >= reuse_of(o);
          // 64 leaves, with no more places than necessary, take up to two steps more.
          const std::uint64_t more = places == 2 && tree.leaves() == 64 ? 2 : 0;
          if (o.steps < fewest || (!is_exchange(order) && enough && o.steps > fewest + more))
            return fmt::format("{} steps with {} places, expected {}", o.steps, places, fewest);
          return compared->add({tree, order, places, in_slots(o), o.steps});
        };
      }
    }
  }
}

// No deadlock with one place per lane: packets on the way down wait only for packets on the way down, whose
// chain ends at leaves; packets on the way up wait for both kinds.
void no_deadlock_runs(bool full, Cases& cases) {
  for (const FatTree& tree :
       trees_of_words(with_more(full, "fat-tree:2,2 fat-tree:2,4 fat-tree:3,2 fat-tree:3x2x2 fat-tree:2x4",
                                "fat-tree:3,3 fat-tree:5,2 fat-tree:2,3,exponential fat-tree:4x2,1,3"))) {
    for (const std::string& order : all_orders()) cases.push_back(at_least(with_queues(tree, order, 1)));
  }
  // With one queue per router packets on the way up and on the way down block each other.
  for (const auto& [network, algorithm, ports, waiting] :
       {std::tuple{"fat-tree:2,3", "parent-first", kOnePortSend, "cycle of waiting nodes"},
        {"ring:16", "message-shift", kAllPort, "cycle of waiting links"}}) {
    ClaimCase& wanted = cases.emplace_back(exchange_case(network, ports, algorithm, 0));
    wanted.queue_depth = 1;
    wanted.expected_problem = waiting;
  }
}

}  // namespace

std::vector<Claim> fat_tree_queue_claims() {
  return {
      claim("fat.Q1", "6.3, beyond the text", kBeyond,
            "with queues of Q places, each used once in p > Q steps, a multinode broadcast takes at least p "
            "floor((n - k - 1) / Q) + ((n - k - 1) mod Q) + 4 steps, for the last of the n - k packets that "
            "a router above leaves gets from its parent; p is 3 with packets of one flit, 2 in slots. "
            "Flooding takes as many on binary trees if what comes from above goes first, and with two "
            "places in any order; otherwise up to a sixth more",
            flooding_runs),
      claim("fat.Q2", "6.3, beyond the text", kBeyond,
            "total exchange, leaves in digit order, one place: n^2 - 2 steps on binary trees (packets of one "
            "flit), 2 (n^2 - 1)/3 in slots; two places: n^2/2 + 1 and (n^2 - 1)/3 + 3. On others p/Q times "
            "the (n^2 - 1)/(k + 1) steps of the phases of (6.5), to within 3 steps or half a percent: "
            "short queues keep packets for other levels from overlapping",
            digit_order_runs),
      claim("fat.Q3", "6.3, beyond the text", kBeyond,
            "total exchange, leaves in ascending order, queues as deep as needed: n^2 (2k - 3)/k^2 + 2h - 1 "
            "steps for k >= 3, 5/16 n^2 + 2h - 1 for k = 2, above the n^2 (k - 1)/k^2 + 2h - 1 of digit "
            "order",
            ascending_order_runs),
      claim("fat.Q4", "6.3, beyond the text", kBeyond,
            "flooding takes as few steps as with queues of any depth once a queue has a place for every "
            "step between two uses of one: 2 in slots (up to 66 steps for 64 on 4^3 leaves), 3 with packets "
            "of one flit. Deeper queues are never slower, and ascending order is slower than digit order at "
            "any depth. Digit order with two places, in slots, beats ascending order with queues of any "
            "depth on 2^3 leaves and for k = 4; on 2^5, where queues grow long, it does not",
            depth_and_order_runs),
      claim("fat.Q5", "6.3, beyond the text", kBeyond,
            "with queues of one packet nothing gets stuck on an all-port fat tree, whose packets go up and "
            "then down, through a queue per link; under one-port-send, with one queue per router for both, "
            "routers come to wait in a circle (total exchange, 2^3 leaves), as nodes do on a ring",
            no_deadlock_runs)};
}

}  // namespace safnet
