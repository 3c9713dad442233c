// ring_on_array - a linear array does what a ring of as many nodes does, in two steps for one: Varvarigos and
// Bertsekas 1994, section 2, Fig. 1. Dimension by dimension a mesh does what a torus does.
//
// The ring is folded: its nodes 0, 1, 2, ... sit at every second place of the array going up, the others at
// the places between coming back, so neighbours on the ring are two places apart or, at the ends, one. A step
// of the ring takes two of the array: a packet that goes two places takes one step for each, one that goes
// one place takes the step in which its link is free. No link is needed twice even if all links of the ring
// are busy.
#pragma once

#include <optional>
#include <string>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Where node k of a ring of `nodes` sits in the array.
NodeId place_on_array(NodeId nodes, NodeId k);

/// The torus with as many nodes in every dimension as a mesh or linear array; nothing for other networks, and
/// for meshes with a dimension of one node or no edge.
std::optional<Graph> torus_of_array(const Graph& array);

/// What a mesh or linear array is asked for, asked of its torus.
Problem torus_problem(const Problem& on_array);

/// A schedule for torus_problem(on_array) as one for `on_array`, in twice the steps at most. A packet is not
/// sent to where it has been on its way to another node, and not where nobody needs it. Throws
/// std::invalid_argument if `on_array` is for neither a mesh nor a linear array or its collective has active
/// nodes or a destination, and if the schedule is not one of steps for the torus.
Schedule on_array_from_torus(const Schedule& on_torus, const Problem& on_array, const std::string& algorithm);

}  // namespace safnet
