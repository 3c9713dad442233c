#include "cpp_model/algorithm/torus/torus_necklaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

using Integer = NecklaceCounts::Integer;

// Rings wired as ring() does it: port 0 adds 1, port 1 subtracts 1. Two nodes need two edges.
bool is_ring_of(const Graph& factor, NodeId k) {
  if (factor.node_count() != k || k < 2) return false;
  for (NodeId v = 0; v < k; ++v) {
    if (factor.degree(v) != 2) return false;
    if (factor.peer(v, 0).node != (v + 1) % k || factor.peer(v, 1).node != (v + k - 1) % k) return false;
  }
  return true;
}

Integer power(std::uint32_t base, std::uint32_t exponent) {
  return boost::multiprecision::pow(Integer(base), exponent);
}

// Nodes v with R^d(v) = v, for a divisor d of 2n.
Integer fixed_nodes(std::uint32_t n, std::uint32_t k, std::uint32_t d) {
  if (n % d == 0) return k % 2 == 0 ? power(2, d) : Integer(1);
  return power(k, d / 2);
}

int moebius(std::uint32_t m) {
  int value = 1;
  for (std::uint32_t p = 2; p <= m; ++p) {
    if (m % p != 0) continue;
    m /= p;
    if (m % p == 0) return 0;
    value = -value;
  }
  return value;
}

}  // namespace

MultidimensionalTorus::MultidimensionalTorus(std::uint32_t n, std::uint32_t k) : n_(n), k_(k), nodes_(1) {
  const auto wrong = [&](const std::string& expected) {
    return bad_input("torus of {} dimensions of {} nodes: expected {}", n, k, expected);
  };
  if (n < 1 || 2 * std::uint64_t{n} > kMaxDegree)
    throw wrong(fmt::format("1 to {} dimensions", kMaxDegree / 2));
  if (k < 2) throw wrong("at least 2 nodes a dimension");
  std::uint64_t nodes = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    power_.push_back(static_cast<NodeId>(nodes));
    nodes *= k;
    if (nodes > kMaxNodes) throw wrong(fmt::format("at most {} nodes", kMaxNodes));
  }
  nodes_ = static_cast<NodeId>(nodes);
  distance_.assign(nodes_, 0);
  for (NodeId v = 0; v < nodes_; ++v) {
    for (std::uint32_t i = 0; i < n_; ++i) distance_[v] += std::min(digit(v, i), k_ - digit(v, i));
  }
  displacement_.assign(nodes_, 0);
  period_.assign(nodes_, 0);
  generator_.assign(nodes_, kNoNode);
  std::vector<NodeId> necklace;
  for (NodeId v = 0; v < nodes_; ++v) {
    if (generator_[v] != kNoNode) continue;
    necklace.clear();
    NodeId first = v;
    NodeId u = v;
    do {
      necklace.push_back(u);
      if (generator_order(u) > generator_order(first)) first = u;
      u = rotate(u);
    } while (u != v);
    u = first;
    period_[first] = static_cast<std::uint32_t>(necklace.size());
    for (std::uint32_t i = 0; i < period_[first]; ++i, u = rotate(u)) {
      generator_[u] = first;
      displacement_[u] = i;
    }
  }
}

std::optional<MultidimensionalTorus> MultidimensionalTorus::of(const Graph& graph) {
  const std::vector<Graph> rings = dimensions_of(graph);
  const NodeId k = rings.front().node_count();
  if (graph.node_count() > kMaxNodes) return std::nullopt;
  for (const Graph& ring : rings) {
    if (!is_ring_of(ring, k)) return std::nullopt;
  }
  return MultidimensionalTorus(static_cast<std::uint32_t>(rings.size()), k);
}

NodeId MultidimensionalTorus::with_digit(NodeId v, std::uint32_t i, std::uint32_t value) const {
  return v - digit(v, i) * power_[i] + value * power_[i];
}

