// Concurrent broadcasts in linear arrays and rings: Varvarigos and Bertsekas 1994, Theorem 2, its remark, and
// what the proof of Lemma 1 makes of it.
//
// K packets at p nodes, in whatever numbers. In rings with split packets a step is half a slot.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Counts = std::vector<std::uint32_t>;  // packets of each node
constexpr const char* kWholePackets = "pass-on-first";
constexpr const char* kHalves = "pass-on-first-halves";

// A line is a ring or a linear array.
std::string line(bool is_ring, std::size_t p) { return is_ring ? ring_word(p) : linear_word(p); }
const char* rule_on(bool is_ring) { return is_ring ? kHalves : kWholePackets; }

std::vector<NodeId> named(const Counts& counts) {
  std::vector<NodeId> active;
  for (NodeId v = 0; v < counts.size(); ++v) active.insert(active.end(), counts[v], v);
  return active;
}
std::uint64_t total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}
Counts all_at(std::size_t p, std::size_t node, std::uint32_t packets) {
  Counts counts(p, 0);
  counts[node] = packets;
  return counts;
}

ClaimCase run_of(const std::string& topology, const Counts& counts, const char* algorithm,
                 std::uint64_t steps) {
  ClaimCase entry{topology, kConcurrentBroadcast, kAllPort, algorithm, 0, "", steps};
  entry.active = named(counts);
  return entry;
}
// A run that takes at most so many steps.
ClaimCase run_within(const std::string& topology, const Counts& counts, const char* algorithm,
                     std::uint64_t most) {
  ClaimCase entry = run_of(topology, counts, algorithm, most);
  entry.relation = kAtMost;
  return entry;
}

std::uint64_t planned_steps(const Graph& graph, const Counts& counts, const char* algorithm) {
  Problem problem{.graph = graph, .collective = kConcurrentBroadcast};
  problem.active = named(counts);
  return steps_of(plan_of(find_algorithm(problem, algorithm), problem));
}

// Every way to give p nodes packets, K in all.
void each_distribution(std::size_t p, std::uint32_t packets, const std::function<void(const Counts&)>& use) {
  Counts counts(p, 0);
  const std::function<void(std::size_t, std::uint32_t)> fill = [&](std::size_t v, std::uint32_t left) {
    if (v + 1 == p) {
      counts[v] = left;
      use(counts);
      return;
    }
    for (std::uint32_t k = 0; k <= left; ++k) {
      counts[v] = k;
      fill(v + 1, left - k);
    }
  };
  fill(0, packets);
}
// Every way to give p nodes 0 ... most packets each.
void each_vector(std::size_t p, std::uint32_t most, const std::function<void(const Counts&)>& use) {
  Counts counts(p, 0);
  for (;;) {
    if (total(counts) > 0) use(counts);
    std::size_t v = 0;
    while (v < p && counts[v] == most) counts[v++] = 0;
    if (v == p) return;
    ++counts[v];
  }
}

ClaimCheck worst_case(bool is_ring, std::size_t p, std::uint32_t packets) {
  const std::string topology = line(is_ring, p);
  return {fmt::format("{}: the worst of all distributions of K = {} packets takes K + p - 2 steps", topology,
                      packets),
          [=] {
            const Graph graph = make_topology(topology);
            std::uint64_t worst = 0;
            each_distribution(p, packets, [&](const Counts& counts) {
              worst = std::max(worst, planned_steps(graph, counts, rule_on(is_ring)));
            });
            return unless(worst == packets + p - 2, "{} steps, {} are claimed", worst, packets + p - 2);
          }};
}

Checks worst_cases(bool is_ring, bool full) {
  Checks checks;
  for (std::size_t p = is_ring ? 3 : 2; p <= (full ? 6U : 5U); ++p) {
    const std::uint32_t most = full ? (p == 6 ? 5 : 7) : 4;
    for (std::uint32_t packets = 1; packets <= most; ++packets)
      checks.push_back(worst_case(is_ring, p, packets));
  }
  return checks;
}

// Runs with the worst distribution and some others.
Cases distributions(bool is_ring, bool full) {
  Cases cases;
  for (const std::size_t p : full ? joined(range(3, 8), {12, 16}) : joined(range(3, 4), {8})) {
    const std::string topology = line(is_ring, p);
    const char* algorithm = rule_on(is_ring);
    std::mt19937_64 random(p);
    for (const std::uint32_t packets : {1U, 5U, 20U}) {
      cases.push_back(run_of(topology, all_at(p, 0, packets), algorithm, packets + p - 2));
      Counts counts(p, 0);
      for (std::uint32_t k = 0; k < packets; ++k) ++counts[random() % p];
      cases.push_back(run_within(topology, counts, algorithm, packets + p - 2));
    }
  }
  return cases;
}

