#include "cpp_model/graph/drawing/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// Colours that stand out on white and on black.
constexpr const char* kNodeColour = "#3b82f6";
constexpr const char* kLinkColour = "#8b949e";
constexpr const char* kSpecialColour = "#f0883e";
constexpr const char* kRouterColour = "#8957e5";

constexpr NodeId kMaxCurvedNodes = 100;

using Order = TopologyFamily::Order;

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

// Circles around each other, rows along axes, or copies of a picture.
Layout product_layout(const Graph& graph) {
  const std::vector<Graph>& factors = graph.factors();
  if (graph.family() == "product" && factors.size() == 2) {
    for (const std::size_t circular : {0, 1}) {
      if (order_of_nodes(factors[circular]) == Order::kCircle &&
          order_of_nodes(factors[1 - circular]) == Order::kRow)
        return concentric(graph, circular);
    }
  }
  const bool unordered = std::ranges::count(factors, Order::kNone, order_of_nodes) > 0;
  return unordered ? nested(graph) : grid_layout(graph);
}

std::string straight(Point a, Point d) {
  return dot_curve(a, a + (1.0 / 3) * (d - a), a + (2.0 / 3) * (d - a), d);
}

// One decimal is finer than any screen and the same on every machine.
std::string coordinate(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

}  // namespace

std::string dot_point(Point point) { return coordinate(point.x) + "," + coordinate(point.y); }
std::string dot_curve(Point a, Point b, Point c, Point d) {
  return fmt::format("{} {} {} {}", dot_point(a), dot_point(b), dot_point(c), dot_point(d));
}

void require_drawable(const Graph& graph) {
  if (graph.node_count() > kMaxDrawnNodes) {
    throw bad_input("{}: {} nodes; expected at most {} to draw", one_line(graph.spelling()),
                    graph.node_count(), kMaxDrawnNodes);
  }
}

Layout layout_of(const Graph& graph) {
  const TopologyFamily* family = family_of(graph);
  if (family != nullptr && family->layout != nullptr) return family->layout(graph);
  if (!graph.factors().empty()) return product_layout(graph);
  throw std::logic_error("drawing: a family without a layout");
}

bool has_layout(const Graph& graph) {
  if (!graph.factors().empty())
    return std::all_of(graph.factors().begin(), graph.factors().end(), has_layout);
  const TopologyFamily* family = family_of(graph);
  return family != nullptr && family->layout != nullptr;
}

std::string to_dot(const Graph& graph, DrawingStyle style) {
  require_drawable(graph);
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
  const auto put = [&](const std::string& what, const std::vector<std::string>& attributes) {
    dot += "  " + what;
    dot += attributes.empty() ? ";\n" : fmt::format(" [{}];\n", fmt::join(attributes, ", "));
  };
  const std::string processor = named ? "style=filled" : "shape=square, width=0.13";
  const std::string router = fmt::format("type=switch, color=\"{}\"", kRouterColour);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::vector<std::string> attributes;
    if (graph.has_routers()) attributes.push_back(v < graph.processor_count() ? processor : router);
    if (pinned) attributes.push_back(fmt::format("pos=\"{}!\"", dot_point(at(v))));
    put(id(v), attributes);
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId u = graph.peer(v, p).node;
      if (u < v && !one_way) continue;
      std::vector<std::string> attributes;
      const Line line = pinned ? layout.line(v, p) : Line{};
      if (line.kind == Line::Kind::kBow) {
        // If the two inner points of a cubic curve move, its middle moves three quarters as far.
        const Point a = at(v), d = at(u), aside = 4.0 / 3 * unit * line.bow;
        const Point b = a + 0.2 * (d - a) + aside, c = a + 0.8 * (d - a) + aside;
        attributes.push_back(fmt::format("pos=\"{}\"", dot_curve(a, b, c, d)));
      } else if (line.kind == Line::Kind::kStubs) {
        const Point half = 0.42 * unit * line.to_there;
        attributes.push_back(
            fmt::format("pos=\"{};{}\"", straight(at(v), at(v) + half), straight(at(u), at(u) - half)));
      }
      if (named && !line.label.empty()) {
        const Point aside = unit * line.bow;
        const Point middle = 0.5 * (at(v) + at(u)) + aside + 9 * unit_vector(aside);
        attributes.push_back(fmt::format("label=\"{}\", lp=\"{}\"", line.label, dot_point(middle)));
      }
      if (line.special) attributes.push_back(fmt::format("color=\"{}\"", kSpecialColour));
      put(fmt::format("{} {} {}", id(v), one_way ? "->" : "--", id(u)), attributes);
    }
  }
  return dot + "}\n";
}

}  // namespace safnet
