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
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Settings = PartialBroadcastSettings;
using Inspect = std::function<std::string(const OnlineOutcome&)>;

constexpr const char* kPartialBroadcast = "partial-multinode-broadcast";
constexpr const char* kPartialAccumulation = "partial-multinode-accumulation";
constexpr const char* kSizes =
    "sets of active nodes: of up to 9 nodes eight (full: all), of more the empty set, single nodes, all, "
    "random ones; ";

constexpr Settings kWhole{.flits = 8};
// 24 flits split into equal parts, so that cycles are exactly the slots of the closed form.
constexpr Settings kSplit{.flits = 24, .split = true};
constexpr Settings kSingleClass{.flits = 8, .split = true, .single_class = true};

DigitShape shape_of(const std::string& topology) { return make_digit_network(topology).shape(); }

// The sets of active nodes to run: all if `full`, otherwise eight, spread over the list.
std::vector<std::vector<NodeId>> sets_to_run(const DigitShape& shape, bool full) {
  std::vector<std::vector<NodeId>> sets = sets_of_active_nodes(static_cast<NodeId>(shape.nodes()), full);
  constexpr std::size_t kQuick = 8;
  if (full || sets.size() <= kQuick) return sets;
  std::vector<std::vector<NodeId>> few;
  for (std::size_t i = 0; i < kQuick; ++i) few.push_back(sets[i * (sets.size() - 1) / (kQuick - 1)]);
  return few;
}

// A run that must end in the cycle of the closed form.
OnlineCase run_of(const std::string& topology, const DigitShape& shape, const std::vector<NodeId>& active,
                  const Settings& settings, const char* collective = kPartialBroadcast) {
  return {.topology = topology,
          .collective = collective,
          .active = active,
          .settings = settings,
          .expected_cycles = partial_broadcast_time(shape, settings, active.size()).total()};
}
OnlineCase run_of(const std::string& topology, const std::vector<NodeId>& active, const Settings& settings) {
  return run_of(topology, shape_of(topology), active, settings);
}

// One such run per set of active nodes.
using InspectionOf = std::function<Inspect(const DigitShape&, std::uint64_t active)>;
OnlineCases runs(const std::vector<std::string>& topologies, const Settings& settings, bool full,
                 const InspectionOf& inspect = {}, const char* collective = kPartialBroadcast) {
  OnlineCases cases;
  for (const std::string& topology : topologies) {
    const DigitShape shape = shape_of(topology);
    for (const std::vector<NodeId>& active : sets_to_run(shape, full)) {
      cases.push_back(run_of(topology, shape, active, settings, collective));
      if (inspect) cases.back().inspect = inspect(shape, active.size());
    }
  }
  return cases;
}

Inspect cycles_within(const Rational& most) {
  return [most](const OnlineOutcome& outcome) {
    return unless(Rational(outcome.cycles) <= most, "{} cycles, the bound is {}", outcome.cycles, most.str());
  };
}

// The interval takes at most `bound` slots.
using SlotBound = Rational (*)(const DigitShape&, std::uint64_t, const Rational&);
OnlineCases runs_within(const std::vector<std::string>& topologies, const Settings& settings, SlotBound bound,
                        bool full) {
  return runs(topologies, settings, full, [&](const DigitShape& shape, std::uint64_t active) -> Inspect {
    if (active == 0) return {};
    return cycles_within(bound(shape, active, Rational(1, settings.flits)) * settings.flits);
  });
}
auto within(std::vector<std::string> (*topologies)(bool), const Settings& settings, SlotBound bound) {
  return [=](bool full) { return runs_within(topologies(full), settings, bound, full); };
}

std::vector<std::string> arrays(bool full) {
  return listed(full ? "linear:5 mesh:3x3 mesh:4x4 mesh:5x5 mesh:3x3x3 hypercube:3 hypercube:4"
                     : "mesh:3x3 mesh:4x4 mesh:3x3x3 hypercube:3");
}
std::vector<std::string> tori(bool full) {
  return listed(full ? "ring:5 torus:3x3 torus:4x4 torus:5x5 torus:3x3x3 torus:4x4x4"
                     : "torus:3x3 torus:4x4 torus:3x3x3");
}
std::vector<std::string> folded_cubes(bool full) {
  return listed(full ? "folded-cube:2 folded-cube:3 folded-cube:4 folded-cube:5 folded-cube:6"
                     : "folded-cube:3 folded-cube:4");
}

