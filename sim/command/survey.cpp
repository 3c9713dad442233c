#include "sim/command/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "sim/variant/variant_progress.hpp"

namespace safnet {

const std::vector<std::string>& survey_topologies() {
  static const std::vector<std::string> topologies = {"linear:16", "ring:16", "mesh:4x4", "torus:4x4",
                                                      "hypercube:4"};
  return topologies;
}

int survey_command(const std::vector<std::string>& topologies, VariantStore& store) {
  std::vector<RunRequest> requests;
  for (const CollectiveName& collective : collective_names()) {
    if (collective.has_active) continue;  // needs to be told which nodes
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const std::string& topology : topologies) {
        RunRequest request(
            Problem{.graph = make_topology(topology), .collective = collective.kind, .ports = ports});
        if (!some_algorithm_applies(request.problem)) continue;
        request.exact_buffers = false;
        const Algorithm* policy = nullptr;
        if (some_policy_applies(request.problem)) {
          policy = &find_algorithm(request.problem, "");
          request.algorithm = policy->name;
          requests.push_back(request);
        }
        if (collective.has_destination) continue;  // has no planners
        const Algorithm& best = *choose_algorithm(request.problem, false).algorithm;
        if (policy != nullptr && (best.policy || steps_of(plan_of(best, request.problem)) >=
                                                     steps_of(plan_of(*policy, request.problem))))
          continue;
        request.algorithm = best.name;
        requests.push_back(std::move(request));
      }
    }
  }
  std::vector<Hardware> wanted;
  std::size_t topology_width = 8, algorithm_width = 9;
  for (const RunRequest& request : requests) {
    wanted.push_back(plan_run(request).hardware);
    topology_width = std::max(topology_width, request.problem.graph.spelling().size());
    algorithm_width = std::max(algorithm_width, request.algorithm.size());
  }
  build_with_progress(store, wanted);

  fmt::print("{:<14}  {:<5}  {:<{}}  {:<4}  {:<{}}  {:>6}  {:>11}  {:>11}  {:<12}  {:>9}\n", "collective",
             "ports", "topology", topology_width, "node", "algorithm", algorithm_width, "steps",
             "closed form", "lower bound", "verdict", "delivered");
  int exit_code = 0;
  for (const RunRequest& request : requests) {
    const RunResult result = run_collective(request, store);
    const Problem& problem = request.problem;
    fmt::print("{:<14}  {:<5}  {:<{}}  {:<4}  {:<{}}  {:>6}  {:>11}  {:>11}  {:<12}  {:>9}\n",
               to_string(problem.collective), to_string(problem.ports), problem.graph.spelling(),
               topology_width, to_string(result.node), result.algorithm, algorithm_width, result.steps,
               result.closed_form ? std::to_string(*result.closed_form) : "none", result.lower_bound.steps,
               to_string(result.verdict), result.delivered);
    for (const std::string& what : result.problems) fmt::print("  problem: {}\n", what);
    for (const std::string& what : result.waits) fmt::print("  stuck: {}\n", what);
    std::fflush(stdout);
    exit_code = std::max(exit_code, result.exit_code());
  }
  return exit_code;
}

}  // namespace safnet
