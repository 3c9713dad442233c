// Folded cubes (Varvarigos, "Efficient routing algorithms for folded-cube networks", section 4): total
// exchange, B15 to B22.
#include <fmt/format.h>

#include <bit>

#include "cpp_model/algorithm/folded_cube/folded_cube_exchange.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::uint64_t nodes_of(std::uint32_t d) { return std::uint64_t{1} << d; }
std::string cube_word(std::uint32_t d) { return fmt::format("folded-cube:{}", d); }

// (7) in halves of a step.
std::uint64_t exchange_half_steps(std::uint32_t d) { return nodes_of(d) - binomial(d, (d + 1) / 2); }

std::uint64_t fewest_exchange(std::uint32_t d) { return divide_up(exchange_half_steps(d), 2); }

// As printed, not rounded up.
Printed<RunOutcome> printed_exchange(std::uint32_t d) {
  return {{kExactly, Rational(exchange_half_steps(d), 2), "", "2^(d-1) - C(d, ceil(d/2))/2"}};
}

bool is_power_of_two_less_one(std::uint32_t d) { return std::has_single_bit(d + 1); }

std::string check_critical_sum(std::uint32_t d) {
  const std::uint64_t sum = critical_sum(d, folded_cube_routing_tags(d, MiddleHalf::kBalanced));
  return unless(sum == fewest_exchange(d), "{} steps, {} are claimed", sum, fewest_exchange(d));
}
Checks critical_sum_checks(std::uint32_t first, std::uint32_t last) {
  return check_each(range<std::uint32_t>(first, last, 2), "folded-cube:{}: critical sum", check_critical_sum);
}

// In as few steps as there can be, by a timetable and by routers of their own.
constexpr const char *kTimetable = "folded-cube-exchange", *kRouters = "folded-cube-greedy";
ClaimCase exchange(std::uint32_t d, const char* algorithm) {
  return exchange_case(cube_word(d), kAllPort, algorithm, fewest_exchange(d));
}

void even_exchange_runs(bool, Cases& cases) {
  for (const std::uint32_t d : {2, 4, 6}) {
    for (const char* name : {kTimetable, kRouters}) cases.push_back(exchange(d, name));
  }
}

Checks even_exchange_checks(bool) { return critical_sum_checks(8, 10); }

void odd_exchange_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 3; d <= (full ? 7U : 5U); d += 2) {
    for (const char* name : {kTimetable, kRouters}) {
      cases.push_back(exchange(d, name));
      if (is_power_of_two_less_one(d)) cases.back().printed = printed_exchange(d);
    }
  }
}

Checks odd_exchange_checks(bool) { return critical_sum_checks(9, 11); }

// The sum of the distances from a node, by search, through d + 1 links: as packets take shortest ways at
// best, and no link carries two at once, there are no fewer steps.
std::string check_exchange_bound(std::uint32_t d) {
  const std::uint64_t distances = searched_status(make_topology(cube_word(d)), 0);
  return unless(2 * distances == (d + 1) * exchange_half_steps(d), "distances of {}, (7) times d + 1 is {}/2",
                distances, (d + 1) * exchange_half_steps(d));
}

Checks exchange_bound_checks(bool full) {
  Checks checks = check_each(range<std::uint32_t>(2, full ? 14 : 10),
                             "folded-cube:{}: distances from a node through its links", check_exchange_bound);
  checks.push_back({"d = 1 ... 40: (7) ends in a half if and only if d = 2^k - 1", [] {
                      return first_fault(range<std::uint32_t>(1, 40), [](std::uint32_t d) {
                        return unless((exchange_half_steps(d) % 2 == 1) == is_power_of_two_less_one(d),
                                      "d = {}", d);
                      });
                    }});
  checks.push_back({"d = 15: critical sum, (7) rounded up", [] { return check_critical_sum(15); }});
  return checks;
}

// All orders of sending keep the bound, and some of them meet it.
void exchange_bound_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    for (const char* name : {kTimetable, kRouters}) cases.push_back(exchange(d, name));
    for (const char* name : {"folded-cube-greedy-fifo", "folded-cube-greedy-closest-first"})
      cases.push_back(at_least(exchange(d, name)));
  }
}

