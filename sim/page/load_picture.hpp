// load_picture - a network as a picture of what its links carried.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The network in DOT, with nodes and links where `layout` (see layout_for_page) has them, for `neato -n2`.
/// Every link is an arrow on the right-hand side of its way, so that both directions of an edge are seen. The
/// more of the flits in `load`, by link, the wider and the darker it is; links that carried none are thin,
/// grey and dashed. A legend is below, headed by `caption`. Throws std::invalid_argument beyond
/// kMaxDrawnNodes.
std::string load_to_dot(const Graph& graph, const Layout& layout, std::span<const std::uint64_t> load,
                        const std::string& caption);

}  // namespace safnet
