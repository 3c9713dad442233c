#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/algorithm/partial/partial_broadcast_schedule.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Topologies = std::vector<std::string>;

DigitShape shape_of(const std::string& topology) { return make_digit_network(topology).shape(); }

std::string in_words(const std::vector<NodeId>& active) {
  return fmt::format("active nodes {}", fmt::join(active, ", "));
}

Topologies arrays(bool full) {
  return with_more<std::string>(full, {"mesh:3x3", "mesh:4x4", "mesh:3x3x3", "hypercube:3", "linear:5"},
                                {"mesh:5x5", "mesh:4x4x4", "mesh:8x8", "hypercube:6"});
}
Topologies tori(bool full) {
  return with_more<std::string>(full, {"torus:3x3", "torus:4x4", "torus:3x3x3", "ring:5"},
                                {"torus:5x5", "torus:4x4x4", "torus:8x8"});
}
Topologies arrays_or_tori(bool torus, bool full) { return torus ? tori(full) : arrays(full); }
Topologies folded_cubes(bool full) {
  return with_more<std::string>(full, {"folded-cube:2", "folded-cube:3", "folded-cube:4", "folded-cube:5"},
                                {"folded-cube:6", "folded-cube:7"});
}

// Slots from flit cycles: a whole packet crosses a link in one. Parts are equal, so this is exact.
Rational slots(std::uint64_t cycles, const PartialBroadcastSettings& settings) {
  return {cycles, settings.flits};
}
Rational prefix_step(const PartialBroadcastSettings& settings) { return {1, settings.flits}; }

// In slots, of a network with so many active nodes where a prefix step takes so long.
using Bound = Rational (*)(const DigitShape&, std::uint64_t active, const Rational& prefix_step);

// Executes, and compares with the timetable's formula and with a bound. `spare`: how far below the bound the
// last packet always arrives.
std::string check_bound(const std::string& topology, const PartialBroadcastSettings& settings, bool full,
                        Bound bound, const Rational& spare = 0) {
  const DigitNetwork network = make_digit_network(topology);
  const Rational step = prefix_step(settings);
  for (const std::vector<NodeId>& active : sets_of_active_nodes(network.graph().node_count(), full)) {
    if (active.empty()) continue;
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    const Rational end = slots(plan.time.total(), settings);
    const Rational formula = partial_broadcast_slots(network.shape(), settings, active.size(), step);
    if (end != formula || slots(plan.last_arrival, settings) > end) {
      return fmt::format("{}: ends after {} and {} slots, by the formula after {}", in_words(active),
                         slots(plan.last_arrival, settings).str(), end.str(), formula.str());
    }
    const Rational most = bound(network.shape(), active.size(), step) - spare;
    if (end > most)
      return fmt::format("{}: ends after {} slots, the bound is {}", in_words(active), end.str(), most.str());
  }
  return {};
}

std::vector<ClaimCheck> bound_checks(const Topologies& topologies, bool split, bool single_class, bool full,
                                     Bound bound, Rational (*spare)(const DigitShape&)) {
  std::vector<ClaimCheck> checks;
  for (const std::string& topology : topologies) {
    checks.push_back({topology, [=] {
                        const DigitShape shape = shape_of(topology);
                        return check_bound(topology, settings_of_parts(shape, split, single_class), full,
                                           bound, spare(shape));
                      }});
  }
  return checks;
}
Rational nothing_to_spare(const DigitShape&) { return 0; }
// M may be replaced by M - 1.
Rational spare_of_one_packet(const DigitShape& shape) {
  return Rational(shape.nodes() - 1, shape.nodes()) / shape.gamma();
}
Rational spare_of_one_part(const DigitShape& shape) { return spare_of_one_packet(shape) / shape.digits; }

}  // namespace

std::vector<NodeId> all_nodes(std::size_t nodes) {
  std::vector<NodeId> all(nodes);
  std::iota(all.begin(), all.end(), NodeId{0});
  return all;
}

