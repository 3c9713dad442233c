// node_words - a node in a message, which may be about a node that there is not; a link.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The name of node `v`; its number if the network has no such node.
inline std::string node_in_words(const Graph& graph, std::uint64_t v) {
  return v < graph.node_count() ? graph.node_name(static_cast<NodeId>(v)) : std::to_string(v);
}

/// "0>1", with the port where links are parallel.
inline std::string link_in_words(const Graph& graph, LinkId link) {
  const NodeId from = graph.link_source(link), to = graph.link_target(link);
  PortId parallel = 0;
  for (PortId p = 0; p < graph.degree(from); ++p) parallel += graph.peer(from, p).node == to ? 1 : 0;
  return fmt::format("{}>{}{}", graph.node_name(from), graph.node_name(to),
                     parallel > 1 ? fmt::format(" (port {})", graph.link_port(link)) : "");
}

}  // namespace safnet
