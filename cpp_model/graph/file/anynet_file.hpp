// anynet_file - networks in BookSim's anynet format.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads BookSim's anynet: lines `router 0 node 0 router 1 [latency] ...` and `node 0 router 0`. Every
/// connection of routers goes both ways, however often it is mentioned. Every router needs one node, as every
/// node of a network here has one host; routers keep their numbers. `shown` names the file in messages.
/// Throws std::invalid_argument with one line.
NamedEdges read_anynet(std::string_view text, const std::string& shown);

}  // namespace safnet
