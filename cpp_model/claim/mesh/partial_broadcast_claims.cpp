// partial_broadcast_claims - partial multinode broadcast and accumulation, packing and monotone routing on
// the hardware: Varvarigos and Bertsekas 1994, sections 2 and 3; Varvarigos, folded cubes, section 3.
//
// Every run is on nodes that find out by themselves who is active (partial_broadcast_runs.hpp). Ranks, counts
// and payloads are checked, and every flit of a broadcast or accumulation is held against the model. p: side,
// d: digits, N = p^d nodes, M of them active, F flits in a packet.
#include <fmt/format.h>

#include <random>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/packing_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_runs.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Settings = PartialBroadcastSettings;
using Nodes = std::vector<NodeId>;
using Statement = Printed<OnlineOutcome>;

constexpr Settings kSingleClass{.flits = 8, .split = true, .single_class = true};

// Runs in which the interval takes at most `bound` slots.
using SlotBound = Rational (*)(const DigitShape&, std::uint64_t, const Rational&);
OnlineCases runs_within(const std::vector<std::string>& topologies, const Settings& settings, SlotBound bound,
                        bool full) {
  return online_runs(
      topologies, settings, full, [&](const DigitShape& shape, const Nodes& active) -> OnlineInspection {
        if (active.empty()) return {};
        return cycles_within(bound(shape, active.size(), Rational(1, settings.flits)) * settings.flits);
      });
}
auto within(std::vector<std::string> (*topologies)(bool), const Settings& settings, SlotBound bound) {
  return [=](bool full) { return runs_within(topologies(full), settings, bound, full); };
}

// ---- A prefix, and packets of one flit that move once, to the node of their rank, or twice: every phase is
// d (p - 1) steps, the prefix two of these.

OnlineCase moving_run(const std::string& topology, const char* collective, std::uint64_t moves, Nodes active,
                      Nodes destinations = {}) {
  const DigitShape shape = digit_shape(topology);
  const std::uint64_t steps = std::uint64_t{shape.digits} * (shape.side - 1);
  return {.topology = topology,
          .collective = collective,
          .active = std::move(active),
          .destinations = std::move(destinations),
          .expected_cycles = (2 + moves) * steps,
          .inspect = [=](const OnlineOutcome& o) {
            const bool as_stated = o.rank_scan == 2 * steps && o.packing == (moves > 0 ? steps : 0) &&
                                   o.unpacking == (moves > 1 ? steps : 0);
            return unless(as_stated, "{}, {} and {} cycles of prefix and moves, steps are {}", o.rank_scan,
                          o.packing, o.unpacking, steps);
          }};
}

OnlineCases moving_runs(const std::vector<std::string>& topologies, const char* collective,
                        std::uint64_t moves, bool full) {
  OnlineCases cases;
  for (const std::string& topology : topologies) {
    for (Nodes& active : sets_to_run(digit_shape(topology), full))
      cases.push_back(moving_run(topology, collective, moves, std::move(active)));
  }
  return cases;
}

// Dimension j in steps jp ... jp + p - 1 is p steps for each of so many dimensions.
Statement steps_of_p(const OnlineCase& run, std::uint64_t moves) {
  const DigitShape shape = digit_shape(run.topology);
  return {{kExactly, moves * shape.digits * shape.side, "steps of moving packets",
           "steps jp to jp + p - 1 for dimension j"},
          [](const OnlineOutcome& o) { return o.packing + o.unpacking; }};
}

OnlineCases prefixes_online_runs(bool full) {
  return moving_runs(listed("mesh:3x3 mesh:4x4 torus:3x3 mesh:3x3x3 hypercube:3 folded-cube:4"), "scan", 0,
                     full);
}

// A quick run knows the smallest of these as well: it is the counterexample.
std::vector<std::string> arrays_to_move_on(bool full) {
  return full ? arrays_to_run(true) : joined(listed("linear:5"), arrays_to_run(false));
}

void packing_online_runs(bool full, OnlineCases& cases) {
  for (const OnlineCase& run : moving_runs(arrays_to_move_on(full), "packing", 1, full))
    cases.push_back(run.active.empty() ? run : printed(run, steps_of_p(run, 1)));
}

