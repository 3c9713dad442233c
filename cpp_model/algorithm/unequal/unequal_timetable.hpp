// unequal_timetable - timetables on networks whose links differ in latency or width.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// For every collective, in every port model. They find good timetables, and promise no number of steps.
std::vector<Algorithm> unequal_timetable_algorithms();

}  // namespace safnet
