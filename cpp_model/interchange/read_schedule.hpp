// read_schedule - what a reader of another tool's file gives back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What an MSCCL program does not say.
struct MscclReading {
  /// Messages that a channel holds: sent, at least in part, and not received yet. At least 1.
  std::uint32_t channel_depth = 1;
  /// Where the file has no collective, or a custom one: MSCCL's name or ours. Empty: not given.
  std::string collective = {};
};

struct ReadSchedule {
  Schedule schedule;
  std::vector<std::string> remarks;  ///< what the reader made of the file, one line each
};

}  // namespace safnet
