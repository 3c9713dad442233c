// Statements on partial and dynamic multinode broadcasts (Varvarigos and Bertsekas 1994; Varvarigos, folded
// cubes) that computation decides: formulas, slips, and whether check_schedule() sees broken schedules.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cpp_model/bound/dynamic_broadcast_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// ---- check_schedule() sees broken schedules.

enum class Mutation : std::uint8_t { kDouble, kDrop, kEarlier, kShort };

struct MutationCount {
  std::uint64_t injected = 0, rejected = 0;
  std::string wrong;
};

// A plan as a schedule, to be broken in one place at a time.
class Mutants {
 public:
  Mutants(const std::string& topology, bool split, const std::vector<NodeId>& active)
      : Mutants(BroadcastSetting(topology, split), active) {}
  Mutants(const BroadcastSetting& on, const std::vector<NodeId>& active)
      : schedule_(on.schedule(on.plan(active))) {
    for (std::size_t i = 0; i < schedule_.sends.size(); ++i) {
      const Send& send = schedule_.sends[i];
      by_link_[send.link].push_back(i);
      arrival_[{send.packet, schedule_.network.link_target(send.link)}] = schedule_.arrival_cycle(send);
    }
  }
  std::size_t sends() const { return schedule_.sends.size(); }

  void inject(Mutation mutation, std::size_t i, MutationCount& count) const {
    Schedule broken = schedule_;
    Send& send = broken.sends[i];
    bool is_harmless = false;
    switch (mutation) {
      case Mutation::kDouble:  // another packet on the same link at the same time
        broken.sends.push_back({send.start, send.link, send.packet == 0 ? 1 : send.packet - 1});
        break;
      case Mutation::kDrop:
        broken.sends.erase(broken.sends.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case Mutation::kEarlier: {  // by as many cycles as it has flits
        const std::uint32_t flits = broken.packets.flits(send.packet);
        if (send.start <= flits) return;
        send.start -= flits;
        is_harmless = may_leave(send, i);
        break;
      }
      case Mutation::kShort: {  // what follows at once starts before the last flit is through
        const auto follower = next_at_once(i);
        if (!follower) return;
        --broken.sends[*follower].start;
        break;
      }
    }
    std::sort(broken.sends.begin(), broken.sends.end());
    const bool is_rejected = !check_schedule(broken, 1).valid();
    ++count.injected;
    if (is_rejected) ++count.rejected;
    if (is_rejected == is_harmless) {
      count.wrong = fmt::format("send {} of {}: {}", i, schedule_.network.spelling(),
                                is_rejected ? "a harmless change is rejected" : "a harmful change passes");
    }
  }

 private:
  // Would the packet be at the sender, and the link free, if send `i` started as `send` does?
  bool may_leave(const Send& send, std::size_t i) const {
    const NodeId from = schedule_.network.link_source(send.link);
    if (ready(send.packet, from) >= schedule_.cycle(send)) return false;
    const std::uint64_t end = send.start + schedule_.packets.flits(send.packet);
    for (const std::size_t j : by_link_.at(send.link)) {
      const Send& other = schedule_.sends[j];
      const bool apart =
          end <= other.start || other.start + schedule_.packets.flits(other.packet) <= send.start;
      if (j != i && !apart) return false;
    }
    return true;
  }
  // Cycle at the end of which a node has a packet.
  std::uint64_t ready(PacketIndex packet, NodeId v) const {
    const auto arrival = arrival_.find({packet, v});
    if (arrival != arrival_.end()) return arrival->second;
    std::uint64_t last = 0;
    for (const PacketIndex part : schedule_.packets.parts(packet)) last = std::max(last, ready(part, v));
    return last;
  }
  // The send that starts when send `i` ends, on the same link or by its receiver.
  std::optional<std::size_t> next_at_once(std::size_t i) const {
    const Send& send = schedule_.sends[i];
    const std::uint32_t next = send.start + schedule_.packets.flits(send.packet);
    for (std::size_t j = i + 1; j < schedule_.sends.size() && schedule_.sends[j].start <= next; ++j) {
      const Send& other = schedule_.sends[j];
      const bool passes_on = other.packet == send.packet && schedule_.network.link_source(other.link) ==
                                                                schedule_.network.link_target(send.link);
      if (other.start == next && (other.link == send.link || passes_on)) return j;
    }
    return std::nullopt;
  }

  Schedule schedule_;
  std::map<LinkId, std::vector<std::size_t>> by_link_;
  std::map<std::pair<PacketIndex, NodeId>, std::uint64_t> arrival_;
};

// All mutants must be rejected; those of kEarlier only if the packet is not there or the link not free.
std::string check_mutants(Mutation mutation) {
  MutationCount count;
  for (const std::string topology : {"mesh:3x3", "torus:3x3", "folded-cube:3"}) {
    for (const bool split : {false, true}) {
      const Mutants mutants(topology, split, {1, 2, 5, 7});
      for (std::size_t i = 0; i < mutants.sends(); ++i) mutants.inject(mutation, i, count);
    }
  }
  if (!count.wrong.empty()) return count.wrong;
  if (count.injected < 100) return fmt::format("only {} mutants", count.injected);
  return unless(mutation == Mutation::kEarlier || count.rejected == count.injected, "{} of {} are rejected",
                count.rejected, count.injected);
}

Checks broken_schedules_checks(bool) {
  return {{"double", [] { return check_mutants(Mutation::kDouble); }},
          {"drop", [] { return check_mutants(Mutation::kDrop); }},
          {"earlier", [] { return check_mutants(Mutation::kEarlier); }},
          {"short", [] { return check_mutants(Mutation::kShort); }}};
}

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
      {"nodes 0, 4, 8", [active] { return check_rank_formula(active); },
       fmt::format("the sum over t < s, less one: {}", fmt::join(ranks_by_sum(active, false), ", "))}};
  if (full) {
    checks.push_back(
        {"all sets", [] { return first_fault(sets_of_active_nodes(9, true), check_rank_formula); }});
  }
  return checks;
}

