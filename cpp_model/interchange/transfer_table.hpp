// transfer_table - every transfer of a recording as a row of CSV.
#pragma once

#include <string>

#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// Writes all transfers, in order of time; compressed if `path` ends in ".gz". Throws WriteError.
void write_transfer_table(const Recording& recording, const std::string& path);

}  // namespace safnet
