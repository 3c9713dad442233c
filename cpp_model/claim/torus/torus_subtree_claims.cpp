// Fragopoulou and Akl, TR 94-363: the spanning tree BST and the spanning graph BSG (T1 to T8), slips (E1).
// The tree is seen in the runs of scatters down it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/equal_sides.hpp"
#include "cpp_model/claim/torus/printed_subtree_table.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Torus = MultidimensionalTorus;

// What is counted of a tree.
struct Count {
  std::string quantity;
  std::function<std::uint64_t(const TorusDefinitions&, const TorusTree&)> of;
};

const Count kDisplacedParents{
    "nodes of displacement 0 whose parent has another",
    [](const TorusDefinitions& torus, const TorusTree& tree) {
      return static_cast<std::uint64_t>(std::ranges::count_if(
          torus.generators, [&](NodeId v) { return torus.displacement[tree.parent[v]] != 0; }));
    }};
const Count kDetours{"nodes that are not a hop further than their parents",
                     [](const TorusDefinitions& torus, const TorusTree& tree) {
                       std::uint64_t count = 0;
                       for (NodeId v = 1; v < torus.nodes; ++v)
                         count += torus.distance[v] == torus.distance[tree.parent[v]] + 1 ? 0 : 1;
                       return count;
                     }};
const Count kNonfullParents{"nodes of nonfull necklaces with children of a larger period",
                            [](const TorusDefinitions& torus, const TorusTree& tree) {
                              std::set<NodeId> parents;
                              for (NodeId v = 1; v < torus.nodes; ++v) {
                                const NodeId parent = tree.parent[v];
                                if (parent != 0 && torus.period[parent] < torus.period[v])
                                  parents.insert(parent);
                              }
                              return parents.size();
                            }};
const Count kStrays{"nodes in another subtree than that of their displacement",
                    [](const TorusDefinitions& torus, const TorusTree& tree) {
                      std::uint64_t count = 0;
                      for (NodeId v = 1; v < torus.nodes; ++v)
                        count += torus.displacement[v] == torus.displacement[tree.behind[v]] ? 0 : 1;
                      return count;
                    }};
const Count kLargestSubtree{
    "nodes of the largest subtree",
    [](const TorusDefinitions&, const TorusTree& tree) { return largest_subtree(tree); }};

// A scatter from node 0 of one message for every node, down the BST by a rule. The packets must go down the
// tree of Definition 8, in as many steps as its largest subtree has nodes, and the count be as stated.
ClaimCase down_tree(const EqualSides& sides, ParentRule rule, const Count& count, Relation relation,
                    std::uint64_t stated, std::optional<std::uint64_t> printed = {}) {
  const auto torus = std::make_shared<const TorusDefinitions>(sides.definitions());
  const TorusTree tree = tree_of(*torus, rule);
  const auto measure = [=](const RunOutcome& o) -> Rational { return count.of(*torus, seen_tree(o)); };
  const auto inspect = [=](const RunOutcome& o) -> std::string {
    if (seen_tree(o) != tree) return "not the tree of Definition 8";
    const Rational found = measure(o);
    return unless(holds(found, relation, stated), "{} {}, expected {}{}", found.str(), count.quantity,
                  to_words(relation), stated);
  };
  const char* algorithm = rule == ParentRule::kRepaired    ? "torus-bst-scatter"
                          : rule == ParentRule::kCorrected ? "torus-bst-scatter-as-published"
                                                           : "torus-bst-scatter-as-printed";
  ClaimCase entry = all_port_case(sides.topology(), kScatter, algorithm, largest_subtree(tree), inspect);
  if (printed) entry.printed = {{kExactly, *printed, count.quantity}, measure};
  return entry;
}

std::vector<EqualSides> scattered_tori(bool full) {
  return with_more<EqualSides>(full, {{1, 4}, {2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}},
                               {{1, 8}, {2, 6}, {2, 8}, {3, 5}, {3, 6}, {4, 3}, {4, 4}});
}

