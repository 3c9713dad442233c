// layout - where a drawing has its nodes, and the arrangements that families share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// In units of the usual distance between neighbours; x to the right, y up.
struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};

/// How an edge is drawn.
struct Line {
  enum class Kind { kStraight, kBow, kStubs } kind = Kind::kStraight;
  Point bow{};           ///< kBow: how far the middle is moved aside
  Point to_there{};      ///< kStubs: from the near end to where the far end would be if the picture went on
  bool special = false;  ///< has a colour of its own
  std::string label{};   ///< beside the middle, in pictures with names
};

/// Where nodes are, and how the edge of every port is drawn.
struct Layout {
  std::vector<Point> nodes;
  std::function<Line(NodeId v, PortId p)> line = [](NodeId, PortId) { return Line{}; };
};

double length(Point a);
Point unit_vector(Point a);
/// Part k of n of a turn, clockwise from the top.
Point on_circle(double k, double n);
/// The radius at which neighbours on a circle of n are one unit apart.
double circle_radius(NodeId n);

/// Node 0 on top, the others clockwise. Links that pass close to the nodes between their ends bow towards the
/// centre.
Layout circle_layout(const Graph& graph);
/// Rows of nodes along the axes, one per factor. Links between nodes of a row that are no neighbours in it
/// bow.
Layout grid_layout(const Graph& graph);

/// The axes of a grid of d sides of two nodes.
std::vector<Point> cube_axes(std::uint32_t d);
/// Words of as many bits as there are axes at the corners of a cube; the highest bit is dimension 0.
std::vector<Point> cube_corners(const std::vector<Point>& axes);

}  // namespace safnet