void monotone_routing_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : arrays_to_move_on(full)) {
    const std::uint64_t nodes = digit_shape(topology).nodes();
    std::mt19937_64 random(nodes);
    for (int i = 0; i < (full ? 100 : 8); ++i) {
      Nodes from, to;
      for (NodeId v = 0; v < nodes; ++v) {
        if (random() % 2 == 0) from.push_back(v);
        if (random() % 2 == 0) to.push_back(v);
      }
      from.resize(std::min(from.size(), to.size()));
      to.resize(from.size());
      const OnlineCase run = moving_run(topology, "monotone-routing", 2, from, to);
      cases.push_back(run.active.empty() ? run : printed(run, steps_of_p(run, 2)));
    }
  }
}

// ---- Broadcasts on meshes.

OnlineCases broadcast_phase_online_runs(bool full) {
  const auto inspect = [](const DigitShape& shape, const Nodes& active) -> OnlineInspection {
    // In cycles: halves of 4 flits on rings, whole packets of 8 on arrays.
    std::uint64_t batches = 0, weight = 1;
    for (std::uint32_t k = 1; k <= shape.digits; ++k) {
      weight *= shape.side;
      batches += divide_up(active.size(), weight);
    }
    const std::uint64_t cycles = (shape.side - 1) * batches * (shape.ring ? 4 : 8);
    return [=](const OnlineOutcome& outcome) {
      return unless(outcome.broadcast == cycles, "the broadcast took {} cycles, expected {}",
                    outcome.broadcast, cycles);
    };
  };
  return online_runs(
      full ? joined(arrays_to_run(true), tori_to_run(true)) : listed("mesh:3x3 hypercube:3 torus:3x3"),
      kSingleClass, full, inspect);
}

void last_arrival_online_runs(bool full, OnlineCases& cases) {
  constexpr std::uint32_t kFlits = 8;
  const auto inspect = [](const DigitShape&, const Nodes& active) -> OnlineInspection {
    if (active.empty()) return {};
    return [](const OnlineOutcome& outcome) {
      return unless(
          outcome.last_delivery <= outcome.cycles && outcome.last_delivery + 3 * kFlits >= outcome.cycles,
          "delivered in cycle {} of {}", outcome.last_delivery, outcome.cycles);
    };
  };
  for (const bool split : {false, true}) {
    for (const bool pass_on_first : {false, true}) {
      for (OnlineCase& run : online_runs(listed("mesh:3x3 torus:3x3 torus:4x4"),
                                         {.flits = kFlits, .split = split}, full, inspect)) {
        run.pass_on_first = pass_on_first;
        cases.push_back(std::move(run));
      }
    }
  }
}

// All nodes of a torus of two nodes a side are active.
void two_node_torus_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : with_more(full, "torus:2x2x2", "torus:2x2x2x2x2")) {
    const DigitShape cube = digit_shape(topology);
    const Settings settings{.flits = 4 * cube.digits, .split = true};
    const auto bound = [&](bool ring) -> Rational {
      const DigitShape shape{2, cube.digits, ring, false};
      return mesh_split_bound(shape, cube.nodes(), Rational(1, settings.flits)) * settings.flits;
    };
    const OnlineCase run = online_run(topology, all_nodes(cube.nodes()), settings);
    cases.push_back(printed(inspected(run, cycles_within(bound(false))),
                            Statement{{kAtMost, bound(true), "", "(7) with gamma = 2"}}));
  }
}

void whole_as_printed_online_runs(bool, OnlineCases& cases) {
  for (const std::string& topology : listed("mesh:3x3 mesh:3x3x3 torus:3x3 torus:4x4")) {
    const DigitShape shape = digit_shape(topology);
    const OnlineCase run = online_run(topology, {0}, {.flits = 1});  // M = 1, t_p = 1
    cases.push_back(printed(
        inspected(run, cycles_within(mesh_whole_bound(shape, 1, 1))),
        Statement{{kLessThan, mesh_whole_bound_as_printed(shape, 1, 1), "", shape.ring ? "(5b)" : "(6b)"}}));
  }
}

OnlineCase multinode(const std::string& topology, const Settings& settings) {
  return online_run(topology, all_nodes(digit_shape(topology).nodes()), with_known_ranks(settings));
}

