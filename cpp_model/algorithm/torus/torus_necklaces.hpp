// torus_necklaces - the n-dimensional k-ary torus with its translations, its rotation and the necklaces of
// nodes that rotation makes.
//
// Fragopoulou and Akl, A Framework for Optimal Communication on the Multidimensional Torus Network, TR
// 94-363, Queen's University, 1994, section 2. A node of MT_{n,k} is a number of n digits in radix k, written
// v_{n-1} ... v_0. On a graph, digit v_i is coordinate n - 1 - i, so that label, coordinates and node number
// are the same text: v = sum of v_i k^i. Link g_i^{+1}, which adds 1 to digit i, leaves through port
// 2 (n - 1 - i), link g_i^{-1} through the port after it.
//
// For k = 2 the two links of a digit lead to the same node: the doubled cube, which has two parallel edges
// for every edge of the hypercube.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// A directed link by its tail and its dimension label, 0 ... 2n-1. Label l < n is dimension g_{n-1-l}^{-1},
/// label n + l is g_{n-1-l}^{+1}: label i is the link through which node 0 reaches R^i((k-1) 0 ... 0), in the
/// paper "port i" (section 5.4), and rotation adds 1 to it (Lemmas 2 and 3).
struct DimensionedLink {
  NodeId tail = 0;
  std::uint32_t label = 0;
  friend auto operator<=>(const DimensionedLink&, const DimensionedLink&) = default;
};

/// MT_{n,k}, for k = 2 with doubled edges.
class MultidimensionalTorus {
 public:
  /// Throws std::invalid_argument unless n >= 1, k >= 2, k^n <= kMaxNodes and 2n <= kMaxDegree.
  MultidimensionalTorus(std::uint32_t n, std::uint32_t k);
  /// What the graph is, if its dimensions are rings of equal length k >= 3, or pairs of nodes with two edges
  /// (k = 2), with ports as above.
  static std::optional<MultidimensionalTorus> of(const Graph& graph);

  std::uint32_t dimensions() const { return n_; }
  std::uint32_t radix() const { return k_; }
  NodeId node_count() const { return nodes_; }
  std::uint32_t label_count() const { return 2 * n_; }
  /// n floor(k/2) hops.
  std::uint32_t diameter() const { return n_ * (k_ / 2); }

  std::uint32_t digit(NodeId v, std::uint32_t i) const { return v / power_[i] % k_; }
  NodeId with_digit(NodeId v, std::uint32_t i, std::uint32_t value) const;
  /// The digits, v_{n-1} first; joined by "_" if k > 10.
  std::string label_text(NodeId v) const;
  /// Hops from node 0: the sum of min(v_i, k - v_i).
  std::uint32_t distance(NodeId v) const { return distance_[v]; }

  /// T_s(v) and its inverse (Definition 1): digits added or subtracted modulo k.
  NodeId translate(NodeId s, NodeId v) const;
  NodeId translate_back(NodeId s, NodeId v) const;
  /// R^times(v) (Definition 2): the digits move right by one place, the last becomes the first, negated.
  NodeId rotate(NodeId v, std::uint32_t times = 1) const;

  /// Position i of digit, and +1 or -1, that a label stands for.
  std::uint32_t label_digit(std::uint32_t label) const { return n_ - 1 - label % n_; }
  int label_sign(std::uint32_t label) const { return label < n_ ? -1 : 1; }
  PortId port_of_label(std::uint32_t label) const { return 2 * (label % n_) + (label < n_ ? 1 : 0); }
  std::uint32_t label_of_port(PortId port) const { return port / 2 + (port % 2 == 1 ? 0 : n_); }
  /// Label of the link from digit value `from` to `to`, one apart modulo k, at position i. For k = 2 the
  /// lower of the two.
  std::uint32_t label_between(std::uint32_t i, std::uint32_t from, std::uint32_t to) const;
  NodeId head(const DimensionedLink& link) const;
  /// The link of that label that leads to v.
  DimensionedLink link_to(NodeId v, std::uint32_t label) const {
    return {head({v, (label + n_) % (2 * n_)}), label};
  }
  DimensionedLink translate(NodeId s, const DimensionedLink& link) const;
  DimensionedLink rotate(const DimensionedLink& link, std::uint32_t times = 1) const;

  /// The order of Definition 4: by the binary correspondent, then by the digits, v_{n-1} first, in the order
  /// 0 < 1 < k-1 < 2 < k-2 < ... The node of a necklace with the largest is its generator.
  std::uint64_t generator_order(NodeId v) const;
  NodeId generator(NodeId v) const { return generator_[v]; }
  /// D(v): rotations that lead from the generator to v (Definition 5), 0 ... P(v)-1.
  std::uint32_t displacement(NodeId v) const { return displacement_[v]; }
  /// P(v): nodes of the necklace (Definition 6), a divisor of 2n.
  std::uint32_t period(NodeId v) const { return period_[generator_[v]]; }
  bool is_full(NodeId v) const { return period(v) == 2 * n_; }

  /// All generators, node 0 included, by distance, then number: one per necklace (Table 2).
  std::vector<NodeId> generators() const;
  /// The same without node 0, the nearest or the furthest first.
  std::vector<NodeId> entries(bool furthest_first) const;
  /// The `count` nodes v, R(v), R^2(v), ...: period(v) of them are the necklace, 2n the unfolded one
  /// (Definition 7).
  std::vector<NodeId> rotations(NodeId v, std::uint32_t count) const;

 private:
  std::uint32_t n_, k_;
  NodeId nodes_;
  std::vector<NodeId> power_;  // of k
  std::vector<std::uint32_t> distance_, displacement_, period_;
  std::vector<NodeId> generator_;
};

/// What Table 4 counts, by formula, so for networks of any size.
struct NecklaceCounts {
  using Integer = boost::multiprecision::cpp_int;
  Integer nodes;      ///< k^n
  Integer nonfull;    ///< nodes of necklaces of fewer than 2n, node 0 included
  Integer necklaces;  ///< node 0 included
  Integer smallest;   ///< nodes other than 0 of the rarest displacement: full necklaces
  Integer largest;    ///< of the most frequent one, 0: all necklaces but that of node 0
};

/// From the fixed nodes of R^d, d a divisor of 2n: 2^d (k even) or 1 (k odd) if d divides n, otherwise
/// k^(d/2). Nonfull nodes by Moebius inversion, necklaces by Burnside's lemma. n >= 1, k >= 2.
NecklaceCounts necklace_counts(std::uint32_t n, std::uint32_t k);

}  // namespace safnet