std::vector<std::vector<NodeId>> sets_of_active_nodes(NodeId nodes, bool full) {
  std::vector<std::vector<NodeId>> sets;
  if (nodes <= 9) {
    for (std::uint32_t bits = 0; bits < std::uint32_t{1} << nodes; ++bits) {
      sets.emplace_back();
      for (NodeId v = 0; v < nodes; ++v) {
        if (bits >> v & 1) sets.back().push_back(v);
      }
    }
    std::stable_sort(sets.begin(), sets.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    return sets;
  }
  sets = {{}, {0}, {nodes - 1}, {0, nodes - 1}};
  std::mt19937 random(nodes);
  const std::size_t random_sets = full ? 40 : 8;
  for (std::size_t i = 0; i < random_sets; ++i) {
    const std::size_t size = 2 + random() % (nodes - 2);
    std::set<NodeId> chosen;
    while (chosen.size() < size) chosen.insert(static_cast<NodeId>(random() % nodes));
    sets.emplace_back(chosen.begin(), chosen.end());
  }
  sets.push_back(all_nodes(nodes));
  return sets;
}

PartialBroadcastSettings settings_of_parts(const DigitShape& shape, bool split, bool single_class) {
  return {.flits = 2 * shape.gamma() * shape.classes(), .split = split, .single_class = single_class};
}

std::string check_plans(const std::string& topology, bool split, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), split, false);
  for (const std::vector<NodeId>& active : sets_of_active_nodes(network.graph().node_count(), full)) {
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    const ScheduleReport report = check_schedule(schedule_of_plan(network, settings, plan));
    if (!report.valid()) return in_words(active) + ": " + report.violations[0].text;
    if (plan.last_arrival > plan.time.total()) return in_words(active) + ": ends too late";
  }
  return {};
}

// ---- Prefixes.

namespace {

bool is_reverse(PartialTransferKind kind) {
  return kind == PartialTransferKind::kClassScanReverse || kind == PartialTransferKind::kRankScanReverse;
}
bool is_prefix(PartialTransferKind kind) {
  return is_reverse(kind) || kind == PartialTransferKind::kClassScanForward ||
         kind == PartialTransferKind::kRankScanForward;
}

// Ranks against counting; the first p - 1 reverse steps carry nothing but M; the last ends with the prefix.
std::string check_prefix(const std::string& topology, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), true, false);
  const std::uint64_t steps = 2ULL * network.digits() * (network.side() - 1);
  for (const std::vector<NodeId>& active : sets_of_active_nodes(network.graph().node_count(), full)) {
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    for (const RankedPacket& packet : plan.packets) {
      const auto before = std::count_if(active.begin(), active.end(), [&](NodeId v) {
        return network.address(v, packet.packet_class) < network.address(packet.node, packet.packet_class);
      });
      if (packet.rank != static_cast<std::uint32_t>(before))
        return fmt::format("{}: node {} has rank {}", in_words(active), packet.node, packet.rank);
    }
    std::uint64_t last = 0;
    for (const PartialTransfer& t : plan.transfers) {
      if (!is_prefix(t.kind)) continue;
      last = std::max(last, t.cycle);
      if (is_reverse(t.kind) && t.cycle <= steps / 2 + network.side() - 1 && t.rank != 0)
        return fmt::format("{}: cycle {} tells that {} nodes come before", in_words(active), t.cycle, t.rank);
    }
    if (last != steps) return fmt::format("{}: {} steps, expected {}", in_words(active), last, steps);
  }
  return {};
}

