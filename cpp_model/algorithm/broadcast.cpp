// Broadcast over a spanning tree, thesis 3.1 (all-port) and 3.2 (one-port).
//
// One label: a node hands the packet to its host and sends copies to its children in the tree. All-port this
// takes the tree's height. One-port a node serves its children one after the other; those with the longest
// broadcast below them first, which is the best order for the tree (6.1).
#include <algorithm>
#include <memory>

#include "cpp_model/algorithm/spanning_tree.hpp"
#include "cpp_model/algorithm/tree_collectives.hpp"

namespace safnet {
namespace {

Policy broadcast_policy(const Problem& problem, SpanningTree tree) {
  order_for_one_port_broadcast(tree, problem.graph);
  const auto shared = std::make_shared<const SpanningTree>(std::move(tree));
  Policy policy;
  policy.conflict_free = true;  // every node has one parent
  policy.table = [shared](NodeId v, Label) {
    TableEntry entry;
    for (const PortId p : shared->children[v]) entry.output_mask |= std::uint64_t{1} << p;
    entry.deliver = v != shared->root;
    entry.service_order = shared->children[v];
    return entry;
  };
  policy.injections = [shared](NodeId v) {
    return v == shared->root ? std::vector<Injection>{Injection{}} : std::vector<Injection>{};
  };
  return policy;
}

std::uint64_t broadcast_steps(const Problem& problem, SpanningTree tree) {
  return problem.ports == PortModel::kAllPort ? tree.height()
                                              : order_for_one_port_broadcast(tree, problem.graph);
}

Algorithm over_tree(std::string name, std::string word, std::string source, std::string description,
                    std::string domain) {
  Algorithm algorithm;
  algorithm.name = std::move(name);
  algorithm.collective = CollectiveKind::kBroadcast;
  algorithm.source = std::move(source);
  algorithm.description = std::move(description);
  algorithm.domain = std::move(domain);
  const auto tree = [word](const Problem& p) {
    return make_tree(word.empty() ? p.tree : word, p.graph, p.root);
  };
  algorithm.why_not = [word](const Problem& p) -> std::string {
    if (!word.empty() && !p.tree.empty()) return "brings its own tree, without --tree";
    if (word.empty() && p.tree.empty()) return "needs --tree";
    if (word == "product" && p.graph.factors().empty()) return "needs a product of graphs";
    return {};
  };
  algorithm.policy = [tree](const Problem& p) { return broadcast_policy(p, tree(p)); };
  algorithm.closed_form = [tree](const Problem& p) { return std::optional(broadcast_steps(p, tree(p))); };
  return algorithm;
}

}  // namespace

std::vector<Algorithm> broadcast_algorithms() {
  return {
      over_tree("shortest-path-tree", "shortest-path", "thesis 3.1", "copies down a breadth-first tree",
                "any network"),
      over_tree("product-tree", "product", "thesis 3.1.1, Theorem 3.1",
                "copies down the product of the dimensions' breadth-first trees; binomial tree on hypercubes",
                "products: mesh, torus, hypercube"),
      over_tree("spanning-tree", "", "thesis 3.2.2, (6.1)", "copies down the tree named by --tree",
                "any network")};
}

}  // namespace safnet