void known_ranks_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:4x4 mesh:3x3x3 torus:4x4 torus:3x3x3", "mesh:5x5 torus:5x5 torus:4x4x4")) {
    cases.push_back(inspected(multinode(topology, kWhole),
                              cycles_within(mesh_multinode_bound(digit_shape(topology)) * 8)));
  }
}

OnlineCases taking_turns_online_runs(bool full) {
  Settings whole = kWhole, split = kSplit;
  whole.alternating = split.alternating = true;
  OnlineCases cases =
      joined(online_runs(full ? tori_to_run(true) : listed("torus:3x3 torus:4x4"), whole, full),
             online_runs(listed("torus:3x3 torus:4x4"), split, full));
  cases.push_back(multinode("torus:4x4", whole));
  return cases;
}

// Runs with packets of so many flits; those with latency on one network only.
void add_flits_runs(const std::string& topology, std::uint32_t flits_of_packet, bool with_latency,
                    OnlineCases& cases) {
  const auto nodes = static_cast<NodeId>(digit_shape(topology).nodes());
  for (const std::uint32_t header : {0U, 1U}) {
    for (const bool split : {false, true}) {
      for (const std::uint32_t latency : {0U, 2U}) {
        if (latency != 0 && !with_latency) continue;
        const Settings settings{
            .flits = flits_of_packet, .header_flits = header, .latency = latency, .split = split};
        for (const NodeId members : {NodeId{1}, NodeId{4}, nodes}) {
          Nodes active;  // spread over the network, the last node among them
          for (NodeId i = 1; i <= members; ++i) active.push_back(i * nodes / members - 1);
          cases.push_back(online_run(topology, active, settings));
          if (members == 4) cases.push_back(online_run(topology, active, settings, kPartialAccumulation));
        }
      }
    }
  }
}

void flits_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:4x4 torus:4x4 folded-cube:4", "mesh:8x8 torus:8x8 torus:4x4x4 folded-cube:6")) {
    for (const std::uint32_t flits_of_packet : {1U, 4U, 16U})
      add_flits_runs(topology, flits_of_packet, topology == "mesh:4x4" && (full || flits_of_packet == 4),
                     cases);
  }
}

// ---- Folded cubes.

// Nodes that know their ranks spend no time on prefixes.
OnlineCases folded_capacity_online_runs(bool full) {
  return online_runs(folded_cubes_to_run(full), with_known_ranks(kWhole), full,
                     [](const DigitShape& shape, const Nodes& active) -> OnlineInspection {
                       if (active.empty()) return {};
                       const std::uint64_t least = folded_broadcast_lower_bound(shape, active.size()) * 8;
                       return [least](const OnlineOutcome& outcome) {
                         return unless(outcome.last_delivery >= least,
                                       "all there in cycle {}, the bound is {}", outcome.last_delivery,
                                       least);
                       };
                     });
}

OnlineCases cube_single_class_online_runs(bool full) {
  return runs_within(listed(full ? "hypercube:2 hypercube:3 hypercube:4" : "hypercube:3"),
                     {.flits = 8, .single_class = true}, cube_single_class_bound, full);
}

OnlineCases folded_main_part_online_runs(bool) {
  const OnlineCase run = online_run("folded-cube:3", {5}, kWhole);
  const Rational slots = folded_main_part_as_printed(digit_shape(run.topology), 1, Rational(1, 8));
  return {printed(run, {{kLessThan, slots * 8, "cycles after the first prefix", "section 3"},
                        [](const OnlineOutcome& o) { return o.cycles - o.class_scan; }})};
}

void folded_split_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : folded_cubes_to_run(full)) {
    // Parts of two flits each.
    const Settings settings{.flits = 2 * digit_shape(topology).classes(), .split = true};
    cases = joined(std::move(cases), runs_within({topology}, settings, folded_split_bound, full));
  }
}

OnlineCases accumulation_online_runs(bool full) {
  const auto topologies =
      joined(folded_cubes_to_run(full), listed("mesh:3x3 torus:4x4 torus:3x3 hypercube:3"));
  return joined(
      online_runs(topologies, kWhole, full, {}, kPartialAccumulation),
      online_runs(listed("mesh:3x3 torus:4x4 folded-cube:3"), kSplit, full, {}, kPartialAccumulation));
}

