// printed_subtree_table - Table 4 of Fragopoulou and Akl, TR 94-363, as it is printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"

namespace safnet {

struct PrintedSubtreeRow {
  std::uint32_t n = 0, k = 0;
  std::uint64_t nodes = 0, nonfull = 0, necklaces = 0, smallest = 0, largest = 0;
  const char* mean = "";   ///< under "k^n/2n", rounded to hundredths
  const char* ratio = "";  ///< of the largest to the mean
};
const std::vector<PrintedSubtreeRow>& printed_subtree_table();

/// A fraction of non-negative integers, rounded to the nearest hundredth, half up: "31.88". Computed exactly.
std::string rounded_to_hundredths(const NecklaceCounts::Integer& numerator,
                                  const NecklaceCounts::Integer& denominator);

/// The columns in which a printed row differs from necklace_counts(), with what is printed: "ratio 1.10".
/// Mean and ratio are of (k^n - 1)/2n, which the column really holds. Empty where the row is right.
std::string misprints(const PrintedSubtreeRow& row);

}  // namespace safnet