// For k even as many as there are necklaces of n bits under shifts, those of the doubled cube, but one.
std::uint64_t displaced_as_printed(std::uint32_t n, std::uint32_t k) {
  return k % 2 == 0 ? necklaces_but_one({n, 2}) : 0;
}

void parent_rule_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : scattered_tori(full)) {
    const std::uint64_t displaced = displaced_as_printed(sides.n, sides.k);
    cases.push_back(down_tree(sides, ParentRule::kCorrected, kDisplacedParents, kExactly, 0));
    cases.push_back(down_tree(sides, ParentRule::kAsPrinted, kDisplacedParents, kExactly, displaced,
                              displaced > 0 ? std::optional<std::uint64_t>(0) : std::nullopt));
  }
}

// Is the count of the BST by a rule as stated?
std::string fault_of_count(const Torus& torus, ParentRule rule, const Count& count, Relation relation,
                           std::uint64_t stated) {
  const TorusDefinitions definitions(torus.dimensions(), torus.radix());
  const std::uint64_t found = count.of(definitions, tree_of(definitions, rule));
  return unless(holds(found, relation, stated), "{} {}", found, count.quantity);
}

Checks parent_rule_checks(bool full) {
  return {on_each("corrected: none; as printed, k even: as many as binary necklaces of n digits, less one",
                  tori(full), [](const Torus& torus) -> std::string {
                    const std::uint64_t printed = displaced_as_printed(torus.dimensions(), torus.radix());
                    const std::string wrong =
                        fault_of_count(torus, ParentRule::kCorrected, kDisplacedParents, kExactly, 0);
                    if (!wrong.empty()) return wrong;
                    return fault_of_count(torus, ParentRule::kAsPrinted, kDisplacedParents, kExactly,
                                          printed);
                  })};
}

void shortest_paths_runs(bool full, Cases& cases) {
  for (const EqualSides& sides : scattered_tori(full))
    cases.push_back(down_tree(sides, ParentRule::kRepaired, kDetours, kExactly, 0));
  cases.push_back(down_tree({1, 4}, ParentRule::kAsPrinted, kDisplacedParents, kExactly, 1, 0));
}

constexpr std::array kRules{ParentRule::kAsPrinted, ParentRule::kCorrected, ParentRule::kRepaired};

Checks shortest_paths_checks(bool full) {
  return {on_each("shortest paths by every rule; the planners' trees are the same", tori(full),
                  [](const Torus& torus) {
                    return first_fault(kRules, [&](ParentRule rule) {
                      const TorusTree tree = tree_of({torus.dimensions(), torus.radix()}, rule);
                      const std::vector<DimensionedLink> links = bst_links(torus, rule);
                      for (NodeId v = 1; v < torus.node_count(); ++v) {
                        if (links[v].tail != tree.parent[v]) return torus.label_text(v);
                      }
                      return fault_of_count(torus, rule, kDetours, kExactly, 0);
                    });
                  }),
          on_each("repaired, the parent has displacement 0", tori(full), [](const Torus& torus) {
            return fault_of_count(torus, ParentRule::kRepaired, kDisplacedParents, kExactly, 0);
          })};
}

// Down the BST as defined a count is above 0 for even k and n > 1, down the repaired one never.
Relation as_defined(const EqualSides& sides) {
  return sides.k % 2 == 0 && sides.n > 1 ? kMoreThan : kExactly;
}

void as_defined_and_repaired_runs(const Count& count, bool full, Cases& cases) {
  for (const EqualSides& sides : scattered_tori(full)) {
    const bool some = as_defined(sides) == kMoreThan;
    const std::optional<std::uint64_t> printed = some ? std::optional<std::uint64_t>(0) : std::nullopt;
    cases.push_back(down_tree(sides, ParentRule::kCorrected, count, as_defined(sides), 0, printed));
    if (some) cases.push_back(down_tree(sides, ParentRule::kRepaired, count, kExactly, 0));
  }
}

