// survey - `safnet survey`: every collective under both main port models on a row of networks, one line per
// run.
#pragma once

#include <string>
#include <vector>

#include "sim/variant/variant_store.hpp"

namespace safnet {

/// The networks that are surveyed if none are named: one of each family, sixteen nodes each.
const std::vector<std::string>& survey_topologies();

/// Prints a table of runs: measured steps beside the closed form and the lower bound; what nodes reach that
/// decide for themselves and, where fewer steps are possible, the best timetable. Exit code 0 if all
/// checks hold, 1 if one failed, 3 if a run got stuck. Throws std::invalid_argument for a bad topology.
int survey_command(const std::vector<std::string>& topologies, VariantStore& store);

}  // namespace safnet
