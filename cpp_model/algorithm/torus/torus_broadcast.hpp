// torus_broadcast - one-port broadcast on tori of any dimension, built from rings, pairs of odd rings and a
// few small tori.
//
// D is the diameter. A ring of even length takes D steps, an odd one D + 1. Dimensions are done group after
// group, all nodes that know the packet in parallel, so the steps of the groups add up. Two odd rings
// together take D + 1 unless both have three nodes: the late part of the first ring and the early part of the
// second overlap. That gives D + ceil(k/2) steps for k odd sides, more if many of them are 3. Optimal for up
// to three dimensions: Theorem 3.3 of the thesis, and first_call_bound() where all three sides are odd.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"

namespace safnet {

/// Empty, or why the graph is no torus: every dimension must be a ring (two nodes with one edge are one).
std::string why_no_torus(const Graph& graph);

/// The broadcast described above. Throws std::invalid_argument if the graph is no torus.
std::vector<Informing> torus_broadcast(const Graph& graph, NodeId root);

/// Its steps, from the lengths of the sides alone.
std::uint64_t torus_broadcast_steps(const std::vector<NodeId>& sides);

/// "torus-broadcast", for broadcast and reduction, one-port.
std::vector<Algorithm> torus_broadcast_algorithms();

}  // namespace safnet
