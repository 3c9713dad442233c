// Statements on partial and dynamic multinode broadcasts (Varvarigos and Bertsekas 1994; Varvarigos, folded
// cubes) on ranks, bounds and slips.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <span>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/broken_schedule_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_runs.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// ---- Ranks.

// Ranks of active nodes: the sum of x_t over t < s, or the sum over t <= s, less one.
std::vector<int> ranks_by_sum(const std::vector<NodeId>& active, bool including_itself) {
  std::vector<int> ranks;
  for (const NodeId s : active) {
    const auto before = std::count_if(active.begin(), active.end(),
                                      [&](NodeId t) { return including_itself ? t <= s : t < s; });
    ranks.push_back(static_cast<int>(before) - 1);
  }
  return ranks;
}

std::string check_rank_formula(const std::vector<NodeId>& active) {
  std::vector<int> ranks;
  for (const RankedPacket& packet : BroadcastSetting("mesh:3x3", false, true).plan(active).packets)
    ranks.push_back(static_cast<int>(packet.rank));
  const std::vector<int> formula = ranks_by_sum(active, true);
  return unless(ranks == formula, "{}, by the formula {}", fmt::join(ranks, ", "), fmt::join(formula, ", "));
}

Checks rank_formula_checks(bool full) {
  const std::vector<NodeId> active{0, 4, 8};
  Checks checks{
      {.name = "mesh:3x3, nodes 0, 4, 8",
       .check = [active] { return check_rank_formula(active); },
       .printed = Printed<>{{kExactly, ranks_by_sum(active, false).front(), "as the rank of node 0",
                             "the sum over t < s, less one"},
                            [active] {
                              return Rational(
                                  BroadcastSetting("mesh:3x3", false, true).plan(active).packets[0].rank);
                            }}}};
  if (full) {
    checks.push_back({"mesh:3x3, all 512 sets of active nodes",
                      [] { return first_fault(sets_of_active_nodes(9, true), check_rank_formula); }});
  }
  return checks;
}

// Packing moves the packet of rank r to node r, by as many hops as their digits differ. The flits that cross
// links are these and, both ways over the N - 1 edges of the prefix tree, those of the prefix. A rank of -1
// has no node: as printed, the packets of the others alone take their hops.
void rank_formula_online_runs(bool, OnlineCases& cases) {
  const std::vector<NodeId> active{0, 4, 8};
  const auto hops = [&](bool including_itself) {
    const std::vector<int> ranks = ranks_by_sum(active, including_itself);
    int sum = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const int from = static_cast<int>(active[i]), to = ranks[i];
      if (to >= 0) sum += std::abs(from / 3 - to / 3) + std::abs(from % 3 - to % 3);
    }
    return sum;
  };
  const auto measured = [](const OnlineOutcome& o) { return Rational(o.flits_sent) - 2 * (9 - 1); };
  OnlineCase run{.topology = "mesh:3x3", .collective = "packing", .active = active, .expected_cycles = 12};
  run.inspect = [=, expected = hops(true)](const OnlineOutcome& o) {
    return unless(measured(o) == expected, "{} hops of packing, expected {}", measured(o).str(), expected);
  };
  cases.push_back(
      printed(std::move(run),
              {{kAtLeast, hops(false), "hops of packing", "the sum over t < s, less one"}, measured}));
}

// ---- Bounds.

// At least (M - 1)/(gamma d) slots, and M/(gamma d) where node 0 has no packet, with whole packets and split
// ones. Nodes that know their ranks spend no time on prefixes.
OnlineCases capacity_online_runs(bool full) {
  OnlineCases cases;
  for (const PartialBroadcastSettings& settings : {with_known_ranks(kWhole), with_known_ranks(kSplit)}) {
    const auto inspect = [&](const DigitShape& shape, const std::vector<NodeId>& active) -> OnlineInspection {
      if (active.empty()) return {};
      const std::uint64_t packets = active.size() - (active.front() == 0 ? 1 : 0);
      const Rational least(packets * settings.flits, std::uint64_t{shape.gamma()} * shape.digits);
      return [least](const OnlineOutcome& outcome) {
        return unless(outcome.last_delivery >= least, "all there in cycle {}, the bound is {}",
                      outcome.last_delivery, least.str());
      };
    };
    const auto topologies = full ? joined(arrays_to_run(true), tori_to_run(true))
                                 : listed("mesh:3x3 mesh:4x4 hypercube:3 torus:3x3 torus:4x4");
    cases = joined(std::move(cases), online_runs(topologies, settings, full, inspect));
  }
  return cases;
}

