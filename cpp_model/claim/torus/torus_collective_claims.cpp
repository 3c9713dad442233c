// Fragopoulou and Akl, TR 94-363, sections 5.1, 5.2 and 5.4: broadcast (B1 to B5) and scatter (S1 to S6) of M
// messages from one node of the multidimensional torus, all-port.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"
#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/equal_sides.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

// A torus and M.
struct Setting : EqualSides {
  std::uint32_t messages = 1;
  Setting(std::uint32_t dimensions, std::uint32_t side, std::uint32_t m)
      : EqualSides{dimensions, side}, messages(m) {}
  // The sum of all distances from a node (Lemma 8).
  std::uint64_t hops() const {
    return k % 2 == 0 ? n * nodes() * k / 4 : n * nodes() / k * (std::uint64_t{k} * k - 1) / 4;
  }
  // ceil(M (N - 1)/2n)
  std::uint64_t scatter_bound() const { return divide_up(messages * (nodes() - 1), 2 * n); }
  std::string word() const { return n == 1 && k > 2 ? ring_word(k) : topology(); }
  // Down the BST, the M messages one after the other.
  std::uint64_t bst_steps() const { return messages + diameter() - 1; }
};

// Sizes as they come, with several M each: 1, 3, 2n and the least M that is a multiple of every 2n/P.
std::vector<Setting> settings(bool full, std::uint32_t smallest_k = 3) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes{{1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4},
                                                             {2, 5}, {3, 3}, {3, 4}, {4, 3}};
  if (smallest_k == 2) sizes.insert(sizes.begin(), {{1, 2}, {2, 2}, {3, 2}, {4, 2}});
  if (full) sizes.insert(sizes.end(), {{1, 8}, {2, 6}, {2, 7}, {2, 8}, {2, 16}, {3, 5}, {3, 6}, {4, 4}});
  std::vector<Setting> list;
  for (const auto& [n, k] : sizes) {
    for (const std::uint32_t messages : std::set<std::uint32_t>{1, 3, 2 * n})
      list.push_back({n, k, messages});
  }
  return list;
}
constexpr const char* kSettingsInWords = "9 tori to 81 nodes, M = 1, 3, 2n; full: 17 to 256 nodes";

ClaimCase run(const Setting& s, CollectiveKind collective, const std::string& algorithm, std::uint64_t steps,
              Inspection inspect = {}) {
  const auto root = static_cast<NodeId>(s.nodes() / 2);  // any
  return messages({s.word(), collective, kAllPort, algorithm, root, "", steps, std::move(inspect)},
                  s.messages);
}
ClaimCase broadcast(const Setting& s, const std::string& algorithm, std::uint64_t steps,
                    Inspection inspect = {}) {
  return run(s, kBroadcast, algorithm, steps, std::move(inspect));
}
ClaimCase scatter(const Setting& s, const std::string& algorithm, std::uint64_t steps) {
  return run(s, kScatter, algorithm, steps);
}

Inspection equal_loads_at(NodeId root, std::uint64_t expected, std::uint64_t hops) {
  return [=](const RunOutcome& o) -> std::string {
    std::vector<std::uint64_t> sent(o.graph->degree(root), 0);
    for (const Transfer& t : o.trace->transfers) {
      if (t.from == root) ++sent[t.port];
    }
    const std::string wrong = first_fault(sent, [=](std::uint64_t packets) {
      return unless(packets == expected, "{} through a port of the root, expected {}", packets, expected);
    });
    return wrong.empty() ? transfers_are(hops)(o) : wrong;
  };
}

void bst_broadcast_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full, 2)) {
    cases.emplace_back(broadcast(s, "torus-bst", s.bst_steps())).printed_words =
        fmt::format("{} (Table 1)", s.messages + s.diameter() + 1);
  }
}

void broadcast_transmissions_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full))
    cases.push_back(broadcast(s, "torus-bst", s.bst_steps(), transfers_are(s.messages * (s.nodes() - 1))));
}

// ceil(M/2n) + (n-1) floor(k/2) + k - 2
std::uint64_t printed_broadcast_bound(const Setting& s) {
  return divide_up(s.messages, 2 * s.n) + (s.n - 1) * (s.k / 2) + s.k - 2;
}

