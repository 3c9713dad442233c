// round_scheduler - in which slots the sends of a step of an SCCL file can be made.
#pragma once

#include <boost/icl/interval_set.hpp>
#include <boost/icl/right_open_interval.hpp>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Links and ports of a network, and when they are taken.
class RoundScheduler {
 public:
  /// `graph` must outlive it.
  RoundScheduler(const Graph& graph, PortModel ports);
  /// Takes the first slot from `slot` on in which a link between the nodes and their ports are free; returns
  /// it with the link.
  std::pair<std::uint64_t, LinkId> take(NodeId from, NodeId to, std::uint64_t slot);
  /// Gives back what was taken.
  void release(std::uint64_t slot, LinkId link);

 private:
  // Slots in which something is busy, as runs: adjacent slots cost no memory.
  using BusySlots = boost::icl::interval_set<std::uint64_t, std::less,
                                             boost::icl::right_open_interval<std::uint64_t, std::less>>;

  const Graph& graph_;
  std::vector<BusySlots> link_busy_, out_busy_, in_busy_;  // ports: where the model limits them
};

}  // namespace safnet
