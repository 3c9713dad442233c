#include "cpp_model/bound/routed_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 26;

// Steps until `count` nodes, one of them from the start, are informed, if each that is informed starts to
// inform `at_once` more in every step, which takes `delay` steps.
std::uint64_t steps_to_inform(std::uint64_t count, std::uint64_t at_once, std::uint64_t delay) {
  std::vector<std::uint64_t> informed{1};
  while (informed.back() < count) {
    const std::size_t step = informed.size();
    const std::uint64_t more = step < delay ? 0 : at_once * informed[step - delay];
    // Nothing happens before the first delay is over, something in every step after that.
    informed.push_back(std::min(count, informed.back() + more));
  }
  return informed.size() - 1;
}

// Leaves of a fat tree that can be informed in so many steps, backwards in time (see
// routed_reduction_bound()). At most c'_(j+1) packets per step enter a subtree of level j over the branch
// above it, from the step in which it is entered on. So
// - its informed leaves are at most one for each of these packets, and one for each packet that its own
//   leaves send, c_1 per step each, to leaves two hops away or more;
// - its entered children are at most one for each of these packets, and one for each packet that comes out of
//   children entered 2 j steps before, c'_j per step each; a child's own leaves follow from when it is
//   entered.
//
// The root is the first leaf. A subtree beside the root's way up at level i is entered after 2 i steps or
// later.
class InformedLeaves {
 public:
  InformedLeaves(const FatTree& tree, bool one_port)
      : tree_(tree), one_port_(one_port), known_(tree.height()) {}

  std::uint64_t steps() {
    std::uint64_t step = 0;
    while (of_all(step) < tree_.leaves()) ++step;
    return step;
  }

 private:
  std::uint64_t links(std::uint32_t level) const { return one_port_ ? 1 : tree_.usable_capacity(level); }
  std::uint64_t of_all(std::uint64_t step) {
    std::uint64_t leaves = 1;
    for (std::uint32_t i = 1; i <= tree_.height() && 2 * i <= step; ++i)
      leaves += (tree_.arity(i) - 1) * of_subtree(i - 1, step - 2 * i);
    return leaves;
  }
  // Leaves informed in a subtree `step` steps after the first packet has entered it.
  std::uint64_t of_subtree(std::uint32_t level, std::uint64_t step) {
    if (level == 0) return 1;
    std::vector<std::uint64_t>& known = known_[level];
    const std::uint64_t from_above = links(level + 1);
    while (known.size() <= step) {
      const std::uint64_t now = known.size();
      const std::uint64_t grown =
          (now == 0 ? 0 : known[now - 1]) + from_above + (now < 2 ? 0 : links(1) * known[now - 2]);
      std::uint64_t in_children = 0;
      std::vector<std::uint64_t> entered;  // by step: children entered by then
      for (std::uint64_t s = 0; s <= now; ++s) {
        const std::uint64_t before = s == 0 ? 0 : entered[s - 1];
        const std::uint64_t inside = s < 2 * level ? 0 : links(level) * entered[s - 2 * level];
        entered.push_back(std::min<std::uint64_t>(tree_.arity(level), before + from_above + inside));
        if (entered[s] > before) in_children += (entered[s] - before) * of_subtree(level - 1, now - s);
      }
      known.push_back(std::min(grown, in_children));
    }
    return known[step];
  }

  const FatTree& tree_;
  bool one_port_;
  std::vector<std::vector<std::uint64_t>> known_;  // by level and step
};

std::uint64_t largest_intake(const Graph& graph, PortModel ports) {
  std::uint64_t most = 1;
  for (NodeId v = 0; v < graph.processor_count(); ++v) most = std::max(most, intake(graph, v, ports));
  return most;
}

}  // namespace

std::uint64_t intake(const Graph& graph, NodeId v, PortModel ports) {
  if (ports == PortModel::kOnePort) return 1;
  if (ports == PortModel::kAllPort) return graph.in_degree(v);
  std::set<NodeId> feeders;  // which send one packet each
  for (PortId q = 0; q < graph.in_degree(v); ++q) feeders.insert(graph.feeder(v, q).node);
  return feeders.size();
}

LowerBound routed_reduction_bound(const Problem& problem, NodeId root) {
  const Graph& graph = problem.graph;
  const std::uint64_t n = graph.processor_count();
  const std::uint64_t later = divide_up(problem.messages, intake(graph, root, problem.ports)) - 1;
  LargestBound bound;
  if (const std::optional<FatTree> tree = fat_tree_shape(graph)) {
    for (std::uint32_t level = 0; level < tree->height(); ++level) {
      const std::uint64_t at_once =
          problem.ports == PortModel::kAllPort ? tree->usable_capacity(level + 1) : 1;
      bound.consider(steps_to_inform(tree->nodes_of(level), at_once, 2 * (level + 1)) + later, [&] {
        return fmt::format("subtrees of {} leaves each get {} per step, from {} hops away",
                           tree->leaves_below(level), counted(at_once, "packet"), 2 * (level + 1));
      });
    }
    const bool one_port = problem.ports != PortModel::kAllPort;
    bound.consider(InformedLeaves(*tree, one_port).steps() + later,
                   "what leaves combine and send up and down the tree, level by level");
    return bound.value();
  }
  std::uint64_t nearest = ~std::uint64_t{0};
  if (n * graph.link_count() > kMostCounted) {
    nearest = 1;
  } else {
    for (NodeId v = 0; v < n; ++v) {
      const std::vector<std::uint32_t> distance = graph.distances_from(v);
      for (NodeId u = 0; u < n; ++u)
        nearest = u == v ? nearest : std::min<std::uint64_t>(nearest, distance[u]);
    }
  }
  bound.consider(steps_to_inform(n, largest_intake(graph, problem.ports), nearest) + later,
                 [&] { return fmt::format("processors combine what they receive, {} hops apart", nearest); });
  return bound.value();
}

}  // namespace safnet