Checks as_defined_and_repaired_checks(const Count& count, bool full) {
  return {on_each(fmt::format("{}: some if k is even and n > 1; repaired none", count.quantity), tori(full),
                  [count](const Torus& torus) {
                    const std::string wrong =
                        fault_of_count(torus, ParentRule::kRepaired, count, kExactly, 0);
                    const Relation relation = as_defined({torus.dimensions(), torus.radix()});
                    return wrong.empty() ? fault_of_count(torus, ParentRule::kCorrected, count, relation, 0)
                                         : wrong;
                  })};
}

// Nodes by the label of their subtree's link from the root.
std::vector<std::uint64_t> subtree_sizes(const Torus& torus, ParentRule rule) {
  std::vector<std::uint64_t> sizes(torus.label_count(), 0);
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  for (NodeId v = 1; v < torus.node_count(); ++v) ++sizes[subtree[v]];
  return sizes;
}

using Extremes = std::pair<std::uint64_t, std::uint64_t>;
Extremes extremes(const std::vector<std::uint64_t>& sizes) {
  const auto [low, high] = std::ranges::minmax(sizes);
  return {low, high};
}

// The printed sum over the prime divisors m of n of k^(n/m).
NecklaceCounts::Integer printed_nonfull(std::uint32_t n, std::uint32_t k) {
  NecklaceCounts::Integer sum = 0;
  for (std::uint32_t m = 2; m <= n; ++m) {
    bool prime = true;
    for (std::uint32_t d = 2; d < m; ++d) prime = prime && m % d != 0;
    if (n % m == 0 && prime) sum += boost::multiprecision::pow(NecklaceCounts::Integer(k), n / m);
  }
  return sum;
}

// Subtrees without a node; 0 if others than those of the links with label n or more.
Rational empty_subtrees(const Torus& torus) {
  const std::vector<std::uint64_t> sizes = subtree_sizes(torus, ParentRule::kCorrected);
  if (std::ranges::find(sizes, 0U) - sizes.begin() != torus.dimensions()) return 0;
  return std::ranges::count(sizes, 0U);
}

void balance_checks(bool full, Checks& checks) {
  for (const EqualSides& sides : {EqualSides{3, 4}, {5, 4}, {7, 4}}) {
    const std::uint64_t bound = printed_nonfull(sides.n, sides.k).convert_to<std::uint64_t>();
    const Rational nonfull(necklace_counts(sides.n, sides.k).nonfull);
    checks.push_back(against_print(
        fmt::format("{}: counted as by formula", sides.name()), nonfull,
        {kAtMost, bound, "nodes of nonfull necklaces", "the sum in Lemma 6.2"}, [sides]() -> Rational {
          return std::ranges::count_if(sides.definitions().period,
                                       [&](std::uint32_t period) { return period < 2 * sides.n; });
        }));
  }
  for (std::uint32_t n = 2; n <= 6; ++n) {
    checks.push_back(against_print({n, 2}, fmt::format("subtrees {} to {} alone are empty", n, 2 * n - 1), n,
                                   {kExactly, 0, "subtrees that are empty", "a constant ratio"},
                                   empty_subtrees));
  }
  const std::uint32_t largest_n = full ? 12 : 8;
  checks.push_back(
      {fmt::format("with 2^n more for k even, 1 for k odd, it is a bound; nonfull^2 <= 4 n^2 k^n, for k odd "
                   "nonfull^3 <= n^3 k^n: n = 1 to {}, k = 3 to 12",
                   largest_n),
       [largest_n]() -> std::string {
         for (std::uint32_t n = 1; n <= largest_n; ++n) {
           for (std::uint32_t k = 3; k <= 12; ++k) {
             const NecklaceCounts counts = necklace_counts(n, k);
             const NecklaceCounts::Integer& some = counts.nonfull;
             const bool even = k % 2 == 0;
             const NecklaceCounts::Integer more = even ? NecklaceCounts::Integer(1) << n : 1;
             const bool grows_so = even ? some * some <= 4 * n * n * counts.nodes
                                        : some * some * some <= n * n * n * counts.nodes;
             if (some > printed_nonfull(n, k) + more || !grows_so) return EqualSides{n, k}.name();
           }
         }
         return {};
       }});
}

