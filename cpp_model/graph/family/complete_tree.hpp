// complete_tree - complete trees.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// A root with `arity` children, and so on for `height` levels below it; numbered level by level. Ports to
/// the children come first.
Graph complete_tree(std::uint32_t arity, std::uint32_t height);

std::vector<TopologyFamily> tree_families();

}  // namespace safnet
