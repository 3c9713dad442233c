// Fragopoulou and Akl, TR 94-363, sections 5.1, 5.2 and 5.4: broadcast (B1 to B5) and scatter (S1 to S6) of M
// messages from one node of the multidimensional torus, all-port.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cpp_model/algorithm/torus/torus_disjoint_trees.hpp"
#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/equal_sides.hpp"
#include "cpp_model/number/exact.hpp"

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

// Sizes as they come, with M = 1, 3 and 2n each.
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
    cases.push_back(printed(broadcast(s, "torus-bst", s.bst_steps()),
                            {{kExactly, s.messages + s.diameter() + 1, "", "Table 1"}, {}}));
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

// The last message does not leave the root before step ceil(M/2n), and has D hops to go.
std::uint64_t one_root_bound(const Setting& s) { return divide_up(s.messages, 2 * s.n) + s.diameter() - 1; }

void broadcast_bound_runs(bool full, Cases& cases) {
  const auto add = [&](const Setting& s, const std::string& algorithm, std::uint64_t steps) {
    cases.push_back(
        printed(broadcast(s, algorithm, steps), {{kAtLeast, printed_broadcast_bound(s), "", "Table 5"}, {}}));
  };
  for (const Setting& s : settings(full)) {
    if (s.messages == 1) add(s, "torus-bst", one_root_bound(s));
  }
  add({1, 5, 2}, "torus-bst", 3);
  // Two messages leave first, one to each neighbour; then the neighbours swap them and both get the third.
  add({1, 3, 3}, "rarest-first", one_root_bound({1, 3, 3}));
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
    const std::uint64_t fewer = disjoint_trees_steps(s);
    cases.push_back(printed(broadcast(s, "torus-bst", s.bst_steps()),
                            {{kLessThan, Rational(3, 2), "times the steps down trees without a common link",
                              "a ratio that tends to 1, M being over 10 times the diameter"},
                             [fewer](const RunOutcome& o) { return Rational(o.steps, fewer); }}));
    cases.push_back(broadcast(s, "torus-disjoint-trees", fewer));
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

void bsg_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (!splits_evenly(s, s.messages)) continue;
    cases.push_back(scatter(s, "torus-bsg-scatter", s.scatter_bound()));
    cases.back().inspect = equal_loads_at(cases.back().root, s.scatter_bound(), s.messages * s.hops());
  }
  // The last message leaves in the last step of the bound, for the furthest node.
  for (const Setting& s : {Setting{2, 4, 4}, {3, 3, 3}, {3, 4, 6}, {4, 3, 1}}) {
    cases.push_back(scatter(s, "torus-bsg-scatter-nearest-first", s.scatter_bound() + s.diameter() - 1));
  }
}

void uneven_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : joined(settings(full), {{2, 4, 5}})) {
    if (!splits_evenly(s, s.messages))
      cases.push_back(scatter(s, "torus-bsg-scatter", necklace_steps(s, s.messages)));
  }
}

// The steps are at most 1.55 times the bound, and as many as the largest subtree has nodes.
ClaimCase bst_scatter(const Setting& s, const std::string& algorithm, ParentRule rule) {
  const std::uint64_t bound = s.scatter_bound();
  ClaimCase entry = scatter(s, algorithm, largest_subtree(tree_of(s.definitions(), rule)));
  entry.inspect = [bound](const RunOutcome& o) {
    return unless(o.steps != 0 && 100 * o.steps <= 155 * bound, "{} steps, the bound is {}", o.steps, bound);
  };
  return entry;
}

