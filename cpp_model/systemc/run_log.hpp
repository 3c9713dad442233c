// run_log - what the nodes of one run write down, and what is still to do.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "cpp_model/schedule/trace.hpp"

namespace safnet::reference {

struct RunLog {
  Trace trace;
  std::vector<std::string> problems;
  /// Packets with hosts, in queues, being sent or on links; 0: the run is over.
  std::uint64_t outstanding = 0;
  /// Flits and grants sent, credits received, flits injected: a run in which this does not grow is stuck.
  std::uint64_t movements = 0;

  /// Keeps the first few problems.
  template <class... Args>
  void complain(fmt::format_string<Args...> problem, Args&&... args) {
    if (problems.size() < 20) problems.push_back(fmt::format(problem, std::forward<Args>(args)...));
  }
};

}  // namespace safnet::reference
