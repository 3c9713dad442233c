// policy_of_schedule - a timetable as a policy, for nodes that have no clock of steps: a packet's route
// becomes its label, the planned steps become ranks.
#pragma once

#include <string>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Empty if pifo_nodes can follow the schedule, otherwise one line on why not. They only do broadcast,
/// scatter, gather and total exchange; they cannot combine packets, keep a node from receiving two packets at
/// once, or send a packet through several ports in different steps; labels and ranks are limited in number.
std::string why_no_policy(const Schedule& schedule);

/// The policy: every packet has a label of its own, and its rank at a node is the step in which it is planned
/// to leave. All-port nodes are then never later than the plan, by induction over the steps: a packet planned
/// for a link in step t is there by then, and only packets of earlier steps go first. The schedule must be
/// valid, and of steps. Throws std::invalid_argument that names the kind of router, as after --node, if
/// why_no_policy() is not empty.
Policy policy_of_schedule(const Schedule& schedule, const std::string& router);

}  // namespace safnet