// What nodes hold after subphase l, class by class: every packet of rank r where the d - l lower digits of
// the node and of r agree.
std::string check_subphases(const std::string& topology, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const DigitShape& shape = network.shape();
  const PartialBroadcastSettings settings = settings_of_parts(shape, false, false);
  const Graph& graph = network.graph();
  for (const std::vector<NodeId>& active : sets_of_active_nodes(graph.node_count(), full)) {
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    const std::uint64_t packets = packets_of_a_class(shape, settings, active.size());
    std::set<std::tuple<std::uint32_t, std::uint32_t, NodeId>> holds;
    for (const RankedPacket& p : plan.packets)
      holds.emplace(p.packet_class, p.rank, network.node_at(p.packet_class, p.rank));
    std::uint64_t end = plan.time.total() - plan.time.broadcast;
    auto next = plan.transfers.begin();
    for (std::uint32_t digit = network.digits(); digit-- > 0;) {
      end += broadcast_steps(shape, settings, digit, packets) * broadcast_flits(shape, settings);
      for (; next != plan.transfers.end() && next->cycle <= end; ++next) {
        if (next->kind == PartialTransferKind::kBroadcast)
          holds.emplace(next->packet_class, next->rank, graph.link_target(next->link));
      }
      for (const RankedPacket& p : plan.packets) {
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          const NodeId low = network.weight(digit);
          if (network.address(v, p.packet_class) % low != p.rank % low) continue;
          if (!holds.contains({p.packet_class, p.rank, v}))
            return fmt::format("{}: after digit {} node {} is without a packet", in_words(active), digit, v);
        }
      }
    }
  }
  return {};
}

}  // namespace

std::vector<ClaimCheck> prefix_checks(bool full) {
  std::vector<ClaimCheck> checks;
  for (const std::string topology :
       {"linear:5", "mesh:3x3", "mesh:4x4", "torus:3x3", "mesh:3x3x3", "hypercube:3", "folded-cube:4"})
    checks.push_back({topology, [topology, full] { return check_prefix(topology, full); }});
  return checks;
}

std::vector<ClaimCheck> subphase_checks(bool full) {
  std::vector<ClaimCheck> checks;
  for (const std::string topology : {"mesh:3x3", "torus:4x4", "torus:3x3x3", "hypercube:4", "folded-cube:4"})
    checks.push_back({topology, [topology, full] { return check_subphases(topology, full); }});
  return checks;
}

// ---- Meshes, the broadcast phase and all bounds.

namespace {

struct PhaseCount {
  std::uint64_t points = 0, equal = 0;
  std::string wrong;
};

// All M of one network: the phase takes at most ((M - 1)(N - 1)/N + (p - 1) d)/gamma slots.
void count_phases(const DigitShape& shape, PhaseCount& count) {
  const PartialBroadcastSettings settings{.split = true, .single_class = true};
  const Rational packing = shape.digits * (shape.side - 1);
  for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
    const Rational phase = partial_broadcast_slots(shape, settings, m, 0) - packing;
    const Rational most =
        mesh_broadcast_phase_bound(shape, m) - Rational(shape.nodes() - 1, shape.nodes()) / shape.gamma();
    ++count.points;
    if (phase == most) ++count.equal;
    if (phase > most)
      count.wrong = fmt::format("p = {}, d = {}, M = {}: {}", shape.side, shape.digits, m, phase.str());
  }
}

std::string check_broadcast_phases() {
  PhaseCount count;
  for (std::uint32_t p = 2; p <= 5; ++p) {
    for (std::uint32_t d = 1; d <= 3; ++d) {
      count_phases({p, d, false, false}, count);
      if (p > 2) count_phases({p, d, true, false}, count);
    }
  }
  if (!count.wrong.empty()) return count.wrong;
  return count.equal > 0 ? "" : "the bound is never attained";
}

}  // namespace

std::vector<ClaimCheck> broadcast_phase_checks(bool) {
  return {{"p = 2 ... 5, d = 1 ... 3, all M", check_broadcast_phases}};
}

std::vector<ClaimCheck> single_class_checks(bool torus, bool full) {
  return bound_checks(arrays_or_tori(torus, full), true, true, full, mesh_single_class_bound,
                      spare_of_one_packet);
}

