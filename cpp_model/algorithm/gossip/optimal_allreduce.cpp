#include "cpp_model/algorithm/gossip/optimal_allreduce.hpp"

#include <fmt/format.h>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/allreduce_optimum.hpp"
#include "cpp_model/optimum/sum_schedule.hpp"

namespace safnet {
namespace {

constexpr const char* kOptimalAllreduce = "optimal";

Schedule plan_optimal_allreduce(const Problem& problem) {
  const auto best = searched_allreduce(problem);
  if (!best->found)
    throw bad_input("{} on {}: the search has found nothing", kOptimalAllreduce,
                    one_line(problem.graph.spelling()));
  return schedule_of_sums(problem, kOptimalAllreduce, *best->found);
}

}  // namespace

std::vector<Algorithm> optimal_allreduce_algorithms() {
  return {{.name = kOptimalAllreduce,
           .collective = CollectiveKind::kAllreduce,
           .source = "counting who can know of what; satisfiability; optimal where that is proved",
           .description = "as few steps as there can be on tdm_nodes, by exhaustive search",
           .domain = fmt::format("networks of at most {} nodes", kMaxNodesForAllreduce),
           .why_not = [](const Problem& p) -> std::string {
             if (!p.tree.empty()) return "finds its own ways, without --tree";
             return is_searched_allreduce(p)
                        ? ""
                        : fmt::format("needs a network of 2 to {} nodes", kMaxNodesForAllreduce);
           },
           .plan = plan_optimal_allreduce,
           .knows_one_way = true,
           .knows_routers = true,
           .searches = true}};
}

}  // namespace safnet