// MT_{1,3} from node 0: messages 0 and 1 go to one neighbour each; in step 2 the neighbours exchange them,
// while both get message 2.
std::string check_three_messages() {
  Problem problem{.graph = make_topology("ring:3"), .collective = kBroadcast};
  problem.messages = 3;
  Schedule schedule = empty_schedule(problem, "by hand");
  const auto send = [&](std::uint32_t step, NodeId from, NodeId to, PacketIndex packet) {
    schedule.sends.push_back(
        {step, problem.graph.link(from, problem.graph.port_to(from, to).value()), packet});
  };
  send(1, 0, 1, 0);
  send(1, 0, 2, 1);
  send(2, 0, 1, 2);
  send(2, 0, 2, 2);
  send(2, 1, 2, 0);
  send(2, 2, 1, 1);
  sort_sends(schedule);
  const ScheduleReport report = check_schedule(schedule);
  return report.valid() ? "" : report.violations.front().text;
}

void broadcast_bound_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (s.messages != 1) continue;
    cases.emplace_back(broadcast(s, "torus-bst", s.diameter())).printed_words =
        fmt::format("{} at least", printed_broadcast_bound(s));
  }
  const Setting two{1, 5, 2};
  cases.emplace_back(broadcast(two, "torus-bst", 3)).printed_words =
      fmt::format("{} at least", printed_broadcast_bound(two));
}

// Sizes for which trees of depth D + 1 are known.
bool has_shallow_trees(std::uint32_t n, std::uint32_t k) {
  return (n == 2 && k >= 6 && k <= 24) || (n == 3 && k >= 5 && k <= 8);
}
std::uint64_t disjoint_trees_steps(const Setting& s) {
  const std::uint64_t depth =
      has_shallow_trees(s.n, s.k) ? s.diameter() + 1 : (s.n - 1) * (s.k / 2) + s.k - 1;
  return divide_up(s.messages, 2 * s.n) + depth - 1;
}

void asymptotic_broadcast_runs(bool full, Cases& cases) {
  for (const Setting& s : with_more<Setting>(full, {{1, 4, 40}}, {{1, 4, 200}, {2, 3, 400}, {3, 3, 600}})) {
    const std::uint64_t bound = divide_up(s.messages, 2 * s.n) + s.diameter() - 1;
    cases.emplace_back(broadcast(s, "torus-bst", s.bst_steps())).printed_words = fmt::format(
        "asymptotically optimal; the bound is {}, and {} are enough", bound, disjoint_trees_steps(s));
    cases.push_back(broadcast(s, "torus-disjoint-trees", disjoint_trees_steps(s)));
  }
}

// No two of the tree's links are rotations of each other, so all its rotations together use a link once.
std::string fault_of_tree(const MultidimensionalTorus& torus, const RotatableTree& tree,
                          std::uint64_t expected) {
  std::set<NodeId> classes;
  std::uint32_t depth = 0;
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    const DimensionedLink link = tree.link_into[v];
    if (torus.head(link) != v || tree.level[link.tail] >= tree.level[v]) return torus.label_text(v);
    if (!classes.insert(torus.rotate(link, torus.label_count() - link.label).tail).second)
      return "a common link";
    depth = std::max(depth, tree.level[v]);
  }
  return unless(depth == expected, "depth {}", depth);
}

void disjoint_trees_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full))
    cases.push_back(broadcast(s, "torus-disjoint-trees", disjoint_trees_steps(s),
                              transfers_are(s.messages * (s.nodes() - 1))));
}

Checks disjoint_trees_checks(bool full) {
  Checks checks{{"MT_{2,5}: no tree of depth 5 among all that share no link with their rotations", [] {
                   const MultidimensionalTorus torus(2, 5);
                   return unless(!some_rotatable_tree(torus, 5) && some_rotatable_tree(torus, 6),
                                 "is not so");
                 }}};
  for (std::uint32_t n = 1; n <= 7; ++n) {
    for (std::uint32_t k = 3; k <= 24; ++k) {
      const Setting s{n, k, 1};
      if (s.nodes() > (full ? 4096 : 300)) continue;
      checks.push_back({s.name() + ": trees of depth (n-1) floor(k/2) + k - 1", [=] {
                          const MultidimensionalTorus torus = s.torus();
                          return fault_of_tree(torus, grown_rotatable_tree(torus), (n - 1) * (k / 2) + k - 1);
                        }});
      if (!has_shallow_trees(n, k)) continue;
      checks.push_back({s.name() + ": trees of depth D + 1", [=] {
                          const MultidimensionalTorus torus = s.torus();
                          return fault_of_tree(torus, rotatable_tree(torus), s.diameter() + 1);
                        }});
    }
  }
  return checks;
}