// Runs of `collective` that take so many phases of d (p - 1) steps of one flit.
OnlineCases phase_runs(const std::vector<std::string>& topologies, const char* collective,
                       std::uint64_t phases, bool full) {
  OnlineCases cases;
  for (const std::string& topology : topologies) {
    const DigitShape shape = shape_of(topology);
    for (const std::vector<NodeId>& active : sets_to_run(shape, full)) {
      cases.push_back({.topology = topology,
                       .collective = collective,
                       .active = active,
                       .expected_cycles = phases * shape.digits * (shape.side - 1)});
    }
  }
  return cases;
}

OnlineCases prefixes_online_runs(bool full) {
  return phase_runs(listed("mesh:3x3 mesh:4x4 torus:3x3 mesh:3x3x3 hypercube:3 folded-cube:4"), "scan", 2,
                    full);
}

// Packing: two phases for the ranks and one to move the packets, of one flit.
OnlineCases packing_online_runs(bool full) { return phase_runs(arrays(full), "packing", 3, full); }

void monotone_routing_online_runs(bool full, OnlineCases& cases) {
  std::mt19937_64 random(4);
  for (const std::string& topology : arrays(full)) {
    const DigitShape shape = shape_of(topology);
    for (int i = 0; i < (full ? 100 : 8); ++i) {
      std::vector<NodeId> from, to;
      for (NodeId v = 0; v < shape.nodes(); ++v) {
        if (random() % 2 == 0) from.push_back(v);
        if (random() % 2 == 0) to.push_back(v);
      }
      from.resize(std::min(from.size(), to.size()));
      to.resize(from.size());
      cases.push_back({.topology = topology,
                       .collective = "monotone-routing",
                       .active = from,
                       .destinations = to,
                       .expected_cycles = std::uint64_t{4} * shape.digits * (shape.side - 1)});
    }
  }
}

OnlineCases broadcast_phase_online_runs(bool full) {
  const auto inspect = [](const DigitShape& shape, std::uint64_t active) -> Inspect {
    // In cycles: halves of 4 flits on rings, whole packets of 8 on arrays.
    std::uint64_t batches = 0, weight = 1;
    for (std::uint32_t k = 1; k <= shape.digits; ++k) {
      weight *= shape.side;
      batches += divide_up(active, weight);
    }
    const std::uint64_t cycles = (shape.side - 1) * batches * (shape.ring ? 4 : 8);
    return [=](const OnlineOutcome& outcome) {
      return unless(outcome.broadcast == cycles, "the broadcast took {} cycles, expected {}",
                    outcome.broadcast, cycles);
    };
  };
  return runs(full ? joined(arrays(true), tori(true)) : listed("mesh:3x3 hypercube:3 torus:3x3"),
              kSingleClass, full, inspect);
}

void last_arrival_online_runs(bool full, OnlineCases& cases) {
  constexpr std::uint32_t kFlits = 8;
  const auto inspect = [](const DigitShape&, std::uint64_t active) -> Inspect {
    if (active == 0) return {};
    return [](const OnlineOutcome& outcome) {
      return unless(
          outcome.last_delivery <= outcome.cycles && outcome.last_delivery + 3 * kFlits >= outcome.cycles,
          "delivered in cycle {} of {}", outcome.last_delivery, outcome.cycles);
    };
  };
  for (const bool split : {false, true}) {
    for (const bool pass_on_first : {false, true}) {
      for (OnlineCase& run :
           runs(listed("mesh:3x3 torus:3x3 torus:4x4"), {.flits = kFlits, .split = split}, full, inspect)) {
        run.pass_on_first = pass_on_first;
        cases.push_back(std::move(run));
      }
    }
  }
}

void whole_as_printed_online_runs(bool, OnlineCases& cases) {
  for (const std::string& topology : listed("mesh:3x3 mesh:3x3x3 torus:4x4")) {
    const Rational printed = mesh_whole_bound_as_printed(shape_of(topology), 1, 1);
    cases.emplace_back(run_of(topology, {0}, {.flits = 1})).printed_words =
        fmt::format("at most {} slots", printed.str());
  }
}

OnlineCase multinode(const std::string& topology, Settings settings) {
  settings.known_ranks = true;
  return run_of(topology, all_nodes(shape_of(topology).nodes()), settings);
}

void known_ranks_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:4x4 mesh:3x3x3 torus:4x4 torus:3x3x3", "mesh:5x5 torus:5x5 torus:4x4x4")) {
    cases.emplace_back(multinode(topology, kWhole)).inspect =
        cycles_within(mesh_multinode_bound(shape_of(topology)) * 8);
  }
}

