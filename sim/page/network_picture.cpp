#include "sim/page/network_picture.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "sim/page/graphviz.hpp"

namespace safnet {
namespace {

// Larger networks take Graphviz longer than a reader waits.
constexpr NodeId kMostForGraphviz = 400;

// Where Graphviz has the nodes: lines "node NAME X Y ..." of its plain format, in inches.
Layout layout_by_graphviz(const Graph& graph) {
  Layout layout;
  layout.nodes.resize(graph.node_count());
  std::istringstream lines(run_graphviz(to_dot(graph, DrawingStyle::kSmall), "plain", false));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    NodeId node = 0;
    Point at;
    if (words >> kind && kind == "node" && words >> node >> at.x >> at.y && node < layout.nodes.size())
      layout.nodes[node] = 2 * at;
  }
  return layout;
}

Layout some_layout(const Graph& graph) {
  if (has_layout(graph)) return layout_of(graph);
  if (graph.node_count() > kMostForGraphviz) return circle_layout(graph);
  try {
    return layout_by_graphviz(graph);
  } catch (const std::invalid_argument&) {
    return circle_layout(graph);  // Graphviz is not installed, or took too long
  }
}

// The line of an edge is that of its end with the lower number; seen from the other end stubs point back.
Line line_of(const Graph& graph, const Layout& layout, NodeId v, PortId p) {
  const Endpoint peer = graph.peer(v, p);
  const bool paired =
      peer.port < graph.degree(peer.node) && graph.peer(peer.node, peer.port) == Endpoint{v, p};
  if (!paired || v < peer.node) return layout.line(v, p);
  Line line = layout.line(peer.node, peer.port);
  line.to_there = -1 * line.to_there;
  return line;
}

}  // namespace

Layout layout_for_page(const Graph& graph) {
  Layout layout = some_layout(graph);
  layout.line = [graph, layout](NodeId v, PortId p) { return line_of(graph, layout, v, p); };
  return layout;
}

NetworkPicture picture_of(const Graph& graph) {
  const Layout layout = layout_for_page(graph);
  Point low = layout.nodes.front(), high = low;
  for (const Point& at : layout.nodes) {
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  NetworkPicture picture;
  picture.width = high.x - low.x;
  picture.height = high.y - low.y;
  for (const Point& at : layout.nodes) {
    picture.x.push_back(at.x - low.x);
    picture.y.push_back(high.y - at.y);
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Line line = layout.line(v, p);
      const bool bow = line.kind == Line::Kind::kBow, stubs = line.kind == Line::Kind::kStubs;
      const Point aside = bow ? line.bow : stubs ? line.to_there : Point{};
      picture.kind.push_back(bow     ? NetworkPicture::Kind::kBow
                             : stubs ? NetworkPicture::Kind::kStubs
                                     : NetworkPicture::Kind::kStraight);
      picture.dx.push_back(aside.x);
      picture.dy.push_back(-aside.y);
    }
  }
  return picture;
}

}  // namespace safnet
