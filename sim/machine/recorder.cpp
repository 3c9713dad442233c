#include "sim/machine/recorder.hpp"

#include "cpp_model/schedule/trace.hpp"

namespace safnet {

std::vector<std::string> Recorder::problems() const {
  std::vector<std::string> all;
  for (const Seen& node : seen_) {
    for (const std::string& problem : node.problems.lines()) {
      if (all.size() < kProblemsKept) all.push_back(problem);
    }
  }
  return all;
}

std::size_t Recorder::problem_count() const {
  std::size_t count = 0;
  for (const Seen& node : seen_) count += node.problems.count();
  return count;
}

Trace Recorder::take_trace() {
  Trace trace;
  for (Seen& node : seen_) {
    trace.transfers.insert(trace.transfers.end(), node.transfers.begin(), node.transfers.end());
    trace.deliveries.insert(trace.deliveries.end(), node.deliveries.begin(), node.deliveries.end());
    node.transfers.clear();
    node.deliveries.clear();
  }
  sort_by_time(trace);
  return trace;
}

}  // namespace safnet