// "1.02" in hundredths.
Rational hundredths(std::string text) {
  std::erase(text, '.');
  return std::stoull(text);
}

// The ratio of Table 4 for a largest subtree of so many nodes, in hundredths.
Rational ratio_of(const EqualSides& sides, const NecklaceCounts::Integer& largest) {
  const NecklaceCounts::Integer others = necklace_counts(sides.n, sides.k).nodes - 1;
  return hundredths(rounded_to_hundredths(2 * sides.n * largest, others));
}
constexpr const char* kRatio = "hundredths as the ratio";

void printed_table_checks(bool full, Checks& checks) {
  const std::map<std::pair<std::uint32_t, std::uint32_t>, const char*> right_ratios{
      {{4, 6}, "1.02"}, {{5, 4}, "1.05"}, {{5, 5}, "1.01"}, {{7, 3}, "1.01"}};
  for (const PrintedSubtreeRow& row : printed_subtree_table()) {
    const EqualSides sides{row.n, row.k};
    const auto right = right_ratios.find({row.n, row.k});
    const bool wrong_ratio = right != right_ratios.end();
    const std::string wrong = wrong_ratio ? fmt::format("ratio {}", row.ratio) : "";
    checks.push_back({sides.name() + (wrong_ratio ? ": right but for the ratio" : ": right"), [row, wrong] {
                        const std::string found = misprints(row);
                        return unless(found == wrong, "printed: {}", found);
                      }});
    if (wrong_ratio) {
      checks.push_back(
          against_print(fmt::format("{}: the ratio is {}", sides.name(), right->second),
                        hundredths(right->second), {kExactly, hundredths(row.ratio), kRatio},
                        [sides] { return ratio_of(sides, necklace_counts(sides.n, sides.k).largest); }));
    }
    if (row.nodes > (full ? kMaxNodes : 300)) continue;
    checks.push_back({sides.name() + ": counted", [row, sides] {
                        const TorusDefinitions torus = sides.definitions();
                        std::vector<std::uint64_t> sizes(2 * row.n, 0);
                        for (NodeId v = 1; v < torus.nodes; ++v) ++sizes[torus.displacement[v]];
                        return unless(extremes(sizes) == Extremes{row.smallest, row.largest}, "another");
                      }});
  }
}

void real_subtrees_runs(bool full, Cases& cases) {
  for (const PrintedSubtreeRow& row : printed_subtree_table()) {
    const EqualSides sides{row.n, row.k};
    if (2 * row.n > 8 || row.nodes > (full ? 1296 : 256)) continue;
    const bool repair = row.k % 2 == 0;
    cases.push_back(down_tree(sides, repair ? ParentRule::kRepaired : ParentRule::kCorrected, kLargestSubtree,
                              kExactly, row.largest));
    if (repair) {
      cases.push_back(
          down_tree(sides, ParentRule::kCorrected, kLargestSubtree, kMoreThan, row.largest, row.largest));
    }
  }
}

void real_subtrees_checks(bool full, Checks& checks) {
  // For k = 4 and n = 4, 5, ...: the ratio of the largest subtree of the BST as defined to the mean.
  const std::array real_ratios{"1.54", "1.48", "1.47", "1.42", "1.41"};
  for (const PrintedSubtreeRow& row : printed_subtree_table()) {
    if (row.k != 4 || row.n >= 4 + real_ratios.size() || (!full && row.nodes > 1296)) continue;
    const EqualSides sides{row.n, row.k};
    const char* ratio = real_ratios[row.n - 4];
    checks.push_back({fmt::format("{}: the ratio is {}, printed {}", sides.name(), ratio, row.ratio), [=] {
                        const std::uint64_t largest =
                            largest_subtree(tree_of(sides.definitions(), ParentRule::kCorrected));
                        return unless(ratio_of(sides, largest) == hundredths(ratio), "another");
                      }});
    checks.push_back({sides.name() + ": repaired, subtrees of the printed sizes", [row, sides] {
                        return unless(extremes(subtree_sizes(sides.torus(), ParentRule::kRepaired)) ==
                                          Extremes{row.smallest, row.largest},
                                      "others");
                      }});
  }
}

