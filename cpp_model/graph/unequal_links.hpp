// unequal_links - latencies and widths for links of a network that is there already.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The network in which the links that `entries` name have latencies and widths of their own; of several
/// entries for a link the last counts. An entry is LINKS:VALUES. LINKS: "all", or links between commas: A-B,
/// those between A and B in both directions, or A>B, those from A to B, where A and B each name one or more
/// nodes as parse_node_set() takes them. VALUES: latency=N, cycles beside those of all links, or
/// cycles_per_flit=N, or both between commas. Throws std::invalid_argument with one line that names the word.
Graph with_unequal_links(const Graph& graph, const std::vector<std::string>& entries, std::string spelling);

/// Which links such a list between commas names, by link: A-B or A>B each. Throws std::invalid_argument.
std::vector<bool> parse_link_set(const std::string& list, const Graph& graph);

}  // namespace safnet
