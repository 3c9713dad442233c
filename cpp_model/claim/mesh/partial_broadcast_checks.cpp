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

using Nodes = std::vector<NodeId>;
using TopologyWords = std::vector<std::string>;

TopologyWords arrays(bool full) {
  return with_more(full, "mesh:3x3 mesh:4x4 mesh:3x3x3 hypercube:3 linear:5",
                   "mesh:5x5 mesh:4x4x4 mesh:8x8 hypercube:6");
}
TopologyWords tori(bool full) {
  return with_more(full, "torus:3x3 torus:4x4 torus:3x3x3 ring:5", "torus:5x5 torus:4x4x4 torus:8x8");
}
TopologyWords arrays_or_tori(bool torus, bool full) { return torus ? tori(full) : arrays(full); }
TopologyWords folded_cubes_to_check(bool full) {
  return with_more(full, "folded-cube:2 folded-cube:3 folded-cube:4 folded-cube:5",
                   "folded-cube:6 folded-cube:7");
}

// Cycles as slots, in which a whole packet crosses a link. Exact, since parts are equal.
Rational slots(std::uint64_t cycles, const PartialBroadcastSettings& settings) {
  return {cycles, settings.flits};
}

// What is wrong with the first set of active nodes of which `fault_of` says something.
template <class FaultOf>
std::string over_sets(const DigitNetwork& network, bool full, const FaultOf& fault_of) {
  return first_fault(sets_of_active_nodes(network.graph().node_count(), full), [&](const Nodes& active) {
    const std::string wrong = fault_of(active);
    return wrong.empty() ? wrong : fmt::format("active nodes {}: {}", fmt::join(active, ", "), wrong);
  });
}

// A check for every network, with whole packets and with split ones.
template <class FaultOf>
Checks whole_and_split(const TopologyWords& topologies, bool full, const FaultOf& fault_of) {
  Checks checks;
  for (const std::string& topology : topologies) {
    for (const bool split : {false, true}) {
      checks.push_back(
          {sets_of(full, parts_in_words(split))(topology), [=] { return fault_of(topology, split); }});
    }
  }
  return checks;
}

// A bound in slots, for `active` nodes if a prefix step takes `prefix_step` slots.
using Bound = Rational (*)(const DigitShape&, std::uint64_t active, const Rational& prefix_step);

// Compares the end of plans with what is stated of it and a bound, of which they must be `spare` short.
std::string check_bound(const BroadcastSetting& on, bool full, Bound bound, const Rational& spare) {
  const Rational step(1, on.settings.flits);
  return over_sets(on.network, full, [&](const Nodes& active) -> std::string {
    if (active.empty()) return {};
    const PartialPlan plan = on.plan(active);
    const Rational end = slots(plan.time.total(), on.settings);
    const Rational arrival = slots(plan.last_arrival, on.settings);
    const Rational stated = slots(on.stated(active.size()).total(), on.settings);
    if (end != stated || arrival > end) {
      return fmt::format("ends after {} and {} slots, {} are stated", arrival.str(), end.str(), stated.str());
    }
    const Rational most = bound(on.shape(), active.size(), step) - spare;
    return unless(end <= most, "ends after {} slots, the bound is {}", end.str(), most.str());
  });
}

Rational nothing_to_spare(const DigitShape&) { return 0; }
// The spare of a bound that also holds with M - 1 for M.
Rational spare_of_one_packet(const DigitShape& shape) {
  return Rational(shape.nodes() - 1, shape.nodes()) / shape.gamma();
}
Rational spare_of_one_part(const DigitShape& shape) { return spare_of_one_packet(shape) / shape.digits; }

Checks bound_checks(const TopologyWords& topologies, bool split, bool single_class, bool full, Bound bound,
                    Rational (*spare)(const DigitShape&) = nothing_to_spare) {
  return check_each(topologies, sets_of(full), [=](const std::string& topology) {
    const BroadcastSetting on(topology, split, single_class);
    return check_bound(on, full, bound, spare(on.shape()));
  });
}

}  // namespace

std::vector<NodeId> all_nodes(std::size_t nodes) {
  Nodes all(nodes);
  std::iota(all.begin(), all.end(), NodeId{0});
  return all;
}