std::vector<Claim> claims_on_meshes() {
  return {
      claim("mesh.A9", "meshes Theorem 3", kMisprint,
            "packing s^(i) -> i is free of conflicts in d(p - 1) steps; digit j, lowest first, takes steps "
            "j(p - 1) to (j + 1)(p - 1) - 1. In the opposite order packets meet",
            packing_checks, packing_online_runs),
      claim("mesh.A10", "meshes Theorem 4", kCorrected,
            "monotone routing s^(i) -> v^(i) is free of conflicts in 2d(p - 1) steps: packed, digit 0 first, "
            "then packing of the destinations backwards, dimension 2d - 1 - j in steps j(p - 1) to (j + 1)(p "
            "- 1) - 1",
            monotone_routing_checks, monotone_routing_online_runs),
      claim("mesh.A11", "meshes 3.1, Phase 1, Fig. 2", kHolds,
            "2d(p - 1) prefix steps give every node its rank and, with it, the number of active nodes; the "
            "rank alone takes (2d - 1)(p - 1)",
            prefix_checks, prefixes_online_runs),
      claim("mesh.A13", "meshes Theorem 5", kHolds,
            "after subphase l of the broadcast every node of a submesh S_l(b) holds all packets that began "
            "in it",
            subphase_checks,
            [](bool full) {
              return online_runs({"mesh:3x3", "torus:4x4"}, kWhole, full);
            }),
      claim("mesh.A14", "meshes Lemma 1", kHolds,
            "the broadcast takes (p - 1)/gamma times the sum of ceil(M/p^k), k = 1 ... d, slots, which is at "
            "most [(M - 1)(N - 1)/N + (p - 1)d]/gamma: M - 1 will do for M",
            broadcast_phase_checks, broadcast_phase_online_runs),
      claim("mesh.A14b", "meshes 3.1, Phase 3", kHolds,
            "with the rule of Theorem 2 (pass on first, own packets in empty slots) as with batches, on "
            "rings too, the broadcast ends within the timetable of Lemma 1, which nodes that have all keep "
            "to; the last delivery comes at its end or at most 3 slots before it",
            last_arrival_online_runs),
      claim("mesh.A15", "meshes Lemma 2, arrays", kHolds,
            "A_0 takes at most M(N - 1)/N + 2d(p - 1)t_p + 2(p - 1)d slots",
            std::bind_front(single_class_checks, false),
            within(arrays_to_run, kSingleClass, mesh_single_class_bound)),
      claim("mesh.A16", "meshes Lemma 2, tori", kHolds,
            "A_0 takes at most M(N - 1)/(2N) + 2d(p - 1)t_p + 1.5(p - 1)d slots",
            std::bind_front(single_class_checks, true),
            within(tori_to_run, kSingleClass, mesh_single_class_bound)),
      claim("mesh.A17", "meshes Theorem 6, footnote 2", kHolds,
            "A_c is A_0 with the digits of a node shifted cyclically to the right by c; then all d classes "
            "run at once and never want the same link. Shifted to the left they do",
            class_order_checks, [](bool full) { return online_runs({"mesh:3x3x3"}, kSplit, full); }),
      claim("mesh.A18", "meshes Theorem 6, (8), (6a)", kHolds,
            "with splitting an array takes at most M(N - 1)/(dN) + 2d(p - 1)t_p + 2(p - 1) slots",
            std::bind_front(split_checks, false), within(arrays_to_run, kSplit, mesh_split_bound)),
      claim("mesh.A19", "meshes Theorem 6, (7), (5a)", kHolds,
            "with splitting a torus takes at most M(N - 1)/(2dN) + 2d(p - 1)t_p + 1.5(p - 1) slots",
            std::bind_front(split_checks, true), within(tori_to_run, kSplit, mesh_split_bound)),
      claim("mesh.A20", "meshes (5a), (7) for p = 2", kCorrected,
            "a torus of two nodes a side is the hypercube, and its bounds are those of gamma = 1: with gamma "
            "= 2 the algorithm takes longer, and from five dimensions on the ports cannot carry as much",
            two_node_torus_checks, two_node_torus_online_runs),
      claim("mesh.A21", "meshes 3.2, arrays", kHolds,
            "without splitting an array takes at most ceil(M/d)(N - 1)/N + 2(p - 1)d + 4(p - 1)d t_p slots",
            std::bind_front(whole_checks, false), within(arrays_to_run, kWhole, mesh_whole_bound)),
      claim("mesh.A22", "meshes 3.2, tori", kHolds,
            "without splitting a torus takes at most ceil(M/d)/(p - 1) ceil((p - 1)/2)(N - 1)/N + (p - 1)d + "
            "d ceil((p - 1)/2) + 4(p - 1)d t_p slots",
            std::bind_front(whole_checks, true), within(tori_to_run, kWhole, mesh_whole_bound)),
      claim("mesh.A23", "meshes (5b), (6b)", kCorrected,
            "the prefix term of (5b) and (6b) is 4(p - 1)d t_p, as in the text of section 3.2: one prefix "
            "alone must cross d(p - 1) hops",
            whole_as_printed_online_runs),
      claim("mesh.A24", "meshes 3.2", kHolds,
            "a multinode broadcast is a partial one with M = N whose ranks are known: no prefixes, at most "
            "ceil(N/d)/(p - 1) ceil((p - 1)/gamma)(N - 1)/N + (p - 1)d + d ceil((p - 1)/gamma) slots",
            known_ranks_checks, known_ranks_online_runs),
      claim("mesh.A25", "beyond the paper, meshes 3.2", kBeyond,
            "on tori, if the long way round alternates from batch to batch, W batches take ceil(W(p "
            "- 1)/2) slots for every p, and packing the short way d floor(p/2)",
            taking_turns_checks, taking_turns_online_runs),
      claim("mesh.H1", "beyond the paper, t_p = 1/F in hardware", kBeyond,
            "with packets of F flits and a header flit or none, parts of ceil(F/parts) flits and a header "
            "each, and prefix packets of one flit, every schedule ends in the very cycle of its formula",
            flits_online_runs)};
}

