// generator_colouring - all-port total exchange on Cayley graphs of abelian groups by colouring the edges of
// a bipartite graph: optimal or close to it.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// - "generator-colouring" on Cayley graphs of abelian groups (tori and cubes of any dimension, circulants,
///   complete graphs, products of these). All nodes do the same, moved to where they are. A packet for
///   relative destination r takes a word of generators that makes r, in any order, for generators commute.
///   Relative destinations and generators are the two sides of a bipartite graph; colours are steps.
///   Words are chosen so that generators are used equally often, longer ones too where that helps; the steps
///   are the uses of the busiest one. Where a dimension is an even ring whose half-way packets cannot be
///   shared out evenly (an odd number of them per node), the ring's own total exchange, by parity (thesis
///   Theorem 4.6), takes those that differ in that dimension alone.
std::vector<Algorithm> generator_colouring_algorithms();

}  // namespace safnet