OnlineCases rank_formula_online_runs(bool) {
  return OnlineCases{{.topology = "mesh:3x3",
                      .collective = "scan",
                      .active = {0, 4, 8},
                      .expected_cycles = 8,
                      .printed_words = "ranks -1, 0, 1"}};
}

// ---- Bounds.

Rational one_packet_slots(std::uint32_t p, std::uint32_t d, const Rational& prefix_step) {
  return partial_broadcast_slots({p, d, false, false}, {.split = true}, 1, prefix_step);
}

// 2 (p - 1)(1 + d t_p), for all d.
std::string check_single_packet() {
  const Rational step(1, 8);
  for (std::uint32_t p = 2; p <= 6; ++p) {
    for (std::uint32_t d = 1; d <= 10; ++d) {
      const Rational expected = 2 * (p - 1) * (1 + d * step);
      if (one_packet_slots(p, d, step) != expected)
        return fmt::format("p = {}, d = {}: not {}", p, d, expected.str());
    }
  }
  const BroadcastSetting on("mesh:3x3x3", true);
  const Rational taken(on.plan({13}).last_arrival, on.settings.flits);
  const Rational formula = one_packet_slots(3, 3, Rational(1, on.settings.flits));
  return unless(taken == formula, "{} slots, expected {}", taken.str(), formula.str());
}

Checks single_packet_checks(bool) {
  const Rational step(1, 8);
  return {{"t_p = 1/8", check_single_packet,
           fmt::format("of order p: with p = 2 it takes {} slots for d = 8, {} for d = 64",
                       one_packet_slots(2, 8, step).str(), one_packet_slots(2, 64, step).str())}};
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
  for (const bool split : {false, true}) {
    for (const Rational& step : {Rational(0), Rational(1, 8), Rational(1)}) {
      checks.push_back({fmt::format("{}, t_p = {}", parts_in_words(split), step.str()),
                        [=] { return check_linear(split, step, full); }});
    }
  }
}

Rational array_limit(std::uint32_t p, std::uint32_t d) {
  const DigitShape shape{p, d, false, false};
  return stable_utilisation(shape.nodes(), linear_slots(shape, true, 0));
}

std::string check_limits() {
  for (std::uint32_t d = 2; d <= 3; ++d) {
    for (const std::uint32_t p : {10U, 100U, 1000U}) {
      // 1 / (1 + 2 d (p - 1)/(p^d - 1)).
      if (1 - array_limit(p, d) > Rational(2 * d, p)) return fmt::format("p = {}, d = {}", p, d);
    }
  }
  for (const std::uint32_t p : {10U, 100U, 10000U}) {
    if (array_limit(p, 1) != Rational(1, 3)) return fmt::format("p = {}, d = 1", p);
  }
  return {};
}

Checks limit_of_utilisation_checks(bool) {
  return {{"t_p = 0", check_limits,
           fmt::format("tends to one for every d; d = 1, p = 10000: {}", array_limit(10000, 1).str())}};
}

