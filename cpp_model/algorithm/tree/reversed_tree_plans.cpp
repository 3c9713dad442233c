#include "cpp_model/algorithm/tree/reversed_tree_plans.hpp"

#include "cpp_model/algorithm/tree/tree_broadcast.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/algorithm/tree/tree_scatter.hpp"

namespace safnet {
namespace {

// The reduction of a broadcast, the gather of a scatter: planned on the links turned round, run backwards.
Algorithm backwards(const Algorithm& forwards) {
  Algorithm algorithm = forwards;
  algorithm.collective =
      algorithm.collective == CollectiveKind::kScatter ? CollectiveKind::kGather : CollectiveKind::kReduction;
  algorithm.description += "; backwards";
  algorithm.policy = {};
  algorithm.why_not = [forwards](const Problem& p) { return forwards.why_not(turned_round(p)); };
  algorithm.closed_form = [forwards](const Problem& p) { return forwards.closed_form(turned_round(p)); };
  algorithm.plan = [forwards](const Problem& p) { return forwards.plan(turned_round(p)); };
  return algorithm;
}

}  // namespace

std::vector<Algorithm> tree_plan_algorithms() {
  std::vector<Algorithm> list;
  for (auto&& family : {broadcast_algorithms(), scatter_algorithms()}) {
    for (const Algorithm& algorithm : family) {
      if (algorithm.plan && !algorithm.chosen_by_name_only) list.push_back(backwards(algorithm));
    }
  }
  return list;
}

}  // namespace safnet
