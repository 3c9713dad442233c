// groups - numbers in groups, side by side in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace safnet {

/// Group k is numbers[first[k]] ... numbers[first[k + 1] - 1], in the order in which they came. Linear time,
/// by counting.
struct Groups {
  std::vector<std::uint32_t> first{0}, numbers;

  Groups() = default;
  /// `each(put)` calls put(group, number) for every number; it is called twice.
  template <class Each>
  Groups(std::size_t groups, const Each& each) : first(groups + 2) {
    each([this](std::size_t group, std::uint32_t) { ++first[group + 2]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    numbers.resize(first.back());
    // first[group + 1] is the group's next free place; once the group is full, the next group begins there.
    each([this](std::size_t group, std::uint32_t number) { numbers[first[group + 1]++] = number; });
    first.pop_back();
  }
  std::span<const std::uint32_t> of(std::size_t group) const {
    return {numbers.data() + first[group], first[group + 1] - first[group]};
  }
};

}  // namespace safnet
