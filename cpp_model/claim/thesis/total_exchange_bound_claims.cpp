// Thesis 4.1, 4.4 and chapter 5's statuses: lower bounds on total exchange against what runs take.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// (4.1): the largest ceil(|V1| |V2| / C) over all cuts of a small graph; over bisections only if asked.
std::uint64_t best_cut(const Graph& graph, bool bisections_only) {
  const NodeId n = graph.node_count();
  std::uint64_t best = 0;
  for (std::uint32_t set = 1; set < (1U << (n - 1)); ++set) {
    const auto inside = static_cast<std::uint64_t>(std::popcount(set));
    if (bisections_only && inside != n / 2 && inside != n - n / 2) continue;
    std::uint64_t links = 0;
    for (NodeId v = 0; v < n; ++v) {
      if (((set >> v) & 1) == 0) continue;
      for (PortId p = 0; p < graph.degree(v); ++p) links += ((set >> graph.peer(v, p).node) & 1) ^ 1;
    }
    best = std::max(best, divide_up(inside * (n - inside), links));
  }
  return best;
}

// 60 connected graphs of 4 to 9 nodes.
std::vector<std::string> random_graphs() {
  std::vector<std::string> words;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::uint64_t n = 4 + seed % 6;
    words.push_back(fmt::format("random:{},{},{}", n, n - 1 + seed % (n - 1), seed));
  }
  return words;
}

void cut_bound_runs(bool, Cases& cases) {
  for (const std::string& word : random_graphs())
    cases.push_back(
        at_least(exchange_case(word, kAllPort, "furthest-first", best_cut(make_topology(word), false))));
}

std::string check_bisections() {
  const auto better = std::ranges::count_if(random_graphs(), [](const std::string& word) {
    const Graph graph = make_topology(word);
    return best_cut(graph, true) < best_cut(graph, false);
  });
  return unless(better == 33, "of {}", better);
}

void cut_values_runs(bool, Cases& cases) {
  for (std::uint64_t n = 3; n <= 12; ++n) {
    cases.push_back(exchange_case(linear_word(n), kAllPort, "furthest-first", quarter_square(n)));
    cases.push_back(exchange_case(ring_word(n), kAllPort,
                                  n % 2 == 0 ? "parity-message-shift" : "message-shift", eighth_square(n)));
  }
}

void cut_values_checks(bool, Checks& checks) {
  const auto check = [&](const std::string& word, std::uint64_t expected) {
    checks.push_back({word + ": best of all cuts", [word, expected] {
                        const std::uint64_t best = best_cut(make_topology(word), false);
                        return unless(best == expected, "{}, expected {}", best, expected);
                      }});
  };
  for (std::uint64_t n = 3; n <= 12; ++n) {
    check(linear_word(n), quarter_square(n));
    check(ring_word(n), eighth_square(n));
  }
  // n^(d-1) |V1| |V2| / C of one dimension.
  check("mesh:3x3", 3 * 2);
  check("torus:3x3", 3 * 1);
  check("mesh:4x4", 4 * 4);
  check("hypercube:4", 8);
}

void status_bound_runs(bool, Cases& cases) {
  const auto run = [&](const std::string& word, std::uint64_t bound) {
    const Graph graph = make_topology(word);
    const std::uint64_t average = divide_up(searched_total_status(graph), graph.node_count());
    cases.push_back(at_least(exchange_case(word, kOnePort, "furthest-first", std::max(bound, average))));
  };
  run("tree:5,1", 5 + 20);           // the centre parts 5 leaves; average status 25/3
  run("tree:2,2", 6 + 2 * (3 * 3));  // the root parts 3 and 3
  run("linear:7", 6 + 2 * (3 * 3));  // the middle node parts 3 and 3
  run("mesh:3x3", 0);
  run("generalized-petersen:5,2", 0);
  run("random:12,20,1", 0);
}

void consecutive_scatters_runs(bool full, Cases& cases) {
  for (std::uint64_t n = 2; n <= (full ? 20U : 10U); ++n) {
    for (std::uint64_t i = 0; i < n; ++i)
      cases.push_back({linear_word(n), kScatter, kAllPort, "furthest-first", static_cast<NodeId>(i), "",
                       std::max(i, n - 1 - i)});
  }
}

