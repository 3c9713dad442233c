// algorithm - the registry of algorithms: where each applies, what it promises, and its Policy or timetable.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Steps that an algorithm promises; nothing where it promises none.
using ClosedForm = std::optional<std::uint64_t>;

struct Algorithm {
  std::string name = {};  ///< "furthest-first"
  CollectiveKind collective = CollectiveKind::kBroadcast;
  std::string source = {};       ///< where it was published: "thesis 4.2, Theorem 4.3"
  std::string description = {};  ///< one line
  std::string domain = {};       ///< where it applies, in words: "linear arrays, all-port"
  /// Empty if the algorithm solves this problem, otherwise one line that says what it needs.
  std::function<std::string(const Problem&)> why_not = {};
  /// For pifo_nodes, which decide for themselves; empty if this algorithm is a timetable.
  std::function<Policy(const Problem&)> policy = {};
  /// Steps that the algorithm takes on this problem.
  std::function<ClosedForm(const Problem&)> closed_form = [](const Problem&) { return ClosedForm(); };
  /// Chosen only by name: known to be wrong or slow, too costly to try, or never better than another.
  bool chosen_by_name_only = false;
  /// For tdm_nodes, which obey a timetable: a schedule of steps (see in_lockstep). Empty if this algorithm
  /// is a policy. An algorithm has one of the two, or both.
  std::function<Schedule(const Problem&)> plan = {};
  /// Does it plan several messages itself? Otherwise the registry repeats it, and the repetitions have no
  /// closed form.
  bool knows_messages = false;
  /// Does it work on networks with one-way links? Otherwise the registry refuses such problems for it.
  bool knows_one_way = false;
  /// The same of networks with nodes that only route.
  bool knows_routers = false;
  /// The same of networks whose links differ in latency or width.
  bool knows_unequal_links = false;
  /// Into how many pieces it splits each packet; empty: it does not split them. A step is then as long as a
  /// piece takes on a link (Problem::pieces).
  std::function<std::uint32_t(const Problem&)> pieces = {};
  /// Does it search for the optimum? Then tightest_bound() also takes the lower bound that its search proves.
  bool searches = false;
  /// Estimate of the seconds that planning takes on one core, from the problem alone, so that what is tried
  /// on a large collective does not depend on the machine. Empty: only planned to be compared with others on
  /// small ones (kMostTriedSends).
  std::function<double(const Problem&)> plan_seconds = {};
};

/// All algorithms, of all collectives. Of several that promise equally many steps the first is chosen.
const std::vector<Algorithm>& algorithms();

/// Empty if the problem names no tree and nodes may use all ports at once; otherwise the reason for which an
/// algorithm that needs both refuses the problem.
std::string why_not_all_port(const Problem& problem);

/// The policy of that name that solves `problem`; for an empty name the one that promises the fewest steps.
/// Throws std::invalid_argument naming the word and the names that apply.
const Algorithm& find_algorithm(const Problem& problem, const std::string& name);

/// What find_algorithm() returns for an empty name, and what its closed form says of this problem.
struct BestPolicy {
  const Algorithm* algorithm = nullptr;
  ClosedForm promised = {};
};
BestPolicy best_policy(const Problem& problem);

/// The algorithm of that name that solves `problem`, policy or plan. Throws like find_algorithm().
const Algorithm& find_any_algorithm(const Problem& problem, const std::string& name);

/// The same among the algorithms that plan; find_algorithm() is for those with a policy.
const Algorithm& find_planner(const Problem& problem, const std::string& name);

}  // namespace safnet
