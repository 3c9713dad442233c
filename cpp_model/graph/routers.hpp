// routers - which nodes of a network only route, where that is said of a network that is there already.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The network in which the nodes v with routes[v], and those that were routers before, only route.
/// Processors come first, then the routers, both in their order; ports keep their numbers. Nodes keep their
/// names. Where these are only numbers and the order changes, node 5 is called node_5 afterwards, whatever
/// its number is. Factors, translations and formulas are dropped. Throws std::invalid_argument if fewer than
/// two nodes are left that process.
Graph with_routers(const Graph& graph, const std::vector<bool>& routes, std::string spelling);

/// Which nodes a list between commas names: a number or name; 16-27, a range of numbers; spine_*, a pattern
/// for names (as in a shell); degree:8, all nodes with 8 links or more. By node. Throws std::invalid_argument
/// with one line that names the word if it is none of these or names no node.
std::vector<bool> parse_node_set(const std::string& list, const Graph& graph);

}  // namespace safnet
