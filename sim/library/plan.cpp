#include "sim/library/plan.hpp"

#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "sim/library/task_problem.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet::lab {

Plan::Plan(const Topology& topology, const Task& task) : topology_(topology) {
  const Problem problem = problem_of(topology, task);
  require_memory_of_plan(problem);
  if (task.algorithm == "auto") {
    Choice choice = choose_algorithm(problem, true);
    schedule_ = std::make_shared<const Schedule>(choice.plan ? std::move(*choice.plan)
                                                             : plan_of(*choice.algorithm, problem));
    bound_ = choice.bound.steps;
    bound_reason_ = choice.bound.reason;
    return;
  }
  schedule_ = std::make_shared<const Schedule>(plan_of(find_planner(problem, task.algorithm), problem));
  const LowerBound bound = tightest_bound(problem, steps());
  bound_ = bound.steps;
  bound_reason_ = bound.reason;
}

Plan Plan::load(const std::string& path) {
  auto schedule = std::make_shared<const Schedule>(read_any_schedule(path, {}).schedule);
  return {Topology(schedule->network.spelling()), std::move(schedule)};
}
void Plan::save(const std::string& path) const { write_any_schedule(*schedule_, path); }
const std::string& Plan::algorithm() const { return schedule_->algorithm; }
std::uint64_t Plan::steps() const { return steps_of(*schedule_); }

std::vector<PlannedSend> Plan::sends() const {
  const Graph& graph = schedule_->network;
  std::vector<PlannedSend> sends;
  sends.reserve(schedule_->sends.size());
  for (const Send& send : schedule_->sends) {
    sends.push_back({send.start, graph.link_source(send.link), graph.link_target(send.link),
                     graph.link_port(send.link), send.packet});
  }
  return sends;
}

}  // namespace safnet::lab
