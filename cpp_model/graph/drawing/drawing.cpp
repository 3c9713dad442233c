#include "cpp_model/graph/drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Colours that stand out on white and on black.
constexpr const char* kNodeColour = "#3b82f6";
constexpr const char* kLinkColour = "#8b949e";
constexpr const char* kSpecialColour = "#f0883e";
constexpr const char* kRouterColour = "#8957e5";

constexpr NodeId kMaxCurvedNodes = 100;

// In distances between neighbours; x to the right, y up.
struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};

double length(Point a) { return std::hypot(a.x, a.y); }

// How an edge is drawn.
struct Line {
  enum class Kind { kStraight, kBow, kStubs } kind = Kind::kStraight;
  Point bow{};       // kBow: how far the middle is moved aside
  Point to_there{};  // kStubs: from the near end to where the far end would be if the picture went on
  bool special = false;
  std::string label{};  // beside the middle, in pictures with names
};

struct Layout {
  std::vector<Point> nodes;
  std::function<Line(NodeId v, PortId p)> line = [](NodeId, PortId) { return Line{}; };
};

// Part k of n of a turn, clockwise from the top.
Point on_circle(double k, double n) {
  const double angle = 2 * std::numbers::pi * k / n;
  return {std::sin(angle), std::cos(angle)};
}

// Where neighbours on a circle of n are one unit apart.
double circle_radius(NodeId n) {
  return n < 2 ? 0 : 0.5 / std::sin(std::numbers::pi / std::max<NodeId>(n, 3));
}

Point unit_vector(Point a) { return (1 / length(a)) * a; }

// Links that pass close to the nodes between their ends bow towards the centre.
Layout circle(const Graph& graph) {
  const NodeId n = graph.node_count();
  const double radius = circle_radius(n);
  Layout layout;
  for (NodeId v = 0; v < n; ++v) layout.nodes.push_back(radius * on_circle(v, n));
  layout.line = [graph, n, radius, nodes = layout.nodes](NodeId v, PortId p) {
    const NodeId u = graph.peer(v, p).node;
    const NodeId steps = std::min((v + n - u) % n, (u + n - v) % n);
    const Point middle = 0.5 * (nodes[v] + nodes[u]);
    const double clearance = radius - length(middle);
    if (steps < 2 || clearance > 0.45 || n < 10) return Line{};
    return Line{.kind = Line::Kind::kBow, .bow = (clearance - 0.55) * unit_vector(middle)};
  };
  return layout;
}

bool is_circular(const Graph& graph) {
  const std::string family = graph.family();
  return family == "ring" || family == "circulant" || family == "extended-ring" || family == "complete";
}

bool is_row(const Graph& graph) { return graph.family() == "linear" || is_circular(graph); }

// The outer ring of a generalized Petersen graph around its inner nodes.
Layout two_circles(const Graph& graph) {
  const NodeId around = graph.node_count() / 2;
  const double outer = std::max(circle_radius(around), 1.2);
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v)
    layout.nodes.push_back((v < around ? outer : 0.5 * outer) * on_circle(v % around, around));
  return layout;
}

// Directions of the axes of a grid: down and right in the plane; right, up and aslant in space; further
// dimensions are copies of the whole side by side, then one above the other.
std::vector<Point> grid_axes(const std::vector<NodeId>& sizes) {
  if (sizes.size() == 1) return {{1, 0}};
  if (sizes.size() == 2) return {{0, -1}, {1, 0}};
  std::vector<Point> axes{{1, 0}, {0, 1}, {0.46, 0.34}};
  Point extent;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    // Slopes that keep links away from nodes that they pass.
    if (i >= axes.size())
      axes.push_back(i % 2 == 1 ? Point{extent.x + 0.56, -0.45} : Point{0.52, extent.y + 0.84});
    const double steps = sizes[i] - 1;
    extent = extent + steps * Point{std::abs(axes[i].x), std::abs(axes[i].y)};
  }
  return axes;
}

// Rows of nodes along the axes. Links between nodes of a row that are no neighbours in it bow.
Layout grid(const Graph& graph) {
  std::vector<NodeId> sizes;
  for (const Graph& factor : graph.factors()) sizes.push_back(factor.node_count());
  if (sizes.empty()) sizes.push_back(graph.node_count());
  const std::vector<Point> axes = grid_axes(sizes);
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const std::vector<NodeId> at = graph.coordinates(v);
    Point point;
    for (std::size_t i = 0; i < at.size(); ++i) point = point + static_cast<double>(at[i]) * axes[i];
    layout.nodes.push_back(point);
  }
  layout.line = [graph, axes](NodeId v, PortId p) {
    const std::vector<NodeId> here = graph.coordinates(v), there = graph.coordinates(graph.peer(v, p).node);
    std::size_t i = 0;
    while (here[i] == there[i]) ++i;
    const double span = std::abs(static_cast<double>(here[i]) - static_cast<double>(there[i]));
    if (span < 2) return Line{};
    // Upwards from rows, to the left of columns.
    const Point along = unit_vector(axes[i]);
    const Point aside = along.x > 0.3 ? Point{-along.y, along.x} : Point{-std::abs(along.y), 0};
    return Line{.kind = Line::Kind::kBow, .bow = std::min(0.14 + 0.09 * span, 0.6) * aside};
  };
  return layout;
}

