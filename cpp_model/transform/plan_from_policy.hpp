// plan_from_policy - the timetable that a network of pifo_nodes follows under a policy, worked out
// beforehand.
#pragma once

#include <cstddef>
#include <string>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Most sends that a planner here makes a schedule of: 12 bytes each, as much again while they are sorted.
inline constexpr std::size_t kMaxPlannedSends = std::size_t{1} << 26;

/// Runs the policy in steps and writes down who sends what: the heads of all queues leave, then what arrived
/// joins (cpp_model/schedule/README.md, "How a policy reads"), with packets of one flit and queues without
/// end. Where nodes compete for a one-port receiver, the packet of the smallest rank, and among equals the
/// one that has waited longest, is let in and the others stay; nodes of hardware with grants may choose
/// differently.
///
/// The packets are those of collective_packets(). Time: sends times the logarithm of the longest queue.
/// Throws std::invalid_argument if the policy injects packets that are not the collective's or of more than
/// one flit, if a packet makes more than node_count - 1 hops, which no valid schedule needs, or if there are
/// more than kMaxPlannedSends sends.
Schedule plan_from_policy(const Problem& problem, const Policy& policy, const std::string& algorithm);

}  // namespace safnet
