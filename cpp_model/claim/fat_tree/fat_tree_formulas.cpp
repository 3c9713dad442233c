#include "cpp_model/claim/fat_tree/fat_tree_formulas.hpp"

#include <algorithm>

namespace safnet {

std::uint64_t sum_of_arities(const FatTree& tree, std::uint32_t level) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 1; i <= level; ++i) sum += tree.arity(i);
  return sum;
}

std::uint64_t one_port_broadcast_steps(const FatTree& tree) {
  return sum_of_arities(tree, tree.height()) + tree.height() - 1;
}

std::uint64_t one_port_multinode_broadcast_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = tree.arity(1), h = tree.height();
  if (h >= 2 && tree.is_uniform()) return k * n + (k + 1) * (h - 2) + 1;
  std::uint64_t steps = n * (tree.arity(tree.height()) - 1) + h + sum_of_arities(tree, tree.height() - 1);
  for (std::uint32_t i = 1; i < h; ++i)
    steps = std::max(steps, n * tree.arity(i) + i + sum_of_arities(tree, i - 1));
  return steps;
}

std::uint64_t one_port_exchange_steps(const FatTree& tree) {
  const std::uint64_t n = tree.leaves(), k = tree.arity(1), h = tree.height();
  if (h >= 2 && tree.is_uniform())
    return k == 2 ? n * n / 8 * 5 + 2 * h - 3 : n * n / k * (k - 1) + 2 * h - 1;
  std::uint64_t steps = n * (n - tree.leaves_below(tree.height() - 1)) + 2 * h - 1;
  for (std::uint32_t i = 1; i < h; ++i) {
    const std::uint64_t below = tree.leaves_below(i);
    steps = std::max(steps, below * (2 * n - tree.leaves_below(i - 1) - below) + 2 * i - 1);
  }
  return steps;
}

}  // namespace safnet
