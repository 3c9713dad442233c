// Thesis chapter 3, broadcasting: what is run for each statement and what must come out.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cpp_model/algorithm/tree/named_tree.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/thesis/brute_force.hpp"
#include "cpp_model/claim/thesis/distance_bounds.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// One-port broadcast in a tree by the recursion of (6.1), written down independently of the algorithm's.
std::uint64_t tree_broadcast_steps(const SpanningTree& tree, const Graph& graph, NodeId v) {
  std::vector<std::uint64_t> below;
  for (const PortId p : tree.children[v])
    below.push_back(tree_broadcast_steps(tree, graph, graph.peer(v, p).node));
  return steps_to_inform_all(std::move(below));
}

void broadcast_all_port_runs(bool full, Cases& cases) {
  for (const std::string& word : claim_networks(full)) {
    const Graph graph = make_topology(word);
    for (const NodeId root : claim_sources(graph))
      cases.push_back({word, kBroadcast, kAllPort, "shortest-path-tree", root, "", graph.eccentricity(root)});
  }
}

void broadcast_binomial_runs(bool full, Cases& cases) {
  for (std::uint64_t d = 1; d <= (full ? 8U : 6U); ++d) {
    for (const PortModel ports : {kAllPort, kOnePort})
      cases.push_back({fmt::format("hypercube:{}", d), kBroadcast, ports, "product-tree", 0, "", d});
  }
}

void broadcast_product_tree_runs(bool full, Cases& cases) {
  for (const std::string& word : claim_networks(full)) {
    const Graph graph = make_topology(word);
    if (graph.factors().empty()) continue;
    const auto origin = [&](NodeId root) {  // (2.2): eccentricities add over dimensions
      std::uint64_t sum = 0;
      const auto where = graph.coordinates(root);
      for (std::size_t i = 0; i < where.size(); ++i) sum += graph.factors()[i].eccentricity(where[i]);
      return sum;
    };
    for (const NodeId root : claim_sources(graph))
      cases.push_back({word, kBroadcast, kAllPort, "product-tree", root, "", origin(root)});
  }
}

Cases broadcast_in_trees_runs(bool full) {
  return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
    const std::uint64_t steps = tree_broadcast_steps(make_tree(tree, graph, root), graph, root);
    return ClaimCase{graph.spelling(), kBroadcast, kOnePort, "spanning-tree", root, tree, steps};
  });
}

ClaimCase weight_rule_case(const ExtendedRingSize& ring, const std::string& algorithm,
                           Inspection inspect = {}) {
  return all_port_case(ring.word(), kBroadcast, algorithm, ring.d(), std::move(inspect));
}

void weight_rule_runs(bool full, Cases& cases) {
  for (const ExtendedRingSize& ring : extended_rings(full ? 64 : 16)) {
    cases.push_back(weight_rule_case(ring, "weight-rule"));
    cases.push_back(weight_rule_case(ring, "weight-rule-as-printed"));
    if (ring.w() != 0) continue;
    cases.back().expected_problem = "delivered more than once";
    cases.back().printed = {{kExactly, 1, "complete runs"}};
  }
}

// Neighbours that the root, node 0, sends to.
std::uint64_t root_children(const RunOutcome& outcome) { return packets_per_root_port(outcome).size(); }

// The root's branches are paths of these lengths: it has as many children as there are paths, and in step t
// there are as many deliveries as paths have t nodes or more.
std::string check_paths(const RunOutcome& outcome, const std::vector<std::uint64_t>& lengths) {
  const std::uint64_t children = root_children(outcome);
  if (children != lengths.size())
    return fmt::format("the root has {} children, expected {}", children, lengths.size());
  std::map<std::uint64_t, std::uint64_t> found, expected;
  for (const Delivery& d : outcome.trace->deliveries) ++found[d.step];
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t t = 1; t <= length; ++t) ++expected[t];
  }
  return unless(found == expected, "paths of other lengths");
}

void weight_rule_shape_runs(bool full, Cases& cases) {
  for (const ExtendedRingSize& ring : extended_rings(full ? 64 : 16)) {
    const std::vector<std::uint64_t> lengths = ring.path_lengths();
    cases.push_back(weight_rule_case(ring, "weight-rule",
                                     [lengths](const RunOutcome& o) { return check_paths(o, lengths); }));
    // With rho = n/2 the root has no 2 rho neighbours to begin with.
    if (ring.w() == 0 && 2 * ring.rho < ring.n)
      cases.back().printed = {{kExactly, 2 * ring.rho, "children of the root"}, root_children};
  }
}

// The dimension that port p of node v lies in.
std::size_t dimension_of(const Graph& graph, NodeId v, PortId p) {
  const auto at = graph.coordinates(v);
  std::size_t i = 0;
  for (; p >= graph.factors()[i].degree(at[i]); ++i) p -= graph.factors()[i].degree(at[i]);
  return i;
}