std::vector<Claim> claims_on_folded_cubes() {
  return {
      claim("folded.B6", "folded cubes (2)", kHolds,
            "a partial broadcast takes at least max(ceil(d/2), ceil((M - 1)/(d + 1))) slots",
            std::bind_front(capacity_checks, true), folded_capacity_online_runs),
      claim("folded.B7", "folded cubes (3)", kHolds,
            "on a hypercube A_0 takes 2d t_p + d + the sum of ceil(M/2^k) slots, at most M + 2d t_p + 2d - "
            "1, which it takes if and only if M = 1",
            cube_single_class_checks, cube_single_class_online_runs),
      claim("folded.B8", "folded cubes 3, text", kCorrected,
            "once classes are known the broadcast takes at most ceil(M/(d + 1)) + 2d + 2d t_p - 1 slots; "
            "without rounding M/(d + 1) up it is not true",
            folded_main_part_checks, folded_main_part_online_runs),
      claim("folded.B9", "folded cubes (4)", kHolds,
            "a folded cube takes 4d t_p + d + the sum of ceil(ceil(M/(d + 1))/2^k) slots, at most ceil(M/(d "
            "+ 1)) + 2d + 4d t_p - 1, which it takes if and only if M <= d + 1",
            folded_whole_checks, within(folded_cubes_to_run, kWhole, folded_whole_bound)),
      claim("folded.B10", "beyond the paper, folded cubes 3", kBeyond,
            "with a part of each packet in all d + 1 classes a partial broadcast takes at most (M + 2d - "
            "1)/(d + 1) + 2d t_p slots",
            folded_split_checks, folded_split_online_runs),
      claim(
          "folded.B14", "folded cubes 1, table", kCorrected,
          "partial accumulation is the dual of partial broadcast and takes as long: prefixes forward, then "
          "the rest backwards, combined in the network. On-line too: an active node adds its address to its "
          "own contribution, so the result knows its way. The operator must be associative and commutative",
          accumulation_checks, accumulation_online_runs)};
}

}  // namespace

std::vector<Claim> partial_broadcast_claims() { return joined(claims_on_meshes(), claims_on_folded_cubes()); }

}  // namespace safnet