// The packets that use the dimension of the highest bit, if the half of the middle tags that is not
// complemented has this bit in all. Of tags of weight i below the middle C(d - 1, i - 1) have it, and as many
// complements of weight i of the others, the middle ones without it included.
std::uint64_t steps_with_highest_half(std::uint32_t d) {
  const std::uint32_t half = (d + 1) / 2;
  std::uint64_t ones = 0;
  for (std::uint32_t i = 1; i < half; ++i) ones += 2 * binomial(d - 1, i - 1);
  return ones + binomial(d, half) / 2;
}

void balanced_middle_runs(bool full, Cases& cases) {
  // If all chosen tags of the middle half have the highest bit set, that dimension has the longest queue.
  for (const std::uint32_t d : with_more<std::uint32_t>(full, {5}, {7}))
    cases.push_back(printed(
        exchange_case(cube_word(d), kAllPort, "folded-cube-exchange-as-printed", steps_with_highest_half(d)),
        printed_exchange(d)));
}

Checks balanced_middle_checks(bool) {
  return {{"d = 9: critical sums of both halves", []() -> std::string {
             const std::uint64_t sum = critical_sum(9, folded_cube_routing_tags(9, MiddleHalf::kHighest));
             if (sum != steps_with_highest_half(9))
               return fmt::format("{}, expected {}", sum, steps_with_highest_half(9));
             return check_critical_sum(9);
           }}};
}

// The third sum for the column sum, d odd, that begins at j = `from`.
std::uint64_t third_sum(std::uint32_t d, std::uint32_t from) {
  std::uint64_t sum = 0;
  for (std::uint32_t j = from; j + 1 < (d + 1) / 2; ++j) sum += 2 * binomial(d - 1, j);
  return sum;
}

// The chain of equalities for the column sum, times 2d.
std::string check_column_sum(std::uint32_t d) {
  const std::uint32_t half = (d + 1) / 2;
  const std::uint64_t middle = binomial(d, half);
  std::uint64_t first = 0, second = 0;
  for (std::uint32_t i = 1; i < half; ++i) {
    first += 4 * i * binomial(d, i);
    second += 4 * d * binomial(d - 1, i - 1);
  }
  const std::uint64_t fourth = d * nodes_of(d) - 2 * d * binomial(d - 1, half - 1);
  const std::uint64_t last = d * exchange_half_steps(d);
  for (const std::uint64_t sum : {first, second, 2 * d * third_sum(d, 0), fourth}) {
    if (sum + middle != last) return fmt::format("{}/{}, expected {}/{}", sum + middle, 2 * d, last, 2 * d);
  }
  return {};
}

Checks column_sum_checks(bool) {
  Checks checks = check_each(range<std::uint32_t>(3, 19, 2), "d = {}", check_column_sum);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const auto d = static_cast<std::uint32_t>(3 + 2 * i);
    checks[i].printed = Printed<>{{kExactly, third_sum(d, 0), "as the third sum", "a sum from j = 1"},
                                  [d] { return Rational(third_sum(d, 1)); }};
  }
  return checks;
}

void utilisation_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 6U); ++d) {
    const std::uint64_t steps = fewest_exchange(d);
    ClaimCase entry = exchange(d, kRouters);
    const bool half = is_power_of_two_less_one(d);
    const std::uint64_t sends = nodes_of(d) * (d + 1) * exchange_half_steps(d) / 2;
    entry.inspect = [sends, steps, half](const RunOutcome& o) -> std::string {
      const std::uint64_t found = o.trace->transfers.size(), most = o.graph->link_count() * steps;
      if (found != sends) return fmt::format("{} packets crossed links, expected {}", found, sends);
      return unless((found < most) == half, "{} of {} could cross", found, most);
    };
    if (half)
      entry.printed =
          Printed<RunOutcome>{{kExactly, 100, "% of the links' steps used"}, [](const RunOutcome& o) {
                                return Rational(100 * o.transmissions, o.graph->link_count() * o.steps);
                              }};
    cases.push_back(entry);
  }
}

std::string check_greedy(std::uint32_t d) {
  const std::uint64_t most = fewest_exchange(d) + (d + 1) / 2 - 1;
  for (const GreedyRule rule : {GreedyRule::kFurthestFirst, GreedyRule::kClosestFirst, GreedyRule::kAnyOrder,
                                GreedyRule::kPortsInTurn, GreedyRule::kPortsInTurnAny}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::uint32_t steps = greedy_matching_steps(d, rule, seed);
      if (steps > most)
        return fmt::format("rule {}, seed {}: {} steps, at most {}", static_cast<int>(rule), seed, steps,
                           most);
    }
  }
  return {};
}

