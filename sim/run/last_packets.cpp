#include "sim/run/last_packets.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_constants.hpp"

namespace safnet {
namespace {

// Whether the last packets of links tell who waits for whom.
bool links_wait(const PifoParameters& parameters, const NodeKind& kind, const Policy& policy) {
  return parameters.port_model == rtl::safnet_pkg::kAllPort && kind.sources.empty() && !policy.deals_links;
}

}  // namespace

std::vector<std::string> explain_stuck_routers(const Graph& graph, const Machine& machine,
                                               const PifoParameters& parameters, const NodeKind& kind,
                                               const PacketRecorder& recorder, const Policy& policy,
                                               const Trace& trace) {
  const auto status = [&machine](NodeId v) { return machine.status(v); };
  if (!links_wait(parameters, kind, policy)) return explain_waits(graph, status);
  const LastPackets last = last_packets(graph, machine, recorder, policy, trace);
  return explain_waits(graph, status, &last);
}

std::vector<std::string> explain_stuck_routers(const Graph& graph, const PifoParameters& parameters,
                                               const NodeKind& kind, const Policy& policy,
                                               const std::function<NodeStatus(NodeId)>& status,
                                               const std::function<Label(NodeId, PortId)>& last_label) {
  if (!links_wait(parameters, kind, policy)) return explain_waits(graph, status);
  LastPackets last;
  last.onward.resize(graph.link_count());
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const NodeId from = graph.link_source(link);
    const PortId port = graph.link_port(link);
    if ((status(from).wait_credit & port_bit(port)) == 0) continue;
    last.onward[link] = policy.table(graph.link_target(link), last_label(from, port)).output_mask;
  }
  return explain_waits(graph, status, &last);
}

LastPackets last_packets(const Graph& graph, const Machine& machine, const PacketRecorder& recorder,
                         const Policy& policy, const Trace& trace) {
  const auto sent = [&graph, &recorder](LinkId link) {
    return recorder.sent_on_link(graph.link_source(link), graph.link_port(link));
  };
  const auto crossed_last = [&graph, &recorder](LinkId link) {
    return recorder.last_on_link(graph.link_source(link), graph.link_port(link));
  };
  std::vector<std::uint32_t> received(graph.link_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters counters = machine.counters(v);
    for (PortId q = 0; q < graph.in_degree(v); ++q)
      received[graph.link(graph.feeder(v, q).node, graph.feeder(v, q).port)] = counters.received[q];
  }
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
    // Faults lose packets, and damage labels.
    if (received[link] == sent(link) && header->label < policy.label_count)
      last.onward[link] = policy.table(behind, header->label).output_mask;
  }
  const auto leaves = [&](PacketId leaving, NodeId node, PortId port) {
    for (const LinkId link : into[node])
      if (packet[link] == leaving) last.onward[link] &= ~port_bit(port);
  };
  for (LinkId link = 0; link < graph.link_count(); ++link)
    if (packet[link]) leaves(*packet[link], graph.link_source(link), graph.link_port(link));
  for (const Transfer& t : trace.transfers) leaves(t.packet, t.from, t.port);
  last.in_words = [sent, crossed_last, &recorder, received = std::move(received)](LinkId link,
                                                                                  PortSet waits) {
    if (sent(link) == 0) return std::string(", to which it has sent nothing");
    if (received[link] != sent(link))
      return fmt::format(", which has got {} of the {} packets sent to it", received[link], sent(link));
    const std::string name = recorder.name(crossed_last(link)->packet);
    if (waits == 0) return fmt::format(", where {} came last and waits for nothing", name);
    return fmt::format(", where {} came last and waits on port {}", name, lowest_port(waits));
  };
  return last;
}

}  // namespace safnet
