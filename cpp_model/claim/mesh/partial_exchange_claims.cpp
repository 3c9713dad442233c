// Partial exchange and partial gather on p x p arrays: Varvarigos and Bertsekas 1994, section 4.
//
// M active nodes, m = floor(sqrt M), N = p^2. A scan's hop is one flit over one link, so t_p = 1/F is what
// the hardware takes. In cycles: a packet's step is F + L, a hop of the scan 1 + L.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <ranges>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/random_nodes.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "cpp_model/transform/reverse.hpp"

namespace safnet {
namespace {

using Nodes = std::vector<NodeId>;
constexpr auto kOrders = {"row-column-classes", "row-column-classes-furthest-first",
                          "row-column-classes-closest-first"};

std::uint64_t nodes_of(NodeId side) { return std::uint64_t{side} * side; }

// Only an upper bound of an exchange's time is published, so `inspect` judges it.
ClaimCase exchange(const std::string& topology, Nodes active, const std::string& algorithm,
                   Inspection inspect) {
  ClaimCase entry{topology, kPartialExchange, kAllPort, algorithm, 0, "", 1, std::move(inspect)};
  entry.active = std::move(active);
  return at_least(entry);
}
Problem problem_of(const std::string& topology, const Nodes& active) {
  Problem problem{.graph = make_topology(topology), .collective = kPartialExchange};
  problem.active = active;
  return problem;
}

// ---- sets of active nodes

Nodes subset(std::uint32_t bits) {
  Nodes active;
  for (NodeId v = 0; bits >> v != 0; ++v) {
    if ((bits >> v & 1) != 0) active.push_back(v);
  }
  return active;
}
Nodes rectangle(NodeId side, NodeId rows, NodeId columns) {
  Nodes active;
  for (NodeId i = 0; i < rows; ++i) {
    for (NodeId j = 0; j < columns; ++j) active.push_back(i * side + j);
  }
  return active;
}
// The m x m nodes in a corner (Fig. 3a).
Nodes corner(NodeId side, NodeId m) { return rectangle(side, m, m); }
// The left half (Fig. 3b); side is even.
Nodes left_half(NodeId side) { return rectangle(side, side, side / 2); }
Nodes random_nodes_of(NodeId side, std::size_t count, std::uint64_t seed) {
  return random_nodes(side * side, static_cast<NodeId>(count), seed);
}

// ---- what is claimed

Inspection scan_takes(NodeId side) {
  return [side](const RunOutcome& o) {
    const std::uint64_t cycles = std::uint64_t{2} * (side / 2) * (1 + o.link_latency);
    return unless(o.scan_cycles == cycles, "the scan took {} cycles, {} are claimed", o.scan_cycles, cycles);
  };
}

// Steps of the exchange after the scan.
std::uint64_t exchange_bound(NodeId side, std::uint64_t active) {
  return 2 * whole_root(active) * (nodes_of(side) - side) + 2 * (side - std::uint64_t{1});
}

Inspection within_bound(NodeId side, std::uint64_t active) {
  return [side, active](const RunOutcome& o) {
    const std::uint64_t most =
        exchange_bound(side, active) * (o.flits + o.link_latency) + side * (1 + o.link_latency);
    return unless(o.cycles > 0 && o.cycles <= most, "{} cycles, {} are claimed", o.cycles, most);
  };
}

Inspection scanned_steps_between(std::uint64_t fewest, std::uint64_t most) {
  return [fewest, most](const RunOutcome& o) {
    return unless(o.steps >= fewest && o.steps <= most && o.cycles > 0, "{} steps, {} to {} are claimed",
                  o.steps, fewest, most);
  };
}

void line_sums_runs(bool full, Cases& cases) {
  for (NodeId p = 2; p <= (full ? 11U : 8U); ++p) {
    cases.push_back(
        exchange(square("mesh", p), random_nodes_of(p, p, p), "row-column-classes", scan_takes(p)));
    if (p % 2 == 0) continue;
    // A sum goes up the tree and down again.
    cases.back().printed = Printed<RunOutcome>{
        {kExactly, (p + 1) / 2, "hops from the root to the end of a line", "a depth of ceil(p/2)"},
        [](const RunOutcome& o) { return Rational(o.scan_cycles, 2 * (1 + o.link_latency)); }};
  }
}

// Empty, or what is wrong: no row or column may have more than m active nodes of a class.
std::string judge_lines(NodeId side, const Nodes& active) {
  const Nodes column_first = column_first_nodes(side, active);
  std::vector<std::uint32_t> in_row(side), in_column(side);
  for (const NodeId v : active) {
    ++(std::ranges::binary_search(column_first, v) ? in_column[v % side] : in_row[v / side]);
  }
  const std::uint32_t most =
      std::max(*std::ranges::max_element(in_row), *std::ranges::max_element(in_column));
  const std::uint64_t m = whole_root(active.size());
  return unless(most <= m, "{}x{}, active {}: {} of a class in a line, {} are claimed", side, side,
                fmt::join(active, ","), most, m);
}

void few_of_a_class_per_line_checks(bool full, Checks& checks) {
  checks = check_each(range<NodeId>(2, 4), "all sets of {0}x{0}", [](NodeId p) {
    return first_fault(std::views::iota(1U, 1U << (p * p)),
                       [p](std::uint32_t bits) { return judge_lines(p, subset(bits)); });
  });
  if (full) {
    constexpr int kSets = 20000;
    checks.push_back({fmt::format("{} random sets of 5x5 to 16x16", kSets), []() -> std::string {
                        std::mt19937_64 random(1);
                        for (int i = 0; i < kSets; ++i) {
                          const auto p = static_cast<NodeId>(5 + random() % 12);
                          const std::size_t count = 1 + random() % nodes_of(p);
                          if (std::string wrong = judge_lines(p, random_nodes_of(p, count, random()));
                              !wrong.empty())
                            return wrong;
                        }
                        return {};
                      }});
  }
}

void exchange_time_runs(bool full, Cases& cases) {
  for (std::uint32_t bits = 1; bits < 512; ++bits) {
    const Nodes active = subset(bits);
    cases.push_back(exchange("mesh:3x3", active, "row-column-classes", within_bound(3, active.size())));
  }
  const auto add = [&](const char* family, NodeId p, const Nodes& active, const char* order) {
    cases.push_back(exchange(square(family, p), active, order, within_bound(p, active.size())));
  };
  for (const NodeId p : with_more<NodeId>(full, {4, 5, 8}, {2, 6, 7, 9, 10, 11})) {
    for (const char* order : kOrders) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{p}, std::size_t{2} * p}) {
        const std::uint64_t seeds = full ? 10 : 1;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
          add("mesh", p, random_nodes_of(p, std::min(count, nodes_of(p)), seed), order);
      }
      add("mesh", p, corner(p, p / 2), order);
    }
  }
  for (const char* order : kOrders) add("torus", 4, random_nodes_of(4, 5, 3), order);
}