std::vector<ClaimCheck> split_checks(bool torus, bool full) {
  return bound_checks(arrays_or_tori(torus, full), true, false, full, mesh_split_bound, spare_of_one_part);
}

std::vector<ClaimCheck> two_node_torus_checks(bool full) {
  std::vector<ClaimCheck> checks;
  for (std::uint32_t d = 5; d <= (full ? 7U : 6U); ++d) {
    const DigitShape as_torus{2, d, true, false}, cube{2, d, false, false};
    const Rational claimed = mesh_split_bound(as_torus, cube.nodes(), 0);
    const Rational needed = mesh_broadcast_lower_bound(cube, cube.nodes());
    const Rational corrected = mesh_split_bound(cube, cube.nodes(), 0);
    checks.push_back({fmt::format("2^{}, M = N, t_p = 0", d),
                      [=]() -> std::string {
                        if (corrected < needed) return "the bound with gamma = 1 is too small as well";
                        return claimed < needed ? "" : "the bound with gamma = 2 is large enough";
                      },
                      fmt::format("{} slots, where {} ports take {}", claimed.str(), d, needed.str())});
  }
  return checks;
}

std::vector<ClaimCheck> whole_checks(bool torus, bool full) {
  std::vector<ClaimCheck> checks =
      bound_checks(arrays_or_tori(torus, full), false, false, full, mesh_whole_bound, nothing_to_spare);
  if (torus) return checks;
  // In integers.
  for (ClaimCheck& check : bound_checks(
           arrays(full), false, false, full,
           [](const DigitShape&shape, std::uint64_t active, const Rational&step) -> Rational {
             const std::uint64_t steps = std::uint64_t{shape.digits} * (shape.side - 1);
             return divide_up(active, shape.digits) + 2 * steps - 1 + 4 * steps * step;
           },
           nothing_to_spare)) {
    check.name += ", in integers";
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<ClaimCheck> whole_as_printed_checks(bool) {
  std::vector<ClaimCheck> checks;
  for (const std::string topology : {"mesh:3x3", "mesh:3x3x3", "torus:3x3", "torus:4x4"}) {
    const DigitNetwork network = make_digit_network(topology);
    const DigitShape shape = network.shape();
    PartialBroadcastSettings settings;  // packets of one flit: t_p = 1
    const PartialPlan plan = plan_partial_broadcast(network, settings, {network.graph().node_count() - 1});
    const Rational printed = mesh_whole_bound_as_printed(shape, 1, 1);
    const Rational end = plan.time.total(), text = mesh_whole_bound(shape, 1, 1);
    checks.push_back({topology + ", M = 1, t_p = 1",
                      [=]() -> std::string {
                        if (end > text)
                          return fmt::format("{} slots, the text has {}", end.str(), text.str());
                        return end > printed ? "" : "within what is printed";
                      },
                      fmt::format("at most {} slots, where {} are taken", printed.str(), end.str())});
  }
  return checks;
}

namespace {

struct MultinodeRow {
  const char* topology;
  std::uint64_t slots;
  Rational bound;
};

std::string check_multinode(const MultinodeRow& row) {
  const DigitNetwork network = make_digit_network(row.topology);
  const PartialBroadcastSettings settings{.known_ranks = true};
  const std::vector<NodeId> all = all_nodes(network.graph().node_count());
  const PartialPlan plan = plan_partial_broadcast(network, settings, all);
  const ScheduleReport report = check_schedule(schedule_of_plan(network, settings, plan));
  if (!report.valid()) return report.violations[0].text;
  const Rational bound = mesh_multinode_bound(network.shape());
  if (plan.last_arrival != row.slots || bound != row.bound || row.slots > bound)
    return fmt::format("{} slots, the bound is {}", plan.last_arrival, bound.str());
  return {};
}

std::string check_turns(const std::string& topology, bool split, bool known_ranks, const Rational& before,
                        const Rational& after) {
  const DigitNetwork network = make_digit_network(topology);
  PartialBroadcastSettings settings = settings_of_parts(network.shape(), split, false);
  settings.flits = 8 * network.digits();
  settings.known_ranks = known_ranks;
  // A prefix step is 1/8 of a slot in the figures: not a flit, so it is added apart.
  PartialBroadcastSettings planned = settings;
  planned.known_ranks = true;
  const std::vector<NodeId> all = all_nodes(network.graph().node_count());
  for (const bool turns : {false, true}) {
    settings.alternating = planned.alternating = turns;
    const Rational prefixes = partial_broadcast_slots(network.shape(), settings, all.size(), Rational(1, 8)) -
                              partial_broadcast_slots(network.shape(), planned, all.size(), 0);
    const PartialPlan plan = plan_partial_broadcast(network, planned, all);
    const ScheduleReport report = check_schedule(schedule_of_plan(network, planned, plan));
    if (!report.valid()) return report.violations[0].text;
    const Rational end = slots(plan.time.total(), planned) + prefixes;
    if (end != (turns ? after : before)) return fmt::format("{} slots", end.str());
  }
  return {};
}

}  // namespace

std::vector<ClaimCheck> known_ranks_checks(bool full) {
  std::vector<MultinodeRow> rows{{"mesh:4x4", 15, {39, 2}},    {"mesh:5x5", 24, {712, 25}},
                                 {"mesh:3x3x3", 16, {62, 3}},  {"torus:4x4", 12, 15},
                                 {"torus:5x5", 16, {456, 25}}, {"torus:3x3x3", 11, {40, 3}}};
  if (full) rows.push_back({"torus:4x4x4", 27, {471, 16}});
  std::vector<ClaimCheck> checks;
  for (const MultinodeRow& row : rows)
    checks.push_back({row.topology, [row] { return check_multinode(row); }});
  return checks;
}

std::vector<ClaimCheck> taking_turns_checks(bool full) {
  std::vector<ClaimCheck> checks;
  const auto add = [&](const std::string& topology, bool split, bool known_ranks, const Rational& before,
                       const Rational& after) {
    checks.push_back({fmt::format("{}, {}", topology, split ? "split" : "whole packets"),
                      [=] { return check_turns(topology, split, known_ranks, before, after); }});
  };
  add("torus:4x4", false, false, 15, 12);
  add("torus:5x5", false, false, 20, 16);
  add("torus:4x4x4", false, false, {63, 2}, {49, 2});
  add("torus:4x4", true, false, {33, 4}, {29, 4});
  add("torus:4x4x4", true, false, {63, 4}, {59, 4});
  if (full) {
    add("torus:6x6", false, false, 27, 22);
    add("torus:8x8", false, false, 41, 33);
    add("torus:8x8", true, false, {105, 4}, {93, 4});
    add("torus:16x16", false, true, 102, 84);
  }
  return checks;
}

// ---- What no algorithm can beat.

namespace {

// A node gets M packets, or M - 1 if one is its own, through its ports; a packet takes as many slots as it is
// far, if it is whole.
std::string check_capacity(const std::string& topology, bool split, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const Graph& graph = network.graph();
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), split, false);
  const std::uint64_t flits = settings.flits;
  for (const std::vector<NodeId>& active : sets_of_active_nodes(graph.node_count(), full)) {
    if (active.empty()) continue;
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const std::uint64_t own = std::binary_search(active.begin(), active.end(), v) ? 1 : 0;
      const std::uint64_t packets = active.size() - own;
      if (plan.last_arrival * graph.degree(v) < packets * flits)
        return fmt::format("{}: node {} has {} packets in {} cycles", in_words(active), v, packets,
                           plan.last_arrival);
    }
    const Rational published = network.is_folded()
                                   ? Rational(folded_broadcast_lower_bound(network.shape(), active.size()))
                                   : mesh_broadcast_lower_bound(network.shape(), active.size());
    if ((!split || !network.is_folded()) && slots(plan.last_arrival, settings) < published)
      return in_words(active) + ": faster than the bound";
    if (split) continue;
    for (const NodeId v : active) {
      if (slots(plan.last_arrival, settings) < graph.eccentricity(v))
        return in_words(active) + ": faster than the distance";
    }
  }
  return {};
}

