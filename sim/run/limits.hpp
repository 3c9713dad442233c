// limits - what options and hardware allow.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace safnet {

/// The smallest of ascending `classes` that is no less than `needed`; the last if there is none.
template <std::size_t Size>
int size_class(std::uint64_t needed, const std::array<int, Size>& classes) {
  for (const int size : classes) {
    if (needed <= static_cast<std::uint64_t>(size)) return size;
  }
  return classes.back();
}

/// Throws std::invalid_argument, naming the option, unless low <= value <= high.
inline void check_range(const char* option, int value, int low, int high) {
  if (value < low || value > high)
    throw std::invalid_argument(fmt::format("{} {}: expected {} to {}", option, value, low, high));
}

}  // namespace safnet
