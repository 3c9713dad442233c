// wave_nodes - the words of --wave-nodes and --wave-cycles.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fabric/fabric.hpp"

namespace safnet {

/// Nodes by number, coordinates or name, separated by ";" or, where there are no coordinates, ",". Ascending,
/// each once. Throws std::invalid_argument.
std::vector<NodeId> parse_node_list(const std::string& text, const Graph& graph);
/// The same as words of --wave-nodes, which errors then name.
std::vector<NodeId> parse_wave_nodes(const std::string& text, const Graph& graph);
/// "FROM:TO" in cycles; either side may be missing. Throws std::invalid_argument.
void parse_wave_cycles(const std::string& text, WaveRequest& wave);

}  // namespace safnet