// A node that the packet reached in dimension i sends it on in dimensions up to i, and in i itself if and
// only if its coordinate is no leaf of that dimension's tree, which is seen where all other coordinates are
// the root's.
std::string check_product_tree(const RunOutcome& outcome, NodeId root) {
  const Graph& graph = *outcome.graph;
  std::vector<std::size_t> entered(graph.node_count(), graph.factors().size());
  std::vector<std::set<std::size_t>> left(graph.node_count());
  for (const Transfer& t : outcome.trace->transfers) {
    const std::size_t i = dimension_of(graph, t.from, t.port);
    entered[graph.peer(t.from, t.port).node] = i;
    left[t.from].insert(i);
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (v == root) continue;
    if (entered[v] == graph.factors().size())
      return fmt::format("node {} was not reached", graph.node_name(v));
    if (!left[v].empty() && *left[v].rbegin() > entered[v])
      return fmt::format("node {} sends in a higher dimension than it received in", graph.node_name(v));
    std::vector<NodeId> on_axis = graph.coordinates(root);
    on_axis[entered[v]] = graph.coordinates(v)[entered[v]];
    const bool leaf = !left[graph.node_at(on_axis)].contains(entered[v]);
    if (left[v].contains(entered[v]) == leaf)
      return fmt::format("node {}: wrong children in the dimension it received in", graph.node_name(v));
  }
  return {};
}

void product_tree_children_runs(bool full, Cases& cases) {
  for (const std::string& word : claim_networks(full)) {
    const Graph graph = make_topology(word);
    if (graph.factors().empty()) continue;
    for (const NodeId root : claim_sources(graph))
      cases.push_back({word, kBroadcast, kAllPort, "product-tree", root, "", graph.eccentricity(root),
                       [root](const RunOutcome& o) { return check_product_tree(o, root); }});
  }
}

ClaimCase fewest_steps_case(const std::string& word, NodeId root, std::uint64_t steps,
                            Inspection inspect = {}) {
  return {word, kBroadcast, kOnePort, "fewest-steps-tree", root, "", steps, std::move(inspect)};
}

// How often Theorem 3.3 is tight over all labelled connected graphs of 2 to 6 nodes, node 0 the source.
std::string check_tightness() {
  std::uint64_t graphs = 0, tight = 0;
  for (const std::string& word : small_connected_graphs(6)) {
    const Graph graph = make_topology(word);
    const NodeId n = graph.node_count();
    // Each source of the unlabelled graph stands for as many labelled ones as there are numberings of the
    // other nodes, n! / n, over the automorphisms of the graph.
    std::uint64_t numberings = 1;
    for (NodeId v = 2; v <= n; ++v) numberings *= v;
    numberings /= automorphisms(graph).size();
    std::uint64_t tight_sources = 0;
    for (NodeId v = 0; v < n; ++v)
      tight_sources += searched_broadcast_steps(graph, v) == theorem_3_3(graph, v) ? 1 : 0;
    graphs += numberings;
    tight += numberings * tight_sources / n;
  }
  return unless(graphs == 27475 && tight == 25938, "{} graphs, tight on {}", graphs, tight);
}

void distance_bound_runs(bool full, Cases& cases) {
  for (const std::string& word : small_connected_graphs(full ? 6 : 5)) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      const auto not_below_bound = [root](const RunOutcome& o) {
        const std::uint64_t bound = theorem_3_3(*o.graph, root);
        return unless(o.steps >= bound, "{} steps, below the bound of {}", o.steps, bound);
      };
      cases.push_back(fewest_steps_case(word, root, searched_broadcast_steps(graph, root), not_below_bound));
    }
  }
  for (ClaimCase& not_tight :
       Cases{fewest_steps_case("extended-ring:14,2", 0, 5),
             {"tree:2,3", kBroadcast, kOnePort, "spanning-tree", 0, "shortest-path", 6},
             fewest_steps_case("tree:3,2", 0, 6),
             fewest_steps_case("tree:7,1", 0, 7)}) {
    not_tight.inspect = [](const RunOutcome& o) {
      return unless(theorem_3_3(*o.graph, 0) < o.steps, "the bound is tight");
    };
    cases.push_back(std::move(not_tight));
  }
}

// A graph on which the bound is not tight: a 3-cube and the edge 111-001.
const char* const kCubeAndEdge = "edges:0-1,0-2,0-4,1-3,1-5,2-3,2-6,3-7,4-5,4-6,5-7,6-7,1-7";