// 2 (p - 1)(1 + d t_p) slots; of order p, whatever d, it would be that of a line of p nodes.
void single_packet_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:3x3 mesh:4x4 mesh:3x3x3 hypercube:3", "linear:5 mesh:5x5 hypercube:4")) {
    const DigitShape shape = digit_shape(topology);
    const std::uint64_t without_prefix = 2 * (shape.side - 1) * std::uint64_t{kSplit.flits};
    const std::uint64_t cycles = without_prefix + 2 * (shape.side - 1) * std::uint64_t{shape.digits};
    for (const std::uint64_t active : {std::uint64_t{0}, shape.nodes() / 2, shape.nodes() - 1}) {
      OnlineCase& run = cases.emplace_back(online_run(topology, {static_cast<NodeId>(active)}, kSplit));
      run.expected_cycles = cycles;
      if (shape.digits > 1) {
        run.printed = Printed<OnlineOutcome>{
            {kAtMost, without_prefix + 2 * (shape.side - 1), "", "order p, whatever d: the time of a line"}};
      }
    }
  }
}

std::vector<DigitShape> shapes(bool full) {
  std::vector<DigitShape> list = arrays_and_tori(full ? 6 : 4);
  for (std::uint32_t d = 1; d <= (full ? 8U : 6U); ++d) list.push_back({2, d, false, true});
  return list;
}

// D(M) <= X M + V for every M, and somewhere equal.
std::string check_linear(bool split, const Rational& step, bool full) {
  bool attained = false;
  for (const DigitShape& shape : shapes(full)) {
    const PartialBroadcastSettings settings{.split = split};
    const LinearTime linear = linear_slots(shape, split, step);
    for (std::uint64_t m = 0; m <= shape.nodes(); ++m) {
      const Rational taken = partial_broadcast_slots(shape, settings, m, step);
      if (taken > linear.at(m)) {
        return fmt::format("p = {}, d = {}, M = {}: {} slots, X M + V = {}", shape.side, shape.digits, m,
                           taken.str(), linear.at(m).str());
      }
      attained |= taken == linear.at(m);
    }
  }
  return unless(attained || !split, "nowhere attained");
}

void linear_times_checks(bool full, Checks& checks) {
  const std::string where = full ? "p = 2 ... 6, d = 1 ... 3, folded cubes of 1 ... 8"
                                 : "p = 2 ... 4, d = 1 ... 3, folded cubes of 1 ... 6";
  for (const bool split : {false, true}) {
    for (const Rational& step : {Rational(0), Rational(1, 8), Rational(1)}) {
      checks.push_back({fmt::format("{}, t_p = {}, {}, all M", parts_in_words(split), step.str(), where),
                        [=] { return check_linear(split, step, full); }});
    }
  }
}

// The first `count` nodes, active.
OnlineCase run_of_first(std::uint64_t count, const std::string& topology,
                        const PartialBroadcastSettings& settings) {
  return online_run(topology, all_nodes(count), settings);
}

// For every M.
void linear_times_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology :
       with_more(full, "mesh:3x3 torus:3x3 folded-cube:3",
                 "mesh:3x3x3 torus:4x4 torus:3x3x3 folded-cube:4 folded-cube:5")) {
    const DigitShape shape = digit_shape(topology);
    // Parts are equal: of 2 digits 1/2 and 1/4 of a packet, of 3 digits 1/3 and 1/6, of folded cubes 1/(d +
    // 1).
    const PartialBroadcastSettings split{.flits = 2 * shape.classes() * shape.gamma(), .split = true};
    for (const PartialBroadcastSettings& settings : {kWhole, split}) {
      for (std::uint64_t m = 0; m <= shape.nodes(); ++m) {
        cases.push_back(inspected(run_of_first(m, topology, settings),
                                  cycles_within(stated_line(shape, settings).at(m))));
      }
    }
  }
}

