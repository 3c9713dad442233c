// active_nodes - the words that name the nodes of a partial collective.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Nodes by number "0,3,7", coordinates "0,1;2,3" or name, "all", or "random:M:SEED": M nodes. Returned
/// ascending, each once. Throws std::invalid_argument that begins with `option` and the word.
std::vector<NodeId> parse_active_nodes(const char* option, const std::string& text, const Graph& graph);

}  // namespace safnet
