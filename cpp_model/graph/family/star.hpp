// star - star graphs: permutations that differ in a swap of the first symbol.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// The n! permutations of n symbols; port p swaps the first symbol with symbol p + 1. Numbered in
/// lexicographic order.
Graph star_graph(std::uint32_t n);

std::vector<TopologyFamily> star_families();

}  // namespace safnet