Checks sums_of_scatters_checks(bool) {
  return check_each(std::vector<std::uint64_t>{299},
                    "max(i - 1, n - i) over all i adds up to 3 T_opt - floor(n/2), n = 2...{}",
                    [](std::uint64_t most) {
                      return first_fault(range(2, most), [](std::uint64_t n) {
                        std::uint64_t sum = 0;
                        for (std::uint64_t i = 0; i < n; ++i) sum += std::max(i, n - 1 - i);
                        return unless(sum == 3 * quarter_square(n) - n / 2, "n = {}", n);
                      });
                    });
}

// One-port total exchange sends one packet over every hop of every shortest path: n times the status.
void formula_runs(bool full, Cases& cases) {
  const auto run = [&](const std::string& word, std::uint64_t status) {
    const std::uint64_t nodes = make_topology(word).node_count();
    cases.push_back(exchange_case(word, kOnePort, "transit-first", status, transfers_are(status * nodes)));
  };
  for (std::uint64_t n = 2; n <= 9; ++n) {
    run(fmt::format("complete:{}", n), n - 1);
    run(ring_word(n), quarter_square(n));
  }
  for (const ExtendedRingSize& ring : extended_rings(full ? 24 : 12)) {
    const std::uint64_t q = (ring.n - 1) / (2 * ring.rho);
    if (ring.rho >= 2) run(ring.word(), (q + 1) * (ring.n - 1 - ring.rho * q));
  }
  for (std::uint64_t d = 1; d <= 6; ++d) run(fmt::format("hypercube:{}", d), d << (d - 1));
  // Theorem 5.1: n times the sum of s_i / |V_i|.
  run("generalized-hypercube:3x4", 12 / 3 * 2 + 12 / 4 * 3);
  run("generalized-hypercube:2x3x4", 24 / 2 * 1 + 24 / 3 * 2 + 24 / 4 * 3);
  run("torus:5x4", 4 * 6 + 5 * 4);
  run("torus:3x4x5", 20 * 2 + 15 * 4 + 12 * 6);
  run("hypercycle:8/2x6/1", 6 * 10 + 8 * 9);
  run("product(complete:4,ring:5)", 5 * 3 + 4 * 6);
}

}  // namespace

std::vector<Claim> total_exchange_bound_claims() {
  return {
      claim("thesis.T1", "4.1, (4.1)", kHolds,
            "all-port total exchange takes at least |V1| |V2| / C steps for every cut; all cuts have to be "
            "tried: on 33 of the 60 graphs no bisection gives the best",
            cut_bound_runs,
            ClaimCheck{"no bisection is the best cut of 33 of the 60 graphs", check_bisections}),
      claim("thesis.T2", "4.1, (4.4), (4.5)", kHolds,
            "one-port total exchange takes at least the average status; beyond the text, at a cut node at "
            "least n - 1 + 2 |Ci| |Cj| for every two parts",
            status_bound_runs),
      claim("thesis.T3", "4.2", kHolds,
            "n scatters one after the other take 3 T_opt - floor(n/2) steps on a linear array, where T_opt = "
            "ceil((n^2 - 1)/4) is enough",
            consecutive_scatters_runs, sums_of_scatters_checks),
      claim("thesis.T14", "4.4, (4.11)-(4.13); 5.2, Theorem 5.1", kHolds,
            "statuses: n - 1 complete, ceil((n^2 - 1)/4) ring, (q + 1)(n - 1 - rho q) with q = floor((n - "
            "1)/2rho) extended ring, d 2^(d-1) cube, sums over dimensions of products; counted as "
            "transmissions",
            formula_runs),
      claim("thesis.T20", "4.2, (4.10), 5.8", kHolds,
            "the cuts of the thesis are the best of all: ceil((n^2 - 1)/4) on linear arrays, ceil((n^2 - "
            "1)/8) on rings, n^(d-1) |V1| |V2| / C, then rounded up, on products of d graphs with that cut",
            cut_values_runs, cut_values_checks)};
}

}  // namespace safnet
