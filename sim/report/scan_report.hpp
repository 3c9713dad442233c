// scan_report - a partial collective on scan_nodes, in words and as JSON.
#pragma once

#include "sim/report/report.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// One object with everything that was asked and measured; see sim/report/README.md for the fields.
Json to_json(const ScanRequest& request, const ScanResult& result);
/// The same as a few lines of text.
std::string to_text(const ScanRequest& request, const ScanResult& result);

}  // namespace safnet
