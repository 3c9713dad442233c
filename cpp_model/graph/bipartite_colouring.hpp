// bipartite_colouring - colours for the edges of bipartite graphs; in timetables colours are steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
/// in practice close to linear. Deterministic. An edge gets the first colour that is free at its left end or,
/// to `avoid_exchanges`, the first that is free at its right end if that is free at the left, too. Throws
/// std::invalid_argument if an edge's end does not exist.
std::vector<std::uint32_t> colour_bipartite(std::span<const BipartiteEdge> edges, std::uint32_t left_count,
                                            std::uint32_t right_count, bool avoid_exchanges = true);

}  // namespace safnet
