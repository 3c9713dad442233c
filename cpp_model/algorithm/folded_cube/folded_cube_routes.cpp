#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"

#include <algorithm>
#include <bit>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Makes the first half of the middle destinations, those with `direct` set, regular: as long as one bit
// differs in two more of them than another, a member with the one bit and without the other gives way to what
// it becomes if these two are exchanged.
void balance(std::uint32_t d, const std::vector<NodeId>& middle, std::vector<std::uint8_t>& direct) {
  std::vector<std::uint32_t> count(d, 0);
  for (const NodeId r : middle) {
    for (std::uint32_t i = 0; i < d; ++i) count[i] += direct[r] & (r >> i & 1);
  }
  for (;;) {
    const auto most = static_cast<std::uint32_t>(std::ranges::max_element(count) - count.begin());
    const auto least = static_cast<std::uint32_t>(std::ranges::min_element(count) - count.begin());
    if (count[most] < count[least] + 2) return;
    const NodeId both = NodeId{1} << most | NodeId{1} << least;
    const auto out = std::find_if(middle.begin(), middle.end(), [&](NodeId r) {
      return direct[r] && (r & both) == NodeId{1} << most && !direct[r ^ both];
    });
    direct[*out] = 0;  // there is one: `most` is in more members than `least`
    direct[*out ^ both] = 1;
    --count[most];
    ++count[least];
  }
}

}  // namespace

std::uint64_t folded_cube_exchange_half_steps(std::uint32_t d) {
  return (std::uint64_t{1} << d) - binomial(d, (d + 1) / 2);
}

std::uint64_t folded_cube_exchange_steps(std::uint32_t d) {
  return divide_up(folded_cube_exchange_half_steps(d), 2);
}

std::vector<std::uint32_t> folded_cube_routing_tags(std::uint32_t d, MiddleHalf half) {
  const NodeId nodes = NodeId{1} << d;
  std::vector<NodeId> middle;
  std::vector<std::uint8_t> direct(nodes, 0);
  for (NodeId r = 0; r < nodes; ++r) {
    const auto bits = static_cast<std::uint32_t>(std::popcount(r));
    direct[r] = 2 * bits < d + 1 ? 1 : 0;
    if (2 * bits == d + 1) middle.push_back(r);
  }
  std::reverse(middle.begin(), middle.end());
  for (std::size_t i = 0; i < middle.size() / 2; ++i) direct[middle[i]] = 1;
  if (half == MiddleHalf::kBalanced) balance(d, middle, direct);
  std::vector<std::uint32_t> tags(nodes);
  for (NodeId r = 0; r < nodes; ++r) tags[r] = direct[r] ? r : (r ^ (nodes - 1)) | nodes;
  return tags;
}

std::uint64_t critical_sum(std::uint32_t d, const std::vector<std::uint32_t>& tags) {
  std::vector<std::uint64_t> column(d + 1, 0);
  std::uint64_t largest = 0;
  for (const std::uint32_t tag : tags) {
    largest = std::max<std::uint64_t>(largest, static_cast<std::uint64_t>(std::popcount(tag)));
    for (std::uint32_t i = 0; i <= d; ++i) column[i] += tag >> i & 1;
  }
  return std::max(largest, *std::max_element(column.begin(), column.end()));
}

std::string why_not_folded_cube(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  return folded_cube_dimensions(problem.graph) ? "" : "needs a folded cube";
}

}  // namespace safnet
