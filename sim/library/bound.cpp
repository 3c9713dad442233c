#include "sim/library/bound.hpp"

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/proof/certificate_text.hpp"
#include "cpp_model/proof/prove.hpp"
#include "sim/library/task_problem.hpp"

namespace safnet::lab {

Bound lower_bound(const Topology& topology, const Task& task) {
  const LowerBound bound = safnet::lower_bound(problem_of(topology, task));
  return {bound.steps, bound.reason};
}

std::string certificate(const Topology& topology, const Task& task) {
  const Problem problem = problem_of(topology, task);
  const LowerBound bound = safnet::lower_bound(problem);
  const auto proof = prove(problem, bound, 1, 0);
  if (!proof)
    throw bad_input("{}: there is no certificate yet for its lower bound, {} steps: {}", task.collective,
                    bound.steps, bound.reason);
  return certificate_text(problem, *proof, 1, 0);
}

}  // namespace safnet::lab
