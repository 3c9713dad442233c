#include "cpp_model/claim/torus/equal_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

std::string sides(std::uint32_t n, std::uint32_t k) {
  return with_sides("torus", std::vector<std::uint32_t>(n, k));
}

}  // namespace

std::string EqualSides::name() const { return fmt::format("MT_{{{},{}}}", n, k); }
std::string EqualSides::topology() const { return k == 2 ? fmt::format("doubled-cube:{}", n) : sides(n, k); }

std::uint64_t over_necklaces(
    const EqualSides& sides,
    const std::function<std::uint64_t(std::uint32_t period, std::uint32_t distance)>& steps) {
  const TorusDefinitions torus = sides.definitions();
  std::uint64_t sum = 0;
  for (const NodeId v : torus.generators) sum += steps(torus.period[v], torus.distance[v]);
  return sum;
}

std::uint64_t necklace_steps(const EqualSides& sides, std::uint64_t messages) {
  return over_necklaces(
      sides, [&](std::uint32_t period, std::uint32_t) { return divide_up(messages * period, 2 * sides.n); });
}

std::uint64_t necklaces_but_one(const EqualSides& sides) {
  return over_necklaces(sides, [](std::uint32_t, std::uint32_t) { return 1; });
}

bool splits_evenly(const EqualSides& sides, std::uint32_t messages) {
  return over_necklaces(sides, [&](std::uint32_t period, std::uint32_t) {
           return messages * period % (2 * sides.n) != 0 ? 1 : 0;
         }) == 0;
}

std::vector<MultidimensionalTorus> tori(bool full, std::uint32_t smallest_k) {
  std::vector<MultidimensionalTorus> list;
  for (std::uint32_t n = 1; n <= 5; ++n) {
    for (std::uint32_t k = smallest_k; k <= 8; ++k) {
      if (EqualSides{n, k}.nodes() <= (full ? 4096 : 300)) list.emplace_back(n, k);
    }
  }
  return list;
}

Graph graph_of(const MultidimensionalTorus& torus) {
  return make_topology(sides(torus.dimensions(), torus.radix()));
}

NodeId node(const MultidimensionalTorus& torus, const std::string& digits) {
  NodeId v = 0;
  for (const char c : digits) v = v * torus.radix() + static_cast<NodeId>(c - '0');
  return v;
}

ClaimCheck on_each(const std::string& name, std::vector<MultidimensionalTorus> list,
                   std::function<std::string(const MultidimensionalTorus&)> check) {
  const auto span = [&](auto member) {
    const auto [low, high] = std::ranges::minmax(
        list | std::views::transform([&](const auto& torus) { return (torus.*member)(); }));
    return fmt::format("{} to {}", low, high);
  };
  return {
      fmt::format("{}: {} tori, n = {}, k = {}, {} nodes", name, list.size(),
                  span(&MultidimensionalTorus::dimensions), span(&MultidimensionalTorus::radix),
                  span(&MultidimensionalTorus::node_count)),
      [list = std::move(list), check = std::move(check)] {
        return first_fault(list, [&](const MultidimensionalTorus& torus) {
          const std::string wrong = check(torus);
          return wrong.empty() ? wrong : EqualSides{torus.dimensions(), torus.radix()}.name() + ": " + wrong;
        });
      }};
}

ClaimCheck reproduced(const std::string& name, const EqualSides& sides, HoldsOn holds) {
  return {sides.name() + ": " + name, [=] { return unless(holds(sides.torus()), "not reproduced"); }};
}
ClaimCheck against_print(const std::string& name, const Rational& expected, const PrintedValue& printed,
                         std::function<Rational()> measure) {
  const auto check = [=] {
    const Rational found = measure();
    return unless(found == expected, "{}, expected {}", found.str(), expected.str());
  };
  return {.name = name, .check = check, .printed = Printed<>{printed, measure}};
}
ClaimCheck against_print(const EqualSides& sides, const std::string& name, const Rational& expected,
                         const PrintedValue& printed,
                         std::function<Rational(const MultidimensionalTorus&)> measure) {
  return against_print(sides.name() + ": " + name, expected, printed, [=] { return measure(sides.torus()); });
}

}  // namespace safnet
