#include "cpp_model/bound/broadcast_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using boost::multiprecision::cpp_int;

// Limits, milliseconds each: nodes times links up to which every node is removed once in search of cut nodes;
// hops times steps up to which nodes are counted by degree.
constexpr std::uint64_t kMaxSearched = std::uint64_t{1} << 24;
constexpr std::uint64_t kMaxCounted = std::uint64_t{1} << 20;

// Of the nodes at these distances those that are `near` or more and at most `far` hops away.
std::vector<NodeId> nodes_at(const std::vector<std::uint32_t>& distance, std::uint64_t near,
                             std::uint64_t far) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < distance.size(); ++v) {
    if (distance[v] >= near && distance[v] <= far) nodes.push_back(v);
  }
  return nodes;
}

// Cut nodes: a node sends one by one into the parts that the network falls into without it, but for the part
// with the root. `distance`: from the root.
LowerBound cut_nodes(const Wiring& wiring, NodeId root, const std::vector<std::uint32_t>& distance) {
  const NodeId n = wiring.nodes();
  LargestBound best;
  if (std::uint64_t{n} * wiring.links() > kMaxSearched) return {};
  const Wiring both_ways = wiring.both_ways();
  const DepthFirstTree tree(both_ways);
  std::vector<std::uint8_t> is_cut_node(n, 0);
  for (std::uint32_t i = 1; i < n; ++i) {
    if (tree.hangs(i)) is_cut_node[tree.order[tree.parent[i]]] = 1;
  }
  for (NodeId v = 0; v < n; ++v) {
    if (is_cut_node[v] == 0) continue;  // nor the root of the search
    const auto [parts, part] = both_ways.parts_without(v);
    if (parts < 2) continue;
    const std::vector<std::uint32_t> from_node = wiring.distances_from(v);
    std::vector<std::uint64_t> onwards(parts + 1, 0);  // hops in each part after the one that enters it
    for (NodeId u = 0; u < n; ++u) {
      if (u != v) onwards[part[u]] = std::max<std::uint64_t>(onwards[part[u]], from_node[u] - 1);
    }
    onwards.pop_back();  // v itself
    if (v != root) onwards.erase(onwards.begin() + part[root]);
    best.consider(
        distance[v] + steps_one_by_one(onwards),
        [&] {
          return fmt::format("node {}, {} hops away, sends one by one into {} parts that it alone joins", v,
                             distance[v], onwards.size());
        },
        [&] {
          return stated_witness(
              WitnessKind::kSending, {v},
              fmt::format("this node, {} away, sends one by one into {} parts that it alone joins",
                          counted(distance[v], "hop"), onwards.size()));
        });
  }
  return best.value();
}

}  // namespace

std::vector<std::uint64_t> distance_degree_sequence(const Graph& graph, NodeId root) {
  std::vector<std::uint64_t> sequence;
  for (const std::uint32_t d : graph.distances_from(root)) {
    if (sequence.size() <= d) sequence.resize(d + 1);
    ++sequence[d];
  }
  return sequence;
}

std::vector<std::uint64_t> nodes_at_least(const std::vector<std::uint64_t>& sequence) {
  std::vector<std::uint64_t> sums = sequence;
  add_from_the_end(sums);
  return sums;
}

std::uint64_t steps_to_inform(std::uint64_t distance, std::uint64_t nodes) {
  // With t = distance the sum is 1. One step more gives t + 2 or more, which is often enough.
  std::uint64_t t = distance;
  for (cpp_int sum = 1; sum < nodes;) {
    ++t;
    // C(t, t), C(t, t - 1), ... down to C(t, distance), as long as there are not enough.
    cpp_int binomial = 1;
    sum = 1;
    for (std::uint64_t l = t; l > distance && sum < nodes; --l) {
      binomial = binomial * l / (t - l + 1);
      sum += binomial;
    }
  }
  return t;
}

