#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/family/cayley_graph.hpp"
#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

// What cube-connected cycles and wrapped butterflies are built on: pairs (w, i) of a d-bit word and a
// position, numbered w d + i. They are a group: (u, j)(w, i) = (u xor w rotated left by j, i + j).
class WordAndPosition {
 public:
  explicit WordAndPosition(std::uint32_t d) : d_(d) {}
  NodeId nodes() const { return d_ << d_; }
  NodeId word(NodeId v) const { return v / d_; }
  std::uint32_t position(NodeId v) const { return v % d_; }
  std::uint32_t next(std::uint32_t i) const { return (i + 1) % d_; }
  std::uint32_t previous(std::uint32_t i) const { return (i + d_ - 1) % d_; }
  NodeId number(NodeId w, std::uint32_t i) const { return w * d_ + i; }
  Translations translations() const {
    const WordAndPosition self = *this;
    return {[self](NodeId v, NodeId x) {
              const std::uint32_t j = self.position(v);
              return self.number(self.word(v) ^ self.rotated(self.word(x), j),
                                 (self.position(x) + j) % self.d_);
            },
            [self](NodeId v, NodeId x) {
              const std::uint32_t back = self.d_ - self.position(v);
              return self.number(self.rotated(self.word(x) ^ self.word(v), back),
                                 (self.position(x) + back) % self.d_);
            }};
  }
  // "w101_2": the word's bits, highest first, and the position.
  std::function<std::string(NodeId)> names() const {
    const WordAndPosition self = *this;
    return [self](NodeId v) { return fmt::format("w{:0{}b}_{}", self.word(v), self.d_, self.position(v)); };
  }

 private:
  NodeId rotated(NodeId w, std::uint32_t by) const {
    by %= d_;
    return ((w << by) | (w >> (d_ - by))) & ((NodeId{1} << d_) - 1);
  }
  std::uint32_t d_;
};

// The d of families with d 2^d nodes.
std::uint32_t word_bits(NodeId nodes) {
  std::uint32_t d = 1;
  while ((d << d) < nodes) ++d;
  return d;
}

// A cube with a cycle at every corner. The common cube is drawn as a square within a square, and its corners
// have their nodes where their links leave.
Layout cube_connected_cycles_layout(const Graph& graph) {
  const NodeId nodes = graph.node_count();
  const std::uint32_t d = word_bits(nodes);
  const double radius = d == 3 ? 0.72 : circle_radius(d);
  std::vector<Point> corners = cube_corners(cube_axes(d));
  for (std::size_t w = 0; w < corners.size(); ++w) {
    if (d == 3) {
      const double half = (w & 4) != 0 ? 1.2 : 3.3;
      corners[w] = {(w & 1) != 0 ? half : -half, (w & 2) != 0 ? half : -half};
    } else {
      corners[w] = (2 * radius + 1.5) * corners[w];
    }
  }
  Layout layout;
  for (NodeId v = 0; v < nodes; ++v) {
    const std::size_t w = v / d, i = v % d;
    const Point away = corners[w ^ (std::size_t{1} << i)] - corners[w];
    const Point direction =
        d == 3 ? unit_vector(away) : on_circle(static_cast<double>(i), static_cast<double>(d));
    // The triangles of the outer square would be flat.
    const double stretch = d == 3 && i == 2 && (w & 4) == 0 ? 1.45 : 1;
    layout.nodes.push_back(corners[w] + stretch * radius * direction);
  }
  return layout;
}

// Columns; the links from the last to the first end in the air on both sides.
Layout butterfly_layout(const Graph& graph) {
  const std::uint32_t d = word_bits(graph.node_count());
  const double across = 0.82 * static_cast<double>(1U << d) / d;  // for a picture that is a little wide
  const double column = std::max(1.0, across), row = 0.72;
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v) layout.nodes.push_back({column * (v % d), -row * (v / d)});
  layout.line = [graph, d, column, nodes = layout.nodes](NodeId v, PortId p) {
    const NodeId u = graph.peer(v, p).node;
    const bool forward = p < 2;
    if (forward ? v % d + 1 < d : v % d > 0) return Line{};
    return Line{.kind = Line::Kind::kStubs,
                .to_there = {forward ? column : -column, nodes[u].y - nodes[v].y}};
  };
  return layout;
}

// A hypercube, d >= 3, with a ring of d nodes in place of every corner. Node (w, i) is number w d + i; ports:
// (w, i + 1), (w, i - 1), (w with bit i changed, i).
Graph cube_connected_cycles(std::uint32_t d) {
  const WordAndPosition group(d);
  const auto neighbour = [&](NodeId v, PortId p) {
    const NodeId w = group.word(v);
    const std::uint32_t i = group.position(v);
    if (p == 2) return group.number(w ^ (NodeId{1} << i), i);
    return group.number(w, p == 0 ? group.next(i) : group.previous(i));
  };
  return cayley_graph(fmt::format("cube-connected-cycles:{}", d), group.nodes(), {1, 0, 2}, neighbour,
                      group.translations())
      .with_formulas(symmetric_formulas(group.nodes(), 3, d == 3 ? 6 : 2 * d + d / 2 - 2, std::nullopt,
                                        "diameter as known for cube-connected cycles"))
      .with_node_names(group.names());
}

// The butterfly, d >= 3, with its first and last column made one. Node (w, i) is number w d + i; ports:
// (w, i + 1), (w with bit i changed, i + 1), (w, i - 1), (w with bit i - 1 changed, i - 1).
Graph wrapped_butterfly(std::uint32_t d) {
  const WordAndPosition group(d);
  const auto neighbour = [&](NodeId v, PortId p) {
    const NodeId w = group.word(v);
    const std::uint32_t i = group.position(v), back = group.previous(i);
    switch (p) {
      case 0:
        return group.number(w, group.next(i));
      case 1:
        return group.number(w ^ (NodeId{1} << i), group.next(i));
      case 2:
        return group.number(w, back);
      default:
        return group.number(w ^ (NodeId{1} << back), back);
    }
  };
  return cayley_graph(fmt::format("butterfly:{}", d), group.nodes(), {2, 3, 0, 1}, neighbour,
                      group.translations())
      .with_formulas(symmetric_formulas(group.nodes(), 4, d + d / 2, std::nullopt,
                                        "diameter as known for wrapped butterflies"))
      .with_node_names(group.names());
}

}  // namespace

std::vector<TopologyFamily> butterfly_families() {
  return {
      {"cube-connected-cycles", ":D", "cube-connected-cycles:3",
       "hypercube with a ring of D nodes for every corner",
       [](const Spelling& s) { return cube_connected_cycles(s.number(3, 12)); },
       cube_connected_cycles_layout},
      {"butterfly", ":D", "butterfly:3",
       "wrapped butterfly: D columns of 2^D nodes, the last joined to the first",
       [](const Spelling& s) { return wrapped_butterfly(s.number(3, 12)); }, butterfly_layout},
  };
}

}  // namespace safnet
