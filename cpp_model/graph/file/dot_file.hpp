// dot_file - networks in DOT, the language of Graphviz.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads DOT (Graphviz). Attributes, ports and the grouping by subgraphs are passed over; edges between
/// subgraphs are refused. `shown` names the file in messages. Throws std::invalid_argument with one line.
NamedEdges read_dot(std::string_view text, const std::string& shown);

}  // namespace safnet
