// formats - the readers of networks in other tools' files. `shown` names the file in messages; every reader
// throws std::invalid_argument with one line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cpp_model/graph/file/named_edges.hpp"

namespace safnet {

/// Reads BookSim's anynet: lines `router 0 node 0 router 1 [latency] ...` and `node 0 router 0`. Every
/// connection of routers goes both ways, however often it is mentioned. If no router has more than one node,
/// a router and its node are one processor, and routers without a node only route. Otherwise every node is a
/// processor of its own, with a link to its router, and all routers only route.
NamedEdges read_anynet(std::string_view text, const std::string& shown);

/// Reads ASTRA-sim's network in YAML: a product of rings, complete graphs and switches. Processors have the
/// first dimension in neighbouring numbers; the nodes of a Switch dimension that differ in it alone have a
/// router in their middle. What it says of bandwidth and latency is not used.
NamedEdges read_astra_network(std::string_view text, const std::string& shown);

/// Reads DOT (Graphviz). Attributes but the `type` of nodes, ports and the grouping by subgraphs are passed
/// over; edges between subgraphs are refused.
NamedEdges read_dot(std::string_view text, const std::string& shown);

/// Reads GML. Nodes are called by their labels, or by their ids where two labels are the same.
NamedEdges read_gml(std::string_view text, const std::string& shown);

/// Reads GraphML. Data but the `type` of nodes are passed over; nested graphs, hyperedges and ports are
/// refused.
NamedEdges read_graphml(std::string_view text, const std::string& shown);

/// Reads JSON: a node-link graph, as networkx writes it, or SCCL's topology (read_link_matrix), alone or in
/// an algorithm.
NamedEdges read_json_network(std::string_view text, const std::string& shown);

/// Reads the topology that NCCL writes to NCCL_TOPO_DUMP_FILE: its GPUs, called by their ranks, and the
/// NVLinks between them and to NVSwitches. If a switch has more links than a node can have and equally many,
/// n, to each of its GPUs, it is n nodes with a link to each.
NamedEdges read_nccl_topology(std::string_view text, const std::string& shown);

/// Reads networkx's list of edges, `u v [{data}]` a line, and its list of neighbours, `u v w ...`. Edges go
/// both ways; one that is repeated is one.
NamedEdges read_networkx_edges(std::string_view text, const std::string& shown);
NamedEdges read_networkx_neighbours(std::string_view text, const std::string& shown);

/// Reads what `nvidia-smi topo -m` prints: the NVLinks between GPUs. If a GPU shows more of them than it can
/// have and as many, n, to every other, they lead to switches: then there are n of these, each with a link to
/// every GPU.
NamedEdges read_nvidia_matrix(std::string_view text, const std::string& shown);

/// SCCL's topology: `links[destination][source]` is the number of parallel links. If some pair of nodes has
/// not as many both ways, the network is a directed one.
NamedEdges read_link_matrix(const nlohmann::json& links, const std::string& shown);

}  // namespace safnet
