#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

using Permutation = std::vector<std::uint8_t>;

NodeId factorial(std::uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

// Lexicographic number of a permutation of 0 ... n-1, and back.
NodeId permutation_number(const Permutation& p) {
  NodeId number = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto smaller = std::count_if(p.begin() + static_cast<std::ptrdiff_t>(i) + 1, p.end(),
                                       [&](auto x) { return x < p[i]; });
    number += static_cast<NodeId>(smaller) * factorial(static_cast<std::uint32_t>(p.size() - i - 1));
  }
  return number;
}
Permutation permutation_of(NodeId number, std::uint32_t n) {
  Permutation left(n), result;
  std::iota(left.begin(), left.end(), std::uint8_t{0});
  for (std::uint32_t i = n; i-- > 0;) {
    const auto at = left.begin() + static_cast<std::ptrdiff_t>(number / factorial(i));
    number %= factorial(i);
    result.push_back(*at);
    left.erase(at);
  }
  return result;
}

void swap_with_first(Permutation& symbols, std::size_t position) { std::swap(symbols[0], symbols[position]); }

// Where the permutations of 0 ... n-1 stand. Four symbols: a closed walk of 12 nodes around the other 12.
std::map<Permutation, Point> star_points(std::size_t n) {
  std::map<Permutation, Point> points;
  Permutation walker(n);
  for (std::size_t i = 0; i < n; ++i) walker[i] = static_cast<std::uint8_t>(i);
  if (n <= 4) {
    const std::size_t generators = n - 1, around = n == 4 ? 12 : n == 3 ? 6 : 2;
    const double radius = n == 4 ? 2.6 : n == 3 ? 1 : 0.5;
    for (std::size_t k = 0; k < around; ++k) {
      const Point direction = on_circle(static_cast<double>(k), static_cast<double>(around));
      points[walker] = radius * direction;
      if (n == 4) {
        Permutation inside = walker;
        swap_with_first(inside, 1 + (k + 1) % generators);
        points[inside] = 0.62 * radius * direction;
      }
      swap_with_first(walker, 1 + k % generators);
    }
    return points;
  }
  // One copy of the smaller star graph for every last symbol.
  const std::map<Permutation, Point> part = star_points(n - 1);
  double extent = 0;
  for (const auto& [symbols, point] : part) extent = std::max(extent, length(point));
  for (std::size_t last = 0; last < n; ++last) {
    const Point up = on_circle(static_cast<double>(last), static_cast<double>(n));
    const Point centre = circle_radius(static_cast<NodeId>(n)) * (2 * extent + 1.2) * up;
    for (const auto& [symbols, point] : part) {
      Permutation all = symbols;
      for (std::uint8_t& s : all) s = static_cast<std::uint8_t>(s + (s >= last ? 1 : 0));
      all.push_back(static_cast<std::uint8_t>(last));
      points[all] = centre + point.y * up + point.x * Point{up.y, -up.x};
    }
  }
  return points;
}

Layout star_layout(const Graph& graph) {
  // Maps are in lexicographic order, as are the numbers of the nodes.
  Layout layout;
  for (const auto& [symbols, point] : star_points(graph.max_degree() + 1)) layout.nodes.push_back(point);
  return layout;
}

// The n! permutations of n symbols; port p swaps the first symbol with symbol p + 1. Numbered in
// lexicographic order.
Graph star_graph(std::uint32_t n) {
  const NodeId nodes = factorial(n);
  std::vector<PortId> inverse(n - 1);
  std::iota(inverse.begin(), inverse.end(), PortId{0});
  // Generators act on positions (from the right), translations on symbols (from the left).
  const auto neighbour = [n](NodeId v, PortId p) {
    Permutation symbols = permutation_of(v, n);
    std::swap(symbols[0], symbols[p + 1]);
    return permutation_number(symbols);
  };
  const auto apply = [n](NodeId v, NodeId x) {
    const Permutation rename = permutation_of(v, n);
    Permutation symbols = permutation_of(x, n);
    for (std::uint8_t& s : symbols) s = rename[s];
    return permutation_number(symbols);
  };
  const auto invert = [n](NodeId v, NodeId x) {
    const Permutation rename = permutation_of(v, n);
    Permutation back(n), symbols = permutation_of(x, n);
    for (std::uint8_t i = 0; i < n; ++i) back[rename[i]] = i;
    for (std::uint8_t& s : symbols) s = back[s];
    return permutation_number(symbols);
  };
  // Mean distance over all n! nodes: n + 2/n + H_n - 4, with H_n = 1 + 1/2 + ... + 1/n.
  std::uint64_t status = 2 * factorial(n - 1);
  for (std::uint32_t i = 1; i <= n; ++i) status += nodes / i;
  status = status + std::uint64_t{nodes} * n - 4 * std::uint64_t{nodes};
  const auto name = [n](NodeId v) {
    std::string symbols = "s";
    for (const std::uint8_t s : permutation_of(v, n)) symbols += static_cast<char>('1' + s);
    return symbols;
  };
  return cayley_graph(fmt::format("star:{}", n), nodes, inverse, neighbour, {apply, invert})
      .with_formulas(symmetric_formulas(nodes, n - 1, 3 * (n - 1) / 2, status,
                                        "diameter and mean distance as known for star graphs"))
      .with_node_names(name);
}

}  // namespace

std::vector<TopologyFamily> star_families() {
  return {{"star", ":N", "star:4",
           "star graph: permutations of N symbols, joined if the first is swapped with another",
           [](const Spelling& s) { return star_graph(s.number(2, 8)); }, star_layout}};
}

}  // namespace safnet
