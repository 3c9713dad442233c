// run_report - a collective on routers or by a timetable, in words and as JSON.
#pragma once

#include "sim/report/report.hpp"
#include "sim/run/run.hpp"

namespace safnet {

/// One object with everything that a run measured; see sim/report/README.md for the fields.
Json to_json(const RunRequest& request, const RunResult& result);

/// The same as a few lines of text.
std::string to_text(const RunRequest& request, const RunResult& result);

}  // namespace safnet
