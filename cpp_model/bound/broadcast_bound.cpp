#include "cpp_model/bound/broadcast_bound.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

namespace safnet {
namespace {

using boost::multiprecision::cpp_int;

// sum over l = d ... t of C(t, l), up to `enough`: nodes that can be informed through paths of d hops or more
// within t steps (thesis 3.2.1).
std::uint64_t informed(std::uint64_t t, std::uint64_t d, std::uint64_t enough) {
  if (d > t) return 0;
  if (t >= 63) return enough;           // C(63, 49) and more: plenty, for the d that this is asked for
  std::uint64_t sum = 0, binomial = 1;  // C(t, l); times t - l it stays below 2^64 for t < 63
  for (std::uint64_t l = 0; l <= t; ++l) {
    if (l >= d) sum += binomial;
    if (sum >= enough) return sum;
    binomial = binomial * (t - l) / (l + 1);
  }
  return sum;
}

}  // namespace

std::vector<std::uint64_t> distance_degree_sequence(const Graph& graph, NodeId root) {
  std::vector<std::uint64_t> sequence;
  for (const std::uint32_t d : graph.distances_from(root)) {
    if (sequence.size() <= d) sequence.resize(d + 1);
    ++sequence[d];
  }
  return sequence;
}

std::vector<std::uint64_t> nodes_at_least(const std::vector<std::uint64_t>& sequence) {
  std::vector<std::uint64_t> sums = sequence;
  for (std::size_t d = sums.size() - 1; d-- > 0;) sums[d] += sums[d + 1];
  return sums;
}

std::uint64_t steps_to_inform(std::uint64_t distance, std::uint64_t nodes) {
  std::uint64_t t = distance;
  if (distance < 50) {
    while (t < 63 && informed(t, distance, nodes) < nodes) ++t;
  } else if (nodes > 1) {
    // C(t, t) is 1, and one step more informs t + 2 nodes or more: enough for few of them.
    cpp_int sum = 1;
    while (sum < nodes) {
      ++t;
      cpp_int binomial = 1;  // C(t, t), C(t, t - 1), ... down to C(t, distance)
      sum = 1;
      for (std::uint64_t l = t; l > distance; --l) {
        binomial = binomial * l / (t - l + 1);
        sum += binomial;
      }
    }
  }
  return t;
}

std::uint64_t corollary_3_4(std::uint64_t distance, std::uint64_t nodes) {
  const std::uint64_t d = distance;
  // Compared with 4^(d - 1), all multiplied by 4 so that d = 0 stays an integer.
  const cpp_int power = cpp_int(1) << static_cast<unsigned>(2 * d);
  const cpp_int four_nodes = cpp_int(4) * nodes;
  if (four_nodes == power) return 2 * d - 1;
  if (four_nodes > power) {
    // 2^T >= 4^(d - 1) + R
    std::uint64_t t = 0;
    while ((cpp_int(4) << static_cast<unsigned>(t)) < power + four_nodes) ++t;
    return t;
  }
  // T >= d/2 + (d! (R - 1))^(1/(d + 1)), that is (2T - d)^(d + 1) >= 2^(d + 1) d! (R - 1)
  cpp_int right = cpp_int(2) << static_cast<unsigned>(d);
  for (std::uint64_t i = 2; i <= d; ++i) right *= i;
  right *= nodes - 1;
  std::uint64_t t = (d + 1) / 2;
  while (boost::multiprecision::pow(cpp_int(2 * t - d), static_cast<unsigned>(d + 1)) < right) ++t;
  return t;
}

std::uint64_t steps_to_inform_in_tree(std::uint64_t distance, std::uint64_t nodes) {
  std::uint64_t t = distance;
  cpp_int binomial = 1;  // C(t, distance)
  while (binomial < nodes) {
    ++t;
    binomial = binomial * t / (t - distance);
    if (distance == 0) break;
  }
  return t;
}

}  // namespace safnet