std::uint64_t necklaces(const Setting& s) {
  return necklace_counts(s.n, s.k).necklaces.convert_to<std::uint64_t>();
}

void bsg_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (!splits_evenly(s.torus(), s.messages)) continue;
    cases.push_back(scatter(s, "torus-bsg-scatter", s.scatter_bound()));
    cases.back().inspect = equal_loads_at(cases.back().root, s.scatter_bound(), s.messages * s.hops());
  }
  for (const auto& [s, steps] : std::vector<std::pair<Setting, std::uint64_t>>{
           {{2, 4, 4}, 18}, {{3, 3, 3}, 15}, {{3, 4, 6}, 68}, {{4, 3, 1}, 13}})
    cases.push_back(scatter(s, "torus-bsg-scatter-nearest-first", steps));
}

void uneven_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (splits_evenly(s.torus(), s.messages)) continue;
    const std::uint64_t steps = necklace_steps(s.torus(), s.messages);
    cases.push_back(scatter(s, "torus-bsg-scatter", steps));
    if (steps != s.scatter_bound()) cases.back().printed_words = fmt::format("{}", s.scatter_bound());
  }
}

void bst_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (s.messages == 1) cases.push_back(scatter(s, "torus-bst-scatter", necklaces(s) - 1));
  }
  for (const auto& [s, steps] : with_more<std::pair<Setting, std::uint64_t>>(
           full, {{{2, 4, 1}, 6}, {{3, 4, 1}, 17}, {{3, 3, 1}, 5}},
           {{{2, 6, 1}, 12}, {{2, 8, 1}, 20}, {{3, 6, 1}, 51}, {{4, 4, 1}, 49}})) {
    cases.push_back(scatter(s, "torus-bst-scatter-as-published", steps));
    if (s.k % 2 == 0)
      cases.back().printed_words =
          fmt::format("{}, the largest displacement; the bound is {}", necklaces(s) - 1, s.scatter_bound());
  }
}

void balanced_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full, 2)) {
    const std::uint64_t steps = std::max<std::uint64_t>(s.scatter_bound(), s.k == 2 ? s.n : 0);
    for (const CollectiveKind collective : {kScatter, kGather})
      cases.push_back(
          run(s, collective, "torus-balanced-scatter", steps, transfers_are(s.messages * s.hops())));
  }
}

// Does the routing rule lead along the way of the BSG's subtree?
bool follows_graph(const MultidimensionalTorus& torus, NodeId generator, std::uint32_t subtree,
                   RoutingRule rule) {
  const std::vector<DimensionedLink> path = path_in_subtree(torus, generator, subtree);
  const NodeId destination = torus.rotate(generator, subtree);
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (forwarded_to(torus, path[i].tail, destination, subtree, rule) != torus.head(path[i])) return false;
  }
  return true;
}

// Pairs of a subtree and a node in it, and how many of these nodes are reached along the BSG.
struct Followed {
  std::uint64_t pairs = 0, followed = 0;
};
Followed pairs_that_follow(RoutingRule rule) {
  Followed count;
  for (const MultidimensionalTorus& torus : tori(true)) {
    for (const NodeId g : torus.generators()) {
      for (std::uint32_t i = 0; g != 0 && i < torus.label_count(); ++i) {
        ++count.pairs;
        count.followed += follows_graph(torus, g, i, rule) ? 1 : 0;
      }
    }
  }
  return count;
}

Checks routing_rule_checks(bool) {
  return {{"MT_{3,3}, port 0 towards 222: 200, then 220",
           [] {
             const MultidimensionalTorus torus(3, 3);
             const NodeId destination = 26, first = 18;
             return unless(forwarded_to(torus, first, destination, 0, RoutingRule::kAsPrinted) == 20 &&
                               forwarded_to(torus, first, destination, 0, RoutingRule::kCorrected) == 24 &&
                               path_in_subtree(torus, destination, 0).at(2).tail == 24,
                           "is not so");
           },
           "then 202"},
          {"as printed most leave it",
           [] {
             const auto [pairs, followed] = pairs_that_follow(RoutingRule::kAsPrinted);
             return unless(pairs == 14884 && followed < pairs / 2, "{} of {} follow it", followed, pairs);
           }},
          {"corrected all follow it", [] {
             const auto [pairs, followed] = pairs_that_follow(RoutingRule::kCorrected);
             return unless(pairs == 14884 && followed == pairs, "{} of {}", followed, pairs);
           }}};
}

