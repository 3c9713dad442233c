// processor_distance - sums of distances between the nodes that process, where packets originate and end.
#pragma once

#include <cstdint>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The sum of the distances from `v` to all processors. Graph::status(v) where all nodes process.
std::uint64_t processor_status(const Graph& graph, NodeId v);

/// The sum of that over all processors. Graph::total_status() where all nodes process; on fat trees n times
/// the status of one leaf, otherwise by as many searches as there are processors.
std::uint64_t total_processor_status(const Graph& graph);

}  // namespace safnet
