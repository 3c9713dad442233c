// translated_broadcast - multinode broadcast on Cayley graphs, and what becomes of it backwards or at one
// root: one tree per message, which all nodes translate.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "translated-broadcast" for multinode broadcast, any number of messages, all-port and one-port; backwards
///   for multinode accumulation; for gather the paths to the root alone, and backwards for scatter.
/// - "torus-quarter-turns" for multinode broadcast.
std::vector<Algorithm> translated_broadcast_algorithms();

}  // namespace safnet
