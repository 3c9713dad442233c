// plan_from_policy - the timetable that a network of pifo_nodes follows under a policy, worked out
// beforehand.
#pragma once

#include <cstddef>
#include <string>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The most sends of a planned schedule: 12 bytes each, as much again while they are sorted.
inline constexpr std::size_t kMaxPlannedSends = std::size_t{1} << 26;

/// Runs the policy in steps and records who sends what: in each step the heads of all queues leave, then the
/// arrivals join (cpp_model/schedule/README.md, "How a policy reads"), with packets of one flit and unlimited
/// queues. Where nodes compete for a one-port receiver, the packet of the smallest rank wins, and among
/// equals the one that has waited longest; nodes of hardware with grants may choose differently.
///
/// The packets are those of collective_packets(). Run time: sends times the logarithm of the longest queue.
/// Throws std::invalid_argument if the policy injects packets that are not the collective's or of more than
/// one flit, if a packet makes more than node_count - 1 hops, which no valid schedule needs, or if there are
/// more than kMaxPlannedSends sends.
Schedule plan_from_policy(const Problem& problem, const Policy& policy, const std::string& algorithm);

}  // namespace safnet