std::string check_threshold() {
  for (const std::string& word : small_connected_graphs(6)) {
    const Graph graph = make_topology(word);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const auto sequence = nodes_at(graph, v);
      const std::uint64_t e = sequence.size() - 1;
      // In trees more than e + 1 nodes at distance e are enough, as printed.
      const bool tree = graph.link_count() == 2 * (std::uint64_t{graph.node_count()} - 1);
      if (sequence[e] > (tree ? e + 1 : e + 2) && searched_broadcast_steps(graph, v) < e + 2)
        return fmt::format("{}, node {}", word, v);
    }
  }
  return {};
}

Cases threshold_remark_runs(bool) {
  // 3 nodes at distance e = 1, and 4 at distance 2: more than e + 1.
  return {printed(fewest_steps_case("complete:4", 0, 2), {{kAtLeast, 1 + 2}}),
          printed(fewest_steps_case(kCubeAndEdge, 0, 3), {{kAtLeast, 2 + 2}})};
}

// Corollary 3.4, the smallest whole number of steps: log2(4^(d-1) + R) if R is larger than 4^(d-1), 2d - 1 if
// it is equal, and d/2 plus the (d+1)th root of d! (R - 1) if it is smaller.
std::uint64_t corollary(std::uint32_t d, std::uint64_t nodes) {
  using Whole = boost::multiprecision::cpp_int;
  const Whole four_times = Whole(1) << (2 * d);  // 4^d
  if (4 * Whole(nodes) == four_times) return 2 * d - 1;
  std::uint32_t t = 0;
  if (4 * Whole(nodes) > four_times) {
    while ((Whole(4) << t) < four_times + 4 * nodes) ++t;
    return t;
  }
  Whole power = nodes - 1;  // (t - d/2)^(d+1) must reach it; all times 2^(d+1)
  for (std::uint32_t i = 1; i <= d; ++i) power *= i;
  power <<= d + 1;
  while (2 * t < d || pow(Whole(2 * t - d), d + 1) < power) ++t;
  return t;
}

// For every d it is never above Theorem 3.3; the largest difference is `most`.
std::string check_corollary(std::uint32_t largest_d, std::uint64_t most) {
  std::uint64_t largest = 0;
  for (std::uint32_t d = 1; d <= largest_d; ++d) {
    std::uint64_t exact = 0;
    for (std::uint64_t nodes = 1; nodes <= 4096; nodes += nodes < 400 ? 1 : 7) {
      while (informed_by(exact, d) < nodes) ++exact;  // Theorem 3.3
      const std::uint64_t closed = corollary(d, nodes);
      if (closed > exact) return fmt::format("d = {}, R_d = {}: {} above {}", d, nodes, closed, exact);
      largest = std::max(largest, exact - closed);
    }
  }
  return unless(largest == most, "up to {} steps weaker", largest);
}

Checks closed_form_bound_checks(bool) {
  return check_each(std::vector<std::uint32_t>{12},
                    "d = 1...{}, R_d to 4096: never above Theorem 3.3, up to 6 steps below",
                    [](std::uint32_t largest_d) { return check_corollary(largest_d, 6); });
}

// A rooted tree: of nodes 1, 2, ... the parent, which has a smaller number; node 0 is the root.
using Parents = std::vector<NodeId>;

// Adds the trees of `nodes` nodes that begin as `tree` and have `left` nodes more, in further branches: every
// multiset of them, beginning with tree number `first` of `size` nodes. trees[n]: those of n nodes.
void add_trees(std::size_t nodes, std::size_t left, std::size_t size, std::size_t first, Parents& tree,
               std::vector<std::vector<Parents>>& trees) {
  if (left == 0) trees[nodes].push_back(tree);
  for (; size <= left; ++size, first = 0) {
    for (std::size_t i = first; i < trees[size].size(); ++i) {
      const std::size_t before = tree.size();
      tree.push_back(0);
      for (const NodeId parent : trees[size][i]) tree.push_back(static_cast<NodeId>(before + 1 + parent));
      add_trees(nodes, left - size, size, i, tree, trees);
      tree.resize(before);
    }
  }
}
// All rooted trees of so many nodes.
std::vector<Parents> rooted_trees(std::size_t most) {
  std::vector<std::vector<Parents>> trees(most + 1);
  Parents tree;
  for (std::size_t nodes = 1; nodes <= most; ++nodes) add_trees(nodes, nodes - 1, 1, 0, tree, trees);
  return trees[most];
}

// (6.1).
std::uint64_t steps_down(const Parents& tree) {
  std::vector<std::vector<std::uint64_t>> below(tree.size() + 1);
  for (std::size_t v = tree.size(); v > 0; --v)
    below[tree[v - 1]].push_back(steps_to_inform_all(std::move(below[v])));
  return steps_to_inform_all(std::move(below[0]));
}

