// perfetto - a recording as a trace for ui.perfetto.dev: links as tracks, packets on them as slices, packets
// that wait as counters, and arrows along the way of each packet. README.md of this folder says what is in
// it.
#pragma once

#include <string>

#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// Writes what is on a link or waits in these cycles; compressed if `path` ends in ".gz". Throws WriteError.
void write_perfetto(const Recording& recording, const CycleRange& shown, const std::string& path);

}  // namespace safnet