// Circles around each other, one for each node of a row.
Layout concentric(const Graph& graph, std::size_t circular) {
  const NodeId around = graph.factors()[circular].node_count();
  const double inner = std::max(circle_radius(around), 0.7);
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const std::vector<NodeId> at = graph.coordinates(v);
    layout.nodes.push_back((inner + at[1 - circular]) * on_circle(at[circular] + 0.5, around));
  }
  return layout;
}

// Words of as many bits as there are axes at the corners of a cube; the highest bit is dimension 0.
std::vector<Point> cube_corners(const std::vector<Point>& axes) {
  std::vector<Point> corners(std::size_t{1} << axes.size());
  for (std::size_t w = 0; w < corners.size(); ++w) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if ((w >> (axes.size() - 1 - i) & 1) != 0) corners[w] = corners[w] + axes[i];
    }
  }
  return corners;
}

std::vector<Point> cube_axes(std::uint32_t d) { return grid_axes(std::vector<NodeId>(d, 2)); }

// The numbers in the next two keep links as far away as possible from the nodes that they pass.

// Four dimensions are a cube within a cube.
Layout hypercube_layout(std::uint32_t d) {
  Layout layout;
  layout.nodes = cube_corners(cube_axes(d));
  for (std::size_t w = 0; d == 4 && w < layout.nodes.size(); ++w) {
    const auto sign = [&](unsigned bit) { return (w >> bit & 1) != 0 ? 0.5 : -0.5; };
    const double size = (w & 8) != 0 ? 1.27 : 3;
    layout.nodes[w] = size * Point{sign(1) + 0.59 * sign(2), sign(0) + 0.25 * sign(2)};
  }
  return layout;
}

Layout folded_cube_layout(const Graph& graph) {
  const std::uint32_t d = graph.max_degree() - 1;
  Layout layout;
  layout.nodes = cube_corners(d == 4 ? std::vector<Point>{{2.2, 0}, {0, 2.2}, {1.13, 0.93}, {1.5, -0.24}}
                                     : cube_axes(d));
  layout.line = [d](NodeId, PortId p) { return Line{.special = p == d}; };
  return layout;
}

// The d of families with d 2^d nodes.
std::uint32_t word_bits(NodeId nodes) {
  std::uint32_t d = 1;
  while ((d << d) < nodes) ++d;
  return d;
}

