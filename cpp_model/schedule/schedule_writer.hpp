// schedule_writer - schedules as JSON files: columns of numbers, streamed, gzip if the name ends in ".gz".
// The format is in README.md here, its JSON Schema in schedule.schema.json.
#pragma once

#include <string>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/schedule_limits.hpp"

namespace safnet {

/// Writes to a temporary file beside it and renames, so that nothing is left half-written. An existing file
/// is replaced; a device or pipe is written to. Throws std::runtime_error if it cannot be written,
/// std::invalid_argument if the format cannot hold the schedule: something is beyond its limits or names a
/// node, link, packet or collective that does not exist. What is written can be read. Texts are made one line
/// of at most kMaxFileText bytes.
void write_schedule(const Schedule& schedule, const std::string& path);

}  // namespace safnet
