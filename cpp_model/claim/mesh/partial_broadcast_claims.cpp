// partial_broadcast_claims - partial multinode broadcast and accumulation, packing and monotone routing on
// the hardware: Varvarigos and Bertsekas 1994, sections 2 and 3; Varvarigos, folded cubes, section 3.
//
// Every run is on nodes that find out by themselves who is active. It must end in the very cycle of the
// schedule's closed form; ranks, counts and payloads are checked, and every flit of a broadcast or
// accumulation is held against the model. p: side, d: digits, N = p^d nodes, M of them active; a prefix
// packet is one flit, so t_p = 1/F.
#include <fmt/format.h>

#include <random>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/packing_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"

namespace safnet {
namespace {

using Settings = PartialBroadcastSettings;
using Inspect = std::function<std::string(const OnlineOutcome&)>;

constexpr const char* kPartialBroadcast = "partial-multinode-broadcast";
constexpr const char* kPartialAccumulation = "partial-multinode-accumulation";
constexpr const char* kSizes =
    "sets of active nodes: of up to 9 nodes eight (full: all), of more the empty set, single nodes, all, "
    "random ones; ";

// A quick run takes eight of the sets, spread over the list, for the hardware runs every one.
std::vector<std::vector<NodeId>> sets_to_run(NodeId nodes, bool full) {
  std::vector<std::vector<NodeId>> sets = sets_of_active_nodes(nodes, full);
  constexpr std::size_t kQuick = 8;
  if (full || sets.size() <= kQuick) return sets;
  std::vector<std::vector<NodeId>> few;
  for (std::size_t i = 0; i < kQuick; ++i) few.push_back(sets[i * (sets.size() - 1) / (kQuick - 1)]);
  return few;
}

NodeId nodes_of(const std::string& topology) {
  return static_cast<NodeId>(make_digit_network(topology).shape().nodes());
}

// One case per set of active nodes; the run must end in the cycle of the closed form.
std::vector<OnlineCase> runs(const std::vector<std::string>& topologies, const Settings& settings, bool full,
                             const std::function<Inspect(const DigitShape&, std::uint64_t)>& inspect = {},
                             const char* collective = kPartialBroadcast, bool pass_on_first = false) {
  std::vector<OnlineCase> cases;
  for (const std::string& topology : topologies) {
    const DigitShape shape = make_digit_network(topology).shape();
    for (const std::vector<NodeId>& active : sets_to_run(static_cast<NodeId>(shape.nodes()), full)) {
      OnlineCase run;
      run.topology = topology;
      run.collective = collective;
      run.active = active;
      run.settings = settings;
      run.pass_on_first = pass_on_first;
      run.expected_cycles = partial_broadcast_time(shape, settings, active.size()).total();
      if (inspect) run.inspect = inspect(shape, active.size());
      cases.push_back(std::move(run));
    }
  }
  return cases;
}

void append(std::vector<OnlineCase>& to, std::vector<OnlineCase> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// The interval takes at most `bound` slots of `flits` cycles.
using SlotBound = Rational (*)(const DigitShape&, std::uint64_t, const Rational&);
std::function<Inspect(const DigitShape&, std::uint64_t)> within(SlotBound bound, std::uint32_t flits) {
  return [=](const DigitShape& shape, std::uint64_t active) -> Inspect {
    if (active == 0) return {};
    const Rational most = bound(shape, active, Rational(1, flits)) * flits;
    return [=](const OnlineOutcome& outcome) -> std::string {
      if (Rational(outcome.cycles) <= most) return {};
      return fmt::format("{} cycles, the bound is {}", outcome.cycles, most.str());
    };
  };
}

// Flits of which all parts are equal, so that cycles are exactly the slots of the closed form.
constexpr std::uint32_t kEvenFlits = 24;

Settings split_settings() { return {.flits = kEvenFlits, .split = true}; }
Settings whole_settings() { return {.flits = 8}; }

std::vector<std::string> arrays(bool full) {
  return full ? std::vector<std::string>{"linear:5",   "mesh:3x3",    "mesh:4x4",   "mesh:5x5",
                                         "mesh:3x3x3", "hypercube:3", "hypercube:4"}
              : std::vector<std::string>{"mesh:3x3", "mesh:4x4", "mesh:3x3x3", "hypercube:3"};
}
std::vector<std::string> tori(bool full) {
  return full ? std::vector<std::string>{"ring:5",    "torus:3x3",   "torus:4x4",
                                         "torus:5x5", "torus:3x3x3", "torus:4x4x4"}
              : std::vector<std::string>{"torus:3x3", "torus:4x4", "torus:3x3x3"};
}
std::vector<std::string> folded_cubes(bool full) {
  return full ? std::vector<std::string>{"folded-cube:2", "folded-cube:3", "folded-cube:4", "folded-cube:5",
                                         "folded-cube:6"}
              : std::vector<std::string>{"folded-cube:3", "folded-cube:4"};
}

void prefixes_online_runs(bool full, OnlineCases& cases) {
  for (const std::string topology :
       {"mesh:3x3", "mesh:4x4", "torus:3x3", "mesh:3x3x3", "hypercube:3", "folded-cube:4"}) {
    const DigitShape shape = make_digit_network(topology).shape();
    for (const std::vector<NodeId>& active : sets_to_run(nodes_of(topology), full)) {
      cases.push_back({.topology = topology,
                       .collective = "scan",
                       .active = active,
                       .expected_cycles = 2 * shape.digits * (shape.side - 1)});
    }
  }
}

void packing_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : arrays(full)) {
    const DigitShape shape = make_digit_network(topology).shape();
    for (const std::vector<NodeId>& active : sets_to_run(nodes_of(topology), full)) {
      // Ranks, then one flit a step.
      const std::uint64_t cycles = std::uint64_t{3} * shape.digits * (shape.side - 1);
      cases.push_back(
          {.topology = topology, .collective = "packing", .active = active, .expected_cycles = cycles});
    }
  }
}

void monotone_routing_online_runs(bool full, OnlineCases& cases) {
  std::mt19937_64 random(4);
  for (const std::string& topology : arrays(full)) {
    const DigitShape shape = make_digit_network(topology).shape();
    const NodeId nodes = nodes_of(topology);
    for (int i = 0; i < (full ? 100 : 8); ++i) {
      OnlineCase run;
      run.topology = topology;
      run.collective = "monotone-routing";
      std::vector<NodeId> from, to;
      for (NodeId v = 0; v < nodes; ++v) {
        if (random() % 2 == 0) from.push_back(v);
        if (random() % 2 == 0) to.push_back(v);
      }
      from.resize(std::min(from.size(), to.size()));
      to.resize(from.size());
      run.active = from;
      run.destinations = to;
      run.expected_cycles = std::uint64_t{4} * shape.digits * (shape.side - 1);
      cases.push_back(std::move(run));
    }
  }
}

std::vector<OnlineCase> broadcast_phase_online_runs(bool full) {
  const Settings settings{.flits = 8, .split = true, .single_class = true};
  const auto inspect = [](const DigitShape& shape, std::uint64_t active) -> Inspect {
    // In cycles: halves of 4 flits on rings, whole packets of 8 on arrays.
    std::uint64_t batches = 0, weight = 1;
    for (std::uint32_t k = 1; k <= shape.digits; ++k) {
      weight *= shape.side;
      batches += (active + weight - 1) / weight;
    }
    const std::uint64_t cycles = (shape.side - 1) * batches * (shape.ring ? 4 : 8);
    return [=](const OnlineOutcome& outcome) -> std::string {
      if (outcome.broadcast == cycles) return {};
      return fmt::format("the broadcast took {} cycles, expected {}", outcome.broadcast, cycles);
    };
  };
  std::vector<OnlineCase> cases = runs(
      full ? arrays(true) : std::vector<std::string>{"mesh:3x3", "hypercube:3"}, settings, full, inspect);
  append(cases, runs(full ? tori(true) : std::vector<std::string>{"torus:3x3"}, settings, full, inspect));
  return cases;
}

void last_arrival_online_runs(bool full, OnlineCases& cases) {
  constexpr std::uint32_t kFlits = 8;
  const auto inspect = [](const DigitShape&, std::uint64_t active) -> Inspect {
    if (active == 0) return {};
    return [](const OnlineOutcome& outcome) -> std::string {
      if (outcome.last_delivery <= outcome.cycles && outcome.last_delivery + 3 * kFlits >= outcome.cycles)
        return {};
      return fmt::format("delivered in cycle {} of {}", outcome.last_delivery, outcome.cycles);
    };
  };
  for (const bool split : {false, true}) {
    for (const bool pass_on_first : {false, true}) {
      const Settings settings{.flits = kFlits, .split = split};
      append(cases, runs({"mesh:3x3", "torus:3x3", "torus:4x4"}, settings, full, inspect, kPartialBroadcast,
                         pass_on_first));
    }
  }
}

Claim single_class(bool torus) {
  Claim claim = torus ? Claim{"mesh.A16", "meshes Lemma 2, tori",
                              "A_0 takes at most M(N - 1)/(2N) + 2d(p - 1)t_p + 1.5(p - 1)d slots", kHolds,
                              std::string(kSizes) + "tori"}
                      : Claim{"mesh.A15", "meshes Lemma 2, arrays",
                              "A_0 takes at most M(N - 1)/N + 2d(p - 1)t_p + 2(p - 1)d slots", kHolds,
                              std::string(kSizes) + "arrays"};
  claim.checks = [torus](bool full) { return single_class_checks(torus, full); };
  claim.online = [torus](bool full) {
    const Settings settings{.flits = 8, .split = true, .single_class = true};
    return runs(torus ? tori(full) : arrays(full), settings, full, within(mesh_single_class_bound, 8));
  };
  return claim;
}

Claim split(bool torus) {
  Claim claim =
      torus ? Claim{"mesh.A19", "meshes Theorem 6, (7), (5a)",
                    "with splitting a torus takes at most M(N - 1)/(2dN) + 2d(p - 1)t_p + 1.5(p - 1) slots",
                    kHolds, std::string(kSizes) + "tori"}
            : Claim{"mesh.A18", "meshes Theorem 6, (8), (6a)",
                    "with splitting an array takes at most M(N - 1)/(dN) + 2d(p - 1)t_p + 2(p - 1) slots",
                    kHolds, std::string(kSizes) + "arrays"};
  claim.checks = [torus](bool full) { return split_checks(torus, full); };
  claim.online = [torus](bool full) {
    return runs(torus ? tori(full) : arrays(full), split_settings(), full,
                within(mesh_split_bound, kEvenFlits));
  };
  return claim;
}

Claim whole(bool torus) {
  Claim claim = torus ? Claim{"mesh.A22", "meshes 3.2, tori",
                              "without splitting a torus takes at most ceil(M/d)/(p - 1) ceil((p - 1)/2)(N - "
                              "1)/N + (p - 1)d + d ceil((p - 1)/2) + 4(p - 1)d t_p slots",
                              kHolds, std::string(kSizes) + "tori"}
                      : Claim{"mesh.A21", "meshes 3.2, arrays",
                              "without splitting an array takes at most ceil(M/d)(N - 1)/N + 2(p - 1)d + 4(p "
                              "- 1)d t_p slots",
                              kHolds, std::string(kSizes) + "arrays"};
  claim.checks = [torus](bool full) { return whole_checks(torus, full); };
  claim.online = [torus](bool full) {
    return runs(torus ? tori(full) : arrays(full), whole_settings(), full, within(mesh_whole_bound, 8));
  };
  return claim;
}

void whole_as_printed_online_runs(bool, OnlineCases& cases) {
  for (const std::string topology : {"mesh:3x3", "mesh:3x3x3", "torus:4x4"}) {
    const DigitShape shape = make_digit_network(topology).shape();
    OnlineCase run;
    run.topology = topology;
    run.active = {0};
    run.settings.flits = 1;
    run.expected_cycles = partial_broadcast_time(shape, run.settings, 1).total();
    run.printed = fmt::format("at most {} slots", mesh_whole_bound_as_printed(shape, 1, 1).str());
    cases.push_back(std::move(run));
  }
}

OnlineCase multinode(const std::string& topology, Settings settings) {
  const DigitShape shape = make_digit_network(topology).shape();
  settings.known_ranks = true;
  return {.topology = topology,
          .active = all_nodes(shape.nodes()),
          .settings = settings,
          .expected_cycles = partial_broadcast_time(shape, settings, shape.nodes()).total()};
}

void known_ranks_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : with_more(full, listed("mesh:4x4 mesh:3x3x3 torus:4x4 torus:3x3x3"),
                                               listed("mesh:5x5 torus:5x5 torus:4x4x4")))
    cases.push_back(multinode(topology, whole_settings()));
  for (OnlineCase& run : cases) {
    const DigitShape shape = make_digit_network(run.topology).shape();
    const Rational most = mesh_multinode_bound(shape) * 8;
    run.inspect = [most](const OnlineOutcome& outcome) -> std::string {
      return Rational(outcome.cycles) <= most
                 ? ""
                 : fmt::format("{} cycles, the bound is {}", outcome.cycles, most.str());
    };
  }
}

