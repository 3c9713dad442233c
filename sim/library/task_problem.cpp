#include "sim/library/task_problem.hpp"

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet::lab {

void require(const char* what, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high) throw bad_input("{} {}: expected {} to {}", what, value, low, high);
}

Problem problem_of(const Topology& topology, const Task& task) {
  require("messages", task.messages, 1, kMaxMessages);
  Problem problem{.graph = topology.graph(), .collective = parse_collective(task.collective)};
  if (name_of(problem.collective).has_active)
    throw bad_input("collective {}: expected one that has no active nodes; safnet run has those",
                    in_quotes(task.collective));
  problem.ports = parse_port_model(task.ports);
  problem.root = task.root;
  problem.messages = task.messages;
  check_root(problem);
  return problem;
}

}  // namespace safnet::lab
