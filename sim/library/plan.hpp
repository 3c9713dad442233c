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
  std::uint32_t step = 0;    ///< from 1
  std::uint32_t from = 0;    ///< node that it leaves
  std::uint32_t to = 0;      ///< node that it goes to
  std::uint32_t port = 0;    ///< output port of `from`
  std::uint32_t packet = 0;  ///< its number in the plan
};

/// The schedule of a task on a network.
class Plan {
 public:
  /// Plans: takes as long as `safnet plan`.
  Plan(const Topology& topology, const Task& task);
  /// A schedule from a file: .json, .json.gz, .msccl.json.
  static Plan load(const std::string& path);
  /// The same, and .xml (MSCCL). Throws std::runtime_error if the file cannot be written.
  void save(const std::string& path) const;

  const Topology& topology() const { return topology_; }  ///< that it is for
  const std::string& algorithm() const;                   ///< that planned it
  std::uint64_t steps() const;                            ///< until all has arrived
  /// Steps that no schedule can beat, and the argument that says so. Of a plan that was loaded 0 and "".
  std::uint64_t lower_bound() const { return bound_; }
  const std::string& bound_reason() const { return bound_reason_; }  ///< that argument
  std::vector<PlannedSend> sends() const;                            ///< in the order of steps

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
