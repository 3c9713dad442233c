// network_picture - where a page draws the nodes and links of a network.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Places in units of the usual distance between neighbours; x to the right, y down, both from 0 on.
struct NetworkPicture {
  double width = 0, height = 0;
  std::vector<double> x, y;  ///< by node
  /// By link: a straight line, a line whose middle is `dx`, `dy` aside, or two stubs, the first towards where
  /// the far end would be if the picture went on, `dx`, `dy` away.
  enum class Kind : std::uint8_t { kStraight = 0, kBow = 1, kStubs = 2 };
  std::vector<Kind> kind;
  std::vector<double> dx, dy;
};

/// Where the nodes and links of any network belong: as the family is drawn; other networks by Graphviz, those
/// that are too large for it as a circle. Says of both directions of an edge how they are drawn.
Layout layout_for_page(const Graph& graph);

/// The same, in the page's terms.
NetworkPicture picture_of(const Graph& graph);

}  // namespace safnet