std::vector<OnlineCase> taking_turns_online_runs(bool full) {
  Settings alternating = whole_settings();
  alternating.alternating = true;
  std::vector<OnlineCase> cases =
      runs(full ? tori(true) : std::vector<std::string>{"torus:3x3", "torus:4x4"}, alternating, full);
  Settings split = split_settings();
  split.alternating = true;
  append(cases, runs({"torus:3x3", "torus:4x4"}, split, full));
  cases.push_back(multinode("torus:4x4", alternating));
  return cases;
}

void flits_online_runs(bool full, OnlineCases& cases) {
  std::vector<std::string> topologies =
      with_more<std::string>(full, {"mesh:4x4", "torus:4x4", "folded-cube:4"},
                             {"mesh:8x8", "torus:8x8", "torus:4x4x4", "folded-cube:6"});
  for (const std::string& topology : topologies) {
    const DigitShape shape = make_digit_network(topology).shape();
    const auto nodes = static_cast<NodeId>(shape.nodes());
    for (const std::uint32_t flits_of_packet : {1U, 4U, 16U}) {
      for (const std::uint32_t header : {0U, 1U}) {
        for (const bool split : {false, true}) {
          for (const std::uint32_t latency : {0U, 2U}) {
            if (latency != 0 && (topology != "mesh:4x4" || (!full && flits_of_packet != 4))) continue;
            for (const NodeId members : {NodeId{1}, NodeId{4}, nodes}) {
              OnlineCase run;
              run.topology = topology;
              // Spread over the network, the last node among them.
              for (NodeId i = 1; i <= members; ++i) run.active.push_back(i * nodes / members - 1);
              run.settings = {
                  .flits = flits_of_packet, .header_flits = header, .latency = latency, .split = split};
              run.expected_cycles = partial_broadcast_time(shape, run.settings, members).total();
              cases.push_back(run);
              if (members != 4) continue;
              run.collective = kPartialAccumulation;
              cases.push_back(std::move(run));
            }
          }
        }
      }
    }
  }
}

