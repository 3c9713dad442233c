#include "cpp_model/algorithm/tree/tree_broadcast.hpp"

#include <fmt/format.h>

#include <memory>

#include "cpp_model/algorithm/tree/balanced_tree.hpp"
#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"
#include "cpp_model/algorithm/tree/named_tree.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"

namespace safnet {
namespace {

Policy broadcast_policy(const Problem& problem, SpanningTree tree) {
  order_for_one_port_broadcast(tree, problem.graph);
  const auto shared = std::make_shared<const SpanningTree>(std::move(tree));
  Policy policy;
  policy.conflict_free = true;  // every node has one parent
  policy.table = [shared](NodeId v, Label) {
    TableEntry entry;
    for (const PortId p : shared->children[v]) entry.output_mask |= port_bit(p);
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
  const auto tree = [word](const Problem& p) {
    return make_tree(word.empty() ? p.tree : word, p.graph, p.root);
  };
  return {.name = name,
          .collective = CollectiveKind::kBroadcast,
          .source = std::move(source),
          .description = std::move(description),
          .domain = std::move(domain),
          .why_not = [word](const Problem& p) -> std::string {
            if (!word.empty() && !p.tree.empty()) return "brings its own tree, without --tree";
            if (word.empty() && p.tree.empty()) return "needs --tree";
            if (word == "product" && p.graph.factors().empty()) return "needs a product of graphs";
            if (word == "fewest-steps" && p.graph.node_count() > kMaxSearchedForBroadcast)
              return fmt::format("needs a graph of at most {} nodes", kMaxSearchedForBroadcast);
            return {};
          },
          .policy = [tree](const Problem& p) { return broadcast_policy(p, tree(p)); },
          .closed_form = [tree](const Problem& p) { return std::optional(broadcast_steps(p, tree(p))); },
          .plan =
              [tree, name](const Problem& p) {
                return informing_schedule(p, name, inform_over_tree(p.graph, tree(p), p.ports));
              },
          .knows_one_way = true};
}

// Thesis 3.1, extended rings: the root attaches a weight to each copy; a node takes one off and passes the
// copy on, rho places further the way it came, until the weight is zero. Labels are the root's copies: first
// the clockwise, then the counterclockwise ones. Copies travel along disjoint paths.
//
// As printed a copy of weight 0 is sent too. It becomes -1 at the first node and is never stopped.
Policy weight_rule_policy(const Problem& problem, bool as_printed) {
  const ExtendedRing ring = as_extended_ring(problem.graph).value();
  const NodeId root = problem.root;
  struct Copy {
    NodeId distance;  // places from the root to the first node, in the copy's direction
    bool clockwise;
    NodeId weight;
  };
  std::vector<Copy> copies;
  for (NodeId s = 1; s <= ring.rho; ++s) copies.push_back({s, true, ring.diameter});
  for (NodeId s = 1; s <= ring.rho; ++s) {
    const NodeId weight = ring.counterclockwise_weight(s);
    if (weight != 0 || as_printed) copies.push_back({s, false, weight});
  }
  Policy policy;
  policy.label_count = static_cast<std::uint32_t>(copies.size());
  policy.host_packets = static_cast<std::uint32_t>(copies.size());
  policy.conflict_free = true;
  policy.queue_bound = copies.size();
  policy.table = [ring, root, copies](NodeId v, Label label) {
    const Copy& copy = copies[label];
    const auto bit = [&](NodeId s) {
      return port_bit(copy.clockwise ? ring.clockwise(s) : ring.counterclockwise(s));
    };
    TableEntry entry;
    if (v == root) {  // a copy that never stopped and comes back leaves again as it did at first
      entry.output_mask = bit(copy.distance);
      return entry;
    }
    if (copy.weight == 0) {  // passes every node that strides of rho lead to, again and again
      entry.deliver = true;
      entry.output_mask = bit(ring.rho);
      return entry;
    }
    const NodeId places = copy.clockwise ? (v + ring.n - root) % ring.n : (root + ring.n - v) % ring.n;
    if (places < copy.distance || (places - copy.distance) % ring.rho != 0) return entry;
    const NodeId strides = (places - copy.distance) / ring.rho;
    if (strides >= copy.weight) return entry;
    entry.deliver = true;
    if (strides + 1 < copy.weight) entry.output_mask = bit(ring.rho);
    return entry;
  };
  policy.injections = [root, copies](NodeId v) {
    std::vector<Injection> packets;
    if (v != root) return packets;
    for (std::size_t c = 0; c < copies.size(); ++c) packets.push_back({static_cast<Label>(c), 0, 0, 0});
    return packets;
  };
  return policy;
}

Algorithm weight_rule(bool as_printed) {
  return {.name = as_printed ? "weight-rule-as-printed" : "weight-rule",
          .collective = CollectiveKind::kBroadcast,
          .source = "thesis 3.1, extended rings",
          .description = as_printed
                             ? "the weight rule word for word: copies of weight 0 are sent and never stop"
                             : "copies stride along the ring until their weight is used up; none of weight 0",
          .domain = "extended rings, all-port",
          .why_not = [](const Problem& p) -> std::string {
            if (!p.tree.empty()) return "brings its own tree, without --tree";
            if (p.ports != PortModel::kAllPort) return "needs --ports all";
            return as_extended_ring(p.graph) ? "" : "needs an extended ring";
          },
          .policy = [as_printed](const Problem& p) { return weight_rule_policy(p, as_printed); },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            return as_extended_ring(p.graph)->diameter;
          },
          .chosen_by_name_only = as_printed};
}

}  // namespace

std::vector<Algorithm> broadcast_algorithms() {
  return {
      over_tree("shortest-path-tree", "shortest-path", "thesis 3.1", "copies down a breadth-first tree",
                "any network"),
      over_tree("product-tree", "product", "thesis 3.1.1, Theorem 3.1",
                "copies down the product of the dimensions' breadth-first trees; binomial tree on hypercubes",
                "products: mesh, torus, hypercube, ..."),
      weight_rule(false),
      weight_rule(true),
      over_tree("fewest-steps-tree", "fewest-steps", "thesis 3.2.2, (6.1)",
                "the best of all trees, found by searching the sets of informed nodes",
                fmt::format("any network of at most {} nodes", kMaxSearchedForBroadcast)),
      over_tree("spanning-tree", "", "thesis 3.2.2, (6.1)", "copies down the tree named by --tree",
                "any network")};
}

}  // namespace safnet
