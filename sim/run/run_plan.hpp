// run_plan - from a request to a plan: which algorithm on which kind of node, and the parameters of the
// nodes.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/run_request.hpp"
#include "sim/tdm/tdm_program.hpp"

namespace safnet {

/// What an algorithm makes of a problem, sized for the hardware: a policy of routers or a timetable.
struct RunPlan {
  RunRequest request;  ///< with pieces, flits per piece and bound as the choice set them
  const Algorithm* algorithm = nullptr;
  std::string why;  ///< why this algorithm, if the program chose it
  struct Routers {
    Policy policy;
    PifoParameters parameters;
  };
  struct Timetable {
    std::shared_ptr<const Schedule> schedule;  ///< with the run's packets
    std::shared_ptr<const TdmProgram> program;
    TdmParameters parameters;
  };
  std::variant<Routers, Timetable> what;
  bool order_ignored = false;  ///< see RunResult
  Hardware hardware;
};

/// The kind of node that a word after --node names: "auto", "tdm" or a router (find_router_kind()).
void choose_node(const std::string& word, RunSettings& settings);

/// Chooses, plans and sizes. Throws std::invalid_argument for what the user got wrong.
RunPlan plan_run(const RunRequest& request);

/// The plan of a policy that the caller made; `algorithm` need not be in the registry.
RunPlan plan_policy(RunRequest request, const Algorithm& algorithm, Policy policy);

/// The tag's width of routers with what a run needs and no more, of which `bits` are needed: header and check
/// in the narrowest flit if they fit.
int fitted_tag_width(int bits, const PifoParameters& parameters);

/// RTL parameters for a request. Throws std::invalid_argument if no hardware can run it (too many ports,
/// nodes or flits), naming the value and the legal range.
PifoParameters choose_parameters(const RunRequest& request, const Policy& policy);

}  // namespace safnet
