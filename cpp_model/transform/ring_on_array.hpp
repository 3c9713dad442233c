// ring_on_array - schedules of a ring carried out on a linear array of as many nodes, two steps for one, and
// dimension by dimension schedules of a torus on a mesh: Varvarigos and Bertsekas 1994, section 2, Fig. 1.
//
// The ring is folded: its nodes 0, 1, 2, ... sit at every second place of the array on the way up, the others
// at the places between on the way back, so neighbours on the ring are two places apart or, at the ends, one.
// A step of the ring takes two of the array: a packet that goes two places takes one step for each, one that
// goes one place takes the step in which its link is free. No two packets need the same link in a step, even
// if all links of the ring are busy.
#pragma once

#include <optional>
#include <string>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Where node k of a ring of `nodes` sits in the array.
NodeId place_on_array(NodeId nodes, NodeId k);

/// The torus with the dimensions of a mesh or linear array; nothing for other networks, and for meshes with a
/// dimension of one node or no edge.
std::optional<Graph> torus_of_array(const Graph& array);

/// The same problem on the torus of the mesh or linear array.
Problem torus_problem(const Problem& on_array);

/// Turns a schedule for torus_problem(on_array) into one for `on_array`, in at most twice the steps. A packet
/// is not sent to a node that it has already passed, nor where no node needs it. Throws std::invalid_argument
/// if `on_array` is not on a mesh or linear array, if its collective has active nodes or a destination, and
/// if the schedule is not one of steps for the torus.
Schedule on_array_from_torus(const Schedule& on_torus, const Problem& on_array, const std::string& algorithm);

}  // namespace safnet
