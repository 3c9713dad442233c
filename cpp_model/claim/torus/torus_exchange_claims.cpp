// Fragopoulou and Akl, TR 94-363: multinode scattering, which is total exchange (5.5), X1 to X6, and cubes
// (K1).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/multinode_runs.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::uint64_t bsg_exchange_steps(const EqualSides& sides, std::uint64_t m) {
  return over_necklaces(sides, [&](std::uint32_t period, std::uint32_t distance) {
    return distance * divide_up(m * period, 2 * sides.n);
  });
}

void exchange_bounds_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : message_counts(sides)) {
      if (sides.nodes() > 125 && m > 1) continue;
      cases.push_back(run(sides, kTotalExchange, "torus-koenig-exchange", m, exchange_bound(sides, m),
                          transfers_are(exchange_sends(sides, m))));
    }
  }
}

void bsg_exchanges_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    std::uint32_t runs = 0;
    for (const std::uint32_t m : message_counts(sides)) {
      if (!splits_evenly(sides, m) || (sides.nodes() > 125 && (sides.k != 4 || ++runs > 1))) continue;
      cases.push_back(run(sides, kTotalExchange, "torus-bsg-exchange", m, exchange_bound(sides, m),
                          all_links_busy(exchange_sends(sides, m))));
    }
  }
}

void other_exchange_splits_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    for (const std::uint32_t m : {1U, 3U}) {
      if (splits_evenly(sides, m) || (sides.nodes() > 125 && m > 1)) continue;
      cases.push_back(at_most_on_routers(
          run(sides, kTotalExchange, "torus-bsg-exchange", m, bsg_exchange_steps(sides, m))));
    }
  }
}

Checks other_exchange_splits_checks(bool full) {
  return on_counted_tori(full, "spanning graph", [](const EqualSides& sides, std::uint32_t m) {
    const TorusNetwork network = network_of(sides);
    return check_exchange(network, bsg_exchange(network.torus, m), m, bsg_exchange_steps(sides, m));
  });
}

// The sum of the distances of the necklaces.
std::uint64_t bst_exchange_steps(const EqualSides& sides) {
  return over_necklaces(sides, [](std::uint32_t, std::uint32_t distance) { return distance; });
}

void bst_exchanges_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full))
    cases.push_back(
        at_most_on_routers(run(sides, kTotalExchange, "torus-bst-exchange", 1, bst_exchange_steps(sides),
                               transfers_are(exchange_sends(sides, 1)))));
}

Checks bst_exchanges_checks(bool) {
  return check_each(
      std::vector<EqualSides>{{4, 8}, {5, 5}},
      [](const EqualSides& sides) { return sides.name() + ": within one percent of the bound"; },
      [](const EqualSides& sides) {
        return check_close(bst_exchange_steps(sides), exchange_bound(sides, 1), 100);
      });
}

void koenig_exchanges_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : run_tori(full)) {
    if (sides.nodes() > 125) continue;
    for (const std::uint32_t m : {2U, 5U}) {
      if (sides.n == 1 && sides.k % 2 == 0 && m % 2 == 1) continue;
      cases.push_back(run(sides, kTotalExchange, "torus-koenig-exchange", m, exchange_bound(sides, m)));
      if (exchange_bound(sides, 1) * 2 * sides.n * sides.nodes() == exchange_sends(sides, 1))
        cases.back().inspect = all_links_busy(exchange_sends(sides, m));
    }
  }
}

Checks koenig_exchanges_checks(bool full) {
  return on_counted_tori(full, "colouring", [](const EqualSides& sides, std::uint32_t m) {
    const TorusNetwork network = network_of(sides);
    return check_exchange(network, koenig_exchange(network, m), m, exchange_bound(sides, m));
  });
}

void parity_exchanges_runs(bool full, Cases& cases) {
  for (std::uint32_t k = 4; k <= (full ? 20 : 10); k += 2) {
    for (const std::uint32_t m : {1U, 2U, 3U}) {
      const EqualSides ring{1, k};
      cases.push_back(run(ring, kTotalExchange, "torus-koenig-exchange", m, exchange_bound(ring, m)));
    }
  }
}

void parity_exchanges_checks(bool, Checks& checks) {
  for (std::uint32_t k = 4; k <= 20; k += 2) {
    for (const std::uint32_t m : {1U, 3U}) {
      checks.push_back({fmt::format("k = {}, M = {}: all nodes alike", k, m), [k, m] {
                          const EqualSides ring{1, k};
                          const std::uint64_t steps = (m * k * k + 2 * k) / 8;
                          if (steps <= exchange_bound(ring, m)) return fmt::format("{} is the bound", steps);
                          return check_exchange(network_of(ring), koenig_exchange(network_of(ring), m), m,
                                                steps);
                        }});
    }
  }
}

// If the two parallel links of a doubled cube were one, every one of them would be wanted twice in every step
// of the traversal with M = 2n, in which all links of the doubled cube are busy.
std::string check_collisions(std::uint32_t n) {
  const EqualSides sides{n, 2};
  const MultidimensionalTorus torus = sides.torus();
  const auto sends = bsg_broadcast(torus, first_subtree(torus, ParentRule::kCorrected), 2 * n);
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  for (const RelativeSend& send : sends) used.emplace(send.step, send.label % n);
  const std::uint64_t collisions = (sends.size() - used.size()) * sides.nodes();
  const std::uint64_t expected = n * (sides.nodes() - 1) * sides.nodes();
  return unless(collisions == expected, "{} collisions, expected {}", collisions, expected);
}

