// deadlock - whether packets of a policy can ever wait for each other in a circle, on routers with queues of
// any depth.
//
// A router gives the place of a packet that came over a link back when the packet's last copy begins to leave
// (rtl/pifo/README.md, "Credits"). So whoever waits for a place behind link a may wait until packets in the
// places behind a can leave, and these for places behind the links that they leave by. Where these waits form
// no circle, links can be numbered so that every wait leads to a smaller number. The packets behind the links
// with the smallest numbers wait for nothing but hosts, which take them always; by induction over the numbers
// every place is given back. That holds for all queues with at least one place, all orders of service, and
// any times of hosts, links and grants (W. J. Dally, C. L. Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", 1987, for queues in place of channels).
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

struct DeadlockAnalysis {
  std::uint64_t links = 0;  ///< that packets cross
  /// Pairs of links (a, b): a packet that came over a may wait for a place behind b.
  std::uint64_t waits = 0;
  /// A shortest circle of waits, each link for the next and the last for the first; empty: there is none, and
  /// no run gets stuck.
  std::vector<LinkId> circle;
  /// Without a circle, of every link the longest chain of waits that begins with it, itself included; 0: no
  /// packet crosses it. Every wait leads to a smaller number, which is checked.
  std::vector<std::uint32_t> chain;
};

/// Follows every packet that hosts inject through the tables. All-port nodes have a queue for each output: a
/// packet waits for the links that it leaves by itself. Others have one queue, in which it may wait behind
/// any packet of the node, whichever link that leaves by. Of a network with a circle one run may still end:
/// what is in the queues when decides. Throws std::invalid_argument if labels and links are too many to
/// follow.
DeadlockAnalysis find_deadlock(const Graph& graph, PortModel ports, const Policy& policy);

}  // namespace safnet
