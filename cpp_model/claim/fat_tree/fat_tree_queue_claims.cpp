// Fat trees whose queues hold a few packets each (beyond thesis 6.3): what queue depth, credits and the order
// of injection cost in steps.
//
// The numbers are measured; no formula is known. A router has a queue per output, with a lane of Q packets
// for each input; a credit returns when the fullest lane of its input has room. A place can be used once in 3
// steps by packets of one flit, once in 2 by packets of four flits in slots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr std::array kDepths{1, 2, 3, 4, 8, 16, 0};  // 0: as deep as needed
using Steps = std::array<std::uint64_t, kDepths.size()>;

struct Measured {
  std::string_view topology;
  std::string_view algorithm;
  std::uint64_t bound;  // for queues of any depth
  Steps one_flit;       // steps at each depth; 0: not measured
  Steps in_slots;
};

// clang-format off
constexpr std::array kMeasured{
    Measured{"fat-tree:2,3", "flooding", 9, {19, 11, 9, 9, 9, 9, 9}, {14, 9, 9, 9, 9, 9, 9}},
    Measured{"fat-tree:2,3", "flooding-from-above-first", 9, {19, 11, 9, 9, 9, 9, 9}, {14, 9, 9, 9, 9, 9, 9}},
    Measured{"fat-tree:2,3", "flooding-from-below-first", 9, {19, 11, 9, 9, 9, 9, 9}, {14, 9, 9, 9, 9, 9, 9}},
    Measured{"fat-tree:2,3", "digit-order", 21, {62, 33, 23, 22, 21, 21, 21}, {42, 24, 22, 21, 21, 21, 21}},
    Measured{"fat-tree:2,3", "ascending-order", 21, {80, 41, 30, 27, 25, 25, 25}, {56, 30, 28, 26, 25, 25, 25}},
    Measured{"fat-tree:4,2", "flooding", 16, {41, 21, 16, 16, 16, 16, 16}, {30, 16, 16, 16, 16, 16, 16}},
    Measured{"fat-tree:4,2", "flooding-from-above-first", 16, {39, 20, 16, 16, 16, 16, 16}, {30, 16, 16, 16, 16, 16, 16}},
    Measured{"fat-tree:4,2", "flooding-from-below-first", 16, {41, 21, 16, 16, 16, 16, 16}, {30, 16, 16, 16, 16, 16, 16}},
    Measured{"fat-tree:4,2", "digit-order", 51, {154, 75, 53, 51, 51, 51, 51}, {104, 52, 51, 51, 51, 51, 51}},
    Measured{"fat-tree:4,2", "ascending-order", 51, {297, 143, 98, 91, 86, 83, 83}, {200, 99, 93, 90, 86, 83, 83}},
    Measured{"fat-tree:2,5", "flooding", 33, {100, 47, 33, 33, 33, 33, 33}, {68, 33, 33, 33, 33, 33, 33}},
    Measured{"fat-tree:2,5", "flooding-from-above-first", 33, {91, 47, 33, 33, 33, 33, 33}, {62, 33, 33, 33, 33, 33, 33}},
    Measured{"fat-tree:2,5", "flooding-from-below-first", 33, {102, 47, 33, 33, 33, 33, 33}, {70, 33, 33, 33, 33, 33, 33}},
    Measured{"fat-tree:2,5", "digit-order", 265, {1022, 513, 343, 338, 328, 314, 265}, {682, 344, 340, 336, 326, 313, 265}},
    Measured{"fat-tree:2,5", "ascending-order", 265, {1312, 650, 432, 429, 420, 409, 329}, {874, 436, 431, 430, 419, 409, 329}},
    Measured{"fat-tree:4,3", "flooding", 64, {194, 96, 64, 64, 64, 64, 64}, {132, 66, 64, 64, 64, 64, 64}},
    Measured{"fat-tree:4,3", "flooding-from-above-first", 64, {183, 92, 64, 64, 64, 64, 64}, {126, 64, 64, 64, 64, 64, 64}},
    Measured{"fat-tree:4,3", "flooding-from-below-first", 64, {194, 96, 64, 64, 64, 64, 64}, {132, 66, 64, 64, 64, 64, 64}},
    Measured{"fat-tree:4,3", "digit-order", 773, {2467, 1227, 819, 813, 801, 777, 773}, {1646, 822, 815, 812, 800, 776, 773}},
    Measured{"fat-tree:4,3", "ascending-order", 773, {5274, 2592, 1705, 1667, 1610, 1578, 1285}, {3516, 1731, 1693, 1656, 1608, 1576, 1285}}
};
// clang-format on

