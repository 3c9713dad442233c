// read_schedule - what a reader of another tool's file gives back.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct ReadSchedule {
  Schedule schedule;
  std::vector<std::string> remarks;  ///< what the reader made of the file, one line each
};

}  // namespace safnet
