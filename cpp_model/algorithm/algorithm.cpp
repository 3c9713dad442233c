#include "cpp_model/algorithm/algorithm.hpp"

#include <limits>

#include "cpp_model/algorithm/exchange/general_exchange.hpp"
#include "cpp_model/algorithm/exchange/linear_array_exchange.hpp"
#include "cpp_model/algorithm/exchange/optimal_exchange.hpp"
#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_broadcast.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_exchange.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_fewest_first.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_multinode.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_one_port_phases.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_single_source.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_timetable.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_classes.hpp"
#include "cpp_model/algorithm/folded_cube/folded_cube_exchange.hpp"
#include "cpp_model/algorithm/gossip/general_allreduce.hpp"
#include "cpp_model/algorithm/gossip/general_collectives.hpp"
#include "cpp_model/algorithm/gossip/optimal_allreduce.hpp"
#include "cpp_model/algorithm/gossip/optimal_gossip.hpp"
#include "cpp_model/algorithm/gossip/recursive_doubling.hpp"
#include "cpp_model/algorithm/gossip/translated_broadcast.hpp"
#include "cpp_model/algorithm/partial/line_broadcast.hpp"
#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/algorithm/product/dimension_rounds.hpp"
#include "cpp_model/algorithm/product/generator_colouring.hpp"
#include "cpp_model/algorithm/product/product_exchange.hpp"
#include "cpp_model/algorithm/product/window_assignment.hpp"
#include "cpp_model/algorithm/routed/routed_timetable.hpp"
#include "cpp_model/algorithm/torus/array_from_torus.hpp"
#include "cpp_model/algorithm/torus/torus_broadcast.hpp"
#include "cpp_model/algorithm/torus/torus_collectives.hpp"
#include "cpp_model/algorithm/torus/torus_exchange.hpp"
#include "cpp_model/algorithm/torus/torus_multinode_broadcast.hpp"
#include "cpp_model/algorithm/tree/flow_scatter.hpp"
#include "cpp_model/algorithm/tree/multipath.hpp"
#include "cpp_model/algorithm/tree/optimal_broadcast.hpp"
#include "cpp_model/algorithm/tree/reversed_tree_plans.hpp"
#include "cpp_model/algorithm/tree/tree_broadcast.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/algorithm/tree/tree_scatter.hpp"
#include "cpp_model/algorithm/unequal/unequal_timetable.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/known_problem.hpp"
#include "cpp_model/transform/carry_over.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "cpp_model/transform/repeat_messages.hpp"

