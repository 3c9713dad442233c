// graph_file - networks from files.
#pragma once

#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Reads an edge list: one edge `u v [multiplicity [latency]]` a line, `#` starts a comment, nodes are 0, 1,
/// ... Throws std::invalid_argument naming file, line and word. `spelling` becomes the graph's.
Graph read_edge_list(const std::string& path, std::string spelling);

}  // namespace safnet
