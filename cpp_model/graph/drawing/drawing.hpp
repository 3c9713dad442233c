// drawing - a network as a picture, in the way that textbooks draw its family.
#pragma once

#include <string>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Largest network that is drawn.
inline constexpr NodeId kMaxDrawnNodes = 1024;
/// Throws std::invalid_argument for larger ones.
void require_drawable(const Graph& graph);

enum class DrawingStyle {
  kNamed,  ///< nodes with their names
  kSmall,  ///< dots, to be seen at 160 x 120 pixels
};

/// Whether the family says where its nodes belong. Other networks are left to Graphviz to lay out.
bool has_layout(const Graph& graph);

/// Where the family's nodes and links belong. Throws std::logic_error unless has_layout().
Layout layout_of(const Graph& graph);

/// The network in DOT, the language of Graphviz: a line per node and per edge, or per one-way link, which is
/// an arrow. With has_layout(), nodes are pinned at positions in points, for `neato -n2`. Where some nodes
/// only route, those have another colour and processors are square; the links of a fat tree's branch are side
/// by side, with their number in kNamed style. Throws std::invalid_argument beyond kMaxDrawnNodes.
std::string to_dot(const Graph& graph, DrawingStyle style);

/// A place, and a cubic curve, in points, as Graphviz is told the positions of nodes and edges.
std::string dot_point(Point point);
std::string dot_curve(Point a, Point b, Point c, Point d);

}  // namespace safnet