std::vector<OnlineCase> folded_capacity_online_runs(bool full) {
  return runs(folded_cubes(full), whole_settings(), full,
              [](const DigitShape& shape, std::uint64_t active) -> Inspect {
                if (active == 0) return {};
                const std::uint64_t least = folded_broadcast_lower_bound(shape, active) * 8;
                return [least](const OnlineOutcome& outcome) -> std::string {
                  return outcome.last_delivery >= least
                             ? ""
                             : fmt::format("all there in cycle {}, the bound is {}", outcome.last_delivery,
                                           least);
                };
              });
}

std::vector<OnlineCase> cube_single_class_online_runs(bool full) {
  Settings settings = whole_settings();
  settings.single_class = true;
  return runs(full ? std::vector<std::string>{"hypercube:2", "hypercube:3", "hypercube:4"}
                   : std::vector<std::string>{"hypercube:3"},
              settings, full, within(cube_single_class_bound, 8));
}

std::vector<OnlineCase> folded_main_part_online_runs(bool) {
  const DigitShape shape = make_digit_network("folded-cube:3").shape();
  OnlineCase run;
  run.topology = "folded-cube:3";
  run.active = {5};
  run.settings = whole_settings();
  run.expected_cycles = partial_broadcast_time(shape, run.settings, 1).total();
  const Rational printed = folded_main_part_as_printed(shape, 1, Rational(1, 8)) * 8;
  run.printed = fmt::format("less than {} cycles after the first prefix, where 54 are taken", printed.str());
  run.inspect = [printed](const OnlineOutcome& outcome) -> std::string {
    const std::uint64_t main_part = outcome.cycles - outcome.class_scan;
    if (main_part != 54) return fmt::format("{} cycles after the first prefix, expected 54", main_part);
    return Rational(main_part) > printed ? "" : "within what is printed";
  };
  return std::vector<OnlineCase>{run};
}

