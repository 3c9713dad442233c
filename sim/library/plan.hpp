// plan - a collective on a network as a schedule: which packet crosses which link in which step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/library/task.hpp"
#include "sim/library/topology.hpp"

namespace safnet {
struct Schedule;
}

namespace safnet::lab {

/// A packet crosses a link, starting in a step counted from 1.
struct PlannedSend {
  std::uint32_t step = 0, from = 0, to = 0, port = 0;  ///< port: the output of `from`
  std::uint32_t packet = 0;
};

class Plan {
 public:
  /// Plans: takes as long as `safnet plan`.
  Plan(const Topology& topology, const Task& task);
  /// A schedule from a file: .json, .json.gz, .msccl.json.
  static Plan load(const std::string& path);
  void save(const std::string& path) const;

  const Topology& topology() const { return topology_; }
  const std::string& algorithm() const;
  std::uint64_t steps() const;
  /// Steps that no schedule can beat, and the argument that says so. Of a plan that was loaded 0 and "".
  std::uint64_t lower_bound() const { return bound_; }
  const std::string& bound_reason() const { return bound_reason_; }
  std::vector<PlannedSend> sends() const;

  const Schedule& schedule() const { return *schedule_; }  ///< as the library's sources have it, of steps

 private:
  Plan(Topology topology, std::shared_ptr<const Schedule> schedule)
      : topology_(std::move(topology)), schedule_(std::move(schedule)) {}
  Topology topology_;
  std::shared_ptr<const Schedule> schedule_;
  std::uint64_t bound_ = 0;
  std::string bound_reason_;
};

}  // namespace safnet::lab
