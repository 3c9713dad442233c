#include "cpp_model/algorithm/gossip/gather_from_broadcasts.hpp"

#include <vector>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

Schedule personal_from_broadcasts(const Problem& problem, const std::string& algorithm,
                                  const Schedule& broadcasts) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count(), root = problem.root;
  Schedule schedule = empty_schedule(problem, algorithm);
  const SendsByPacket by_packet(broadcasts.sends, broadcasts.packets.size());
  std::vector<SendsByPacket::SendNumber> arrived_by(n);  // by node: the send that brings the packet
  for (PacketIndex p = 0; p < broadcasts.packets.size(); ++p) {
    const NodeId origin = broadcasts.packets.origin(p);
    if (origin == root) continue;
    for (const auto number : by_packet.of(p))
      arrived_by[graph.link_target(broadcasts.sends[number].link)] = number;
    const PacketIndex personal = personal_packet(p / n, origin, root, n);
    for (NodeId v = root; v != origin;) {
      const Send& send = broadcasts.sends[arrived_by[v]];
      v = graph.link_source(send.link);
      schedule.sends.push_back({send.start, send.link, personal});
    }
  }
  if (problem.collective == CollectiveKind::kScatter)
    turn_round(schedule, broadcasts.sends.empty() ? 0 : broadcasts.sends.back().start);
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet
