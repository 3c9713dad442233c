// run_report - a collective on routers, by a timetable or on scan_nodes, in words and as JSON; see
// sim/report/README.md for the fields.
#pragma once

#include "sim/report/report.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// One object with everything that was asked and measured, or the same as a few lines of text.
/// `whole`: of a run on what remains of a network, what it takes on all of it.
Json to_json(const RunRequest& request, const RunResult& result,
             const std::optional<WholeFigures>& whole = {});
std::string to_text(const RunRequest& request, const RunResult& result,
                    const std::optional<WholeFigures>& whole = {});

/// The same of a partial collective on scan_nodes.
Json to_json(const ScanRequest& request, const ScanResult& result);
std::string to_text(const ScanRequest& request, const ScanResult& result);

/// A line that says on which model the run was, unless that is the RTL.
void add_model(TextReport& text, NetworkModel model);

}  // namespace safnet
