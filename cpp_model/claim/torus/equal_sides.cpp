#include "cpp_model/claim/torus/equal_sides.hpp"

#include <fmt/format.h>

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

std::uint64_t over_necklaces(const MultidimensionalTorus& torus,
                             const std::function<std::uint64_t(NodeId generator)>& steps) {
  std::uint64_t sum = 0;
  for (const NodeId v : torus.generators()) sum += v == 0 ? 0 : steps(v);
  return sum;
}

std::uint64_t necklace_steps(const MultidimensionalTorus& torus, std::uint64_t messages) {
  return over_necklaces(torus,
                        [&](NodeId v) { return divide_up(messages * torus.period(v), torus.label_count()); });
}

std::uint64_t necklaces_but_one(const MultidimensionalTorus& torus) {
  return over_necklaces(torus, [](NodeId) { return 1; });
}

bool splits_evenly(const MultidimensionalTorus& torus, std::uint32_t messages) {
  return over_necklaces(torus, [&](NodeId v) {
           return messages * torus.period(v) % torus.label_count() != 0 ? 1 : 0;
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
  return {
      fmt::format("{}, {} tori", name, list.size()), [list = std::move(list), check = std::move(check)] {
        return first_fault(list, [&](const MultidimensionalTorus& torus) {
          const std::string wrong = check(torus);
          return wrong.empty() ? wrong : EqualSides{torus.dimensions(), torus.radix()}.name() + ": " + wrong;
        });
      }};
}

ClaimCheck reproduced(const std::string& name, const EqualSides& sides, HoldsOn holds) {
  return {name, [=] { return unless(holds(sides.torus()), "not reproduced"); }};
}
ClaimCheck against_print(const std::string& name, const std::string& printed, std::function<bool()> holds) {
  return {name, [holds = std::move(holds)] { return unless(holds(), "is not so"); }, printed};
}
ClaimCheck against_print(const EqualSides& sides, const std::string& fact, const std::string& printed,
                         HoldsOn holds) {
  return against_print(sides.name() + ": " + fact, printed, [=] { return holds(sides.torus()); });
}

}  // namespace safnet
