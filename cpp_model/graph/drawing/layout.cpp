#include "cpp_model/graph/drawing/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace safnet {

double length(Point a) { return std::hypot(a.x, a.y); }

Point unit_vector(Point a) { return (1 / length(a)) * a; }

Point on_circle(double k, double n) {
  const double angle = 2 * std::numbers::pi * k / n;
  return {std::sin(angle), std::cos(angle)};
}

double circle_radius(NodeId n) {
  return n < 2 ? 0 : 0.5 / std::sin(std::numbers::pi / std::max<NodeId>(n, 3));
}

Layout circle_layout(const Graph& graph) {
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

namespace {

// Directions of the axes of a grid: down and right in the plane; right, up and aslant in space; further
// dimensions are copies of the whole side by side, then one above the other.
std::vector<Point> grid_axes(const std::vector<NodeId>& sizes) {
  if (sizes.size() == 1) return {{1, 0}};
  if (sizes.size() == 2) return {{0, -1}, {1, 0}};
  std::vector<Point> axes{{1, 0}, {0, 1}, {0.46, 0.34}};
  Point extent;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    // Slopes at which links keep clear of the nodes that they pass.
    if (i >= axes.size())
      axes.push_back(i % 2 == 1 ? Point{extent.x + 0.56, -0.45} : Point{0.52, extent.y + 0.84});
    const double steps = sizes[i] - 1;
    extent = extent + steps * Point{std::abs(axes[i].x), std::abs(axes[i].y)};
  }
  return axes;
}

}  // namespace

Layout grid_layout(const Graph& graph) {
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
    // Lines along rows bow upwards, those along columns to the left.
    const Point along = unit_vector(axes[i]);
    const Point aside = along.x > 0.3 ? Point{-along.y, along.x} : Point{-std::abs(along.y), 0};
    return Line{.kind = Line::Kind::kBow, .bow = std::min(0.14 + 0.09 * span, 0.6) * aside};
  };
  return layout;
}

std::vector<Point> cube_axes(std::uint32_t d) { return grid_axes(std::vector<NodeId>(d, 2)); }

std::vector<Point> cube_corners(const std::vector<Point>& axes) {
  std::vector<Point> corners(std::size_t{1} << axes.size());
  for (std::size_t w = 0; w < corners.size(); ++w) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if ((w >> (axes.size() - 1 - i) & 1) != 0) corners[w] = corners[w] + axes[i];
    }
  }
  return corners;
}

}  // namespace safnet