std::string check_scatter_table(const MultidimensionalTorus& torus) {
  const Setting s{torus.dimensions(), torus.radix(), 1};
  const std::size_t entries = torus.generators().size() - 1;
  return unless(
      entries == necklaces(s) - 1 && 2 * s.n * entries >= s.nodes() - 1 && s.n * entries <= s.nodes(),
      "{}: {}", s.name(), entries);
}

}  // namespace

std::vector<Claim> torus_collective_claims() {
  return {
      claim("torus.B1", "TR 94-363, 5.2 and Table 1", kMisprint,
            "broadcast of M messages down the BST takes M + n floor(k/2) - 1 steps; Table 1 has + 1",
            bst_broadcast_runs),
      claim("torus.B2", "TR 94-363, 5.2", kHolds,
            "broadcast down the BST makes M (k^n - 1) message transmissions", broadcast_transmissions_runs),
      claim("torus.B3", "TR 94-363, 5.1, Table 5", kRefuted,
            "no broadcast of M messages takes fewer than ceil(M/2n) + n floor(k/2) - 1 steps, since the last "
            "message to leave the source does not leave before step ceil(M/2n); the printed ceil(M/2n) + "
            "(n-1) floor(k/2) + k - 2 is no lower bound, for any k >= 3",
            broadcast_bound_runs,
            ClaimCheck{"MT_{1,3}, M = 3: a schedule of 2 steps", check_three_messages, "3 at least"}),
      claim("torus.B4", "TR 94-363, 1 and 5.2", kRefuted,
            "M + n floor(k/2) - 1 steps are optimal for M = 1; for large M they are 2n times too many. Trees "
            "without a common link are a constant above the bound (B3, B5)",
            asymptotic_broadcast_runs),
      claim("torus.B5", "TR 94-363, 5.1", kHolds,
            "2n paths without a common link, of (n-1) floor(k/2) + k - 1 hops or fewer, lead to every node: "
            "down the 2n rotations of one tree. Trees of depth D + 1, the least there can be, exist for k <= "
            "4, for n = 2, k from 6 to 24 and n = 3, k from 5 to 8, not for MT_{2,5}. A broadcast takes "
            "ceil(M/2n) + depth - 1 steps and M (k^n - 1) transmissions",
            disjoint_trees_runs, disjoint_trees_checks),
      claim("torus.S1", "TR 94-363, 5.4", kHolds,
            "scatter down the BSG, the furthest first, takes ceil(M (k^n - 1)/2n) steps, the same number "
            "through every port, on shortest paths, if M P/2n is whole for every period P. The nearest first "
            "takes longer",
            bsg_scatter_runs),
      claim("torus.S2", "TR 94-363, 5.4", kCorrected,
            "for other M the scatter down the BSG takes the sum of ceil(M P/2n) over all necklaces, which "
            "may be more than ceil(M (k^n - 1)/2n)",
            uneven_scatter_runs),
      claim("torus.S3", "TR 94-363, 5.4, last paragraph", kCorrected,
            "M = 1 down the BST takes as many steps as there are necklaces other than node 0's, if k is odd "
            "or with the repair of T3; down the BST as defined, for k even, as many as its largest subtree "
            "has nodes, up to 1.55 times the bound",
            bst_scatter_runs),
      claim("torus.S4", "TR 94-363, 5.4, beyond the text", kBeyond,
            "for every M, dealing the packets out to the ports in turn, necklace by necklace, the furthest "
            "first, takes ceil(M (k^n - 1)/2n) steps, k >= 3, on shortest paths; on doubled cubes the larger "
            "of that and n. A gather is that backwards",
            balanced_scatter_runs),
      claim("torus.S5", "TR 94-363, 5.4 and 5.5, step 2", kCorrected,
            "in subtree i a packet follows the BSG if from digit (n-1-i) mod n on, cyclically to the RIGHT, "
            "the first digit p that differs moves by one unit; k/2 is approached by -1, and by +1 if "
            "floor((p+i)/n) is odd. The print has the first digit to the left become equal to the "
            "destination's",
            routing_rule_checks),
      claim("torus.S6", "TR 94-363, 5.4", kHolds,
            "the source's table has as many entries as there are necklaces but that of node 0; the print "
            "says approximately k^n/2n",
            ClaimCheck{"entries counted; fewer than twice k^n/2n",
                       [] { return first_fault(tori(true), check_scatter_table); }})};
}

}  // namespace safnet
