#include "cpp_model/schedule/forwarding.hpp"

#include <algorithm>

#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {

Forwarding::Forwarding(const Schedule& schedule) : links_(schedule.sends.size()) {
  const PacketList& packets = schedule.packets;
  const Graph& graph = schedule.network;
  std::vector<std::vector<PacketIndex>> wholes(packets.combines() ? packets.size() : 0);  // by part
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    for (const PacketIndex part : packets.parts(p)) wholes[part].push_back(p);
  }
  std::vector<std::uint32_t> at_origin(packets.size());  // links before a packet came to be
  std::vector<std::uint32_t> there(graph.node_count());  // by node, of the packet that is followed
  const SendsByPacket by_packet(schedule.sends, packets.size());
  // Parts have smaller numbers than their wholes, and what is at a node came before it is sent on.
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    there[packets.origin(p)] = at_origin[p];
    for (const SendsByPacket::SendNumber i : by_packet.of(p)) {
      const LinkId link = schedule.sends[i].link;
      links_[i] = there[graph.link_source(link)] + 1;
      there[graph.link_target(link)] = links_[i];
      longest_ = std::max(longest_, links_[i]);
    }
    if (wholes.empty()) continue;
    for (const PacketIndex whole : wholes[p])
      at_origin[whole] = std::max(at_origin[whole], there[packets.origin(whole)]);
  }
}

}  // namespace safnet
