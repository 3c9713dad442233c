// small_schedules - valid schedules of steps for tests: what a policy does on the reference stepper, and a
// few by hand.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "testbench/support/reference_stepper.hpp"

namespace safnet::testbench {

/// What the default policy for the problem does, in steps; one-port, only some policies avoid conflicts.
inline Schedule stepped(const std::string& topology, CollectiveKind collective,
                        PortModel ports = PortModel::kAllPort, NodeId root = 0) {
  const Problem problem{make_topology(topology), collective, ports, root};
  const Policy policy = find_algorithm(problem, "").policy(problem);
  const Trace trace = ReferenceStepper(problem.graph, ports, policy).run().trace;
  return schedule_of_trace(problem.graph, collective_of(problem), ports, trace, 0);
}

/// Node 0 of a row sends packets to all others, one after the other.
inline Schedule pipelined_broadcast(NodeId nodes, std::uint32_t packets) {
  Schedule schedule(make_topology("linear:" + std::to_string(nodes)));
  schedule.ports = PortModel::kOnePort;
  schedule.collective = "broadcast";
  std::vector<NodeId> others(nodes - 1);
  std::iota(others.begin(), others.end(), 1U);
  for (std::uint32_t i = 0; i < packets; ++i) {
    schedule.packets.add(0, i, 1, others);
    // A node in the middle sends and receives in every step.
    for (NodeId v = 0; v + 1 < nodes; ++v)
      schedule.sends.push_back({i + v + 1, schedule.network.link(v, *schedule.network.port_to(v, v + 1)), i});
  }
  sort_sends(schedule);
  return schedule;
}

/// Both nodes of linear:2 get the sum of both their packets: each packet is used at two nodes.
inline Schedule allreduce_of_two() {
  Schedule schedule(make_topology("linear:2"));
  const NodeId one = 1, zero = 0;
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(1, 0, 1, {});
  const std::vector<PacketIndex> both{0, 1};
  schedule.packets.add(0, 1, 1, std::span(&zero, 1), both);
  schedule.packets.add(1, 1, 1, std::span(&one, 1), both);
  schedule.sends = {{1, schedule.network.link(0, 0), 0}, {1, schedule.network.link(1, 0), 1}};
  return schedule;
}

/// A reduction to node 1 of a row of four: node 2 combines its own packet with node 3's; node 1 combines its
/// own with that sum and with node 0's.
inline Schedule small_reduction() {
  Schedule schedule(make_topology("linear:4"));
  schedule.ports = PortModel::kOnePort;
  schedule.collective = "reduction";
  schedule.root = 1;
  for (NodeId v = 0; v < 4; ++v) schedule.packets.add(v, 0, 1, {});
  const std::vector<PacketIndex> far{2, 3}, all{0, 1, 4};
  const NodeId root = 1;
  schedule.packets.add(2, 1, 1, {}, far);
  schedule.packets.add(1, 1, 1, std::span(&root, 1), all);
  const auto link = [&](NodeId u, NodeId v) {
    return schedule.network.link(u, *schedule.network.port_to(u, v));
  };
  schedule.sends = {{1, link(0, 1), 0}, {1, link(3, 2), 3}, {2, link(2, 1), 4}};
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet::testbench