void cubes_runs(bool full, Cases& cases) {
  for (std::uint32_t n = 1; n <= (full ? 6 : 4); ++n) {
    const EqualSides doubled{n, 2};
    const std::uint64_t others = doubled.nodes() - 1;
    for (const std::uint32_t m : std::set<std::uint32_t>{1, n, 2 * n}) {
      const auto add = [&](const std::string& cube, std::uint64_t broadcast, std::uint64_t exchange) {
        cases.push_back(messages(
            all_port_case(cube, kMultinodeBroadcast, "cube-matching", std::max<std::uint64_t>(n, broadcast)),
            m));
        cases.push_back(messages(
            exchange_case(cube, kAllPort, "torus-koenig-exchange", std::max<std::uint64_t>(n, exchange)), m));
      };
      if (n <= 4) {  // 8 ports
        cases.push_back(
            against_bound(run(doubled, kMultinodeBroadcast, "torus-bsg", m, necklace_steps(doubled, m)),
                          broadcast_bound(doubled, m)));
        cases.push_back(at_most_on_routers(against_bound(
            run(doubled, kTotalExchange, "torus-bsg-exchange", m, bsg_exchange_steps(doubled, m)),
            exchange_bound(doubled, m))));
        add(doubled.topology(), broadcast_bound(doubled, m), exchange_bound(doubled, m));
      }
      add(fmt::format("hypercube:{}", n), divide_up(m * others, n), m * (others + 1) / 2);
    }
  }
}

Checks cubes_checks(bool) {
  // In step 1 of M = 1 half of all links have nothing new to carry: one step above max(n, bound).
  const EqualSides cube{8, 2};
  const std::uint64_t steps = 1 + divide_up(cube.nodes() - 1 - cube.n, 2 * cube.n);
  return joined(check_each(range<std::uint32_t>(1, 6),
                           "single cube of {} dimensions, M = 2n: all links wanted twice in every step",
                           check_collisions),
                {{fmt::format("doubled cube of {} dimensions, M = 1: {} steps", cube.n, steps), [=] {
                    return check_broadcast(network_of(cube), matched_broadcast(network_of(cube), 1), 1,
                                           steps);
                  }}});
}

}  // namespace

std::vector<Claim> torus_exchange_claims() {
  return {
      claim("torus.X1", "TR 94-363, 5.1 and 5.5, Table 5", kHolds,
            "multinode scattering takes M k^(n+1) / 8 steps or more (k even), M (k^2 - 1) k^(n-1) / 8 (k "
            "odd), and 2n k^n times as many sends; both are met (k >= 3)",
            exchange_bounds_runs, std::bind_front(checks_of_bounds, kTotalExchange, exchange_bound)),
      claim("torus.X2", "TR 94-363, 5.5", kHolds,
            "multinode scattering over the spanning graph, a block of messages after the other, meets the "
            "bound if every 2n/P divides M; all links are busy in every step",
            bsg_exchanges_runs),
      claim(
          "torus.X3", "TR 94-363, 5.5, beyond the text", kBeyond,
          "where M P/2n is not whole (see M5) it takes the sum over the necklaces of d ceil(MP/2n) steps, d "
          "being their distance, by the text's timetable, more than the bound on many tori; routers that "
          "follow it, without waiting for a necklace to be done, take at most that",
          other_exchange_splits_runs, other_exchange_splits_checks),
      claim("torus.X4", "TR 94-363, 5.5, last paragraph", kHolds,
            "multinode scattering of one message over the spanning tree, necklace after necklace, takes the "
            "sum of their distances, asymptotically the bound; routers that follow the timetable, without "
            "waiting for a necklace to be done, take at most that",
            bst_exchanges_runs, bst_exchanges_checks),
      claim("torus.X5", "TR 94-363, 5.5, beyond the text", kBeyond,
            "colouring messages x links meets the bound of multinode scattering for every M (n >= 2, k odd "
            "or M even)",
            koenig_exchanges_runs, koenig_exchanges_checks),
      claim("torus.X6", "TR 94-363, 5.5, beyond the text", kBeyond,
            "rings of even k with odd M: if all nodes do the same (M k^2 + 2k) / 8 steps, above the bound; "
            "with the odd half-way message sent up by even nodes and down by odd ones ceil(M k^2 / 8)",
            parity_exchanges_runs, parity_exchanges_checks),
      claim("torus.K1", "TR 94-363, 1 and 5, k = 2", kRefuted,
            "MT_{n,2} is a cube; with every edge doubled the spanning graph meets the formulas if 2n divides "
            "M, and not for M = n (exchange: by the timetable; routers that follow it take at most that); by "
            "matchings and colourings max(n, bound) is met in doubled and single "
            "cubes of up to 6 dimensions, and exceeded by a step in the doubled one of 8, M = 1",
            cubes_runs, cubes_checks)};
}

}  // namespace safnet