std::uint64_t corollary_3_4(std::uint64_t distance, std::uint64_t nodes) {
  const std::uint64_t d = distance;
  // Compared with 4^(d - 1), all multiplied by 4 so that d = 0 stays an integer.
  const cpp_int power = cpp_int(1) << static_cast<unsigned>(2 * d);
  const cpp_int four_nodes = cpp_int(4) * nodes;
  if (four_nodes == power) return 2 * d - 1;
  if (four_nodes > power) {
    // 2^T >= 4^(d - 1) + R
    std::uint64_t t = 0;
    while ((cpp_int(4) << static_cast<unsigned>(t)) < power + four_nodes) ++t;
    return t;
  }
  // T >= d/2 + (d! (R - 1))^(1/(d + 1)), that is (2T - d)^(d + 1) >= 2^(d + 1) d! (R - 1)
  cpp_int right = cpp_int(2) << static_cast<unsigned>(d);
  for (std::uint64_t i = 2; i <= d; ++i) right *= i;
  right *= nodes - 1;
  std::uint64_t t = (d + 1) / 2;
  while (boost::multiprecision::pow(cpp_int(2 * t - d), static_cast<unsigned>(d + 1)) < right) ++t;
  return t;
}

std::uint64_t steps_to_inform_in_tree(std::uint64_t distance, std::uint64_t nodes) {
  std::uint64_t t = distance;
  cpp_int binomial = 1;  // C(t, distance)
  while (binomial < nodes) {
    ++t;
    binomial = binomial * t / (t - distance);
    if (distance == 0) break;
  }
  return t;
}

std::uint64_t steps_to_inform_by_degree(const std::vector<std::uint64_t>& nodes_at_least,
                                        std::uint64_t root_neighbours, std::uint64_t other_neighbours,
                                        std::uint64_t at_least) {
  const std::uint64_t enough = nodes_at_least[0];
  const std::uint64_t onwards = other_neighbours - 1;
  // newly[t]: nodes informed in step t over a path of `hops` hops, capped at `enough`.
  for (std::uint64_t steps = at_least;; ++steps) {
    if ((steps + 1) * (steps + 1) > kMaxCounted) return steps;
    std::vector<std::uint64_t> newly(steps + 1, 0), informed(steps + 2, 0);
    newly[0] = informed[0] = 1;
    for (std::uint64_t hops = 1; hops <= steps; ++hops) {
      const std::uint64_t reach = hops == 1 ? root_neighbours : onwards;
      std::vector<std::uint64_t> next(steps + 1, 0);
      std::uint64_t window = 0;
      for (std::uint64_t t = 1; t <= steps; ++t) {
        window += newly[t - 1];
        if (t > reach) window -= newly[t - 1 - reach];
        next[t] = std::min(window, enough);
        informed[hops] += next[t];
      }
      newly = std::move(next);
    }
    for (std::uint64_t hops = steps; hops-- > 0;)
      informed[hops] = std::min(informed[hops] + informed[hops + 1], 2 * enough);
    bool all = true;
    for (std::uint64_t d = 0; d < nodes_at_least.size(); ++d)
      all = all && d <= steps && informed[d] >= nodes_at_least[d];
    if (all) return steps;
  }
}

std::uint64_t tree_broadcast_steps(const Wiring& tree, NodeId root) {
  std::vector<NodeId> order;
  std::vector<std::uint32_t> distance;
  tree.search(root, order, distance);
  std::vector<std::uint64_t> steps(tree.nodes(), 0), below;
  for (std::size_t i = order.size(); i-- > 0;) {
    const NodeId v = order[i];
    below.clear();
    for (const NodeId u : tree.targets_of(v)) {
      if (distance[u] > distance[v]) below.push_back(steps[u]);
    }
    steps[v] = steps_one_by_one(below);
  }
  return steps[root];
}

