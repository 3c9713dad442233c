// formats - the readers of networks in other tools' files. `shown` names the file in messages; every reader
// throws std::invalid_argument with one line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads BookSim's anynet: lines `router 0 node 0 router 1 [latency] ...` and `node 0 router 0`. Every
/// connection of routers goes both ways, however often it is mentioned. Every router needs one node, as every
/// node of a network here has one host; routers keep their numbers.
NamedEdges read_anynet(std::string_view text, const std::string& shown);

/// Reads DOT (Graphviz). Attributes, ports and the grouping by subgraphs are passed over; edges between
/// subgraphs are refused.
NamedEdges read_dot(std::string_view text, const std::string& shown);

/// Reads GraphML. Data are passed over; nested graphs, hyperedges and ports are refused.
NamedEdges read_graphml(std::string_view text, const std::string& shown);

/// Reads JSON: a node-link graph, as networkx writes it, or SCCL's topology (read_link_matrix), alone or in
/// an algorithm.
NamedEdges read_json_network(std::string_view text, const std::string& shown);

/// SCCL's topology: `links[destination][source]` is the number of parallel links. If some pair of nodes has
/// not as many both ways, the network is a directed one.
NamedEdges read_link_matrix(const nlohmann::json& links, const std::string& shown);

}  // namespace safnet