// A cube with a cycle at every corner. The common cube is drawn as a square within a square, and its corners
// have their nodes where their links leave.
Layout cube_connected_cycles_layout(NodeId nodes) {
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

using Permutation = std::vector<std::uint8_t>;

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

// Level by level, every node above the middle of its leaves.
Layout tree_layout(const Graph& graph) {
  const NodeId arity = graph.degree(0);
  std::size_t leaves = 1;
  for (std::size_t nodes = 1; nodes < graph.node_count(); nodes += leaves) leaves *= arity;
  const double width = 0.75 * static_cast<double>(leaves);
  Layout layout;
  double y = 0;
  for (std::size_t level = 1; layout.nodes.size() < graph.node_count(); level *= arity, y -= 1.15) {
    for (std::size_t k = 0; k < level; ++k) {
      layout.nodes.push_back({width * (static_cast<double>(k) + 0.5) / static_cast<double>(level), y});
    }
  }
  return layout;
}

// The root on top, every router above the middle of its leaves; the links of a branch side by side.
Layout fat_tree_layout(const Graph& graph) {
  const FatTree tree = *fat_tree_shape(graph);
  const double apart = 0.75, width = apart * tree.leaves();
  const double rise = std::max(1.15, width / (3.5 * tree.height()));
  Layout layout;
  for (NodeId v = 0; v < tree.node_count(); ++v) {
    const std::uint32_t level = tree.level_of(v);
    layout.nodes.push_back({apart * tree.leaves_below(level) * (tree.index_of(v) + 0.5), rise * level});
  }
  layout.line = [graph, tree, nodes = layout.nodes](NodeId v, PortId p) {
    const NodeId u = graph.peer(v, p).node, low = std::min(v, u);
    const std::uint32_t links = tree.capacity(tree.level_of(low) + 1);
    if (links == 1) return Line{};
    // Links of an edge have the same place in the branch at both ends.
    const std::uint32_t link = (low == v ? p : graph.peer(v, p).port) - tree.up_port(low);
    const Point along = unit_vector(nodes[tree.parent(low)] - nodes[low]);
    const double band = std::min(0.14 * (links - 1), 0.6);
    const double offset = band * (static_cast<double>(link) / (links - 1) - 0.5);
    return Line{.kind = Line::Kind::kBow,
                .bow = offset * Point{-along.y, along.x},
                .label = link == 0 ? fmt::format("{}", links) : ""};
  };
  return layout;
}

Layout layout_of(const Graph& graph);

// A copy of the last factors' picture for every node of the first factors'.
Layout nested(const Graph& graph) {
  const std::vector<Graph>& factors = graph.factors();
  std::vector<Layout> layouts;
  std::vector<double> scale(factors.size());
  for (const Graph& factor : factors) layouts.push_back(layout_of(factor));
  double size = 0;
  for (std::size_t i = factors.size(); i-- > 0;) {
    scale[i] = size + 1;
    Point low, high;
    for (const Point point : layouts[i].nodes) {
      low = {std::min(low.x, point.x), std::min(low.y, point.y)};
      high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    size += scale[i] * std::max(high.x - low.x, high.y - low.y);
  }
  Layout layout;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const std::vector<NodeId> at = graph.coordinates(v);
    Point point;
    for (std::size_t i = 0; i < at.size(); ++i) point = point + scale[i] * layouts[i].nodes[at[i]];
    layout.nodes.push_back(point);
  }
  layout.line = [graph, layouts, scale](NodeId v, PortId p) {
    const std::vector<NodeId> at = graph.coordinates(v);
    std::size_t i = 0;
    for (; p >= graph.factors()[i].degree(at[i]); ++i) p -= graph.factors()[i].degree(at[i]);
    Line line = layouts[i].line(at[i], p);
    line.to_there = scale[i] * line.to_there;
    return line;
  };
  return layout;
}

Layout product_layout(const Graph& graph) {
  const std::vector<Graph>& factors = graph.factors();
  if (graph.family() == "hypercube") return hypercube_layout(static_cast<std::uint32_t>(factors.size()));
  if (graph.family() == "product" && factors.size() == 2) {
    for (const std::size_t circular : {0, 1}) {
      if (is_circular(factors[circular]) && factors[1 - circular].family() == "linear")
        return concentric(graph, circular);
    }
  }
  return std::all_of(factors.begin(), factors.end(), is_row) ? grid(graph) : nested(graph);
}

Layout layout_of(const Graph& graph) {
  const std::string family = graph.family();
  if (!graph.factors().empty()) return product_layout(graph);
  if (family == "linear") return grid(graph);
  if (is_circular(graph)) return circle(graph);
  if (family == "folded-cube") return folded_cube_layout(graph);
  if (family == "cube-connected-cycles") return cube_connected_cycles_layout(graph.node_count());
  if (family == "butterfly") return butterfly_layout(graph);
  if (family == "star") return star_layout(graph);
  if (family == "tree") return tree_layout(graph);
  if (family == "fat-tree") return fat_tree_layout(graph);
  if (family == "generalized-petersen" || family == "petersen") return two_circles(graph);
  throw std::logic_error("drawing: a family without a layout");
}

// In points; one decimal is finer than any screen and the same on every machine.
std::string coordinate(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}
std::string shown(Point point) { return coordinate(point.x) + "," + coordinate(point.y); }

// A cubic curve, as positions of edges are given to Graphviz.
std::string curve(Point a, Point b, Point c, Point d) {
  return fmt::format("{} {} {} {}", shown(a), shown(b), shown(c), shown(d));
}
std::string straight(Point a, Point d) {
  return curve(a, a + (1.0 / 3) * (d - a), a + (2.0 / 3) * (d - a), d);
}

}  // namespace

bool has_layout(const Graph& graph) {
  if (!graph.factors().empty())
    return std::all_of(graph.factors().begin(), graph.factors().end(), has_layout);
  static const std::set<std::string> families{"linear",
                                              "ring",
                                              "circulant",
                                              "extended-ring",
                                              "complete",
                                              "folded-cube",
                                              "star",
                                              "tree",
                                              "fat-tree",
                                              "butterfly",
                                              "cube-connected-cycles",
                                              "generalized-petersen",
                                              "petersen"};
  return families.count(graph.family()) != 0;
}

