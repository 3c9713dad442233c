// distance_count - how many pairs of nodes are how far apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// At [d], the number of ordered pairs of nodes at distance d, by search; [0] counts every node with itself.
/// The last entry is at the diameter. Products are composed of their factors, Cayley graphs are searched from
/// one node, trees are merged from their branches; everything else takes a search from every node. Nothing if
/// that were more than `max_visits` visits of links and nodes.
std::optional<std::vector<std::uint64_t>> count_distances(const Graph& graph, std::uint64_t max_visits);

}  // namespace safnet