OnlineCases taking_turns_online_runs(bool full) {
  Settings whole = kWhole, split = kSplit;
  whole.alternating = split.alternating = true;
  OnlineCases cases = joined(runs(full ? tori(true) : listed("torus:3x3 torus:4x4"), whole, full),
                             runs(listed("torus:3x3 torus:4x4"), split, full));
  cases.push_back(multinode("torus:4x4", whole));
  return cases;
}

void flits_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:4x4 torus:4x4 folded-cube:4", "mesh:8x8 torus:8x8 torus:4x4x4 folded-cube:6")) {
    const DigitShape shape = shape_of(topology);
    const auto nodes = static_cast<NodeId>(shape.nodes());
    for (const std::uint32_t flits_of_packet : {1U, 4U, 16U}) {
      for (const std::uint32_t header : {0U, 1U}) {
        for (const bool split : {false, true}) {
          for (const std::uint32_t latency : {0U, 2U}) {
            if (latency != 0 && (topology != "mesh:4x4" || (!full && flits_of_packet != 4))) continue;
            const Settings settings{
                .flits = flits_of_packet, .header_flits = header, .latency = latency, .split = split};
            for (const NodeId members : {NodeId{1}, NodeId{4}, nodes}) {
              std::vector<NodeId> active;  // spread over the network, the last node among them
              for (NodeId i = 1; i <= members; ++i) active.push_back(i * nodes / members - 1);
              cases.push_back(run_of(topology, shape, active, settings));
              if (members == 4)
                cases.push_back(run_of(topology, shape, active, settings, kPartialAccumulation));
            }
          }
        }
      }
    }
  }
}

OnlineCases folded_capacity_online_runs(bool full) {
  return runs(folded_cubes(full), kWhole, full, [](const DigitShape& shape, std::uint64_t active) -> Inspect {
    if (active == 0) return {};
    const std::uint64_t least = folded_broadcast_lower_bound(shape, active) * 8;
    return [least](const OnlineOutcome& outcome) {
      return unless(outcome.last_delivery >= least, "all there in cycle {}, the bound is {}",
                    outcome.last_delivery, least);
    };
  });
}

OnlineCases cube_single_class_online_runs(bool full) {
  return runs_within(listed(full ? "hypercube:2 hypercube:3 hypercube:4" : "hypercube:3"),
                     {.flits = 8, .single_class = true}, cube_single_class_bound, full);
}

OnlineCases folded_main_part_online_runs(bool) {
  OnlineCase run = run_of("folded-cube:3", {5}, kWhole);
  const Rational printed = folded_main_part_as_printed(shape_of(run.topology), 1, Rational(1, 8)) * 8;
  run.printed_words =
      fmt::format("less than {} cycles after the first prefix, where 54 are taken", printed.str());
  run.inspect = [printed](const OnlineOutcome& outcome) {
    const std::uint64_t main_part = outcome.cycles - outcome.class_scan;
    if (main_part != 54) return fmt::format("{} cycles after the first prefix, expected 54", main_part);
    return unless(Rational(main_part) > printed, "within what is printed");
  };
  return {run};
}

void folded_split_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : folded_cubes(full)) {
    // Parts of two flits each.
    const Settings settings{.flits = 2 * shape_of(topology).classes(), .split = true};
    cases = joined(std::move(cases), runs_within({topology}, settings, folded_split_bound, full));
  }
}

OnlineCases accumulation_online_runs(bool full) {
  const auto topologies = joined(folded_cubes(full), listed("mesh:3x3 torus:4x4 torus:3x3 hypercube:3"));
  return joined(runs(topologies, kWhole, full, {}, kPartialAccumulation),
                runs(listed("mesh:3x3 torus:4x4 folded-cube:3"), kSplit, full, {}, kPartialAccumulation));
}

}  // namespace

