// same_network - whether two graphs are one network under two names.
#pragma once

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Do both have the same nodes, ports and links, whatever they are called?
bool same_network(const Graph& a, const Graph& b);

}  // namespace safnet