std::string check_binomial_unique(std::uint32_t h) {
  const std::vector<Parents> trees = rooted_trees(power(2, h));
  const auto fast = std::ranges::count_if(trees, [h](const Parents& tree) { return steps_down(tree) <= h; });
  return unless(fast == 1, "{} of {} trees", fast, trees.size());
}

Checks binomial_trees_checks(bool) {
  return check_each(range<std::uint32_t>(1, 3), "one rooted tree of 2^{0} nodes is done in {0} steps",
                    check_binomial_unique);
}

// Random trees, and all rooted trees of 8 nodes: the steps are those of the recursion (6.1), and on random
// trees never below Corollary 3.5.
void broadcast_bound_in_trees_runs(bool full, Cases& cases) {
  for (std::uint64_t seed = 1; seed <= (full ? 400U : 40U); ++seed) {
    const std::uint64_t n = 2 + seed % 23;
    const std::string word = fmt::format("random:{},{},{}", n, n - 1, seed);
    const Graph graph = make_topology(word);
    const std::uint64_t bound = corollary_3_5(graph, 0);
    cases.push_back({word, kBroadcast, kOnePort, "spanning-tree", 0, "shortest-path",
                     tree_broadcast_steps(shortest_path_tree(graph, 0), graph, 0),
                     [bound](const RunOutcome& o) {
                       return unless(o.steps >= bound, "{} steps, below the bound of {}", o.steps, bound);
                     }});
  }
  // One of these takes 3 steps.
  for (const Parents& tree : rooted_trees(8)) {
    std::vector<std::string> edges;
    for (std::size_t v = 1; v <= tree.size(); ++v) edges.push_back(fmt::format("{}-{}", tree[v - 1], v));
    cases.push_back({fmt::format("edges:{}", fmt::join(edges, ",")), kBroadcast, kOnePort, "spanning-tree", 0,
                     "shortest-path", steps_down(tree)});
  }
}

}  // namespace

std::vector<Claim> broadcast_claims() {
  return {
      claim("thesis.B1", "3.1", kHolds, "all-port broadcast takes as many steps as the root's eccentricity",
            broadcast_all_port_runs),
      claim("thesis.B2", "3.1, Fig. 3.1", kHolds,
            "the binomial tree broadcasts on a d-cube in d steps, all-port and one-port",
            broadcast_binomial_runs),
      claim("thesis.B3", "3.1, extended rings", kCorrected,
            "the weight rule broadcasts on an extended ring in as many steps as its diameter; nothing may be "
            "sent with weight 0",
            weight_rule_runs),
      claim("thesis.B4", "3.1, extended rings", kCorrected,
            "the root's branches are paths: rho of D nodes, k of w + 1, rho - k of w (none if w = 0)",
            weight_rule_shape_runs),
      claim("thesis.B5", "3.1.1, Theorem 3.1", kHolds,
            "the product of the dimensions' trees spans and is as high as the root's eccentricity",
            broadcast_product_tree_runs),
      claim("thesis.B6", "3.1.1", kHolds,
            "in the product tree a node reached in dimension i has children in dimensions up to i only, in i "
            "if and only if it is no leaf there",
            product_tree_children_runs),
      claim("thesis.B7", "3.2, Lemma 3.2, Theorem 3.3", kHolds,
            "no one-port broadcast beats the bound from the numbers of nodes at each distance, all distances "
            "tried; tight on 25,938 of the 27,475 labelled connected graphs of 2 to 6 nodes",
            distance_bound_runs,
            ClaimCheck{"tight on 25,938 of 27,475 labelled connected graphs", check_tightness}),
      claim("thesis.B8", "3.2.1", kRefuted,
            "more than e + 2 nodes at the eccentricity e of the source need e + 2 steps or more; in trees "
            "more than e + 1 do",
            threshold_remark_runs,
            ClaimCheck{"the corrected threshold on all connected graphs to 6 nodes", check_threshold}),
      claim(
          "thesis.B9", "3.2.1, Corollary 3.4", kCorrected,
          "the three-branch closed form is a bound for d >= 1, for d <= 12 up to 6 steps weaker than "
          "Theorem 3.3; not for d = 0",
          printed(fewest_steps_case("complete:4", 0, 2), {{kAtLeast, corollary(0, 4), "", "d = 0, R_0 = 4"}}),
          closed_form_bound_checks),
      claim("thesis.B10", "3.2.2, (6.1)", kHolds,
            "one-port broadcast down a tree, longest branch first, takes max(b(child i) + i) steps",
            broadcast_in_trees_runs),
      claim("thesis.B10-trees", "3.2.2, Corollary 3.5", kHolds,
            "in a tree a level d of n_d nodes needs the smallest t with C(t, d) >= n_d; binomial trees alone "
            "inform 2^h nodes in h steps",
            broadcast_bound_in_trees_runs, binomial_trees_checks)};
}

}  // namespace safnet