void one_packet_each_runs(bool full, Cases& cases) {
  for (std::size_t p = 3; p <= (full ? 16U : 8U); ++p) {
    const Counts one_each(p, 1);
    cases.push_back(run_of(linear_word(p), one_each, kWholePackets, p - 1));
    cases.push_back(run_of(ring_word(p), one_each, kWholePackets, p / 2));
    if (p % 2 == 1)
      cases.back() = printed(cases.back(), {{kExactly, (p + 1) / 2, "", "ceil(p/2) in a ring, not split"}});
    cases.push_back(run_of(ring_word(p), one_each, kHalves, p - 1));
  }
}

// W packets each at the first nodes, W - 1 at the others.
Counts nearly_even(std::size_t p, std::uint32_t most, std::size_t with_most) {
  Counts counts(p, most - 1);
  std::fill_n(counts.begin(), with_most, most);
  return counts;
}

std::string judge_nearly_even(std::size_t largest, std::uint32_t most) {
  for (std::size_t p = 3; p <= largest; ++p) {
    const Graph graph = make_topology(ring_word(p));
    for (std::uint32_t w = 1; w <= most; ++w) {
      for (std::size_t with_most = 1; with_most <= p; ++with_most) {
        const std::uint64_t steps = planned_steps(graph, nearly_even(p, w, with_most), kHalves);
        if (steps > (p - 1) * w)
          return fmt::format("{} with {} nodes of {}, others of {} packets: {} half slots", ring_word(p),
                             with_most, w, w - 1, steps);
      }
    }
  }
  return {};
}

Cases subphases_runs(bool) {
  return {run_of(ring_word(3), {0, 2, 2}, kHalves, 5), run_of(ring_word(3), {2, 2, 2}, kHalves, 4),
          run_within(ring_word(3), {2, 2, 1}, kHalves, 4),
          run_within(ring_word(8), nearly_even(8, 3, 5), kHalves, 21),
          run_of(linear_word(3), {0, 2, 2}, kWholePackets, 4)};
}

void subphases_checks(bool full, Checks& checks) {
  checks = check_each(range(2, full ? 5 : 4), "linear:{}: all counts up to 3", [](std::uint64_t p) {
    const Graph graph = make_topology(linear_word(p));
    std::string wrong;
    each_vector(p, 3, [&](const Counts& counts) {
      const std::uint64_t most = (p - 1) * *std::ranges::max_element(counts);
      const std::uint64_t steps = planned_steps(graph, counts, kWholePackets);
      if (steps > most) wrong = fmt::format("{}: {} steps", fmt::join(counts, " "), steps);
    });
    return wrong;
  });
  const std::size_t largest = full ? 11 : 7;
  const std::uint32_t most = full ? 5 : 3;
  checks.push_back({fmt::format("rings of 3 to {}: W packets at some nodes and W - 1 at the others, W to {}",
                                largest, most),
                    [=] { return judge_nearly_even(largest, most); }});
}

}  // namespace

std::vector<Claim> line_broadcast_claims() {
  return {
      claim(
          "mesh.A5", "meshes 2, Theorem 2", kHolds,
          "K broadcasts in a linear array take at most K + p - 1 steps if nodes pass on first; at most K + p "
          "- 2, in fact, which all packets at an end take",
          std::bind_front(distributions, false), std::bind_front(worst_cases, false)),
      claim(
          "mesh.A6", "meshes 2, Theorem 2", kHolds,
          "in a ring half that time is enough if packets are split in two halves, which go round p - 1 hops "
          "in opposite directions: at most K + p - 2 half slots, which all packets at one node take",
          std::bind_front(distributions, true), std::bind_front(worst_cases, true)),
      claim("mesh.A7", "meshes 2, remark", kCorrected,
            "one packet per node: p - 1 steps in an array, floor(p/2) in a ring with whole packets, (p - "
            "1)/2 with halves",
            one_packet_each_runs),
      claim(
          "mesh.A8", "meshes 3.1, proof of Lemma 1", kHolds,
          "in phase 3, where all nodes have W packets, or W - 1 from some node on, Theorem 2's rule takes (p "
          "- 1) W steps in an array and (p - 1) W/2 slots in a ring. The proof has a gap: with at most W "
          "packets per node in whatever numbers that holds in arrays alone (a ring with 0, 2 and 2 packets "
          "takes 5 half slots, not 4)",
          subphases_runs, subphases_checks)};
}

}  // namespace safnet