void corner_bound_runs(bool full, Cases& cases) {
  // The exchange of one active node is a scatter: 24 packets through four ports.
  cases.push_back(all_port_case("mesh:5x5", kScatter, "balanced-routes", 6));
  cases.back().root = 12;
  for (NodeId p = 4; p <= (full ? 11U : 8U); ++p) {
    for (NodeId m = 1; 2 * m * m <= p * p; ++m) {
      const std::uint64_t least = (m * (nodes_of(p) - m * m) + 1) / 2;
      cases.push_back(exchange(square("mesh", p), corner(p, m), "row-column-classes",
                               scanned_steps_between(least, exchange_bound(p, m * m))));
    }
  }
}

Checks corner_bound_checks(bool) {
  return {{"m (N - m^2)/2 >= m N/4, p = 2 ... 29, M = 1 ... N/2", []() -> std::string {
             for (std::uint64_t p = 2; p < 30; ++p) {
               for (std::uint64_t active = 1; 2 * active <= p * p; ++active) {
                 const std::uint64_t m = whole_root(active);
                 if (2 * m * (p * p - m * m) < m * p * p) return fmt::format("p = {}, M = {}", p, active);
               }
             }
             return {};
           }}};
}

void half_bound_runs(bool, Cases& cases) {
  ClaimCase all_of_nine{"mesh:3x3", kPartialExchange, kAllPort, "list-scheduling", 0, "", 6};
  all_of_nine.active = subset(511);
  all_of_nine.printed = Printed<RunOutcome>{{kAtLeast, Rational(27, 4), "", "m N/4 with m = 3"}};
  all_of_nine.inspect = [](const RunOutcome& o) {
    return unless(o.transmissions == 144, "{} packets crossed links, 24 links for 6 steps are claimed",
                  o.transmissions);
  };
  cases.push_back(all_of_nine);
  for (const NodeId p : {4U, 6U, 8U}) {
    const std::uint64_t active = nodes_of(p) / 2;
    cases.push_back(exchange(square("mesh", p), left_half(p), "row-column-classes",
                             scanned_steps_between(nodes_of(p) * p / 4, exchange_bound(p, active))));
  }
}