std::vector<std::vector<NodeId>> sets_of_active_nodes(NodeId nodes, bool full) {
  std::vector<Nodes> sets;
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

std::function<std::string(const std::string&)> sets_of(bool full, const std::string& more) {
  return [=](const std::string& topology) {
    const NodeId nodes = make_digit_network(topology).graph().node_count();
    return fmt::format("{}: {} sets of active nodes{}{}", topology, sets_of_active_nodes(nodes, full).size(),
                       more.empty() ? "" : ", ", more);
  };
}

std::vector<DigitShape> arrays_and_tori(std::uint32_t most_side) {
  std::vector<DigitShape> list;
  for (std::uint32_t p = 2; p <= most_side; ++p) {
    for (std::uint32_t d = 1; d <= 3; ++d) {
      list.push_back({p, d, false, false});
      if (p > 2) list.push_back({p, d, true, false});
    }
  }
  return list;
}

const char* parts_in_words(bool split) { return split ? "split" : "whole packets"; }

BroadcastSetting::BroadcastSetting(const std::string& topology, bool split, bool single_class)
    : BroadcastSetting(topology, {.split = split, .single_class = single_class}) {
  settings.flits = 2 * shape().gamma() * shape().classes();
}
BroadcastSetting::BroadcastSetting(const std::string& topology, const PartialBroadcastSettings& with)
    : network(make_digit_network(topology)), settings(with) {}

PartialPlan BroadcastSetting::plan(const Nodes& active) const {
  return plan_partial_broadcast(network, settings, active);
}
Schedule BroadcastSetting::schedule(const PartialPlan& plan) const {
  return schedule_of_plan(network, settings, plan);
}
std::string BroadcastSetting::fault_of(const PartialPlan& plan) const {
  const ScheduleReport report = check_schedule(schedule(plan));
  return report.valid() ? "" : report.violations[0].text;
}

std::string check_plans(const BroadcastSetting& on, bool full, bool accumulation) {
  return over_sets(on.network, full, [&](const Nodes& active) {
    const PartialPlan plan =
        accumulation ? plan_partial_accumulation(on.network, on.settings, active) : on.plan(active);
    if (std::string wrong = on.fault_of(plan); !wrong.empty()) return wrong;
    return unless(plan.last_arrival <= plan.time.total(), "ends too late");
  });
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

// Compares the ranks with counting; in the first p - 1 reverse steps nothing but M may be sent; the last
// prefix packet must end with the phase.
std::string check_prefix(const std::string& topology, bool full) {
  const BroadcastSetting on(topology, true);
  const DigitNetwork& network = on.network;
  const std::uint64_t steps = 2ULL * network.digits() * (network.side() - 1);
  return over_sets(network, full, [&](const Nodes& active) -> std::string {
    const PartialPlan plan = on.plan(active);
    for (const RankedPacket& packet : plan.packets) {
      const auto before = std::count_if(active.begin(), active.end(), [&](NodeId v) {
        return network.address(v, packet.packet_class) < network.address(packet.node, packet.packet_class);
      });
      if (packet.rank != static_cast<std::uint32_t>(before))
        return fmt::format("node {} has rank {}", packet.node, packet.rank);
    }
    std::uint64_t last = 0;
    for (const PartialTransfer& t : plan.transfers) {
      if (!is_prefix(t.kind)) continue;
      last = std::max(last, t.cycle);
      if (is_reverse(t.kind) && t.cycle <= steps / 2 + network.side() - 1 && t.rank != 0)
        return fmt::format("cycle {} tells that {} nodes come before", t.cycle, t.rank);
    }
    return unless(last == steps, "{} steps, expected {}", last, steps);
  });
}

// After subphase l a node must hold, by class, the packets whose ranks agree with it in the d - l low digits.
std::string check_subphases(const std::string& topology, bool full) {
  const BroadcastSetting on(topology);
  const DigitNetwork& network = on.network;
  const Graph& graph = network.graph();
  return over_sets(network, full, [&](const Nodes& active) -> std::string {
    const PartialPlan plan = on.plan(active);
    const std::uint64_t packets = packets_of_a_class(on.shape(), on.settings, active.size());
    std::set<std::tuple<std::uint32_t, std::uint32_t, NodeId>> holds;
    for (const RankedPacket& p : plan.packets)
      holds.emplace(p.packet_class, p.rank, network.node_at(p.packet_class, p.rank));
    std::uint64_t end = plan.time.total() - plan.time.broadcast;
    auto next = plan.transfers.begin();
    for (std::uint32_t digit = network.digits(); digit-- > 0;) {
      end +=
          broadcast_steps(on.shape(), on.settings, digit, packets) * broadcast_flits(on.shape(), on.settings);
      for (; next != plan.transfers.end() && next->cycle <= end; ++next) {
        if (next->kind == PartialTransferKind::kBroadcast)
          holds.emplace(next->packet_class, next->rank, graph.link_target(next->link));
      }
      for (const RankedPacket& p : plan.packets) {
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          const NodeId low = network.weight(digit);
          if (network.address(v, p.packet_class) % low != p.rank % low) continue;
          if (!holds.contains({p.packet_class, p.rank, v}))
            return fmt::format("after digit {} node {} is without a packet", digit, v);
        }
      }
    }
    return {};
  });
}

}  // namespace

