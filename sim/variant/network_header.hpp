// network_header - the SystemVerilog package by which a whole network in rtl/network is wired.
#pragma once

#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The text of network_topology.svh for `graph`. `radix`: ports per node.
std::string network_header(const Graph& graph, int radix);

}  // namespace safnet
