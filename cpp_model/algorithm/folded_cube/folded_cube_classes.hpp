// folded_cube_classes - multinode broadcast on folded cubes as published: Varvarigos, section 3. Packets fall
// into d + 1 classes, node number modulo d + 1; class c goes over the hypercube without dimension c, by the
// partial multinode broadcast of that hypercube (Algorithm A_0), without the prefix phases: who is active is
// known.
//
// A_0 on d dimensions: the packets of the active nodes, in the order of their addresses, are packed onto
// nodes 0, 1, ... (dimension b in step b + 1, the lowest first), then spread over dimension d - 1, d - 2,
// ..., 0: every node sends all that it has to its neighbour, while that does the same. Bit b of an address of
// class c is dimension d + c - b modulo d + 1, so in every step every class uses another dimension.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "folded-cube-classes-as-published" for multinode broadcast, and for gather and scatter the ways to the
/// root in it.
std::vector<Algorithm> folded_cube_class_algorithms();

}  // namespace safnet
