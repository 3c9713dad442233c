// deadlock_report - whether packets of a policy, or instructions of a timetable, can wait for each other in a
// circle, in words and as JSON.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "cpp_model/check/deadlock.hpp"
#include "sim/report/report.hpp"
#include "sim/run/run.hpp"
#include "sim/tdm/tdm_waits.hpp"

namespace safnet {

struct DeadlockStudy {
  std::string title;
  Graph graph;
  std::variant<DeadlockAnalysis, TdmWaits> analysis;  ///< of routers, of tdm_nodes
  std::optional<RunResult> trial = {};  ///< a run with queues of one place, if one was asked for
  bool is_free() const;
};

Json to_json(const DeadlockStudy& study);
std::string to_text(const DeadlockStudy& study);

}  // namespace safnet