std::string check_cut_of_odd_sides() {
  return first_fault(range(3, 31, 2), [](std::uint64_t p) {
    const Graph mesh = make_topology(square("mesh", static_cast<NodeId>(p)));
    const auto is_left = [&](NodeId v) { return v % p < p / 2; };
    std::uint64_t left = 0, links = 0;  // nodes; links that lead from them to the others
    for (NodeId v = 0; v < mesh.node_count(); ++v) left += is_left(v) ? 1 : 0;
    for (LinkId link = 0; link < mesh.link_count(); ++link)
      links += is_left(mesh.link_source(link)) && !is_left(mesh.link_target(link)) ? 1 : 0;
    const Rational packets_of_a_link(left * (mesh.node_count() - left), links);
    return unless(packets_of_a_link == Rational(p * (p * p - 1), 4), "p = {}: {} packets a link", p,
                  packets_of_a_link.str());
  });
}

void near_optimal_runs(bool full, Cases& cases) {
  const auto add = [&](NodeId p, const Nodes& active, const char* order) {
    const std::uint64_t own = lower_bound(problem_of(square("mesh", p), active)).steps;
    const std::uint64_t by_print = 8 * whole_root(active.size()) * nodes_of(p) / 4;
    cases.push_back(
        exchange(square("mesh", p), active, order, scanned_steps_between(own, std::min(4 * own, by_print))));
  };
  for (const NodeId p : with_more<NodeId>(full, {4, 6}, {8})) {
    for (const char* order : kOrders) {
      for (NodeId m = 1; m <= p; ++m) add(p, corner(p, m), order);
      add(p, left_half(p), order);
      for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{p}, nodes_of(p) / 2})
        add(p, random_nodes_of(p, count, count), order);
    }
  }
}

// Empty, or why the run backwards is no partial gather of as many steps.
std::string judge_backwards(const RunOutcome& o, const Nodes& active) {
  if (o.trace->transfers.empty()) return "nothing was sent";
  Trace trace = *o.trace;
  const std::uint32_t before = trace.transfers.front().cycle - 1;  // cycles of the scan
  for (Transfer& transfer : trace.transfers) transfer.cycle -= before;
  const Schedule run =
      schedule_of_trace(*o.graph, Collective::partial_exchange(o.graph->node_count(), active), kAllPort,
                        trace, o.link_latency, o.flits + o.link_latency);
  const Schedule back = reverse(run);
  const ScheduleReport report = check_schedule(back, 1);
  if (!report.valid()) return report.violations.front().text;
  if (back.collective != to_string(kPartialGather))
    return fmt::format("backwards it is a {}, not a partial gather", back.collective);
  return unless(steps_of(back) == o.steps, "{} steps backwards, {} are claimed", steps_of(back), o.steps);
}

struct Hop {
  std::uint64_t step = 0;
  NodeId from = 0, to = 0;
};
// The hops of every packet in order, by the active node and the other node.
using Ways = std::map<std::pair<NodeId, NodeId>, std::vector<Hop>>;

