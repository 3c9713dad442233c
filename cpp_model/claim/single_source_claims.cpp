// Thesis chapter 3, single-source communications: what is run for each statement and what must come out.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/spanning_tree.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Words = std::vector<std::string>;

Words networks(bool full) {
  Words words = {"linear:2",   "linear:7",  "ring:3",    "ring:8",      "ring:9",     "mesh:4x3",
                 "mesh:3x4x2", "torus:4x4", "torus:5x3", "hypercube:3", "hypercube:5"};
  if (full) {
    for (const char* more : {"linear:48", "ring:64", "ring:101", "mesh:9x7", "mesh:5x5x5", "torus:16x16",
                             "torus:5x6x7", "torus:4x4x4x4", "hypercube:8", "hypercube:10"}) {
      words.push_back(more);
    }
  }
  return words;
}

// A few sources per network: the first, one in the middle, the last.
std::vector<NodeId> sources(const Graph& graph) {
  const NodeId n = graph.node_count();
  std::vector<NodeId> roots = {0, n / 2, n - 1};
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

// One-port broadcast in a tree by the recursion of (6.1), written down independently of the algorithm's.
std::uint64_t tree_broadcast_steps(const SpanningTree& tree, const Graph& graph, NodeId v) {
  std::vector<std::uint64_t> below;
  for (const PortId p : tree.children[v])
    below.push_back(tree_broadcast_steps(tree, graph, graph.peer(v, p).node));
  std::sort(below.rbegin(), below.rend());
  std::uint64_t steps = 0;
  for (std::size_t k = 0; k < below.size(); ++k) steps = std::max(steps, below[k] + k + 1);
  return steps;
}

std::uint64_t largest_part(const SpanningTree& tree, const Graph& graph) {
  std::uint64_t largest = 0;
  for (const PortId p : tree.children[tree.root]) {
    largest = std::max<std::uint64_t>(largest, tree.subtree_size[graph.peer(tree.root, p).node]);
  }
  return largest;
}

Words trees(const Graph& graph, bool full) {
  Words words = {"shortest-path", "depth-first", "random:1"};
  if (!graph.factors().empty()) words.push_back("product");
  for (int seed = 2; full && seed < 6; ++seed) words.push_back(fmt::format("random:{}", seed));
  return words;
}

// Every network, source and tree.
template <class MakeCase>
std::vector<ClaimCase> over_trees(bool full, MakeCase make_case) {
  std::vector<ClaimCase> cases;
  for (const std::string& word : networks(full)) {
    const Graph graph = make_topology(word);
    for (const NodeId root : sources(graph)) {
      for (const std::string& tree : trees(graph, full)) cases.push_back(make_case(graph, root, tree));
    }
  }
  return cases;
}

const char* const kSizes =
    "11 linear arrays, rings, meshes, tori, cubes to 32 nodes; full: 21, to 1024 nodes";

Claim broadcast_all_port() {
  return {"thesis.B1",
          "3.1",
          "all-port broadcast takes as many steps as the root's eccentricity",
          Finding::kHolds,
          kSizes,
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (const std::string& word : networks(full)) {
              const Graph graph = make_topology(word);
              for (const NodeId root : sources(graph)) {
                cases.push_back({word,
                                 CollectiveKind::kBroadcast,
                                 PortModel::kAllPort,
                                 "shortest-path-tree",
                                 root,
                                 "",
                                 graph.eccentricity(root),
                                 {}});
              }
            }
            return cases;
          }};
}

Claim broadcast_binomial() {
  return {"thesis.B2",
          "3.1, Fig. 3.1",
          "the binomial tree broadcasts on a d-cube in d steps, all-port and one-port",
          Finding::kHolds,
          "d = 1...6; full: to 10",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (std::uint64_t d = 1; d <= (full ? 10U : 6U); ++d) {
              for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
                cases.push_back({fmt::format("hypercube:{}", d),
                                 CollectiveKind::kBroadcast,
                                 ports,
                                 "product-tree",
                                 0,
                                 "",
                                 d,
                                 {}});
              }
            }
            return cases;
          }};
}

Claim broadcast_product_tree() {
  return {"thesis.B5",
          "3.1.1, Theorem 3.1",
          "the product of the dimensions' trees spans and is as high as the root's eccentricity",
          Finding::kHolds,
          "6 meshes, tori, cubes to 32 nodes; full: 13, to 1024 nodes",
          [](bool full) {
            std::vector<ClaimCase> cases;
            for (const std::string& word : networks(full)) {
              const Graph graph = make_topology(word);
              if (graph.factors().empty()) continue;
              const auto origin = [&](NodeId root) {  // (2.2): eccentricities add over dimensions
                std::uint64_t sum = 0;
                const auto where = graph.coordinates(root);
                for (std::size_t i = 0; i < where.size(); ++i)
                  sum += graph.factors()[i].eccentricity(where[i]);
                return sum;
              };
              for (const NodeId root : sources(graph)) {
                cases.push_back({word,
                                 CollectiveKind::kBroadcast,
                                 PortModel::kAllPort,
                                 "product-tree",
                                 root,
                                 "",
                                 origin(root),
                                 {}});
              }
            }
            return cases;
          }};
}

Claim broadcast_in_trees() {
  return {"thesis.B10",
          "3.2.2, (6.1)",
          "one-port broadcast down a tree, longest branch first, takes max(b(child i) + i) steps",
          Finding::kHolds,
          kSizes,
          [](bool full) {
            return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
              return ClaimCase{graph.spelling(),
                               CollectiveKind::kBroadcast,
                               PortModel::kOnePort,
                               "spanning-tree",
                               root,
                               tree,
                               tree_broadcast_steps(make_tree(tree, graph, root), graph, root),
                               {}};
            });
          }};
}

Claim scatter_one_port() {
  return {"thesis.S1",
          "3.3, Theorem 3.6",
          "one-port scatter, furthest first over any spanning tree, takes n - 1 steps",
          Finding::kHolds,
          kSizes,
          [](bool full) {
            return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
              return ClaimCase{graph.spelling(),
                               CollectiveKind::kScatter,
                               PortModel::kOnePort,
                               "furthest-first",
                               root,
                               tree,
                               graph.node_count() - 1,
                               {}};
            });
          }};
}

Claim scatter_all_port() {
  return {"thesis.S2",
          "3.4, Theorem 3.7",
          "all-port scatter over a tree takes as many steps as the root's largest subtree has nodes",
          Finding::kHolds,
          kSizes,
          [](bool full) {
            return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
              return ClaimCase{graph.spelling(),
                               CollectiveKind::kScatter,
                               PortModel::kAllPort,
                               "furthest-first",
                               root,
                               tree,
                               largest_part(make_tree(tree, graph, root), graph),
                               {}};
            });
          }};
}

}  // namespace

std::vector<Claim> single_source_claims() {
  return {broadcast_all_port(), broadcast_binomial(), broadcast_product_tree(),
          broadcast_in_trees(), scatter_one_port(),   scatter_all_port()};
}

}  // namespace safnet
