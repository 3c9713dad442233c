// equal_sides - tori of equal sides as the claims on Fragopoulou and Akl, TR 94-363, name them, and checks on
// lists of them. MT_{n,k} is the torus of n dimensions and k nodes a side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/torus/torus_necklaces.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/torus/torus_definitions.hpp"

namespace safnet {

/// MT_{n,k}; for k = 2 the doubled cube.
struct EqualSides {
  std::uint32_t n = 1, k = 3;
  std::uint64_t nodes() const { return power(k, n); }
  std::uint64_t diameter() const { return std::uint64_t{n} * (k / 2); }
  std::string name() const;      ///< "MT_{2,4}"
  std::string topology() const;  ///< "torus:4x4", "doubled-cube:2"
  MultidimensionalTorus torus() const { return {n, k}; }
  TorusDefinitions definitions() const { return {n, k}; }
};

/// The sum of `steps` over all necklaces but that of node 0, of their number of nodes and distance from it.
std::uint64_t over_necklaces(
    const EqualSides& sides,
    const std::function<std::uint64_t(std::uint32_t period, std::uint32_t distance)>& steps);
/// Steps of a traversal, necklace by necklace: the sum of ceil(MP/2n) over the necklaces of P nodes.
std::uint64_t necklace_steps(const EqualSides& sides, std::uint64_t messages);
std::uint64_t necklaces_but_one(const EqualSides& sides);
/// Is MP/2n whole for every necklace of P nodes?
bool splits_evenly(const EqualSides& sides, std::uint32_t messages);

/// MT_{n,k} with n <= 5 and k from 3 (or 2) to 8, of up to 300 nodes; full: 4096.
std::vector<MultidimensionalTorus> tori(bool full, std::uint32_t smallest_k = 3);
/// "torus:4x4", also of sides 2, where it is the hypercube.
Graph graph_of(const MultidimensionalTorus& torus);
/// The node whose digits are written so: "132".
NodeId node(const MultidimensionalTorus& torus, const std::string& digits);

/// A check on every torus of a list, whose name says which; a failure names the first torus that fails.
ClaimCheck on_each(const std::string& name, std::vector<MultidimensionalTorus> list,
                   std::function<std::string(const MultidimensionalTorus&)> check);
/// An example of the paper, on one torus.
using HoldsOn = std::function<bool(const MultidimensionalTorus&)>;
ClaimCheck reproduced(const std::string& name, const EqualSides& sides, HoldsOn holds);
/// A check that `measure` finds so many, which contradicts what is printed.
ClaimCheck against_print(const std::string& name, const Rational& expected, const PrintedValue& printed,
                         std::function<Rational()> measure);
/// The same of something on one torus, whose name is put before that of the check.
ClaimCheck against_print(const EqualSides& sides, const std::string& name, const Rational& expected,
                         const PrintedValue& printed,
                         std::function<Rational(const MultidimensionalTorus&)> measure);

}  // namespace safnet