std::vector<OnlineCase> folded_whole_online_runs(bool full) {
  return runs(folded_cubes(full), whole_settings(), full, within(folded_whole_bound, 8));
}

void folded_split_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : folded_cubes(full)) {
    // Parts of two flits each.
    const std::uint32_t flits_of_packet = 2 * make_digit_network(topology).shape().classes();
    append(cases, runs({topology}, {.flits = flits_of_packet, .split = true}, full,
                       within(folded_split_bound, flits_of_packet)));
  }
}

void accumulation_online_runs(bool full, OnlineCases& cases) {
  const auto topologies = joined(folded_cubes(full), listed("mesh:3x3 torus:4x4 torus:3x3 hypercube:3"));
  append(cases, runs(topologies, whole_settings(), full, {}, kPartialAccumulation));
  append(cases,
         runs({"mesh:3x3", "torus:4x4", "folded-cube:3"}, split_settings(), full, {}, kPartialAccumulation));
}

}  // namespace

std::vector<Claim> partial_broadcast_claims() {
  return {
      claim("mesh.A9", "meshes Theorem 3", kMisprint,
            "packing s^(i) -> i is free of conflicts in d(p - 1) steps; digit j, lowest first, takes steps "
            "j(p - 1) to (j + 1)(p - 1) - 1. In the opposite order packets meet",
            std::string(kSizes) + "arrays of 9 to 27 nodes", packing_checks, packing_online_runs),
      claim("mesh.A10", "meshes Theorem 4", kCorrected,
            "monotone routing s^(i) -> v^(i) is free of conflicts in 2d(p - 1) steps: packed, digit 0 first, "
            "then packing of the destinations backwards, dimension 2d - 1 - j in steps j(p - 1) to (j + 1)(p "
            "- 1) - 1",
            "random sources and destinations on arrays of 9 to 27 nodes", monotone_routing_checks,
            monotone_routing_online_runs),
      claim("mesh.A11", "meshes 3.1, Phase 1, Fig. 2", kHolds,
            "2d(p - 1) prefix steps give every node its rank and, with it, the number of active nodes; the "
            "rank alone takes (2d - 1)(p - 1)",
            std::string(kSizes) + "arrays, tori, hypercubes and folded cubes of 8 to 27 nodes", prefix_checks,
            prefixes_online_runs),
      claim("mesh.A13", "meshes Theorem 5", kHolds,
            "after subphase l of the broadcast every node of a submesh S_l(b) holds all packets that began "
            "in it",
            "arrays, tori, hypercubes, folded cubes of 9 to 27 nodes", subphase_checks,
            [](bool full) {
              return runs({"mesh:3x3", "torus:4x4"}, whole_settings(), full);
            }),
      claim("mesh.A14", "meshes Lemma 1", kHolds,
            "the broadcast takes (p - 1)/gamma times the sum of ceil(M/p^k), k = 1 ... d, slots, which is at "
            "most [(M - 1)(N - 1)/N + (p - 1)d]/gamma: M - 1 will do for M",
            std::string(kSizes) + "arrays and tori", broadcast_phase_checks, broadcast_phase_online_runs),
      claim("mesh.A14b", "meshes 3.1, Phase 3", kHolds,
            "the last delivery comes at the end of the timetable or at most 3 slots before it; nodes that "
            "have all keep to the timetable. With the rule of Theorem 2 (pass on first, own packets in empty "
            "slots) the broadcast ends within the same timetable, on rings too",
            std::string(kSizes) + "3x3 arrays and tori, torus:4x4, with batches and with that rule",
            last_arrival_online_runs),
      single_class(false),
      single_class(true),
      claim("mesh.A17", "meshes Theorem 6, footnote 2", kHolds,
            "A_c is A_0 with the digits of a node shifted cyclically to the right by c; then all d classes "
            "run at once and never want the same link. Shifted to the left they do",
            "3 and 4 digits; on the hardware an assertion watches every link in every run",
            class_order_checks, [](bool full) { return runs({"mesh:3x3x3"}, split_settings(), full); }),
      split(false),
      split(true),
      claim("mesh.A20", "meshes (5a), (7) for p = 2", kCorrected,
            "a torus of two nodes a side is the hypercube, and its bounds are those of gamma = 1: with gamma "
            "= 2 they are below what the ports can carry",
            "2^5, 2^6; full: 2^7", two_node_torus_checks),
      whole(false),
      whole(true),
      claim("mesh.A23", "meshes (5b), (6b)", kCorrected,
            "the prefix term of (5b) and (6b) is 4(p - 1)d t_p, as in the text of section 3.2: one prefix "
            "alone must cross d(p - 1) hops",
            "M = 1, t_p = 1 on arrays and tori of 9 to 27 nodes", whole_as_printed_checks,
            whole_as_printed_online_runs),
      claim("mesh.A24", "meshes 3.2", kHolds,
            "a multinode broadcast is a partial one with M = N whose ranks are known: no prefixes, at most "
            "ceil(N/d)/(p - 1) ceil((p - 1)/gamma)(N - 1)/N + (p - 1)d + d ceil((p - 1)/gamma) slots",
            "4x4, 5x5 and 3x3x3 arrays and tori; full: torus:4x4x4", known_ranks_checks,
            known_ranks_online_runs),
      claim("mesh.A25", "meshes 3.2, tori of even side", kHolds,
            "beyond the paper: if the long way round alternates from batch to batch, W batches take ceil(W(p "
            "- 1)/2) slots for every p, and packing the short way d floor(p/2)",
            std::string(kSizes) + "torus:3x3, 4x4; full: 5x5, 3x3x3, 4x4x4", taking_turns_checks,
            taking_turns_online_runs),
      claim("mesh.H1", "t_p = 1/F in hardware", kHolds,
            "with packets of F flits and a header flit or none, parts of ceil(F/parts) flits and a header "
            "each, and prefix packets of one flit, every schedule ends in the very cycle of its formula",
            "F = 1, 4, 16, with and without header flit, split and whole: 3x3, 4x4 and folded-cube:4, M = 1, "
            "4, all; full: 8x8, 4x4x4, folded-cube:6, latency 2",
            flits_online_runs),
      claim(
          "folded.B6", "folded cubes (2)", kHolds,
          "a partial broadcast takes at least max(ceil(d/2), ceil((M - 1)/(d + 1))) slots",
          std::string(kSizes) + "folded cubes of d = 3, 4; full: 2 to 6",
          [](bool full) { return capacity_checks(true, full); }, folded_capacity_online_runs),
      claim("folded.B7", "folded cubes (3)", kHolds,
            "on a hypercube A_0 takes 2d t_p + d + the sum of ceil(M/2^k) slots, at most M + 2d t_p + 2d - "
            "1, which it takes if and only if M = 1",
            std::string(kSizes) + "d = 3; full: 2, 3, 4", cube_single_class_checks,
            cube_single_class_online_runs),
      claim("folded.B8", "folded cubes 3, text", kCorrected,
            "once classes are known the broadcast takes at most ceil(M/(d + 1)) + 2d + 2d t_p - 1 slots; "
            "without rounding M/(d + 1) up it is not true",
            "d = 2 ... 6, M = 1", folded_main_part_checks, folded_main_part_online_runs),
      claim("folded.B9", "folded cubes (4)", kHolds,
            "a folded cube takes 4d t_p + d + the sum of ceil(ceil(M/(d + 1))/2^k) slots, at most ceil(M/(d "
            "+ 1)) + 2d + 4d t_p - 1, which it takes if and only if M <= d + 1",
            std::string(kSizes) + "d = 3, 4; full: 2 to 6", folded_whole_checks, folded_whole_online_runs),
      claim("folded.B10", "folded cubes 3, split", kHolds,
            "beyond the paper: with a part of each packet in all d + 1 classes at most (M + 2d - 1)/(d + 1) "
            "+ 2d t_p slots",
            std::string(kSizes) + "d = 3, 4; full: 2 to 6", folded_split_checks, folded_split_online_runs),
      claim(
          "folded.B14", "folded cubes 1, table", kCorrected,
          "partial accumulation is the dual of partial broadcast and takes as long: prefixes forward, then "
          "the rest backwards, combined in the network. On-line too: an active node adds its address to its "
          "own contribution, so the result knows its way. The operator must be associative and commutative",
          std::string(kSizes) + "folded cubes, arrays and tori", accumulation_checks,
          accumulation_online_runs)};
}

}  // namespace safnet
