// link_matrix_file - SCCL's topologies.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// SCCL's topology: `links[destination][source]` is the number of parallel links. If some pair of nodes has
/// not as many both ways, the network is a directed one. Throws std::invalid_argument with one line.
NamedEdges read_link_matrix(const nlohmann::json& links, const std::string& shown);

}  // namespace safnet
