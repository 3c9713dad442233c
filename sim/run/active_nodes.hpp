// active_nodes - the words that name the nodes of a partial collective.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Numbers "0,3,7", coordinates "0,1;2,3", names, "all", or "random:M:SEED": M nodes, the same everywhere for
/// a seed. Ascending, each once. Throws std::invalid_argument that begins with `option` and the word.
std::vector<NodeId> parse_active_nodes(const char* option, const std::string& text, const Graph& graph);

}  // namespace safnet