// Prefix and packing take a reservation interval, and what is more than X M of the broadcast is at most
// (p - 1)/gamma slots.
void reservation_interval_online_runs(bool full, OnlineCases& cases) {
  for (const std::string& topology : with_more(full, "mesh:3x3 mesh:4x4 torus:3x3 torus:4x4", "mesh:5x5")) {
    const DigitShape shape = digit_shape(topology);
    const StatedLine line = stated_line(shape, kSplit);
    const Rational rounding = Rational(shape.side - 1, shape.gamma()) * kSplit.flits;
    for (const std::uint64_t active : {std::uint64_t{1}, std::uint64_t{4}, shape.nodes()}) {
      const auto inspect = [=](const OnlineOutcome& o) {
        const bool as_stated =
            o.rank_scan + o.packing + rounding == line.v && o.broadcast <= line.x * active + rounding;
        return unless(as_stated, "prefix {}, packing {}, broadcast {} cycles; V is {}", o.rank_scan,
                      o.packing, o.broadcast, line.v.str());
      };
      cases.push_back(printed(inspected(run_of_first(active, topology, kSplit), inspect),
                              {{kExactly, line.v, "cycles of prefix and packing", "Fig. 4 and (10a)"},
                               [](const OnlineOutcome& o) { return o.rank_scan + o.packing; }}));
    }
  }
}

// ---- Slips in the text.

// Lemma 1's proof: before subphase l = 1, 2, ... node s has the packets of ranks w that agree with it in
// digits d - l ... 0. Printed: in digit d - 1 and digits d - l - 1 ... 0. Counts, over all subphases, the
// nodes that have what is said.
std::uint64_t nodes_as_said(const BroadcastSetting& on, bool as_printed) {
  const DigitNetwork& network = on.network;
  const std::uint32_t d = network.digits(), p = network.side();
  const std::vector<NodeId> all = on.nodes();
  const PartialPlan plan = on.plan(all);
  std::uint64_t end = plan.time.total() - plan.time.broadcast, found = 0;
  for (std::uint32_t l = 1; l <= d; ++l) {
    std::map<NodeId, std::vector<std::uint32_t>> has;
    for (const NodeId v : all) has[v].push_back(network.address(v, 0));
    for (const PartialTransfer& t : plan.transfers) {
      if (t.kind == PartialTransferKind::kBroadcast && t.cycle <= end)
        has[network.graph().link_target(t.link)].push_back(t.rank);
    }
    for (auto& [v, ranks] : has) {
      std::sort(ranks.begin(), ranks.end());
      std::vector<std::uint32_t> said;
      const NodeId s = network.address(v, 0), low = network.weight(as_printed ? d - l : d - l + 1);
      for (std::uint32_t w = 0; w < all.size(); ++w) {
        const bool highest_agrees = w / network.weight(d - 1) % p == s / network.weight(d - 1) % p;
        if (w % low == s % low && (!as_printed || highest_agrees)) said.push_back(w);
      }
      found += ranks == said ? 1 : 0;
    }
    end += broadcast_steps(on.shape(), on.settings, d - l, all.size()) *
           broadcast_flits(on.shape(), on.settings);
  }
  return found;
}

Checks submesh_checks(bool) {
  const auto count = [](bool as_printed) {
    return nodes_as_said(BroadcastSetting("mesh:3x3x3", {.single_class = true}), as_printed);
  };
  constexpr std::uint64_t kAll = 3 * 27;  // nodes before each of three subphases
  return {{.name = "mesh:3x3x3, all nodes active: what each has before each subphase; the others by reading",
           .check = [=] { return unless(count(false) == kAll, "{} of {} nodes", count(false), kAll); },
           .printed =
               Printed<>{{kExactly, kAll, "nodes that have what is said", "(*^(l-1) s_(d-1) s_(d-l-1) ...)"},
                         [=] { return Rational(count(true)); }}}};
}

// ---- Whole packets against parts.

