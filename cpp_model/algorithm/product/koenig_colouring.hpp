// koenig_colouring - timetables of total exchange by colouring the edges of bipartite graphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// Colours the edges of a bipartite multigraph so that no two edges of one colour meet, with as many colours
/// as the largest degree: the fewest there can be (Koenig 1916). Nodes are 0 ... left_count-1 and 0 ...
/// right_count-1; parallel edges are edges like others. Returns a colour, 0 ... largest degree - 1, per edge.
///
/// Edge by edge, exchanging two colours along a path where they are in the way: at worst edges times nodes,
/// in practice close to linear. Deterministic. Throws std::invalid_argument if an edge's end does not exist.
std::vector<std::uint32_t> colour_bipartite(std::span<const BipartiteEdge> edges, std::uint32_t left_count,
                                            std::uint32_t right_count);

/// All-port total exchange, optimal or close to it:
/// - "generator-colouring" on Cayley graphs of abelian groups (tori and cubes of any dimension, circulants,
///   complete graphs, products of these). All nodes do the same, moved to where they are. A packet for
///   relative destination r takes a word of generators that makes r, in any order, for generators commute.
///   Relative destinations and generators are the two sides of a bipartite graph; colours are steps.
///   Words are chosen so that generators are used equally often, longer ones too where that helps; the steps
///   are the uses of the busiest one. Where a dimension is an even ring whose half-way packets cannot be
///   shared out evenly (an odd number of them per node), the ring's own total exchange, by parity (thesis
///   Theorem 4.6), takes those that differ in that dimension alone.
/// - "colouring-of-rounds" on powers H^d of any network H, every d: n^(d-1) total exchanges in each
///   dimension, all dimensions at once, each with a total exchange of H as it is: n^(d-1) T_H steps.
std::vector<Algorithm> koenig_algorithms();

}  // namespace safnet
