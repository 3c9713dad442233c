// schedule_writer - a schedule as JSON, in columns.
#pragma once

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {

/// Throws std::invalid_argument for what the reader would refuse: see write_schedule().
void require_writable(const Schedule& schedule);
/// Writes a schedule that is writable.
void put_schedule(StreamedOutput& out, const Schedule& schedule);

}  // namespace safnet