Checks prefix_checks(bool full) {
  return check_each(listed("linear:5 mesh:3x3 mesh:4x4 torus:3x3 mesh:3x3x3 hypercube:3 folded-cube:4"),
                    sets_of(full),
                    [full](const std::string& topology) { return check_prefix(topology, full); });
}

Checks subphase_checks(bool full) {
  return check_each(listed("mesh:3x3 torus:4x4 torus:3x3x3 hypercube:4 folded-cube:4"), sets_of(full),
                    [full](const std::string& topology) { return check_subphases(topology, full); });
}

// ---- Meshes, the broadcast phase and all bounds.

namespace {

// For all M the phase takes at most ((M - 1)(N - 1)/N + (p - 1) d)/gamma slots, and for some exactly as many.
std::string check_broadcast_phases() {
  const PartialBroadcastSettings settings{.split = true, .single_class = true};
  bool attained = false;
  for (const DigitShape& shape : arrays_and_tori(5)) {
    const Rational packing = shape.digits * (shape.side - 1);
    for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
      const Rational phase = partial_broadcast_slots(shape, settings, m, 0) - packing;
      const Rational most = mesh_broadcast_phase_bound(shape, m) - spare_of_one_packet(shape);
      if (phase > most)
        return fmt::format("p = {}, d = {}, M = {}: {}", shape.side, shape.digits, m, phase.str());
      attained |= phase == most;
    }
  }
  return unless(attained, "the bound is never attained");
}

}  // namespace

Checks broadcast_phase_checks(bool) { return {{"p = 2 ... 5, d = 1 ... 3, all M", check_broadcast_phases}}; }

Checks single_class_checks(bool torus, bool full) {
  return bound_checks(arrays_or_tori(torus, full), true, true, full, mesh_single_class_bound,
                      spare_of_one_packet);
}

Checks split_checks(bool torus, bool full) {
  return bound_checks(arrays_or_tori(torus, full), true, false, full, mesh_split_bound, spare_of_one_part);
}

Checks two_node_torus_checks(bool full) {
  Checks checks;
  for (std::uint32_t d = 5; d <= (full ? 7U : 6U); ++d) {
    const DigitShape as_torus{2, d, true, false}, cube{2, d, false, false};
    const Rational claimed = mesh_split_bound(as_torus, cube.nodes(), 0);
    const Rational needed = mesh_broadcast_lower_bound(cube, cube.nodes());
    const Rational corrected = mesh_split_bound(cube, cube.nodes(), 0);
    checks.push_back(
        {.name = fmt::format("2^{}, M = N, t_p = 0: slots that {} ports take", d, d),
         .check = [=] { return unless(corrected >= needed, "gamma = 1 gives too few as well"); },
         .printed = Printed<>{{kAtMost, claimed, "slots", "(7) with gamma = 2"}, [=] { return needed; }}});
  }
  return checks;
}

Checks whole_checks(bool torus, bool full) {
  Checks checks = bound_checks(arrays_or_tori(torus, full), false, false, full, mesh_whole_bound);
  if (torus) return checks;
  const Bound in_integers = [](const DigitShape& shape, std::uint64_t active, const Rational& step) {
    const std::uint64_t steps = std::uint64_t{shape.digits} * (shape.side - 1);
    return Rational(divide_up(active, shape.digits) + 2 * steps - 1 + 4 * steps * step);
  };
  for (ClaimCheck& check : bound_checks(arrays(full), false, false, full, in_integers)) {
    check.name += ", in integers";
    checks.push_back(std::move(check));
  }
  return checks;
}

