// perfetto - a recording as a trace for ui.perfetto.dev.
#pragma once

#include <string>

#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// Writes the part of a recording that is in these cycles. Throws WriteError.
void write_perfetto(const Recording& recording, const CycleRange& shown, const std::string& path);

}  // namespace safnet
