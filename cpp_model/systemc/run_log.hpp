// run_log - what the nodes of one run write down, and what is still to do.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/schedule/trace.hpp"

namespace safnet::reference {

struct RunLog {
  Trace trace;
  /// Not empty: packets carry the words of hosts, deliveries come here with them, and there is no trace.
  std::function<void(const Delivery&, const std::vector<std::uint64_t>& words)> on_delivery;
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