ClaimCase exactly_more(ClaimCase entry, std::uint64_t steps) {
  entry.relation = kExactly;
  entry.expected_steps += steps;
  return entry;
}

void greedy_exchange_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 2; d <= (full ? 7U : 5U); ++d) {
    for (const char* name : {"folded-cube-greedy", "folded-cube-greedy-fifo", "folded-cube-greedy-matching"})
      cases.push_back(exchange(d, name));
    // Closest first, a packet may wait while another port is idle: to d = 6 within d - 1 of the best.
    ClaimCase slower = at_least(exchange(d, "folded-cube-greedy-closest-first"));
    if (d <= 6) slower.inspect = steps_between(fewest_exchange(d), fewest_exchange(d) + d - 1);
    if (d == 7) slower = exactly_more(slower, 7);
    cases.push_back(slower);
  }
  if (full) {
    // Not greedy as published: a packet waits for the port of its order, while other ports may be idle.
    cases.push_back(exactly_more(exchange(6, "folded-cube-greedy-ascending-closest-first"), 7));
  }
}

Checks greedy_exchange_checks(bool full) {
  return check_each(range<std::uint32_t>(2, full ? 9 : 8),
                    "folded-cube:{}: maximal matchings by 5 rules with 5 seeds", check_greedy);
}

std::string check_sixteen() {
  if (exchange_half_steps(16) != 2 * 26333) return "the bound is not 26333";
  // d N / (2 (d + 1)) = 30840 and 8/17.
  if (16 * nodes_of(16) / (2 * 17) != 30840) return "the splitting algorithm does not take 30840";
  // On the hypercube, of 16 ports, all links are busy: a node's packets cross as many as they have bits set.
  std::uint64_t hops = 0;
  for (std::uint32_t v = 0; v < nodes_of(16); ++v) hops += static_cast<std::uint64_t>(std::popcount(v));
  return unless(hops == 16 * 32768, "the hypercube does not take 32768");
}

}  // namespace

std::vector<Claim> folded_cube_exchange_claims() {
  return {
      claim("folded.B15", "folded cubes 4", kHolds,
            "total exchange for d even takes 2^(d-1) - C(d, d/2)/2 steps", even_exchange_runs,
            even_exchange_checks),
      claim("folded.B16", "folded cubes 4", kCorrected,
            "total exchange for d odd takes 2^(d-1) - C(d, ceil(d/2))/2 steps, rounded up", odd_exchange_runs,
            odd_exchange_checks),
      claim("folded.B17", "folded cubes 4, (7)", kHolds,
            "no total exchange takes fewer than 2^(d-1) - C(d, ceil(d/2))/2 steps, which ends in a half if "
            "and only if d = 2^k - 1; rounded up it is met",
            exchange_bound_runs, exchange_bound_checks),
      claim("folded.B18", "folded cubes 4", kCorrected,
            "for d odd the destinations half-way are parted so that every bit differs in as many of one half "
            "as any other bit, give or take one; halves of equal cardinality are not enough",
            balanced_middle_runs, balanced_middle_checks),
      claim("folded.B19", "folded cubes 4", kMisprint,
            "tau_e for d odd, by four sums; the third counts from j = 0", column_sum_checks),
      claim("folded.B20", "folded cubes 4", kCorrected,
            "in the total exchange every link is busy in every step, unless d = 2^k - 1", utilisation_runs),
      claim("folded.B21", "folded cubes 4", kHolds,
            "any symmetric greedy scheme takes at most d - 1 steps more than the best; ceil(d/2) - 1 "
            "suffice. Routers that serve the furthest first, each packet's dimensions in an order that "
            "rotates, take none more; but a router's packet waits for one port while others may idle, which "
            "is not greedy: the closest first takes 7 more on d = 7, and in a fixed order on d = 6 too",
            greedy_exchange_runs, greedy_exchange_checks),
      claim("folded.B22", "folded cubes 4", kHolds,
            "total exchange for d = 16: at least 26333 steps, 30840 by splitting (rounded down), 32768 on "
            "the hypercube",
            [](bool) -> Checks {
              return {{"the numbers of d = 16", check_sixteen}};
            })};
}

}  // namespace safnet
