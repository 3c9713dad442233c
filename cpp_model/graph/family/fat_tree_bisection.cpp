#include "cpp_model/graph/family/fat_tree_bisection.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace safnet {
namespace {

// At [x]: fewest links cut in a subtree that has x leaves in the first part.
using Cuts = std::vector<std::uint64_t>;
constexpr std::uint64_t kImpossible = std::numeric_limits<std::uint32_t>::max();

// Two subtrees side by side; more than `most` leaves in the first part are of no interest.
Cuts joined(const Cuts& a, const Cuts& b, std::size_t most) {
  Cuts sum(std::min(a.size() + b.size() - 1, most + 1), kImpossible);
  for (std::size_t x = 0; x < a.size(); ++x) {
    for (std::size_t y = 0; y < b.size() && x + y < sum.size(); ++y)
      sum[x + y] = std::min(sum[x + y], a[x] + b[y]);
  }
  return sum;
}

}  // namespace

std::uint64_t leaf_bisection_width(const FatTree& tree) {
  const std::size_t half = tree.leaves() / 2;
  // With the subtree's topmost node in the first part, and in the second.
  Cuts inside{kImpossible, 0}, outside{0, kImpossible};
  for (std::uint32_t level = 1; level <= tree.height(); ++level) {
    const std::uint64_t branch = tree.capacity(level);
    Cuts child_in = inside, child_out = outside;
    for (std::size_t x = 0; x < inside.size(); ++x) {
      child_in[x] = std::min(inside[x], outside[x] + branch);
      child_out[x] = std::min(outside[x], inside[x] + branch);
    }
    inside = outside = {0};
    for (std::uint32_t c = 0; c < tree.arity(level); ++c) {
      inside = joined(inside, child_in, half);
      outside = joined(outside, child_out, half);
    }
  }
  return std::min(inside[half], outside[half]);
}

}  // namespace safnet