// Prefix and packing, in slots.
Rational reservation(const DigitShape& shape, const Rational& step) {
  return partial_broadcast_slots(shape, {.split = true}, 0, step);
}

std::string check_reservation() {
  const Rational step(1, 8);
  return first_fault(arrays_and_tori(6), [&](const DigitShape& shape) {
    const Rational v = linear_slots(shape, true, step).constant;
    const Rational rounding(shape.side - 1, shape.gamma());
    return unless(v == reservation(shape, step) + rounding, "p = {}, d = {}: V = {}", shape.side,
                  shape.digits, v.str());
  });
}

Checks reservation_interval_checks(bool) {
  const DigitShape square{4, 2, false, false};
  const Rational step(1, 8);
  return {{"t_p = 1/8", check_reservation,
           fmt::format("prefix and packing take V; on 4 x 4 they take {} slots and V = {}",
                       reservation(square, step).str(), linear_slots(square, true, step).constant.str())}};
}

// ---- Slips in the text.

// Lemma 1's proof: before subphase l = 1, 2, ... node s has the packets of ranks w that agree with it in
// digits d - l ... 0. Printed: in digit d - 1 and digits d - l - 1 ... 0.
bool holds_as_said(const BroadcastSetting& on, bool as_printed) {
  const DigitNetwork& network = on.network;
  const std::uint32_t d = network.digits(), p = network.side();
  const std::vector<NodeId> all = on.nodes();
  const PartialPlan plan = on.plan(all);
  std::uint64_t end = plan.time.total() - plan.time.broadcast;
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
      if (ranks != said) return false;
    }
    end += broadcast_steps(on.shape(), on.settings, d - l, all.size()) *
           broadcast_flits(on.shape(), on.settings);
  }
  return true;
}

std::string check_submesh() {
  const BroadcastSetting on("mesh:3x3x3", {.single_class = true});
  if (!holds_as_said(on, false)) return "nodes hold other packets before a subphase";
  return unless(!holds_as_said(on, true), "digit d - 1 is right as printed");
}

// ---- Whole packets against parts.

// The smallest M for which whole packets take fewer cycles; 0 if there is none.
std::uint64_t whole_packets_win(const DigitShape& shape, std::uint32_t flits) {
  const PartialBroadcastSettings whole{.flits = flits, .header_flits = 1};
  const PartialBroadcastSettings split{.flits = flits, .header_flits = 1, .split = true};
  for (std::uint64_t m = 1; m <= shape.nodes(); ++m) {
    if (partial_broadcast_time(shape, whole, m).total() < partial_broadcast_time(shape, split, m).total())
      return m;
  }
  return 0;
}

struct SplittingRow {
  DigitShape shape;
  std::vector<std::uint64_t> from;  // for 1, 2, 4, 8, 16, 32 flits
};

std::string check_splitting(const SplittingRow& row) {
  std::vector<std::uint64_t> found;
  for (std::uint32_t flits = 1; flits <= 32; flits *= 2) found.push_back(whole_packets_win(row.shape, flits));
  return unless(found == row.from, "from {} on", fmt::join(found, ", "));
}

Checks splitting_checks(bool) {
  const std::vector<SplittingRow> rows{
      {{8, 2, false, false}, {41, 0, 0, 0, 0, 0}},  {{16, 2, false, false}, {81, 241, 0, 0, 0, 0}},
      {{8, 2, true, false}, {17, 41, 0, 0, 0, 0}},  {{16, 2, true, false}, {33, 81, 209, 0, 0, 0}},
      {{4, 3, true, false}, {13, 21, 57, 0, 0, 0}}, {{8, 3, true, false}, {17, 41, 89, 129, 449, 0}},
      {{2, 6, false, true}, {9, 17, 35, 41, 0, 0}}, {{2, 10, false, true}, {15, 25, 53, 123, 169, 481}}};
  const auto name = [](const SplittingRow& row) {
    const char* family = row.shape.folded ? "folded cube" : row.shape.ring ? "torus" : "array";
    return fmt::format("{} of {} digits, base {}", family, row.shape.digits, row.shape.side);
  };
  return check_each(rows, name, check_splitting);
}

// ---- Folded cubes.

