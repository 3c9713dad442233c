// node_words - a node in a message, which may be about a node that there is not.
#pragma once

#include <cstdint>
#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The name of node `v`; its number if the network has no such node.
inline std::string node_in_words(const Graph& graph, std::uint64_t v) {
  return v < graph.node_count() ? graph.node_name(static_cast<NodeId>(v)) : std::to_string(v);
}

}  // namespace safnet
