// round_scheduler - in which slots the sends of a step of an SCCL file can be made.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cpp_model/interchange/slot_finder.hpp"
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
  std::pair<std::uint64_t, LinkId> earliest(NodeId from, NodeId to, std::uint64_t slot) const;

  const Graph& graph_;
  std::vector<BusySlots> link_busy_, out_busy_, in_busy_;  // ports: where the model limits them
};

/// Rounds of a step of one-port nodes: colours of the edges of a bipartite graph, as few as its degree
/// (Koenig), by exchanging two colours along a path. Nothing if there are too many packets for that.
std::optional<std::vector<std::uint32_t>> rounds_of_one_port_step(
    const std::vector<std::pair<NodeId, NodeId>>& sends);

}  // namespace safnet
