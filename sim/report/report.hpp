// report - results as text for people and JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/run.hpp"

namespace safnet {

/// "rtl" or "systemc".
std::string to_string(NetworkModel model);

/// One object with everything that a run measured; see sim/README.md for the fields.
nlohmann::ordered_json to_json(const RunRequest& request, const RunResult& result);

/// The same as a few lines of text.
std::string to_text(const RunRequest& request, const RunResult& result);

}  // namespace safnet
