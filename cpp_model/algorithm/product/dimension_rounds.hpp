// dimension_rounds - total exchange in a product of networks by rounds: total exchanges of one factor each,
// at the same time in all its copies.
//
// The nodes of a factor of n nodes are taken as the numbers modulo n, whatever it looks like, so that the
// packets of a product fall into types: the difference, coordinate by coordinate, of destination and origin.
// A round of dimension i serves one type of every difference l = 1 ... n_i - 1 in that dimension: each node
// then has exactly one packet of the type, to be sent to the node l on, which together is a total exchange.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

inline constexpr NodeId kNoType = kNoNode;

struct DimensionRound {
  std::uint32_t dimension = 0;
  std::uint32_t before = 0;   ///< steps that have passed when it starts
  std::vector<NodeId> types;  ///< [l] of size n_i: a type, numbered as the node with these coordinates, that
                              ///< differs by l in this dimension; kNoType if none. [0] is not used
};

/// The schedule of the rounds, `exchanges[i]` being a total exchange of dimension i. Every type must be in
/// one round of every dimension in which it differs, and these rounds may not overlap.
Schedule schedule_of_rounds(const Problem& problem, const std::string& algorithm,
                            const std::vector<Schedule>& exchanges, std::vector<DimensionRound> rounds);

/// - "colouring-of-rounds" for all-port total exchange on powers H^d of any network H, every d: n^(d-1) total
///   exchanges in each dimension, all dimensions at once, each with a total exchange of H as it is: n^(d-1)
///   T_H steps. Which type is in which round is found by colouring the edges of a bipartite graph.
std::vector<Algorithm> colouring_of_rounds_algorithms();

}  // namespace safnet
