// make_network - how a folder below the list of families has networks built by their names.
#pragma once

#include <functional>
#include <string>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// Builds the network that a spelling names: make_topology().
using MakeNetwork = std::function<Graph(const std::string& spelling)>;

}  // namespace safnet
