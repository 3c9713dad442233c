#include "sim/run/delay_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/number/exact.hpp"

namespace safnet {

boost::rational<std::uint64_t> DelayStatistics::mean() const {
  return {sum, std::max<std::uint64_t>(count, 1)};
}

std::uint64_t percentile(const std::vector<std::uint64_t>& ascending, unsigned percent) {
  if (ascending.empty()) return 0;
  return ascending[divide_up(ascending.size() * percent, 100) - 1];
}

DelayStatistics statistics_of(std::vector<std::uint64_t> delays) {
  std::sort(delays.begin(), delays.end());
  DelayStatistics statistics;
  statistics.count = delays.size();
  statistics.sum = std::accumulate(delays.begin(), delays.end(), std::uint64_t{0});
  statistics.median = percentile(delays, 50);
  statistics.percentile_99 = percentile(delays, 99);
  statistics.largest = percentile(delays, 100);
  return statistics;
}

}  // namespace safnet