namespace {

std::string check_multinode(const std::string& topology) {
  const BroadcastSetting on(topology, {.known_ranks = true});  // packets of one flit
  const PartialPlan plan = on.plan(on.nodes());
  if (std::string wrong = on.fault_of(plan); !wrong.empty()) return wrong;
  const std::uint64_t stated = on.stated(on.nodes().size()).total();
  const Rational bound = mesh_multinode_bound(on.shape());
  return unless(plan.time.total() == stated && plan.last_arrival <= stated && stated <= bound,
                "{} slots, {} are stated, the bound is {}", plan.last_arrival, stated, bound.str());
}

// All nodes are active. Taking turns must be as stated, and faster.
std::string check_turns(const std::string& topology, bool split) {
  BroadcastSetting on(topology, {.split = split, .known_ranks = true});
  on.settings.flits = broadcast_parts(on.shape(), on.settings);
  const Nodes all = on.nodes();
  std::uint64_t before = 0, after = 0;
  for (const bool turns : {false, true}) {
    on.settings.alternating = turns;
    const PartialPlan plan = on.plan(all);
    if (std::string wrong = on.fault_of(plan); !wrong.empty()) return wrong;
    (turns ? after : before) = plan.time.total();
    const std::uint64_t stated = on.stated(all.size()).total();
    if (plan.time.total() != stated)
      return fmt::format("{} cycles, {} are stated", plan.time.total(), stated);
  }
  return unless(after < before, "{} cycles, {} as published", after, before);
}

}  // namespace

Checks known_ranks_checks(bool full) {
  return check_each(
      with_more(full, "mesh:4x4 mesh:5x5 mesh:3x3x3 torus:4x4 torus:5x5 torus:3x3x3", "torus:4x4x4"),
      "{}, all nodes active", check_multinode);
}

Checks taking_turns_checks(bool full) {
  const auto checks = [](const std::vector<std::string>& topologies, bool split) {
    const auto name = [split](const std::string& topology) {
      return fmt::format("{}, all nodes active, {}", topology, parts_in_words(split));
    };
    return check_each(topologies, name,
                      [split](const std::string& topology) { return check_turns(topology, split); });
  };
  return joined(
      checks(with_more(full, "torus:4x4 torus:5x5 torus:4x4x4", "torus:6x6 torus:8x8 torus:16x16"), false),
      checks(with_more(full, "torus:4x4 torus:4x4x4", "torus:8x8"), true));
}

// ---- What no algorithm can beat.

namespace {

// A node gets M packets, or M - 1 besides its own, through its ports; an unsplit packet takes a slot per hop.
std::string check_capacity(const std::string& topology, bool split, bool full) {
  const BroadcastSetting on(topology, split);
  const Graph& graph = on.network.graph();
  const bool folded = on.network.is_folded();
  return over_sets(on.network, full, [&](const Nodes& active) -> std::string {
    if (active.empty()) return {};
    const std::uint64_t arrival = on.plan(active).last_arrival;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const std::uint64_t own = std::binary_search(active.begin(), active.end(), v) ? 1 : 0;
      const std::uint64_t packets = active.size() - own;
      if (arrival * graph.degree(v) < packets * on.settings.flits)
        return fmt::format("node {} has {} packets in {} cycles", v, packets, arrival);
    }
    const Rational published = folded ? Rational(folded_broadcast_lower_bound(on.shape(), active.size()))
                                      : mesh_broadcast_lower_bound(on.shape(), active.size());
    if ((!split || !folded) && slots(arrival, on.settings) < published) return "faster than the bound";
    if (split) return {};
    return first_fault(active, [&](NodeId v) {
      return unless(slots(arrival, on.settings) >= graph.eccentricity(v), "faster than the distance");
    });
  });
}

// If M < N some node has no packet of its own and lacks M; on a torus node 0 stands for any.
std::string check_inactive_corner(const std::string& topology, bool full) {
  const BroadcastSetting on(topology, true);
  const std::uint64_t ports = std::uint64_t{on.shape().gamma()} * on.network.digits();
  return over_sets(on.network, full, [&](const Nodes& active) -> std::string {
    if (active.empty() || active.front() == 0) return {};
    return unless(on.plan(active).last_arrival * ports >= active.size() * on.settings.flits,
                  "faster than M/(gamma d)");
  });
}

}  // namespace