// A partial exchange as it ran, or a partial gather backwards.
Ways ways_of(const RunOutcome& o, bool backwards) {
  Ways ways;
  if (o.trace->transfers.empty()) return ways;
  const std::uint64_t before = o.trace->transfers.front().cycle - 1;  // cycles of the scan
  for (const Transfer& t : o.trace->transfers) {
    const NodeId to = o.graph->link_target(o.graph->link(t.from, t.port)), other = t.packet.tag;
    const std::uint64_t step = (t.cycle - before - 1) / (o.flits + o.link_latency) + 1;
    if (backwards) {
      ways[{other, t.packet.source}].push_back({o.steps + 1 - step, to, t.from});
    } else {
      ways[{t.packet.source, other}].push_back({step, t.from, to});
    }
  }
  for (auto& [ends, hops] : ways) std::ranges::sort(hops, {}, &Hop::step);
  return ways;
}

// Section 4: R, the active nodes whose rows have no more active nodes than their columns, cross their rows
// first, and have priority there; the others, C, their columns.
class ExchangeRules {
 public:
  ExchangeRules(NodeId side, const Nodes& active) : side_(side), active_(active) {}

  // Whether a packet of this node goes second on links such as that of the hop.
  bool goes_second(NodeId origin, NodeId from, NodeId to) const {
    return is_on_row(from, to) != is_of_rows(origin);
  }
  // Empty, or what is wrong with the way of a packet: it must be a shortest one, first along the row
  // (column).
  std::string judge_way(NodeId origin, NodeId end, const std::vector<Hop>& hops) const {
    NodeId at = origin;
    bool turned = false;
    for (const Hop& hop : hops) {
      const bool second = goes_second(origin, hop.from, hop.to);
      if (hop.from != at || (turned && !second)) return fmt::format("{} to {}: another way", origin, end);
      turned = second;
      at = hop.to;
    }
    const auto apart = [](NodeId a, NodeId b) { return a < b ? b - a : a - b; };
    const NodeId distance = apart(origin / side_, end / side_) + apart(origin % side_, end % side_);
    return unless(at == end && hops.size() == distance, "{} to {}: {} hops", origin, end, hops.size());
  }
  // Empty, or which packet waits for a link that is idle, or that has one of lower priority.
  std::string judge(const Ways& ways) const {
    if (ways.size() != active_.size() * (nodes_of(side_) - 1)) return "not every packet was sent";
    std::map<std::pair<NodeId, NodeId>, std::map<std::uint64_t, bool>> second_at;  // per link and step
    for (const auto& [ends, hops] : ways) {
      if (std::string wrong = judge_way(ends.first, ends.second, hops); !wrong.empty()) return wrong;
      for (const Hop& hop : hops) {
        if (!second_at[{hop.from, hop.to}]
                 .emplace(hop.step, goes_second(ends.first, hop.from, hop.to))
                 .second)
          return fmt::format("step {}: two packets from {} to {}", hop.step, hop.from, hop.to);
      }
    }
    for (const auto& [ends, hops] : ways) {
      std::uint64_t ready = 1;
      for (const Hop& hop : hops) {
        const auto& busy = second_at.at({hop.from, hop.to});
        for (; ready < hop.step; ++ready) {
          const auto other = busy.find(ready);
          if (other == busy.end() || (other->second && !goes_second(ends.first, hop.from, hop.to)))
            return fmt::format("step {}: {} to {} waits at {} in vain", ready, ends.first, ends.second,
                               hop.from);
        }
        ready = hop.step + 1;
      }
    }
    return {};
  }
  // The most packets that must cross a link.
  std::uint64_t largest_load() const {
    std::map<std::pair<NodeId, NodeId>, std::uint64_t> load;
    for (const NodeId origin : active_) {
      for (NodeId end = 0; end < nodes_of(side_); ++end) {
        const NodeId corner =
            is_of_rows(origin) ? origin / side_ * side_ + end % side_ : end / side_ * side_ + origin % side_;
        add_load(origin, corner, load);
        add_load(corner, end, load);
      }
    }
    return std::ranges::max(load | std::views::values);
  }