std::vector<Claim> partial_broadcast_claims() {
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
              return runs({"mesh:3x3", "torus:4x4"}, kWhole, full);
            }),
      claim("mesh.A14", "meshes Lemma 1", kHolds,
            "the broadcast takes (p - 1)/gamma times the sum of ceil(M/p^k), k = 1 ... d, slots, which is at "
            "most [(M - 1)(N - 1)/N + (p - 1)d]/gamma: M - 1 will do for M",
            broadcast_phase_checks, broadcast_phase_online_runs),
      claim("mesh.A14b", "meshes 3.1, Phase 3", kHolds,
            "the last delivery comes at the end of the timetable or at most 3 slots before it; nodes that "
            "have all keep to the timetable. With the rule of Theorem 2 (pass on first, own packets in empty "
            "slots) the broadcast ends within the same timetable, on rings too",
            last_arrival_online_runs),
      claim("mesh.A15", "meshes Lemma 2, arrays", kHolds,
            "A_0 takes at most M(N - 1)/N + 2d(p - 1)t_p + 2(p - 1)d slots",
            std::bind_front(single_class_checks, false),
            within(arrays, kSingleClass, mesh_single_class_bound)),
      claim("mesh.A16", "meshes Lemma 2, tori", kHolds,
            "A_0 takes at most M(N - 1)/(2N) + 2d(p - 1)t_p + 1.5(p - 1)d slots",
            std::bind_front(single_class_checks, true), within(tori, kSingleClass, mesh_single_class_bound)),
      claim("mesh.A17", "meshes Theorem 6, footnote 2", kHolds,
            "A_c is A_0 with the digits of a node shifted cyclically to the right by c; then all d classes "
            "run at once and never want the same link. Shifted to the left they do",
            class_order_checks, [](bool full) { return runs({"mesh:3x3x3"}, kSplit, full); }),
      claim("mesh.A18", "meshes Theorem 6, (8), (6a)", kHolds,
            "with splitting an array takes at most M(N - 1)/(dN) + 2d(p - 1)t_p + 2(p - 1) slots",
            std::bind_front(split_checks, false), within(arrays, kSplit, mesh_split_bound)),
      claim("mesh.A19", "meshes Theorem 6, (7), (5a)", kHolds,
            "with splitting a torus takes at most M(N - 1)/(2dN) + 2d(p - 1)t_p + 1.5(p - 1) slots",
            std::bind_front(split_checks, true), within(tori, kSplit, mesh_split_bound)),
      claim("mesh.A20", "meshes (5a), (7) for p = 2", kCorrected,
            "a torus of two nodes a side is the hypercube, and its bounds are those of gamma = 1: with gamma "
            "= 2 they are below what the ports can carry",
            two_node_torus_checks),
      claim("mesh.A21", "meshes 3.2, arrays", kHolds,
            "without splitting an array takes at most ceil(M/d)(N - 1)/N + 2(p - 1)d + 4(p - 1)d t_p slots",
            std::bind_front(whole_checks, false), within(arrays, kWhole, mesh_whole_bound)),
      claim("mesh.A22", "meshes 3.2, tori", kHolds,
            "without splitting a torus takes at most ceil(M/d)/(p - 1) ceil((p - 1)/2)(N - 1)/N + (p - 1)d + "
            "d ceil((p - 1)/2) + 4(p - 1)d t_p slots",
            std::bind_front(whole_checks, true), within(tori, kWhole, mesh_whole_bound)),
      claim("mesh.A23", "meshes (5b), (6b)", kCorrected,
            "the prefix term of (5b) and (6b) is 4(p - 1)d t_p, as in the text of section 3.2: one prefix "
            "alone must cross d(p - 1) hops",
            whole_as_printed_checks, whole_as_printed_online_runs),
      claim("mesh.A24", "meshes 3.2", kHolds,
            "a multinode broadcast is a partial one with M = N whose ranks are known: no prefixes, at most "
            "ceil(N/d)/(p - 1) ceil((p - 1)/gamma)(N - 1)/N + (p - 1)d + d ceil((p - 1)/gamma) slots",
            known_ranks_checks, known_ranks_online_runs),
      claim("mesh.A25", "meshes 3.2, tori of even side", kHolds,
            "beyond the paper: if the long way round alternates from batch to batch, W batches take ceil(W(p "
            "- 1)/2) slots for every p, and packing the short way d floor(p/2)",
            taking_turns_checks, taking_turns_online_runs),
      claim("mesh.H1", "t_p = 1/F in hardware", kHolds,
            "with packets of F flits and a header flit or none, parts of ceil(F/parts) flits and a header "
            "each, and prefix packets of one flit, every schedule ends in the very cycle of its formula",
            flits_online_runs),
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
            folded_whole_checks, within(folded_cubes, kWhole, folded_whole_bound)),
      claim("folded.B10", "folded cubes 3, split", kHolds,
            "beyond the paper: with a part of each packet in all d + 1 classes at most (M + 2d - 1)/(d + 1) "
            "+ 2d t_p slots",
            folded_split_checks, folded_split_online_runs),
      claim(
          "folded.B14", "folded cubes 1, table", kCorrected,
          "partial accumulation is the dual of partial broadcast and takes as long: prefixes forward, then "
          "the rest backwards, combined in the network. On-line too: an active node adds its address to its "
          "own contribution, so the result knows its way. The operator must be associative and commutative",
          std::string(kSizes) + "folded cubes, arrays and tori", accumulation_checks,
          accumulation_online_runs)};
}

}  // namespace safnet
