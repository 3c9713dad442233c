// schedule_reader - the schedule in a JSON file, read as it streams by.
#pragma once

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {

/// Throws std::invalid_argument for what is not well-formed: see read_schedule().
Schedule get_schedule(StreamedInput& file);

}  // namespace safnet