// The smallest M with which whole packets of 1, 2, 4, 8 and 16 flits, and a header flit, take fewer cycles
// than parts; 0: with no M.
struct FirstWinner {
  const char* topology;
  std::array<std::uint64_t, 5> active;
};
constexpr std::array<std::uint32_t, 5> kFlitsOfPackets{1, 2, 4, 8, 16};
constexpr std::array<FirstWinner, 9> kFirstWinners{{{"mesh:4x4", {0, 0, 0, 0, 0}},
                                                    {"torus:4x4", {13, 0, 0, 0, 0}},
                                                    {"folded-cube:4", {9, 13, 0, 0, 0}},
                                                    {"mesh:3x3x3", {13, 25, 25, 0, 0}},
                                                    {"torus:3x3x3", {7, 13, 25, 0, 0}},
                                                    {"mesh:8x8", {41, 0, 0, 0, 0}},
                                                    {"torus:8x8", {17, 41, 0, 0, 0}},
                                                    {"torus:4x4x4", {13, 21, 57, 0, 0}},
                                                    {"folded-cube:6", {9, 17, 35, 41, 0}}}};

// Runs with whole and with split packets of so many flits and a header flit each, for M around `first`, and
// for M = 1 and N.
void add_splitting_runs(const std::string& topology, std::uint32_t flits, std::uint64_t first,
                        OnlineCases& cases) {
  const DigitShape shape = digit_shape(topology);
  const PartialBroadcastSettings whole{.flits = flits, .header_flits = 1};
  const PartialBroadcastSettings split{.flits = flits, .header_flits = 1, .split = true};
  std::set<std::uint64_t> counts{1, shape.nodes()};
  if (first > 1) counts.insert({first - 1, first});
  for (const std::uint64_t m : counts) {
    const std::uint64_t in_parts = stated_interval(shape, split, m).total();
    const bool decides = m <= first || first == 0;  // with more, either may win
    const auto inspect = [=](const OnlineOutcome& outcome) {
      return unless(!decides || (outcome.cycles < in_parts) == (m == first), "{} cycles, in parts {}",
                    outcome.cycles, in_parts);
    };
    cases.push_back(inspected(run_of_first(m, topology, whole), inspect));
    cases.push_back(run_of_first(m, topology, split));
  }
}

// Split packets never take longer than whole ones.
std::string check_splitting(const std::string& topology) {
  const DigitShape shape = digit_shape(topology);
  for (const std::uint32_t flits : {16U, 32U}) {
    const PartialBroadcastSettings whole{.flits = flits, .header_flits = 1};
    const PartialBroadcastSettings split{.flits = flits, .header_flits = 1, .split = true};
    for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
      if (stated_interval(shape, whole, m).total() < stated_interval(shape, split, m).total())
        return fmt::format("{} flits, M = {}: whole packets take fewer cycles", flits, m);
    }
  }
  return {};
}

Checks splitting_checks(bool) {
  return check_each(listed("mesh:4x4 torus:4x4 folded-cube:4 mesh:8x8 torus:8x8 torus:4x4x4 folded-cube:6"),
                    "{}, packets of 16 and 32 flits, all M", check_splitting);
}

void splitting_online_runs(bool full, OnlineCases& cases) {
  for (const FirstWinner& of : std::span(kFirstWinners).first(full ? kFirstWinners.size() : 3)) {
    for (std::size_t i = 0; i < kFlitsOfPackets.size(); ++i)
      add_splitting_runs(of.topology, kFlitsOfPackets[i], of.active[i], cases);
  }
}

// ---- Folded cubes.

std::string check_delay_bounds() {
  for (std::uint32_t d = 2; d <= 11; ++d) {
    const DigitShape shape{2, d, false, true};
    for (const Rational& step : {Rational(0), Rational(1, 8), Rational(1)}) {
      const StatedLine line{Rational(1, d + 1), 2 * d + 4 * d * step};  // in slots
      const Rational limit = 1 / line.at(shape.nodes());
      for (const std::uint32_t percent : {1U, 5U, 10U, 20U, 30U, 40U, 50U, 60U, 70U, 80U, 90U, 95U, 99U}) {
        const Rational rate = limit * percent / 100;
        const Rational theorem = stated_mean_delay(shape.nodes(), line, rate);
        const Rational corollary = stated_folded_mean_delay(d, step, rate);
        // (6) lacks -2 lambda V^2 in the numerator over 2 (1 - rho - lambda V).
        const Rational rho = rate * shape.nodes() * line.x, &v = line.v;
        const Rational lacking = (1 + rho) * rate * v * v / (1 - rho - rate * v);
        if (corollary - theorem != lacking) return fmt::format("d = {}, {} percent of the load", d, percent);
      }
    }
  }
  return {};
}