namespace safnet {

namespace {

Problem of_one_message(Problem problem) {
  problem.messages = 1;
  return problem;
}

// Lets an algorithm that plans one message do several: its timetable, or its packets, are repeated.
void make_repeat(Algorithm& algorithm) {
  if (algorithm.policy) {
    algorithm.policy = [policy = algorithm.policy](const Problem& problem) {
      Policy once = policy(problem);
      return problem.messages == 1 ? once : repeat_policy(problem, std::move(once));
    };
  }
  if (algorithm.plan) {
    algorithm.plan = [plan = algorithm.plan](const Problem& problem) {
      return problem.messages == 1 ? plan(problem) : repeat_schedule(problem, plan(of_one_message(problem)));
    };
  }
  algorithm.closed_form = [closed_form = algorithm.closed_form](const Problem& problem) {
    return problem.messages == 1 ? closed_form(problem) : std::nullopt;
  };
}

void refuse(Algorithm& algorithm, bool (Graph::*has)() const, const char* needs) {
  algorithm.why_not = [has, needs, why_not = algorithm.why_not](const Problem& problem) {
    return (problem.graph.*has)() ? needs : why_not(problem);
  };
}

// Asks about the network that a problem's is known as, if it is.
template <class Answer>
void ask_of_known(std::function<Answer(const Problem&)>& question) {
  if (!question) return;
  question = [asked = std::move(question)](const Problem& problem) {
    return problem.graph.known_as() == nullptr ? asked(problem) : asked(on_known_network(problem));
  };
}
// The same, and carries over what it plans.
template <class Planned>
void plan_on_known(std::function<Planned(const Problem&)>& planner) {
  if (!planner) return;
  planner = [plan = std::move(planner)](const Problem& problem) {
    return problem.graph.known_as() == nullptr ? plan(problem)
                                               : carry_over(plan(on_known_network(problem)), problem);
  };
}

// Plans for a network from a file that was recognised as for the network that it is.
void know_networks(Algorithm& algorithm) {
  ask_of_known(algorithm.why_not);
  ask_of_known(algorithm.closed_form);
  ask_of_known(algorithm.pieces);
  ask_of_known(algorithm.plan_seconds);
  plan_on_known(algorithm.plan);
  plan_on_known(algorithm.policy);
}

}  // namespace

std::string why_not_all_port(const Problem& problem) {
  if (!problem.tree.empty()) return "has no use for --tree";
  return problem.ports == PortModel::kAllPort ? "" : "needs --ports all";
}

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> list;
    // Timetables of total exchanges come before policies: where neither promises a time they are the better
    // choice.
    for (auto&& family : {broadcast_algorithms(),
                          scatter_algorithms(),
                          generator_colouring_algorithms(),
                          colouring_of_rounds_algorithms(),
                          window_algorithms(),
                          product_exchange_algorithms(),
                          priority_rule_algorithms(),
                          multipath_algorithms(),
                          linear_array_exchange_algorithms(),
                          general_exchange_algorithms(),
                          flow_scatter_algorithms(),
                          torus_broadcast_algorithms(),
                          optimal_broadcast_algorithms(),
                          optimal_exchange_algorithms(),
                          tree_plan_algorithms(),
                          torus_collective_algorithms(),
                          torus_multinode_broadcast_algorithms(),
                          torus_exchange_algorithms(),
                          translated_broadcast_algorithms(),
                          array_from_torus_algorithms(),
                          folded_cube_exchange_algorithms(),
                          folded_cube_class_algorithms(),
                          row_column_classes_algorithms(),
                          routed_partial_exchange_algorithms(),
                          line_broadcast_algorithms(),
                          general_collective_algorithms(),
                          general_allreduce_algorithms(),
                          recursive_doubling_algorithms(),
                          optimal_gossip_algorithms(),
                          optimal_allreduce_algorithms(),
                          fat_tree_single_source_algorithms(),
                          fat_tree_phase_algorithms(),
                          fat_tree_broadcast_algorithms(),
                          fat_tree_multinode_algorithms(),
                          fat_tree_fewest_first_algorithms(),
                          fat_tree_exchange_algorithms(),
                          fat_tree_timetable_algorithms(),
                          routed_timetable_algorithms(),
                          unequal_timetable_algorithms()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    for (Algorithm& algorithm : list) {
      if (!algorithm.knows_messages) make_repeat(algorithm);
      if (!algorithm.knows_one_way) refuse(algorithm, &Graph::has_one_way_links, "needs links both ways");
      if (!algorithm.knows_unequal_links)
        refuse(algorithm, &Graph::has_unequal_links, "needs links that are all alike");
      if (!algorithm.knows_routers) refuse(algorithm, &Graph::has_routers, "needs nodes that all process");
    }
    // What routers will do under a policy can be simulated beforehand and written down as a timetable.
    for (Algorithm& algorithm : list) {
      if (!algorithm.policy || algorithm.plan || algorithm.collective == CollectiveKind::kMultipath) continue;
      algorithm.plan = [policy = algorithm.policy, pieces = algorithm.pieces,
                        name = algorithm.name](const Problem& problem) {
        Problem split = problem;
        if (pieces) split.pieces = pieces(problem);
        return plan_from_policy(split, policy(split), name);
      };
    }
    for (Algorithm& algorithm : list) know_networks(algorithm);
    return list;
  }();
  return all;
}

namespace {

enum class Wanted : std::uint8_t { kPolicy, kPlan, kAny };

// The closed form of the result is evaluated only if the name is empty.
BestPolicy find(const Problem& problem, const std::string& name, Wanted wanted) {
  check_messages(problem);
  check_root(problem);
  BestPolicy best;
  std::uint64_t best_steps = 0;
  std::string applicable;
  bool tree_is_used = problem.tree.empty();
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != problem.collective) continue;
    if (wanted == Wanted::kPlan && !algorithm.plan) continue;
    if (wanted == Wanted::kPolicy && !algorithm.policy) continue;
    const std::string reason = algorithm.why_not(problem);
    if (algorithm.name == name && !reason.empty()) {
      throw bad_input("algorithm {}: {}", name, reason);
    }
    if (!reason.empty()) continue;
    tree_is_used = true;
    applicable += (applicable.empty() ? "" : ", ") + algorithm.name;
    if (!name.empty()) {
      if (algorithm.name == name) return {&algorithm};
      continue;
    }
    if (algorithm.chosen_by_name_only) continue;
    // The fewest promised steps win. Between equals the order of the registry decides; an algorithm that
    // promises nothing comes last.
    const ClosedForm promised = algorithm.closed_form(problem);
    const std::uint64_t steps = promised.value_or(std::numeric_limits<std::uint64_t>::max());
    if (best.algorithm == nullptr || steps < best_steps) {
      best = {&algorithm, promised};
      best_steps = steps;
    }
  }
  if (!tree_is_used) {
    throw bad_input("--tree {}: {} has no use for a tree", in_quotes(problem.tree),
                    to_string(problem.collective));
  }
  if (best.algorithm == nullptr) {
    throw bad_input("algorithm {}: expected one of {} for {}", in_quotes(name), applicable,
                    to_string(problem.collective));
  }
  return best;
}

}  // namespace

const Algorithm& find_algorithm(const Problem& problem, const std::string& name) {
  return *find(problem, name, Wanted::kPolicy).algorithm;
}
BestPolicy best_policy(const Problem& problem) { return find(problem, "", Wanted::kPolicy); }
const Algorithm& find_any_algorithm(const Problem& problem, const std::string& name) {
  return *find(problem, name, Wanted::kAny).algorithm;
}
const Algorithm& find_planner(const Problem& problem, const std::string& name) {
  return *find(problem, name, Wanted::kPlan).algorithm;
}

}  // namespace safnet
