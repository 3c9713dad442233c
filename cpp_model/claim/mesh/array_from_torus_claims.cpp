// Arrays that stand for tori (Varvarigos and Bertsekas 1994, section 2): A1 to A4.
#include <fmt/format.h>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"

namespace safnet {
namespace {

// On odd rings and tori every link is busy in every step of a total exchange.
std::uint64_t odd_torus_exchange(NodeId side, std::uint32_t dimensions) {
  return (power(side, 2) - 1) / 8 * power(side, dimensions - 1);
}

void ring_on_array_runs(bool full, Cases& cases) {
  for (NodeId p = 3; p <= (full ? 31U : 13U); p += 2) {
    const std::uint64_t steps = odd_torus_exchange(p, 1);
    cases.push_back(
        exchange_case(ring_word(p), kAllPort, "generator-colouring", steps, transfers_are(2 * p * steps)));
    cases.push_back(exchange_case(linear_word(p), kAllPort, "array-from-torus", 2 * steps));
  }
}

void torus_on_array_runs(bool full, Cases& cases) {
  for (const auto& [p, d] : with_more<std::pair<NodeId, std::uint32_t>>(full, {{3, 2}, {5, 2}, {3, 3}},
                                                                        {{7, 2}, {9, 2}, {5, 3}, {3, 4}})) {
    const std::vector<NodeId> sides(d, p);
    const std::uint64_t steps = odd_torus_exchange(p, d);
    cases.push_back(exchange_case(with_sides("torus", sides), kAllPort, "generator-colouring", steps,
                                  transfers_are(2 * d * power(p, d) * steps)));
    cases.push_back(exchange_case(with_sides("mesh", sides), kAllPort, "array-from-torus", 2 * steps));
  }
}

void torus_multinode_broadcast_runs(bool full, Cases& cases) {
  cases.push_back(printed(all_port_case("torus:2x2", kMultinodeBroadcast, "translated-broadcast", 2),
                          {{kExactly, 1, "", "p^2/4, for a ring of four nodes and diameter 2"}}));
  for (NodeId p = 3; p <= (full ? 16U : 8U); ++p) {
    const std::uint64_t steps = p % 2 == 0 ? p * p / 4 : (p * p - 1) / 4;
    for (const char* name : {"torus-quarter-turns", "translated-broadcast"})
      cases.push_back(all_port_case(square("torus", p), kMultinodeBroadcast, name, steps));
  }
}

void array_multinode_broadcast_runs(bool full, Cases& cases) {
  for (NodeId p = 3; p <= (full ? 12U : 7U); ++p) {
    cases.push_back(all_port_case(square("mesh", p), kMultinodeBroadcast, "array-from-torus", p * p / 2));
    if (p % 2 == 0 || p > 7) continue;
    for (std::uint32_t m = 2; m <= 3; ++m) {
      cases.push_back(messages(all_port_case(square("mesh", p), kMultinodeBroadcast, "array-from-torus",
                                             std::uint64_t{m} * (p * p - 1) / 2),
                               m));
    }
  }
}

}  // namespace

std::vector<Claim> array_from_torus_claims() {
  return {claim("mesh.A1", "meshes 2, Fig. 1", kHolds,
                "a linear array does what a ring of as many nodes does in twice the steps, all links of the "
                "ring busy all the time: odd rings' total exchange of (p^2 - 1)/8 steps takes (p^2 - 1)/4",
                ring_on_array_runs),
          claim("mesh.A2", "meshes 2, Fig. 1", kHolds,
                "an array of any dimension does what the torus of the same sides does in twice the steps, "
                "all links of the torus busy all the time",
                torus_on_array_runs),
          claim("mesh.A3", "meshes 2, on [15]", kCorrected,
                "multinode broadcast on p x p tori, p >= 3, takes p^2/4 (p even) or (p^2 - 1)/4 steps",
                torus_multinode_broadcast_runs),
          claim("mesh.A4", "meshes 2, Theorem 1, (2)", kHolds,
                "multinode broadcast on p x p arrays, p >= 3, takes floor(N/2) steps: twice the torus', and "
                "the corners cannot receive faster. M packets a node, p odd: M (N - 1)/2",
                array_multinode_broadcast_runs)};
}

}  // namespace safnet