CollectiveKind collective_of(std::string_view algorithm) {
  return algorithm.starts_with("flooding") ? kMultinodeBroadcast : kTotalExchange;
}

ClaimCase with_queues(std::string_view topology, std::string_view algorithm, int depth) {
  ClaimCase wanted =
      all_port_case(std::string(topology), collective_of(algorithm), std::string(algorithm), 0);
  wanted.queue_depth = depth;
  return wanted;
}

bool is_small(std::string_view topology) { return topology == "fat-tree:2,3" || topology == "fat-tree:4,2"; }

// Runs of the measured rows of the algorithms whose names begin with `algorithms_begin`.
Cases as_measured(std::string_view algorithms_begin, bool full) {
  Cases cases;
  for (const Measured& row : kMeasured) {
    if (!row.algorithm.starts_with(algorithms_begin) || (!full && !is_small(row.topology))) continue;
    for (std::size_t d = 0; d < (full ? kDepths.size() : 2); ++d) {
      if (row.one_flit[d] == 0 || row.in_slots[d] == 0) continue;
      cases.push_back(with_queues(row.topology, row.algorithm, kDepths[d]));
      cases.back().expected_steps = row.one_flit[d];
      cases.back().expected_in_lockstep = row.in_slots[d];
    }
  }
  return cases;
}

constexpr const char* kMeasuredInWords =
    "2^3 and 4^2 leaves, Q = 1 and 2; full: to 4^3 leaves, Q = 1, 2, 3, 4, 8, 16 and unlimited";

// Flooding reaches the bound at the latest when a queue has a place for each step between two uses of one.
std::string check_depth_enough() {
  for (const Measured& row : kMeasured) {
    const int one_flit = 3, in_slots = row.topology == "fat-tree:4,3" ? 3 : 2;
    if (!row.algorithm.starts_with("flooding")) continue;
    for (std::size_t d = 0; d < kDepths.size(); ++d) {
      if (kDepths[d] >= one_flit && row.one_flit[d] != 0 && row.one_flit[d] != row.bound)
        return fmt::format("{} {}: {} steps with Q = {}", row.topology, row.algorithm, row.one_flit[d],
                           kDepths[d]);
      if (kDepths[d] >= in_slots && row.in_slots[d] != 0 && row.in_slots[d] != row.bound)
        return fmt::format("{} {}: {} steps with Q = {} in slots", row.topology, row.algorithm,
                           row.in_slots[d], kDepths[d]);
    }
  }
  return {};
}

// Whether leaves in digit order need fewer steps with two places than those in ascending order with any
// depth.
std::string check_order_before_depth(std::string_view topology, bool fewer) {
  const auto row = [&](std::string_view algorithm) {
    return *std::ranges::find_if(
        kMeasured, [&](const Measured& m) { return m.topology == topology && m.algorithm == algorithm; });
  };
  const std::uint64_t shallow = row("digit-order").in_slots[1], deep = row("ascending-order").in_slots.back();
  return unless((shallow < deep) == fewer,
                "digit order with Q = 2: {} steps, ascending order with deep queues: {}", shallow, deep);
}

std::string check_deeper_is_no_slower() {
  for (const Measured& row : kMeasured) {
    for (const Steps* steps : {&row.one_flit, &row.in_slots}) {
      for (std::size_t d = 1; d < kDepths.size(); ++d) {
        if ((*steps)[d] > (*steps)[d - 1] && (*steps)[d - 1] != 0)
          return fmt::format("{} {}: {} steps with Q = {}, fewer with less", row.topology, row.algorithm,
                             (*steps)[d], kDepths[d]);
      }
    }
  }
  return {};
}