// With M = N every node has its own packet, otherwise one at least lacks M: nodes of a torus look alike.
std::string check_inactive_corner(const std::string& topology, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), true, false);
  const std::uint64_t ports = std::uint64_t{network.shape().gamma()} * network.digits();
  for (const std::vector<NodeId>& active : sets_of_active_nodes(network.graph().node_count(), full)) {
    if (active.empty() || active.front() == 0) continue;
    const PartialPlan plan = plan_partial_broadcast(network, settings, active);
    if (plan.last_arrival * ports < active.size() * settings.flits)
      return in_words(active) + ": faster than M/(gamma d)";
  }
  return {};
}

}  // namespace

std::vector<ClaimCheck> capacity_checks(bool folded, bool full) {
  std::vector<ClaimCheck> checks;
  Topologies topologies = folded ? folded_cubes(full) : arrays(full);
  if (!folded) {
    for (const std::string& topology : tori(full)) topologies.push_back(topology);
  }
  for (const std::string& topology : topologies) {
    for (const bool split : {false, true}) {
      checks.push_back({fmt::format("{}, {}", topology, split ? "split" : "whole packets"),
                        [=] { return check_capacity(topology, split, full); }});
    }
    if (!folded) {
      checks.push_back({fmt::format("{}, node 0 has no packet", topology),
                        [=] { return check_inactive_corner(topology, full); }});
    }
  }
  return checks;
}

