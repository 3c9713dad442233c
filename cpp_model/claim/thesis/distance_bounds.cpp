#include "cpp_model/claim/thesis/distance_bounds.hpp"

#include <algorithm>

namespace safnet {
namespace {

// C(t, 0), ..., C(t, t), by Pascal's triangle.
std::vector<std::uint64_t> binomials(std::uint64_t t) {
  std::vector<std::uint64_t> row{1};
  for (std::uint64_t i = 0; i < t; ++i) {
    row.push_back(0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] += row[k - 1];
  }
  return row;
}

std::uint64_t informed_in_tree(std::uint64_t t, std::uint64_t d) { return d > t ? 0 : binomials(t)[d]; }

// The fewest steps after which as many as `nodes` can be informed at distance d, or d and more.
std::uint64_t steps_until(std::uint64_t (*informed)(std::uint64_t t, std::uint64_t d), std::uint64_t d,
                          std::uint64_t nodes) {
  std::uint64_t t = 0;
  while (informed(t, d) < nodes) ++t;
  return t;
}

}  // namespace

std::uint64_t informed_by(std::uint64_t t, std::uint64_t d) {
  const std::vector<std::uint64_t> row = binomials(t);
  std::uint64_t sum = 0;
  for (std::uint64_t k = d; k <= t; ++k) sum += row[k];
  return sum;
}

std::vector<std::uint64_t> nodes_at(const Graph& graph, NodeId root) {
  std::vector<std::uint64_t> count;
  for (const std::uint32_t d : graph.distances_from(root)) {
    if (count.size() <= d) count.resize(d + 1);
    ++count[d];
  }
  return count;
}

std::uint64_t theorem_3_3(const Graph& graph, NodeId root) {
  const std::vector<std::uint64_t> sequence = nodes_at(graph, root);
  std::uint64_t steps = 0, nodes = 0;
  for (std::uint64_t d = sequence.size(); d-- > 0;) {
    nodes += sequence[d];
    steps = std::max(steps, steps_until(informed_by, d, nodes));
  }
  return steps;
}

std::uint64_t corollary_3_5(const Graph& tree, NodeId root) {
  const std::vector<std::uint64_t> sequence = nodes_at(tree, root);
  std::uint64_t steps = 0;
  for (std::uint64_t d = 0; d < sequence.size(); ++d)
    steps = std::max(steps, steps_until(informed_in_tree, d, sequence[d]));
  return steps;
}

}  // namespace safnet
