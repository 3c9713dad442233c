// graph_file - networks from files.
#pragma once

#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Reads a network from a file, at most 64 MB of
/// - an edge list: one edge `u v [multiplicity [latency]]` a line, `#` starts a comment, nodes are 0, 1, ...;
/// - DOT, GML, GraphML, JSON (a node-link graph or SCCL's link matrix), BookSim's anynet, the network of
///   ASTRA-sim, NCCL's topology or the matrix of `nvidia-smi topo -m`, known by the file's first word or
///   extension, or networkx's lists of edges or neighbours, known by .edgelist and .adjlist. Nodes that a
///   file says to be switches or routers only route and come last. Nodes are numbered in the order in which
///   they appear, or by their names if these are 0 ... n-1. Names made of letters, digits and '_' that are no
///   numbers name the nodes of the graph, if all are such. In a directed file in which every edge has its
///   opposite the two are one full-duplex edge; otherwise all of the network's links are one way. Parallel
///   edges are parallel links.
/// Latencies must be the same for all links; then they are passed over, as a Graph has none.
/// Throws std::invalid_argument with one line that names the file, where possible the line, and the word.
/// `spelling` becomes the graph's.
Graph read_graph_file(const std::string& path, std::string spelling);

}  // namespace safnet
