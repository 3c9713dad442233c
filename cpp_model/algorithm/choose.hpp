// choose - the best algorithm for a problem, whether its nodes decide for themselves or obey a timetable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/lower_bound.hpp"

namespace safnet {

/// Seconds by estimate that a planner may take on a large collective, unless it is said otherwise.
inline constexpr std::uint32_t kPlanSeconds = 60;

struct Choice {
  const Algorithm* algorithm = nullptr;
  /// What its closed form says.
  ClosedForm promised;
  /// Why this one, in words: "promises 8 steps, which is the lower bound".
  std::string reason;
  /// Its schedule of steps, if it had to be planned to be chosen.
  std::optional<Schedule> plan;
  /// The largest known: tightest_bound(), where planners were tried and none met lower_bound().
  LowerBound bound;
};

/// The algorithm that promises, or plans, the fewest steps. Promises are looked at first: one that equals the
/// lower bound settles it. Otherwise those that promise nothing are planned and compared: all of them on
/// collectives of up to kMostTriedSends, on larger ones those whose Algorithm::plan_seconds is at most
/// `seconds`, an estimate and not the clock, so that equal problems have equal choices; if there are none the
/// first that applies is taken, and the reason says what kept the planners from being tried. Policies come
/// before timetables of equal steps. `plans_only`: only what can be written down as a schedule by its own
/// planner.
/// Throws std::invalid_argument if nothing applies, or all that applies refuses when it is tried.
Choice choose_algorithm(const Problem& problem, bool plans_only, double seconds = kPlanSeconds);
/// Link crossings that a collective needs at least.
std::uint64_t least_sends(const Problem& problem);
/// Largest collective, in link crossings, whose algorithms without a promise are all planned and compared.
inline constexpr std::uint64_t kMostTriedSends = 200'000;
/// On networks with routers algorithms with a policy are tried up to this size: their simulation is quick.
inline constexpr std::uint64_t kMostFollowedSends = 4'000'000;

/// Name of this choice, beside those of algorithms.
inline constexpr const char* kMessagesInTurn = "in-turn";
/// Largest message, in link crossings, for which all plans are tried.
inline constexpr std::uint64_t kMostTriedInTurn = 500'000;
/// A plan for nodes with little room, of several messages: the plan of one message, repeated as soon as links
/// and ports allow it (see repeat_schedule). Of all that apply to one message it has the fewest steps, and of
/// equal ones the fewest packets in transit at a node (see most_in_transit). The others may be quicker, as
/// they send packets of all messages in any order.
/// Throws std::invalid_argument if nothing applies, or the collective is too large for trying all.
Choice choose_in_turn(const Problem& problem);

/// What is to carry a choice out.
enum class ChosenFor : std::uint8_t {
  kAnyNode,  ///< all algorithms
  kPlans,    ///< those with a planner of their own
  kRouters,  ///< those whose nodes decide for themselves
};
/// Of all algorithms whose plans pass data on over at most `most` links in a row (see Forwarding), the one
/// with the fewest steps; policies come before timetables of equal steps. All that apply are planned. Throws
/// std::invalid_argument if none keeps to the limit, naming the least of their longest chains, or if the
/// collective has more than kMostTriedSends link crossings.
Choice choose_within_forwarding(const Problem& problem, ChosenFor carrier, std::uint32_t most);
/// Throws std::invalid_argument if an algorithm's plan passes data on over more links in a row.
void require_forwarding(const Schedule& plan, const std::string& algorithm, std::uint32_t most);

/// Does an algorithm for nodes that decide for themselves solve the problem?
bool some_policy_applies(const Problem& problem);

/// Does any algorithm?
bool some_algorithm_applies(const Problem& problem);

/// The schedule of steps of an algorithm: its own plan, or what its policy would do.
Schedule plan_of(const Algorithm& algorithm, const Problem& problem);
/// Steps of a schedule of steps: the last in which something is sent.
std::uint64_t steps_of(const Schedule& schedule);

}  // namespace safnet