// What is wrong with the links of the BSG's 2n subtrees: no two subtrees may share a link, and every node
// must be reached the right number of times.
std::string fault_of_graph(const Torus& torus) {
  std::map<DimensionedLink, std::uint32_t> owner;
  std::vector<std::uint32_t> reached(torus.node_count(), 0);
  for (const NodeId g : torus.generators()) {
    if (g == 0) continue;
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const DimensionedLink link = torus.rotate(link_into(torus, g, ParentRule::kCorrected), i);
      if (owner.emplace(link, i).first->second != i) return "two subtrees share a link";
      // The subtree is connected if the parent is in it.
      if (link.tail != 0 && torus.displacement(link.tail) != i % torus.period(link.tail))
        return "a parent of another subtree";
      ++reached[torus.head(link)];
    }
  }
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    if (reached[v] * torus.period(v) != torus.label_count()) return torus.label_text(v) + " has other paths";
  }
  return {};
}

Checks spanning_graph_checks(bool full) {
  return {against_print({1, 4}, "the parent of 2 by the printed rule", 1,
                        {kExactly, 0, "as the displacement of the parent in subtree 0"},
                        [](const Torus& torus) -> Rational {
                          return torus.displacement(link_into(torus, 2, ParentRule::kAsPrinted).tail);
                        }),
          on_each("all subtrees", tori(full, 2), fault_of_graph)};
}

// Destinations of a scatter that takes each entry of the table of necklaces in turn, or always the first.
std::size_t nodes_reached(const Torus& torus, bool goes_on_with_the_entry) {
  std::set<NodeId> reached;
  const std::vector<NodeId> table = torus.generators();
  for (std::size_t entry = 1; entry < table.size(); ++entry) {
    const NodeId v = goes_on_with_the_entry ? table[entry] : table[1];
    for (const NodeId u : torus.rotations(v, torus.label_count())) reached.insert(u);
  }
  return reached.size();
}

// The digits of a node in parts of `length`: is every part the one before it, each digit d now k - d?
bool repeats_negated(const Torus& torus, NodeId v, std::uint32_t length) {
  for (std::uint32_t i = 0; i + length < torus.dimensions(); ++i) {
    if ((torus.digit(v, i) + torus.digit(v, i + length)) % torus.radix() != 0) return false;
  }
  return true;
}

void errata_runs(bool full, Cases& cases) {
  // "For k even" twice: the second formula is for k odd.
  const auto second = [](const EqualSides& sides) {
    return divide_up((std::uint64_t{sides.k} * sides.k - 1) * power(sides.k, sides.n - 1), 8);
  };
  for (const EqualSides& sides : with_more<EqualSides>(full, {{2, 3}, {2, 5}, {3, 3}}, {{2, 7}, {3, 5}}))
    cases.push_back(exchange_case(sides.topology(), kAllPort, "torus-koenig-exchange", second(sides)));
  const EqualSides even{3, 4};
  cases.push_back(printed(
      exchange_case(even.topology(), kAllPort, "torus-koenig-exchange", power(even.k, even.n + 1) / 8),
      {{kExactly, second(even), "", "the second formula \"for k even\""}, {}}));
}

