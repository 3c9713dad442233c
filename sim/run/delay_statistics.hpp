// delay_statistics - sum, mean, median and percentiles of many delays, all exact.
#pragma once

#include <boost/rational.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace safnet {

/// All in the unit of the delays; 0 if there are no delays.
struct DelayStatistics {
  std::size_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t median = 0;  ///< the 50th percentile
  std::uint64_t percentile_99 = 0;
  std::uint64_t largest = 0;
  boost::rational<std::uint64_t> mean() const;
};

/// The p-th percentile is the smallest delay that p in a hundred are no larger than (nearest rank).
DelayStatistics statistics_of(std::vector<std::uint64_t> delays);

/// That percentile of delays in ascending order, `percent` from 1 to 100; 0 if there are none.
std::uint64_t percentile(const std::vector<std::uint64_t>& ascending, unsigned percent);

}  // namespace safnet