void bst_scatter_runs(bool full, Cases& cases) {
  for (const Setting& s : settings(full)) {
    if (s.messages != 1) continue;
    cases.push_back(scatter(s, "torus-bst-scatter", necklaces_but_one(s)));
    if (s.n > 1) cases.push_back(bst_scatter(s, "torus-bst-scatter-as-published", ParentRule::kCorrected));
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

// Packets of a scatter from node 0 that cross a link which their subtree of the BSG, that of the port through
// which they left, does not have.
std::uint64_t packets_off_graph(const EqualSides& sides, const RunOutcome& o) {
  using Link = std::pair<NodeId, NodeId>;
  const TorusDefinitions torus = sides.definitions();
  std::vector<std::set<Link>> links(2 * sides.n);
  for (const NodeId g : torus.generators) {
    Link link{torus.parent_of_generator(g, ParentRule::kCorrected), g};
    for (std::set<Link>& subtree : links) {
      subtree.insert(link);
      link = {torus.rotate(link.first), torus.rotate(link.second)};
    }
  }
  std::map<PacketId, std::vector<Link>> ways;
  for (const Transfer& t : o.trace->transfers)
    ways[t.packet].emplace_back(t.from, o.graph->peer(t.from, t.port).node);
  return static_cast<std::uint64_t>(std::ranges::count_if(ways, [&](const auto& way) {
    const auto first = std::ranges::find(way.second, NodeId{0}, &Link::first);
    const std::set<Link>& subtree = links[torus.displacement[first->second]];
    return !std::ranges::all_of(way.second, [&](const Link& link) { return subtree.contains(link); });
  }));
}

void routing_rule_runs(bool full, Cases& cases) {
  const auto add = [&](const Setting& s, const std::string& algorithm) -> ClaimCase& {
    cases.push_back(scatter(s, algorithm, s.scatter_bound()));
    cases.back().root = 0;
    return cases.back();
  };
  for (const Setting& s :
       with_more<Setting>(full, {{2, 4, 4}, {2, 5, 1}, {3, 3, 3}}, {{3, 4, 6}, {4, 3, 2}})) {
    const std::uint64_t all = s.messages * (s.nodes() - 1);
    const auto off = [s](const RunOutcome& o) -> Rational { return packets_off_graph(s, o); };
    add(s, "torus-bsg-scatter-routed").inspect = [=](const RunOutcome& o) {
      return unless(o.deliveries == all && off(o) == 0, "{} packets arrive, {} leave the graph", o.deliveries,
                    off(o).str());
    };
    ClaimCase& wrong = add(s, "torus-bsg-scatter-routed-as-printed");
    wrong.relation = kAtLeast;
    wrong.inspect = [=](const RunOutcome& o) { return unless(off(o) > 0, "no packet leaves the graph"); };
    wrong.printed = {{kExactly, 0, "packets that leave their subtree"}, off};
    if (s.k == 3) continue;
    wrong.expected_problem = "never reached";
    wrong.printed = {{kExactly, all, "messages that arrive"},
                     [](const RunOutcome& o) -> Rational { return o.deliveries; }};
  }
}

Checks routing_rule_checks(bool) {
  return {on_each("corrected, every node of every subtree is reached along the BSG", tori(true),
                  [](const MultidimensionalTorus& torus) -> std::string {
                    for (const NodeId g : torus.generators()) {
                      for (std::uint32_t i = 0; g != 0 && i < torus.label_count(); ++i) {
                        if (!follows_graph(torus, g, i, RoutingRule::kCorrected))
                          return fmt::format("{} in subtree {}", torus.label_text(g), i);
                      }
                    }
                    return {};
                  })};
}

std::string check_scatter_table(const MultidimensionalTorus& torus) {
  const std::uint64_t entries = torus.generators().size() - 1, nodes = torus.node_count();
  const std::uint64_t n = torus.dimensions();
  const std::uint64_t counted = necklaces_but_one({torus.dimensions(), torus.radix()});
  return unless(entries == counted && 2 * n * entries >= nodes - 1 && n * entries <= nodes,
                "{} entries, {} necklaces", entries, counted);
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
            broadcast_bound_runs),
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
      claim("torus.S2", "TR 94-363, 5.4, beyond the text", kBeyond,
            "where M P/2n is not whole (see M5) the scatter down the BSG takes the sum of ceil(M P/2n) over "
            "all necklaces, which may be more than ceil(M (k^n - 1)/2n)",
            uneven_scatter_runs),
      claim(
          "torus.S3", "TR 94-363, 5.4, last paragraph", kHolds,
          "M = 1 down the BST is optimal to within a constant factor: it takes as many steps as the largest "
          "subtree has nodes; if k is odd or with the repair of T3 as many as there are necklaces other than "
          "node 0's, down the BST as defined at most 1.55 times the bound, wherever n > 1 was tried",
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
            "destination's, which leads out of the subtree and, if k > 3, to no neighbour",
            routing_rule_runs, routing_rule_checks),
      claim("torus.S6", "TR 94-363, 5.4", kHolds,
            "the source's table has as many entries as there are necklaces but that of node 0; the print "
            "says approximately k^n/2n",
            [](bool full) -> Checks {
              return {on_each("entries counted, fewer than twice k^n/2n", tori(full), check_scatter_table)};
            })};
}

}  // namespace safnet
