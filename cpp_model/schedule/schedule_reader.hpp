// schedule_reader - the schedule in a JSON file (see schedule_writer.hpp), read as it streams by.
#pragma once

#include <string>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Reads one. What it says need not be valid (see check_schedule), but it is well-formed: every node, link
/// and packet that is named exists, numbers are in range, columns are of equal length. Throws
/// std::invalid_argument with one line that names the file, what is wrong, where, and what was expected.
Schedule read_schedule(const std::string& path);

}  // namespace safnet
