#include "sim/pifo/pifo_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/schedule/trace_order.hpp"
namespace safnet {
namespace {

constexpr std::size_t kProblemsKept = 20;

}  // namespace

Recorder::Recorder(const Graph& graph, const Collective& collective, const NodeParameters& parameters,
                   bool keep_events)
    : graph_(graph),
      collective_(collective),
      format_(parameters),
      words_per_flit_(static_cast<std::size_t>(parameters.flit_width) / 32),
      flits_(static_cast<std::uint32_t>(parameters.flits)),
      keep_events_(keep_events),
      nodes_(graph.node_count()) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    nodes_[v].flits_left.resize(graph.degree(v));
    nodes_[v].arriving.resize(graph.in_degree(v));
    nodes_[v].seen.resize(collective.expected_at_node(v));
  }
}

void Recorder::on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                            const std::uint32_t* words) {
  NodeRecord& record = nodes_[node];
  std::uint32_t& left = record.flits_left[port];
  if (left != 0) {
    --left;
    return;
  }
  const PacketFormat::Header header = format_.parse(flit_value(words));
  left = header.length - 1;
  ++record.transmissions;
  if (keep_events_)
    record.transfers.push_back({now.step, now.cycle, node, port, header.packet, header.length});
}

void Recorder::on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                 const std::uint32_t* words, bool last) {
  ArrivingPacket& packet = nodes_[node].arriving[port];
  packet.add(format_, words);
  if (last) {
    complete(now, node, port, packet);
    packet = {};
  }
}

void Recorder::complete(NetworkTime now, std::uint32_t node, std::uint32_t port,
                        const ArrivingPacket& packet) {
  NodeRecord& record = nodes_[node];
  const PacketId id = packet.header.packet;
  ++record.hosts_got;
  const auto complain = [&](const std::string& what) {
    if (record.problems.size() < kProblemsKept) {
      record.problems.push_back(fmt::format("packet (source {}, tag {}) at node {} in cycle {}: {}",
                                            id.source, id.tag, graph_.node_name(node), now.cycle, what));
    }
  };
  if (!packet.intact) return complain("its payload differs from what was sent");
  if (packet.flits != flits_) return complain(fmt::format("{} flits arrived of {}", packet.flits, flits_));
  if (id.source >= graph_.node_count() || !collective_.expects(node, id))
    return complain("delivered to the wrong node");
  std::uint8_t& seen = record.seen[collective_.delivery_index(node, id)];
  if (seen != 0) {
    ++record.duplicated;
    return complain("delivered more than once");
  }
  seen = 1;
  ++record.delivered;
  if (keep_events_) record.deliveries.push_back({now.step, now.cycle, node, port, id});
}

std::uint64_t Recorder::transmissions() const {
  std::uint64_t sum = 0;
  for (const NodeRecord& node : nodes_) sum += node.transmissions;
  return sum;
}
std::uint64_t Recorder::delivered() const {
  std::uint64_t sum = 0;
  for (const NodeRecord& node : nodes_) sum += node.delivered;
  return sum;
}
std::uint64_t Recorder::duplicated() const {
  std::uint64_t sum = 0;
  for (const NodeRecord& node : nodes_) sum += node.duplicated;
  return sum;
}
std::uint64_t Recorder::hosts_got() const {
  std::uint64_t sum = 0;
  for (const NodeRecord& node : nodes_) sum += node.hosts_got;
  return sum;
}

std::vector<std::string> Recorder::problems() const {
  std::vector<std::string> all;
  for (const NodeRecord& node : nodes_) {
    for (const std::string& problem : node.problems) {
      if (all.size() < kProblemsKept) all.push_back(problem);
    }
  }
  return all;
}

std::vector<std::string> Recorder::missing(std::size_t limit) const {
  std::vector<std::string> names;
  for (NodeId v = 0; v < graph_.node_count() && names.size() < limit; ++v) {
    for (std::uint32_t i = 0; i < nodes_[v].seen.size() && names.size() < limit; ++i) {
      if (nodes_[v].seen[i] != 0) continue;
      const PacketId id = collective_.expected_packet(v, i);
      names.push_back(fmt::format("packet (source {}, tag {}) never reached node {}", id.source, id.tag,
                                  graph_.node_name(v)));
    }
  }
  return names;
}

Trace Recorder::take_trace() {
  Trace trace;
  for (NodeRecord& node : nodes_) {
    trace.transfers.insert(trace.transfers.end(), node.transfers.begin(), node.transfers.end());
    trace.deliveries.insert(trace.deliveries.end(), node.deliveries.begin(), node.deliveries.end());
    node.transfers.clear();
    node.deliveries.clear();
  }
  sort_by_time(trace);
  return trace;
}

}  // namespace safnet
