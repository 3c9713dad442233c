// named_tree - the spanning trees that --tree can name.
#pragma once

#include <string>

#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

/// The tree that a word names: shortest-path, depth-first, random:SEED, product, and those of
/// balanced_tree.hpp and fewest_steps_tree.hpp. Throws std::invalid_argument.
SpanningTree make_tree(const std::string& word, const Graph& graph, NodeId root);

}  // namespace safnet
