// known_problem - a problem on a network that is known under another name, as a problem on that network.
#pragma once

#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// The problem with the network that its own is known as (Graph::known_as()): root, destination and active
/// nodes are those of that network. The problem itself if its network is known as none.
Problem on_known_network(const Problem& problem);

}  // namespace safnet
