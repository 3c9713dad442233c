// digit_network - arrays, tori, hypercubes and folded cubes as the networks of p^d nodes on which partial
// multinode broadcasts run: nodes are numbers of d digits in base p, once per class.
//
// Varvarigos and Bertsekas 1994 run an algorithm A_0, which uses links of one dimension at a time, in d
// classes at once; class c is A_0 with its dimensions renamed (Theorem 6). Every class numbers nodes by d
// digits, 0 being the least significant; classes differ in which links change digit l:
// - arrays and tori: digit l of class c is the node's digit (l + c) mod d, which is a cyclic shift to the
//   right (footnote 2);
// - folded cubes (Varvarigos, "Efficient routing algorithms for folded-cube networks", section 3): class c
//   is the hypercube without dimension c. Its addresses are V_c(node) of Lemma 1 there; bit b is changed by
//   the links of dimension (d + c - b) mod (d + 1).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

inline constexpr PortId kNoPort = std::numeric_limits<PortId>::max();

/// The numbers that the algorithms and their times depend on.
struct DigitShape {
  std::uint32_t side = 2;    ///< p, 2 or more
  std::uint32_t digits = 1;  ///< d, 1 or more
  bool ring = false;         ///< wraparound; only with p >= 3, for p = 2 the two links would be one
  bool folded = false;       ///< a folded cube; only with p = 2
  /// d; d + 1 on folded cubes.
  std::uint32_t classes() const { return folded ? digits + 1 : digits; }
  /// N = p^d.
  std::uint64_t nodes() const;
  /// gamma of the papers: 2 on rings, otherwise 1.
  std::uint32_t gamma() const { return ring ? 2 : 1; }
  friend bool operator==(const DigitShape&, const DigitShape&) = default;
};

class DigitNetwork {
 public:
  const Graph& graph() const { return graph_; }
  const DigitShape& shape() const { return shape_; }
  std::uint32_t side() const { return shape_.side; }      ///< p
  std::uint32_t digits() const { return shape_.digits; }  ///< d
  std::uint32_t classes() const { return shape_.classes(); }
  bool is_ring() const { return shape_.ring; }
  bool is_folded() const { return shape_.folded; }

  /// The node as class `c` numbers it: the sum of digit l times p^l.
  NodeId address(NodeId node, std::uint32_t c) const;
  /// Inverse of address().
  NodeId node_at(std::uint32_t c, NodeId address) const;
  /// Digit l of the node's address in class c.
  std::uint32_t coordinate(NodeId node, std::uint32_t c, std::uint32_t digit) const;
  /// The dimension whose links change digit l of class c: i changes digit i of the node's number, on folded
  /// cubes i < d changes bit i and d all bits.
  std::uint32_t dimension(std::uint32_t c, std::uint32_t digit) const;
  /// p^l.
  NodeId weight(std::uint32_t digit) const { return weights_[digit]; }
  /// The graph's port to the node whose digit is one more (one less): modulo p on rings; elsewhere kNoPort at
  /// the last (first) node of a row.
  PortId plus_port(NodeId node, std::uint32_t c, std::uint32_t digit) const;
  PortId minus_port(NodeId node, std::uint32_t c, std::uint32_t digit) const;

  /// The network, or one line that says why the graph is none: it must be an array or torus of equal sides
  /// (linear, ring, mesh, torus, a product of such), a hypercube or a folded cube.
  static std::variant<DigitNetwork, std::string> of(const Graph& graph);

 private:
  DigitNetwork(Graph graph, DigitShape shape);
  PortId port(NodeId node, std::uint32_t c, std::uint32_t digit, bool plus) const;

  Graph graph_;
  DigitShape shape_;
  std::vector<NodeId> weights_;               // p^0 ... p^d
  std::vector<std::vector<NodeId>> node_at_;  // folded: [class][address]
  std::vector<PortId> ports_;                 // [node][dimension][plus, minus]; folded: none
};

/// The graph as a network of digits, if it is one.
std::optional<DigitNetwork> digit_network(const Graph& graph);
/// The same from a spelling ("torus:4x4"). Throws std::invalid_argument where there is none.
DigitNetwork make_digit_network(const std::string& topology);
/// Empty, or one line that says why the graph is not such a network.
std::string why_not_digit_network(const Graph& graph);

}  // namespace safnet
