// graphml_file - networks in GraphML.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads GraphML. Data are passed over; nested graphs, hyperedges and ports are refused. `shown` names the
/// file in messages. Throws std::invalid_argument with one line.
NamedEdges read_graphml(std::string_view text, const std::string& shown);

}  // namespace safnet