std::uint64_t first_call_bound(const Graph& graph, NodeId root) {
  const std::vector<std::uint32_t> hops = graph.distances_from(root);
  const std::uint32_t furthest = *std::max_element(hops.begin(), hops.end());
  for (PortId p = 0; p < graph.degree(root); ++p) {
    const NodeId first = graph.peer(root, p).node;
    if (first == kNoNode) continue;
    const std::vector<std::uint32_t> onwards = graph.distances_from(first);
    std::uint32_t missed = 0, detour = 0;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      if (hops[v] != furthest || onwards[v] + 1 == furthest) continue;
      ++missed;
      if (onwards[v] == furthest) detour = 1;
    }
    if (missed <= 1 + detour) return furthest;
  }
  return furthest + 2;
}

LowerBound one_port_broadcast_bound(const Graph& graph, NodeId root) {
  const std::vector<std::uint64_t> sequence = distance_degree_sequence(graph, root);
  const std::vector<std::uint64_t> at_least = nodes_at_least(sequence);
  const Wiring wiring(graph);
  const std::vector<std::uint32_t> distance = wiring.distances_from(root);
  LargestBound best({at_least.size() - 1, "eccentricity of the root", "", way_between(root, kNoNode)});
  for (std::uint64_t d = 0; d < at_least.size(); ++d) {
    best.consider(
        steps_to_inform(d, at_least[d]),
        [&] { return fmt::format("{} nodes {} or more hops away, thesis Theorem 3.3", at_least[d], d); },
        [&] {
          constexpr const char* kDoubling = "nodes that are informed inform one more each a step";
          // All nodes: what is near the root, and where packets leave it, does not count.
          if (d == 0)
            return stated_witness(WitnessKind::kNetwork, {},
                                  fmt::format("{}, and {}", counted(at_least[d], "node"), kDoubling));
          return stated_witness(
              WitnessKind::kCut, nodes_at(distance, 0, d - 1),
              fmt::format("{} {} {} or more hops away, and {}", counted(at_least[d], "node"),
                          at_least[d] == 1 ? "is" : "are", d, kDoubling));
        });
  }
  if (graph.is_tree()) {
    for (std::uint64_t d = 1; d < sequence.size(); ++d) {
      best.consider(
          steps_to_inform_in_tree(d, sequence[d]),
          [&] {
            return fmt::format("{} nodes {} hops away in a tree, thesis Corollary 3.5", sequence[d], d);
          },
          [&] {
            return stated_witness(WitnessKind::kReceiving, nodes_at(distance, d, d),
                                  fmt::format("these {} are {} away in a tree", counted(sequence[d], "node"),
                                              counted(d, "hop")));
          });
    }
    best.consider(tree_broadcast_steps(wiring, root), "a tree: each node informs its subtrees one by one",
                  stated_witness(WitnessKind::kSending, {root},
                                 "from here on each node of the tree informs its subtrees one by one"));
    return best.value();
  }
  std::uint64_t neighbours = 0;
  for (NodeId v = 0; v < wiring.nodes(); ++v) {
    if (v != root) neighbours = std::max<std::uint64_t>(neighbours, wiring.neighbours(v));
  }
  // With one-way links a packet need not come from one of the neighbours that it can be sent to.
  best.consider(
      steps_to_inform_by_degree(at_least, wiring.neighbours(root),
                                neighbours + (graph.has_one_way_links() ? 1 : 0), best.steps()),
      fmt::format("nodes at each distance, informed by nodes of {} neighbours at most, thesis Theorem 3.3",
                  neighbours));
  best.consider(cut_nodes(wiring, root, distance));
  constexpr std::uint64_t kMaxSearched = std::uint64_t{1} << 26;
  if (graph.degree(root) * graph.link_count() <= kMaxSearched) {
    best.consider(first_call_bound(graph, root),
                  "the furthest nodes, of which two at most do without the root's first call", [&] {
                    return stated_witness(
                        WitnessKind::kReceiving, nodes_at(distance, at_least.size() - 1, kUnreachable),
                        fmt::format("of {} {} hops away two at most do without the root's first call",
                                    counted(at_least.back(), "node"), at_least.size() - 1));
                  });
  }
  return best.value();
}

}  // namespace safnet