// ---- Folded cubes.

namespace {

// All M: at most the bound, and exactly it where `equal` says so.
std::string check_cube_formula(bool folded, bool single_class, Bound bound,
                               bool (*equal)(std::uint32_t d, std::uint64_t active)) {
  const PartialBroadcastSettings settings{.single_class = single_class};
  const Rational step(1, 8);
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const DigitShape shape{2, d, false, folded};
    for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
      const Rational taken = partial_broadcast_slots(shape, settings, m, step);
      const Rational most = bound(shape, m, step);
      if (taken > most || (taken == most) != equal(d, m))
        return fmt::format("d = {}, M = {}: {} slots, the bound is {}", d, m, taken.str(), most.str());
    }
  }
  return {};
}

}  // namespace

std::vector<ClaimCheck> cube_single_class_checks(bool full) {
  std::vector<ClaimCheck> checks;
  for (const std::string topology : {"hypercube:2", "hypercube:3", "hypercube:5"}) {
    checks.push_back({topology, [=] {
                        return check_bound(topology, settings_of_parts(shape_of(topology), false, true), full,
                                           cube_single_class_bound);
                      }});
  }
  checks.push_back({"d = 1 ... 10, all M: attained if and only if M = 1", [] {
                      return check_cube_formula(false, true, cube_single_class_bound,
                                                [](std::uint32_t, std::uint64_t m) { return m == 1; });
                    }});
  return checks;
}

std::vector<ClaimCheck> folded_main_part_checks(bool) {
  std::vector<ClaimCheck> checks;
  for (std::uint32_t d = 2; d <= 6; ++d) {
    const DigitShape shape{2, d, false, true};
    const Rational step(1, 8);
    const auto main_part = [=](std::uint64_t m) {
      return partial_broadcast_slots(shape, {}, m, step) - step * scan_steps(shape);
    };
    const Rational one = main_part(1), printed = folded_main_part_as_printed(shape, 1, step);
    checks.push_back(
        {fmt::format("d = {}, t_p = 1/8", d),
         [=]() -> std::string {
           for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
             const Rational corrected = divide_up(m, d + 1) + 2 * d + step * (2 * d) - 1;
             if (main_part(m) > corrected) return fmt::format("M = {}: {} slots", m, main_part(m).str());
           }
           return one > printed ? "" : "within what is printed for M = 1";
         },
         fmt::format("M = 1: less than {} slots, where {} are taken", printed.str(), one.str())});
  }
  return checks;
}