Checks capacity_checks(bool folded, bool full) {
  Checks checks;
  for (const std::string& topology :
       folded ? folded_cubes_to_check(full) : joined(arrays(full), tori(full))) {
    checks = joined(checks, whole_and_split({topology}, full, [full](const std::string& on, bool split) {
                      return check_capacity(on, split, full);
                    }));
    if (folded) continue;
    checks.push_back({sets_of(full, "those without node 0")(topology),
                      [=] { return check_inactive_corner(topology, full); }});
  }
  return checks;
}

// ---- Folded cubes.

namespace {

// For all M the time is at most the bound, and equals it where `equal` says so.
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

Checks cube_single_class_checks(bool full) {
  Checks checks =
      bound_checks(listed("hypercube:2 hypercube:3 hypercube:5"), false, true, full, cube_single_class_bound);
  checks.push_back({"d = 1 ... 10, all M: attained if and only if M = 1", [] {
                      return check_cube_formula(false, true, cube_single_class_bound,
                                                [](std::uint32_t, std::uint64_t m) { return m == 1; });
                    }});
  return checks;
}

Checks folded_main_part_checks(bool) {
  Checks checks;
  for (std::uint32_t d = 2; d <= 6; ++d) {
    const DigitShape shape{2, d, false, true};
    const Rational step(1, 8);
    const auto main_part = [=](std::uint64_t m) {
      return partial_broadcast_slots(shape, {}, m, step) - step * scan_steps(shape);
    };
    checks.push_back({fmt::format("d = {}, t_p = 1/8, all M", d), [=]() -> std::string {
                        for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
                          const Rational corrected = divide_up(m, d + 1) + 2 * d + step * (2 * d) - 1;
                          if (main_part(m) > corrected)
                            return fmt::format("M = {}: {} slots", m, main_part(m).str());
                        }
                        return {};
                      }});
  }
  return checks;
}

Checks folded_whole_checks(bool full) {
  Checks checks = bound_checks(folded_cubes_to_check(full), false, false, full, folded_whole_bound);
  checks.push_back({"d = 1 ... 10, all M: attained if and only if M <= d + 1", [] {
                      return check_cube_formula(true, false, folded_whole_bound,
                                                [](std::uint32_t d, std::uint64_t m) { return m <= d + 1; });
                    }});
  return checks;
}

Checks folded_split_checks(bool full) {
  return bound_checks(folded_cubes_to_check(full), true, false, full, folded_split_bound);
}

namespace {

// Numbers of the nodes whose data are in a packet.
Nodes contributors(const PacketList& packets, PacketIndex packet) {
  if (packets.parts(packet).empty()) return {packets.origin(packet)};
  Nodes nodes;
  for (const PacketIndex part : packets.parts(packet)) {
    for (const NodeId v : contributors(packets, part)) nodes.push_back(v);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// How often, of an accumulation for one node, contributions of nodes are combined that are not consecutive:
// no order of combining then gives the result of an operator that does not commute.
std::uint64_t combined_apart(const std::string& topology, NodeId active) {
  const BroadcastSetting on(topology);
  const Schedule schedule = on.schedule(plan_partial_accumulation(on.network, on.settings, {active}));
  std::uint64_t times = 0;
  for (PacketIndex packet = 0; packet < schedule.packets.size(); ++packet) {
    if (schedule.packets.parts(packet).empty()) continue;
    const Nodes nodes = contributors(schedule.packets, packet);
    times += nodes.back() - nodes.front() + 1 != nodes.size() ? 1 : 0;
  }
  return times;
}

}  // namespace

Checks accumulation_checks(bool full) {
  // The backward plan is valid: no contribution is lost or counted twice.
  Checks checks = whole_and_split(listed("folded-cube:2 folded-cube:3 folded-cube:5 mesh:3x3"), full,
                                  [full](const std::string& topology, bool split) {
                                    return check_plans(BroadcastSetting(topology, split), full, true);
                                  });
  for (const std::string topology : {"folded-cube:3", "folded-cube:4"}) {
    checks.push_back({.name = topology + ": accumulations; for node 1, what is combined",
                      .check = [=] { return check_plans(BroadcastSetting(topology), full, true); },
                      .printed = Printed<>{{kExactly, 0, "partial results of nodes that are not consecutive",
                                            "any associative operator"},
                                           [=] { return Rational(combined_apart(topology, 1)); }}});
  }
  return checks;
}

}  // namespace safnet
