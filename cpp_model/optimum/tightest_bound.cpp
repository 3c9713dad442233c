#include "cpp_model/optimum/tightest_bound.hpp"

#include "cpp_model/optimum/allreduce_optimum.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"

namespace safnet {

LowerBound tightest_bound(const Problem& problem, std::uint64_t steps) {
  LowerBound bound = lower_bound(problem);
  if (bound.steps >= steps) return bound;
  // The search is for links that are all alike; see unequal_bound() for when that says nothing.
  if (problem.graph.has_unequal_links()) return bound;
  const auto allreduce = searched_allreduce(problem);  // what one message needs all of them need
  LowerBound searched = allreduce ? allreduce->bound : searched_bound(problem);
  return searched.steps > bound.steps ? searched : bound;
}

}  // namespace safnet
