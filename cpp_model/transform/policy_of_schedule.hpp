// policy_of_schedule - a timetable for nodes that know no time: routes as labels, planned steps as ranks.
#pragma once

#include <string>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Empty if pifo_nodes can follow the schedule, otherwise one line that says what they cannot do: a
/// collective other than broadcast, scatter, gather and total exchange, combine, keep a node from receiving
/// two packets at once, send a packet through several ports in different steps, or tell apart so many packets
/// and steps.
std::string why_no_policy(const Schedule& schedule);

/// The policy: every packet has a label of its own, its rank at a node is the step in which it was to leave.
/// All-port nodes then are never later than the plan: by induction over the steps, what was to cross a link
/// in step t is there by then, and only packets that were to cross before it go first. The schedule is one of
/// steps, valid, and outlives the policy. Throws std::invalid_argument.
Policy policy_of_schedule(const Schedule& schedule);

}  // namespace safnet
