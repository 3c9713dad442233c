#include "sim/run/last_packets.hpp"

#include <optional>
#include <string>
#include <vector>

#include "rtl_constants.hpp"

namespace safnet {

std::vector<std::string> explain_stuck_routers(const Graph& graph, const Machine& machine,
                                               const PifoParameters& parameters, const NodeKind& kind,
                                               const PacketRecorder& recorder, const Policy& policy,
                                               const Trace& trace) {
  const auto status = [&machine](NodeId v) { return machine.status(v); };
  if (parameters.port_model != rtl::safnet_pkg::kAllPort || !kind.sources.empty() || policy.deals_links)
    return explain_waits(graph, status);
  const LastPackets last = last_packets(graph, recorder, policy, trace);
  return explain_waits(graph, status, &last);
}

LastPackets last_packets(const Graph& graph, const PacketRecorder& recorder, const Policy& policy,
                         const Trace& trace) {
  const auto crossed_last = [&graph, &recorder](LinkId link) {
    return recorder.last_on_link(graph.link_source(link), graph.link_port(link));
  };
  LastPackets last;
  last.onward.resize(graph.link_count());
  std::vector<std::optional<PacketId>> packet(graph.link_count());
  std::vector<std::vector<LinkId>> into(graph.node_count());
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const NodeId behind = graph.link_target(link);
    into[behind].push_back(link);
    const std::optional<PacketFormat::Header> header = crossed_last(link);
    if (!header) continue;
    packet[link] = header->packet;
    // A fault may have damaged the label.
    if (header->label < policy.label_count)
      last.onward[link] = policy.table(behind, header->label).output_mask;
  }
  const auto leaves = [&](PacketId leaving, NodeId node, PortId port) {
    for (const LinkId link : into[node])
      if (packet[link] == leaving) last.onward[link] &= ~port_bit(port);
  };
  for (LinkId link = 0; link < graph.link_count(); ++link)
    if (packet[link]) leaves(*packet[link], graph.link_source(link), graph.link_port(link));
  for (const Transfer& t : trace.transfers) leaves(t.packet, t.from, t.port);
  last.name = [crossed_last, &recorder](LinkId link) {
    const std::optional<PacketFormat::Header> header = crossed_last(link);
    return header ? recorder.name(header->packet) : std::string();
  };
  return last;
}

}  // namespace safnet