 private:
  bool is_on_row(NodeId a, NodeId b) const { return a / side_ == b / side_; }
  bool is_of_rows(NodeId origin) const {
    const auto in_row = std::ranges::count_if(active_, [&](NodeId v) { return is_on_row(v, origin); });
    const auto in_column =
        std::ranges::count_if(active_, [&](NodeId v) { return v % side_ == origin % side_; });
    return in_row <= in_column;
  }
  void add_load(NodeId from, NodeId to, std::map<std::pair<NodeId, NodeId>, std::uint64_t>& load) const {
    const NodeId hop = is_on_row(from, to) ? 1 : side_;
    while (from != to) {
      const NodeId next = from < to ? from + hop : from - hop;
      ++load[{from, next}];
      from = next;
    }
  }

  NodeId side_;
  const Nodes& active_;
};

// Exchanges and gathers of the same nodes keep to the same rules, one of them backwards, and so take as long
// as these let them.
void gather_by_duality_runs(bool full, Cases& cases) {
  for (NodeId p = 3; p <= (full ? 8U : 5U); ++p) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{p}, nodes_of(p) / 2, nodes_of(p)}) {
      const Nodes active = random_nodes_of(p, count, count);
      const std::uint64_t least = ExchangeRules(p, active).largest_load();
      const auto by_the_rules = [p, active](const RunOutcome& o, bool backwards) {
        const std::uint64_t most = exchange_bound(p, active.size());
        if (o.steps > most) return fmt::format("{} steps, {} are claimed", o.steps, most);
        return ExchangeRules(p, active).judge(ways_of(o, backwards));
      };
      cases.push_back(exchange(square("mesh", p), active, "row-column-classes", [=](const RunOutcome& o) {
        const std::string wrong = by_the_rules(o, false);
        return wrong.empty() ? judge_backwards(o, active) : wrong;
      }));
      cases.back().expected_steps = least;
      cases.push_back(
          at_least(all_port_case(square("mesh", p), kPartialGather, "reversed-row-column-classes", least,
                                 [=](const RunOutcome& o) { return by_the_rules(o, true); })));
      cases.back().active = active;
    }
  }
}

}  // namespace

std::vector<Claim> partial_exchange_claims() {
  return {
      claim("mesh.A28", "meshes 4, phase 1", kMisprint,
            "rows and columns count their active nodes at once, over trees rooted at their medians, in 2 "
            "floor(p/2) <= p hops of one flit: the trees are floor(p/2) deep, not ceil(p/2), with which odd "
            "lines would take p + 1",
            line_sums_runs),
      claim("mesh.A29", "meshes 4, Lemma 3", kHolds,
            "a row has at most floor(sqrt M) nodes of R, a column as many of C (used, not stated)",
            few_of_a_class_per_line_checks),
      claim("mesh.A30", "meshes 4", kHolds,
            "partial exchange takes at most 2 floor(sqrt M)(N - p) + 2(p - 1) + p t_p, in whatever order a "
            "class is served; tori take as long over the array's links",
            exchange_time_runs),
      claim("mesh.A31", "meshes 4, Fig. 3a", kHolds,
            "with m x m active nodes in a corner T >= m (N - m^2)/2 >= m N/4 for M <= N/2. A worst case over "
            "positions: one active node in the middle of 5 x 5 does with 6 steps, m N/4 is more",
            corner_bound_runs, corner_bound_checks),
      claim("mesh.A32", "meshes 4, Fig. 3b", kRefuted,
            "T >= m N/4 for M >= N/2, but for odd p and M = N, where p (N - 1)/4 is the bound: there are no "
            "halves",
            half_bound_runs,
            ClaimCheck{"p = 3, 5, ..., 31: packets over a cut next to the middle: p (N - 1)/4 per link",
                       check_cut_of_odd_sides}),
      claim("mesh.A33", "meshes 4", kHolds,
            "the exchange is within a factor of about 8 of m N/4; of the instance's own bound it was never "
            "more than four times as much",
            near_optimal_runs),
      claim("mesh.A34", "meshes 1", kHolds,
            "a partial exchange backwards is a partial gather that takes as long: a gather by the exchange's "
            "rules, backwards, takes no longer than that takes at most",
            gather_by_duality_runs)};
}

}  // namespace safnet