std::string MultidimensionalTorus::label_text(NodeId v) const {
  std::vector<std::uint32_t> digits(n_);
  for (std::uint32_t i = 0; i < n_; ++i) digits[n_ - 1 - i] = digit(v, i);
  return fmt::format("{}", fmt::join(digits, k_ > 10 ? "_" : ""));
}

NodeId MultidimensionalTorus::translate(NodeId s, NodeId v) const {
  NodeId result = 0;
  for (std::uint32_t i = 0; i < n_; ++i) result += (digit(v, i) + digit(s, i)) % k_ * power_[i];
  return result;
}

NodeId MultidimensionalTorus::translate_back(NodeId s, NodeId v) const {
  return translate(rotate(s, n_), v);  // n rotations negate every digit
}

NodeId MultidimensionalTorus::rotate(NodeId v, std::uint32_t times) const {
  for (times %= 2 * n_; times > 0; --times) v = v / k_ + (k_ - v % k_) % k_ * power_[n_ - 1];
  return v;
}

std::uint32_t MultidimensionalTorus::label_between(std::uint32_t i, std::uint32_t from,
                                                   std::uint32_t to) const {
  return n_ - 1 - i + ((to + 1) % k_ == from ? 0 : n_);
}

NodeId MultidimensionalTorus::head(const DimensionedLink& link) const {
  const std::uint32_t i = label_digit(link.label);
  return with_digit(link.tail, i, (digit(link.tail, i) + (label_sign(link.label) > 0 ? 1 : k_ - 1)) % k_);
}

DimensionedLink MultidimensionalTorus::translate(NodeId s, const DimensionedLink& link) const {
  return {translate(s, link.tail), link.label};
}

DimensionedLink MultidimensionalTorus::rotate(const DimensionedLink& link, std::uint32_t times) const {
  return {rotate(link.tail, times), (link.label + times % (2 * n_)) % (2 * n_)};
}

std::uint64_t MultidimensionalTorus::generator_order(NodeId v) const {
  std::uint64_t binary = 0, by_digits = 0;
  for (std::uint32_t i = n_; i-- > 0;) {
    const std::uint32_t d = digit(v, i);
    binary = 2 * binary + (d != 0 ? 1 : 0);
    by_digits = k_ * by_digits + (d == 0 ? 0 : 2 * d <= k_ ? 2 * d - 1 : 2 * (k_ - d));
  }
  return binary * nodes_ + by_digits;
}

std::vector<NodeId> MultidimensionalTorus::generators() const {
  std::vector<NodeId> result;
  for (NodeId v = 0; v < nodes_; ++v) {
    if (generator_[v] == v) result.push_back(v);
  }
  std::ranges::stable_sort(result, {}, [&](NodeId v) { return distance_[v]; });
  return result;
}

std::vector<NodeId> MultidimensionalTorus::entries(bool furthest_first) const {
  std::vector<NodeId> list = generators();
  list.erase(list.begin());
  if (furthest_first) std::reverse(list.begin(), list.end());
  return list;
}

std::vector<NodeId> MultidimensionalTorus::rotations(NodeId v, std::uint32_t count) const {
  std::vector<NodeId> result;
  result.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i, v = rotate(v)) result.push_back(v);
  return result;
}

NecklaceCounts necklace_counts(std::uint32_t n, std::uint32_t k) {
  NecklaceCounts counts;
  counts.nodes = power(k, n);
  Integer full = 0, fixed_by_all = 0;
  for (std::uint32_t d = 1; d <= 2 * n; ++d) {
    if (2 * n % d != 0) continue;
    full += moebius(2 * n / d) * fixed_nodes(n, k, d);
    // R^i fixes what R^d fixes, d = gcd(i, 2n); phi(2n/d) of the 2n powers of R have that d.
    for (std::uint32_t i = d; i <= 2 * n; i += d) {
      if (std::gcd(i, 2 * n) == d) fixed_by_all += fixed_nodes(n, k, d);
    }
  }
  counts.nonfull = counts.nodes - full;
  counts.necklaces = fixed_by_all / (2 * n);
  counts.smallest = full / (2 * n);
  counts.largest = counts.necklaces - 1;
  return counts;
}

}  // namespace safnet