std::string to_dot(const Graph& graph, DrawingStyle style) {
  if (graph.node_count() > kMaxDrawnNodes) {
    throw std::invalid_argument(fmt::format("{}: {} nodes; expected at most {} to draw",
                                            one_line(graph.spelling()), graph.node_count(), kMaxDrawnNodes));
  }
  const bool named = style == DrawingStyle::kNamed, one_way = graph.has_one_way_links();
  std::size_t longest = 1;
  for (NodeId v = 0; v < graph.node_count(); ++v) longest = std::max(longest, graph.node_name(v).size());
  const double unit = named ? 44.0 + 8.0 * static_cast<double>(longest) : 36;
  const bool pinned = has_layout(graph);
  Layout layout;
  if (pinned) layout = layout_of(graph);
  const auto at = [&](NodeId v) { return unit * layout.nodes[v]; };

  std::string title = one_line(graph.spelling());
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '"' || c == '\\'; }, '?');
  std::string dot = fmt::format("// {} -Tsvg\n{} \"{}\" {{\n", pinned ? "neato -n2" : "neato",
                                one_way ? "digraph" : "graph", title);
  dot += "  graph [bgcolor=transparent, outputorder=edgesfirst, pad=0.1, ";
  // Curves around nodes, which set parallel links apart, take Graphviz minutes in large networks.
  const bool curved = !pinned && graph.node_count() <= kMaxCurvedNodes;
  dot += curved ? "splines=true" : "splines=line";
  dot += pinned ? "];\n" : ", start=1, overlap=false];\n";
  if (named) {
    dot += fmt::format("  node [{}, style=\"filled,rounded\", color=\"{}\", fontcolor=white, ",
                       longest <= 3 ? "shape=circle, fixedsize=true, width=0.42"
                                    : "shape=box, height=0.3, margin=\"0.08,0.03\"",
                       kNodeColour);
    dot += "fontname=\"Helvetica\", fontsize=11];\n";
  } else {
    dot += fmt::format("  node [shape=circle, style=filled, color=\"{}\", label=\"\", width=0.1];\n",
                       kNodeColour);
  }
  dot += fmt::format("  edge [color=\"{}\"{}{}];\n", kLinkColour, one_way ? ", arrowsize=0.6" : "",
                     graph.has_routers() && named
                         ? fmt::format(", fontname=\"Helvetica\", fontsize=11, fontcolor=\"{}\"", kLinkColour)
                         : "");
  const auto id = [&](NodeId v) { return named ? "\"" + graph.node_name(v) + "\"" : fmt::format("{}", v); };
  const std::string processor = named ? "style=filled" : "shape=square, width=0.13";
  const std::string router = fmt::format("color=\"{}\"", kRouterColour);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::vector<std::string> attributes;
    if (graph.has_routers()) attributes.push_back(v < graph.processor_count() ? processor : router);
    if (pinned) attributes.push_back(fmt::format("pos=\"{}!\"", shown(at(v))));
    dot += "  " + id(v);
    dot += attributes.empty() ? ";\n" : fmt::format(" [{}];\n", fmt::join(attributes, ", "));
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId u = graph.peer(v, p).node;
      if (u < v && !one_way) continue;
      std::vector<std::string> attributes;
      const Line line = pinned ? layout.line(v, p) : Line{};
      if (line.kind == Line::Kind::kBow) {
        // A cubic curve's middle is moved by three quarters of what its inner points are.
        const Point a = at(v), d = at(u), aside = 4.0 / 3 * unit * line.bow;
        const Point b = a + 0.2 * (d - a) + aside, c = a + 0.8 * (d - a) + aside;
        attributes.push_back(fmt::format("pos=\"{}\"", curve(a, b, c, d)));
      } else if (line.kind == Line::Kind::kStubs) {
        const Point half = 0.42 * unit * line.to_there;
        attributes.push_back(
            fmt::format("pos=\"{};{}\"", straight(at(v), at(v) + half), straight(at(u), at(u) - half)));
      }
      if (named && !line.label.empty()) {
        const Point aside = unit * line.bow;
        const Point middle = 0.5 * (at(v) + at(u)) + aside + 9 * unit_vector(aside);
        attributes.push_back(fmt::format("label=\"{}\", lp=\"{}\"", line.label, shown(middle)));
      }
      if (line.special) attributes.push_back(fmt::format("color=\"{}\"", kSpecialColour));
      dot += fmt::format("  {} {} {}", id(v), one_way ? "->" : "--", id(u));
      dot += attributes.empty() ? ";\n" : fmt::format(" [{}];\n", fmt::join(attributes, ", "));
    }
  }
  return dot + "}\n";
}

}  // namespace safnet