Checks depth_and_credits_checks(bool) {
  return {
      {"places for the steps between two uses of one are enough", check_depth_enough},
      {"deeper queues are never slower", check_deeper_is_no_slower},
      {"fat-tree:2,3: digit order with Q = 2 against ascending order with deep queues",
       [] { return check_order_before_depth("fat-tree:2,3", true); }},
      {"fat-tree:4,2: the same", [] { return check_order_before_depth("fat-tree:4,2", true); }},
      {"fat-tree:2,5: the other way round", [] { return check_order_before_depth("fat-tree:2,5", false); }}};
}

// No deadlock with one place per lane: packets on the way down wait only for packets on the way down, whose
// chain ends at leaves; packets on the way up wait for both kinds.
void no_deadlock_runs(bool full, Cases& cases) {
  for (const std::string& tree :
       with_more(full, "fat-tree:2,2 fat-tree:2,4 fat-tree:3,2 fat-tree:3x2x2 fat-tree:2x4",
                 "fat-tree:3,3 fat-tree:5,2 fat-tree:2,3,exponential fat-tree:4x2,1,3")) {
    for (const char* algorithm : {"flooding", "flooding-from-above-first", "flooding-from-below-first",
                                  "digit-order", "ascending-order"}) {
      ClaimCase& wanted = cases.emplace_back(at_least(with_queues(tree, algorithm, 1)));
      wanted.expected_steps =
          lower_bound({.graph = make_topology(tree), .collective = wanted.collective, .ports = wanted.ports})
              .steps;
    }
  }
  // With one queue per router packets on the way up and on the way down block each other.
  cases.emplace_back(with_queues("fat-tree:2,3", "parent-first", 1)).ports = kOnePortSend;
  cases.back().expected_problem = "cycle of waiting nodes";
  cases.emplace_back(with_queues("ring:16", "message-shift", 1)).expected_problem = "cycle of waiting nodes";
}

}  // namespace

std::vector<Claim> fat_tree_queue_claims() {
  return {
      claim("fat.Q1", "6.3, beyond the text", kBeyond,
            "multinode broadcast by flooding, first in first out: 19 and 14 steps for 9 (packets of one "
            "flit; in slots) with queues of one packet on 2^3 leaves, 41 and 30 for 16 on 4^2",
            std::bind_front(as_measured, "flooding")),
      claim("fat.Q2", "6.3, beyond the text", kBeyond,
            "total exchange, leaves in digit order: 62 and 42 steps for 21 with queues of one packet on "
            "2^3 leaves, 154 and 104 for 51 on 4^2; with two 33 and 24, 75 and 52",
            std::bind_front(as_measured, "digit-order")),
      claim("fat.Q3", "6.3, beyond the text", kBeyond,
            "total exchange, leaves in ascending order: 80 and 56 steps for 21 with queues of one packet "
            "on 2^3 leaves, 297 and 200 for 51 on 4^2; deeper queues do not bring it below 25 and 83",
            std::bind_front(as_measured, "ascending-order")),
      claim(
          "fat.Q4", "6.3, beyond the text", kHolds,
          "a multinode broadcast takes as few steps as with queues of any depth once a queue has as many "
          "places as steps pass before one can be used again: 2 in slots (66 steps for 64 on 4^3 leaves, "
          "first in, first out), 3 with packets of one flit; with one it takes about two and three times as "
          "long. Deeper queues are never slower. On 2^3 and 4^2 leaves the order in which leaves inject "
          "costs a total exchange more than queues of two places do; on 2^5, where queues grow long, it does "
          "not: 344 steps in digit order with two places, 329 in ascending order with queues of any depth",
          "what Q1 to Q3 measure", depth_and_credits_checks),
      claim("fat.Q5", "6.3, beyond the text", kBeyond,
            "with queues of one packet nothing gets stuck on an all-port fat tree, whose packets go up and "
            "then down, through a queue per link; under one-port-send, with one queue per router for both, "
            "routers come to wait in a circle (total exchange, 2^3 leaves), as nodes do on a ring",
            no_deadlock_runs)};
}

}  // namespace safnet
