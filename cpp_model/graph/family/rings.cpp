#include <algorithm>
#include <numeric>
#include <utility>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Nodes 0 ... n-1, v adjacent to v + s and v - s modulo n for each offset s, 1 <= s <= n/2, in ascending
// order. Ports: +s_0, -s_0, +s_1, -s_1, ...; an offset of n/2 has one port.
Graph circulant(std::string spelling, NodeId n, const std::vector<NodeId>& offsets) {
  std::vector<NodeId> steps;
  std::vector<PortId> inverse;
  for (const NodeId s : offsets) {
    const auto p = static_cast<PortId>(steps.size());
    steps.push_back(s);
    if (2 * s == n) {
      inverse.push_back(p);
    } else {
      steps.push_back(n - s);
      inverse.insert(inverse.end(), {p + 1, p});
    }
  }
  return cayley_graph(
      std::move(spelling), n, inverse, [&](NodeId v, PortId p) { return (v + steps[p]) % n; },
      cyclic_translations(n));
}

Graph build_extended_ring(const Spelling& spelling) {
  const auto words = spelling.words(2, "N,RHO such as 14,2");
  const NodeId n = spelling.number(words[0], 2, kMaxNodes);
  return extended_ring(n, spelling.number(words[1], 1, std::min<NodeId>(n / 2, kMaxDegree / 2)));
}

Graph build_circulant(const Spelling& spelling) {
  const std::vector<std::string> words = split(spelling.arguments(), ',');
  if (words.size() < 2) throw spelling.wrong(spelling.arguments(), "N,S,... such as 12,1,3");
  const NodeId n = spelling.number(words[0], 2, kMaxNodes);
  std::vector<NodeId> offsets;
  NodeId divisor = n;
  PortId degree = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    offsets.push_back(spelling.number(words[i], i == 1 ? 1 : offsets.back() + 1, n / 2));
    divisor = std::gcd(divisor, offsets.back());
    degree += 2 * offsets.back() == n ? 1 : 2;
    if (degree > kMaxDegree)
      throw spelling.wrong(words[i], fmt::format("offsets that give at most {} ports", kMaxDegree));
  }
  if (divisor != 1) {
    throw bad_input(
        "{}: {}: {} divides all; expected numbers without a common divisor, for a connected graph",
        one_line(spelling.text()), in_quotes(spelling.arguments()), divisor);
  }
  return circulant(fmt::format("circulant:{},{}", n, fmt::join(offsets, ",")), n, offsets);
}

}  // namespace

Graph linear_array(NodeId n) {
  std::vector<std::vector<Endpoint>> ports(n);
  // The port toward the lower neighbour is the last one: port 1, at the upper end port 0.
  for (NodeId v = 0; v < n; ++v) {
    if (v + 1 < n) ports[v].push_back({v + 1, v + 2 < n ? PortId{1} : PortId{0}});
    if (v > 0) ports[v].push_back({v - 1, 0});
  }
  DistanceFormulas formulas;
  formulas.degree = [n](NodeId v) { return (v > 0 ? 1U : 0U) + (v + 1 < n ? 1U : 0U); };
  formulas.eccentricity = [n](NodeId v) { return std::max(v, n - 1 - v); };
  formulas.diameter = n - 1;
  formulas.status = [n](NodeId v) {
    const std::uint64_t left = v, right = n - 1 - v;
    return left * (left + 1) / 2 + right * (right + 1) / 2;
  };
  formulas.total_status = std::uint64_t{n} * (std::uint64_t{n} * n - 1) / 3;
  formulas.source = "thesis 2.3";
  Graph graph = Graph(fmt::format("linear:{}", n), std::move(ports)).with_formulas(std::move(formulas));
  return n <= 2 ? graph.with_translations(cyclic_translations(n)) : graph;
}

Graph ring(NodeId n) {
  const std::uint64_t size = n;
  return circulant(fmt::format("ring:{}", n), n, {1})
      .with_formulas(
          symmetric_formulas(n, n == 2 ? 1 : 2, n / 2, quarter_square(size), "thesis 2.3, (4.12)"));
}

Graph extended_ring(NodeId n, NodeId rho) {
  std::vector<NodeId> offsets(rho);
  std::iota(offsets.begin(), offsets.end(), NodeId{1});
  const std::uint64_t q = (n - 1) / (2 * rho);
  return circulant(fmt::format("extended-ring:{},{}", n, rho), n, offsets)
      .with_formulas(symmetric_formulas(n, 2 * rho == n ? 2 * rho - 1 : 2 * rho, (n / 2 + rho - 1) / rho,
                                        (q + 1) * (n - 1 - rho * q), "thesis 2.3, (4.13)"));
}

std::vector<TopologyFamily> ring_families() {
  using Order = TopologyFamily::Order;
  return {
      {"linear", ":N", "linear:8", "linear array: N nodes in a row",
       [](const Spelling& s) { return linear_array(s.number(2, kMaxNodes)); }, grid_layout, Order::kRow},
      {"ring", ":N", "ring:8", "linear array with its ends joined; port 0 leads clockwise",
       [](const Spelling& s) { return ring(s.number(2, kMaxNodes)); }, circle_layout, Order::kCircle},
      {"extended-ring", ":N,RHO", "extended-ring:14,2",
       "ring with every node joined to its RHO nearest on both sides", build_extended_ring, circle_layout,
       Order::kCircle},
      {"circulant", ":N,S,...", "circulant:12,1,3", "N nodes on a circle, joined to those S, ... places away",
       build_circulant, circle_layout, Order::kCircle},
  };
}

}  // namespace safnet
