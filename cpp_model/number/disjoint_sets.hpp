// disjoint_sets - numbers that are joined into sets step by step (union and find).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace safnet {

/// At first each of the numbers 0 ... size - 1 is a set of its own. The smallest of a set stands for it.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  /// The number that stands for the set of i.
  std::uint32_t of(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Makes the sets of a and b one.
  void join(std::uint32_t a, std::uint32_t b) { parent_[std::max(of(a), of(b))] = std::min(of(a), of(b)); }
  /// Whether i stands for its set.
  bool leads(std::uint32_t i) { return of(i) == i; }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace safnet
