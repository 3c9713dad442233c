// node_link_file - networks in JSON.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads a network from JSON: a node-link graph, as networkx writes it, or SCCL's topology
/// (read_link_matrix), alone or in an algorithm. Throws std::invalid_argument with one line.
NamedEdges read_json_network(std::string_view text, const std::string& shown);

}  // namespace safnet
