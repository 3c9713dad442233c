// word_digraphs - one-way networks of words: Kautz and de Bruijn digraphs.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

/// Kautz digraph K(d, n), 2 <= d <= 51, n >= 1: words of n of the d + 1 letters a, b, ..., neighbours in a
/// word different; a link drops the first letter of a word and appends another. (d + 1) d^(n-1) nodes in the
/// order of their words, which are their names; output ports in the order of the letters appended. Diameter
/// n.
Graph kautz_digraph(std::uint32_t d, std::uint32_t n);
/// De Bruijn digraph B(d, n), 2 <= d <= 52, n >= 1: all words of n of d letters, otherwise the same, without
/// the links from a node to itself. d^n nodes. Diameter n.
Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n);

std::vector<TopologyFamily> word_digraph_families();

}  // namespace safnet