Checks errata_checks(bool) {
  return {{"MT_{2,3}: the next entry of the table, and the next, reach all nodes",
           [] { return unless(nodes_reached(Torus(2, 3), true) == 8, "they do not"); }},
          against_print({2, 3}, "going on with R^i(v)", 4, {kExactly, 8, "destinations that are reached"},
                        [](const Torus& torus) -> Rational { return nodes_reached(torus, false); }),
          against_print({6, 4}, "the parts of 311331, m = 3", 2, {kExactly, 3, "digits in a part"},
                        [](const Torus& torus) -> Rational {
                          std::uint32_t length = 1;
                          while (!repeats_negated(torus, node(torus, "311331"), length)) ++length;
                          return length;
                        })};
}

}  // namespace

std::vector<Claim> torus_subtree_claims() {
  return {
      claim("torus.T1", "TR 94-363, 3 and 4, Definitions 8 and 9", kCorrected,
            "v_p^- = v_p - 1 if v_p < k/2, otherwise (v_p + 1) mod k. The print has v_p <= floor(k/2) (with "
            "k for v_p): then the parent of a displacement-0 node need not be one, if k is even",
            parent_rule_runs, parent_rule_checks),
      claim("torus.T2", "TR 94-363, 3, Lemma 6.1", kCorrected,
            "the parent of a displacement-0 node has displacement 0, with the rule of T1, and is one hop "
            "nearer; the BST is a spanning tree of shortest paths",
            shortest_paths_runs, shortest_paths_checks),
      claim("torus.T3", "TR 94-363, 3, Lemma 6.1", kCorrected,
            "nodes of nonfull necklaces are leaves of subtree 0, for k odd; for k even the parent of a node "
            "may be one, so that subtree i is not connected, unless such a node takes the parent that its "
            "next higher nonzero digit gives",
            std::bind_front(as_defined_and_repaired_runs, kNonfullParents),
            std::bind_front(as_defined_and_repaired_checks, kNonfullParents)),
      claim("torus.T4", "TR 94-363, 3", kCorrected,
            "subtree i of the BST holds exactly the nodes of displacement i, if k is odd or with the repair "
            "of T3",
            std::bind_front(as_defined_and_repaired_runs, kStrays),
            std::bind_front(as_defined_and_repaired_checks, kStrays)),
      claim("torus.T5", "TR 94-363, 3, Lemma 6.2", kCorrected,
            "nonfull nodes are O(k^(n/2)) for k even, O(k^(n/3)) for k odd, so subtrees are balanced; the "
            "printed sum of k^(n/m) over prime divisors m of n is no bound for k even, and for k = 2 half of "
            "the subtrees are empty (the links of a dimension lead to the same node)",
            balance_checks),
      claim("torus.T6", "TR 94-363, 3, Table 4", kMisprint,
            "29 rows of nonfull nodes, necklaces, smallest and largest displacement and their mean, which is "
            "(k^n - 1)/2n (the heading says k^n/2n); the ratio is 1.02 for (4,6), 1.05 for (5,4), 1.01 for "
            "(5,5) and (7,3)",
            printed_table_checks),
      claim("torus.T7", "TR 94-363, 3, Table 4", kCorrected,
            "Table 4 lists displacements; those are the subtrees of the BST if k is odd or with the repair "
            "of T3. As defined the ratio of the largest to the mean is 1.54, 1.48, 1.47, 1.42, 1.41 for k = "
            "4 and n = 4 to 8",
            real_subtrees_runs, real_subtrees_checks),
      claim("torus.T8", "TR 94-363, 4, Definition 9, Lemma 7", kCorrected,
            "the BSG is 2n isomorphic subtrees of shortest paths, with the rule of T1, in 2n/P of which a "
            "node of period P is: those with i = D(v) modulo P. No two share a link",
            spanning_graph_checks),
      claim("torus.E1", "TR 94-363, 3, 5.4 and 5.5", kMisprint,
            "slips: the second time that 5.5 says \"for k even\" it means k odd, (k^2 - 1) k^(n-1) / 8 "
            "steps; step 3 of 5.4 goes on with the nodes R^i(u) of the next entry u, not again with R^i(v); "
            "the substrings of Lemma 6.1 have n/m digits, not m",
            errata_runs, errata_checks)};
}

}  // namespace safnet