std::string check_delay_bounds() {
  for (std::uint32_t d = 2; d <= 11; ++d) {
    const DigitShape shape{2, d, false, true};
    for (const Rational& step : {Rational(0), Rational(1, 8), Rational(1)}) {
      const LinearTime time = linear_slots(shape, false, step);
      const Rational limit = stable_rate(shape.nodes(), time);
      for (const std::uint32_t percent : {1U, 5U, 10U, 20U, 30U, 40U, 50U, 60U, 70U, 80U, 90U, 95U, 99U}) {
        const Rational rate = limit * percent / 100;
        const Rational theorem = *mean_delay_bound(shape.nodes(), time, rate);
        const Rational corollary = *folded_mean_delay_bound(d, step, rate);
        // (6) lacks -2 lambda V^2 in the numerator over 2 (1 - rho - lambda V).
        const Rational rho = broadcast_utilisation(shape.nodes(), time, rate), &v = time.constant;
        const Rational lacking = (1 + rho) * rate * v * v / (1 - rho - rate * v);
        if (corollary - theorem != lacking) return fmt::format("d = {}, {} percent of the load", d, percent);
      }
    }
  }
  return {};
}

// If the table's n is N, not M, it would bound every partial broadcast as a full one.
std::string check_table_row() {
  for (std::uint32_t d = 5; d <= 7; ++d) {
    const DigitShape shape{2, d, false, true};
    const Graph graph = make_topology(fmt::format("folded-cube:{}", d));
    const std::uint64_t flood = graph.eccentricity(0);  // one active node
    if (flood < folded_broadcast_lower_bound(shape, 1)) return "a flood is faster than the bound for M = 1";
    if (flood >= folded_broadcast_lower_bound(shape, shape.nodes()))
      return fmt::format("d = {}: the bound for M = N is met by a single node's packet", d);
  }
  return {};
}

Checks slips_in_folded_cubes_checks(bool) {
  const auto with_all = folded_broadcast_lower_bound({2, 6, false, true}, 64);
  return {{"one active node", check_table_row,
           fmt::format("at least ceil((n - 1)/(d + 1)) slots: {} for d = 6, where one node's packet takes 3",
                       with_all)}};
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
            std::bind_front(capacity_checks, false)),
      claim("mesh.A27", "meshes 3.1", kCorrected,
            "with splitting the partial broadcast of a single node takes time of order p + d p t_p: on "
            "arrays 2 (p - 1)(1 + d t_p) slots",
            single_packet_checks),
      claim("mesh.A34b", "meshes 5, (9), (10); folded cubes Corollary 1", kHolds,
            "a partial broadcast takes X M + V slots at most, with and without splitting",
            linear_times_checks),
      claim("mesh.A39", "meshes 5, after (14)", kCorrected,
            "the utilisation that is sustained, the right side of (14), tends to one as p grows if d >= 2; "
            "for d = 1 it does not: 1/3 on arrays with t_p = 0",
            limit_of_utilisation_checks),
      claim("mesh.A40", "meshes 5, Fig. 4", kCorrected,
            "V is the time of prefix and packing and (p - 1)/gamma slots that round up the broadcast phase",
            reservation_interval_checks),
      claim("mesh.A41", "meshes, text", kMisprint,
            "slips: the submesh in the proof of Lemma 1 is (*^(l-1) s_(d-l) s_(d-l-1) ...); packing is "
            "Theorem 3 in phase 2 and the proof of Theorem 6 (printed: Theorem 4); the remark in Lemma 1 is "
            "that after Theorem 2 (5); Lemma 2 compares with (3) alone ((3) and (4)); section 5 means "
            "section 3 (4); phase 1 counts leaves from the left (from the leaf)",
            ClaimCheck{"what nodes have before a subphase", check_submesh,
                       "(*^(l-1) s_(d-1) s_(d-l-1) ...): wrong from the second subphase of 3 x 3 x 3 on"}),
      claim("mesh.H2", "beyond the paper", kBeyond,
            "with one flit of header, whole packets take fewer cycles than parts from some M on where "
            "packets are short and networks large; packets of 32 flits are split on all networks tried but "
            "the folded cube of 10 dimensions",
            splitting_checks),
      claim("folded.B25", "folded cubes Corollary 1, (6)", kHolds,
            "(6) bounds the mean delay, as it is never below (11) of the meshes: it is that without -2 "
            "lambda V^2 in the numerator",
            ClaimCheck{"(6) and (11)", check_delay_bounds}),
      claim("folded.B26", "folded cubes, table and text", kMisprint,
            "slips: the row of partial broadcasts has M where n is printed, and 4 d t_p; PNB is PMNB, n is "
            "N, H(s, w) is h(s, w), (7) comes after (8); the task matrix before slot k is T_(k-1); Lemma 2's "
            "matrices are partial permutations",
            slips_in_folded_cubes_checks)};
}

}  // namespace safnet
