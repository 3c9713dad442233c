// root_port_assignment - through which port of the root each destination of a scatter is reached.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

/// Largest network whose destinations are shared out.
inline constexpr NodeId kMaxAssignedNodes = 1024;

/// Shares the destinations out among the root's ports so that the largest share is as small as can be, and
/// with that the detours as short as can be (0, 1, 2, 4 or any number of hops are tried). Behind a port,
/// routes follow the breadth-first tree from the neighbour it leads to, in the graph without the root.
class RootPortAssignment {
 public:
  RootPortAssignment(const Graph& graph, NodeId root);

  /// Port through which `v` passes on a packet for `destination`; nothing if no such packet comes to v.
  std::optional<PortId> next_port(NodeId v, NodeId destination) const;
  /// Hops from v, on the route to `destination`, to the destination.
  std::uint32_t hops(NodeId v, NodeId destination) const;
  std::uint32_t longest() const { return longest_; }      ///< hops of the longest route
  std::uint32_t largest_share() const { return share_; }  ///< most destinations behind one port

 private:
  struct Branch {
    std::vector<std::uint32_t> distance;  // hops from the root through this port; kUnreachable if none
    RoutedTree tree;                      // breadth first
  };
  // Finds a port for the destination, moving others if need be; `asked`: the ports tried so far.
  bool give(NodeId destination, std::uint32_t detour, std::vector<bool>& asked);

  NodeId root_;
  std::vector<Branch> branches_;            // per port of the root
  std::vector<std::uint32_t> nearest_;      // distance from the root, per node
  std::vector<PortId> branch_of_;           // per destination
  std::vector<std::vector<NodeId>> given_;  // per branch
  std::uint32_t share_ = 0;
  std::uint32_t longest_ = 1;
};

}  // namespace safnet