// If the table's n is N, not M, it bounds every partial broadcast as a full one: also that of one node, which
// is a broadcast. The row's own bound, with M = 1, is ceil(d/2).
void slips_in_folded_cubes_runs(bool full, Cases& cases) {
  for (std::uint32_t d = 5; d <= (full ? 7U : 5U); ++d) {
    ClaimCase flood =
        all_port_case(fmt::format("folded-cube:{}", d), kBroadcast, "shortest-path-tree", (d + 1) / 2);
    flood.printed = Printed<RunOutcome>{
        {kAtLeast, divide_up(power(2, d) - 1, d + 1), "", "the table's row, for one active node"}};
    cases.push_back(std::move(flood));
  }
}

}  // namespace

std::vector<Claim> partial_broadcast_formula_claims() {
  return {
      claim("mesh.V0", "beyond the paper", kBeyond,
            "schedules of partial broadcasts that are broken in one place are rejected: two packets on a "
            "link, a transfer left out, one cut short; one moved a slot forward unless its packet is there "
            "and the link free",
            broken_schedules_checks),
      claim("mesh.A12", "meshes 3.1 and footnote 2, folded cubes 3", kMisprint,
            "the rank of node s is the sum of x_t over t <= s, less one: 0 ... M - 1", rank_formula_checks,
            rank_formula_online_runs),
      claim("mesh.A26", "meshes 3, (3), (4)", kHolds,
            "no partial broadcast takes less than (M - 1)/(gamma d) slots, nor less than M/(gamma d) if node "
            "0 has no packet",
            std::bind_front(capacity_checks, false), capacity_online_runs),
      claim("mesh.A27", "meshes 3.1", kCorrected,
            "with splitting the partial broadcast of a single node takes time of order p + d p t_p, which is "
            "of order p if t_p is of order 1/d: on arrays 2 (p - 1)(1 + d t_p) slots",
            single_packet_online_runs),
      claim("mesh.A34b", "meshes 5, (9), (10); folded cubes Corollary 1", kHolds,
            "a partial broadcast takes X M + V slots at most, with and without splitting",
            linear_times_checks, linear_times_online_runs),
      claim("mesh.A40", "meshes 5, Fig. 4", kCorrected,
            "V is the time of prefix and packing and (p - 1)/gamma slots that round up the broadcast phase",
            reservation_interval_online_runs),
      claim("mesh.A41", "meshes, text", kMisprint,
            "slips: the submesh in the proof of Lemma 1 is (*^(l-1) s_(d-l) s_(d-l-1) ...); packing is "
            "Theorem 3 in phase 2 and the proof of Theorem 6 (printed: Theorem 4); the remark in Lemma 1 is "
            "that after Theorem 2 (5); Lemma 2 compares with (3) alone ((3) and (4)); section 5 means "
            "section 3 (4); phase 1 counts leaves from the left (from the leaf)",
            submesh_checks),
      claim(
          "mesh.H2", "beyond the paper", kBeyond,
          "with one flit of header, whole packets take fewer cycles than parts only where packets are short "
          "and many nodes active: with a flit from 13 of the nodes of torus:4x4 on, 9 of folded-cube:4, 41 "
          "of mesh:8x8, and never on mesh:4x4; with 8 flits from 41 of folded-cube:6 on, with 16 nowhere",
          splitting_checks, splitting_online_runs),
      claim("folded.B25", "folded cubes Corollary 1, (6)", kHolds,
            "(6) bounds the mean delay, as it is never below (11) of the meshes: it is that without -2 "
            "lambda V^2 in the numerator",
            ClaimCheck{"(6) and (11), d = 2 ... 11, 13 loads, t_p = 0, 1/8, 1", check_delay_bounds}),
      claim("folded.B26", "folded cubes, table and text", kMisprint,
            "slips: the row of partial broadcasts has M where n is printed, and 4 d t_p; PNB is PMNB, n is "
            "N, H(s, w) is h(s, w), (7) comes after (8); the task matrix before slot k is T_(k-1); Lemma 2's "
            "matrices are partial permutations",
            slips_in_folded_cubes_runs)};
}

}  // namespace safnet