std::vector<ClaimCheck> folded_whole_checks(bool full) {
  std::vector<ClaimCheck> checks =
      bound_checks(folded_cubes(full), false, false, full, folded_whole_bound, nothing_to_spare);
  checks.push_back({"d = 1 ... 10, all M: attained if and only if M <= d + 1", [] {
                      return check_cube_formula(true, false, folded_whole_bound,
                                                [](std::uint32_t d, std::uint64_t m) { return m <= d + 1; });
                    }});
  return checks;
}

std::vector<ClaimCheck> folded_split_checks(bool full) {
  return bound_checks(folded_cubes(full), true, false, full, folded_split_bound, nothing_to_spare);
}

namespace {

// The backward plan is valid: no contribution is lost or counted twice.
std::string check_accumulations(const std::string& topology, bool split, bool full) {
  const DigitNetwork network = make_digit_network(topology);
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), split, false);
  for (const std::vector<NodeId>& active : sets_of_active_nodes(network.graph().node_count(), full)) {
    const PartialPlan plan = plan_partial_accumulation(network, settings, active);
    const ScheduleReport report = check_schedule(schedule_of_plan(network, settings, plan));
    if (!report.valid()) return in_words(active) + ": " + report.violations[0].text;
    if (plan.last_arrival > plan.time.total()) return in_words(active) + ": ends too late";
  }
  return {};
}

// Numbers of the nodes whose data are in a packet.
std::vector<NodeId> contributors(const PacketList& packets, PacketIndex packet) {
  if (packets.parts(packet).empty()) return {packets.origin(packet)};
  std::vector<NodeId> nodes;
  for (const PacketIndex part : packets.parts(packet)) {
    for (const NodeId v : contributors(packets, part)) nodes.push_back(v);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// Where a node has combined what is not next to each other in the order of the nodes, no order in which it
// combines gives the result of an operator that does not commute.
std::string combines_apart(const std::string& topology, NodeId active) {
  const DigitNetwork network = make_digit_network(topology);
  const PartialBroadcastSettings settings = settings_of_parts(network.shape(), false, false);
  const PartialPlan plan = plan_partial_accumulation(network, settings, {active});
  const Schedule schedule = schedule_of_plan(network, settings, plan);
  for (PacketIndex packet = 0; packet < schedule.packets.size(); ++packet) {
    if (schedule.packets.parts(packet).empty()) continue;
    const std::vector<NodeId> nodes = contributors(schedule.packets, packet);
    if (nodes.back() - nodes.front() + 1 != nodes.size()) {
      return fmt::format("node {} combines what nodes {} have", schedule.packets.origin(packet),
                         fmt::join(nodes, ", "));
    }
  }
  return {};
}

}  // namespace

std::vector<ClaimCheck> accumulation_checks(bool full) {
  std::vector<ClaimCheck> checks;
  for (const std::string topology : {"folded-cube:2", "folded-cube:3", "folded-cube:5", "mesh:3x3"}) {
    for (const bool split : {false, true}) {
      checks.push_back({fmt::format("{}, {}", topology, split ? "split" : "whole packets"),
                        [=] { return check_accumulations(topology, split, full); }});
    }
  }
  for (const std::string topology : {"folded-cube:3", "folded-cube:4"}) {
    const std::string where = combines_apart(topology, 1);
    checks.push_back({topology + ": operators that do not commute",
                      [where] { return where.empty() ? "all are combined in order" : ""; },
                      "any associative operator: " + where + ", for node 1"});
  }
  return checks;
}

}  // namespace safnet
