// deadlock_report - whether packets of a policy can wait for each other in a circle, in words and as JSON.
#pragma once

#include <optional>
#include <string>

#include "cpp_model/check/deadlock.hpp"
#include "sim/report/report.hpp"
#include "sim/run/run.hpp"

namespace safnet {

struct DeadlockStudy {
  std::string title;
  Graph graph;
  DeadlockAnalysis analysis;
  std::optional<RunResult> trial = {};  ///< a run with queues of one place, if one was asked for
};

Json to_json(const DeadlockStudy& study);
std::string to_text(const DeadlockStudy& study);

}  // namespace safnet
