#include "cpp_model/schedule/schedule_of_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/schedule/collective_packets.hpp"

namespace safnet {
namespace {

// Numbers the packets of a collective: by origin, then by destination or tag.
class Numbering {
 public:
  explicit Numbering(const Collective& collective)
      : kind_(collective.kind()),
        nodes_(collective.node_count()),
        root_(collective.root()),
        active_(collective.active()),
        messages_(collective.messages()) {
    switch (kind_) {
      case CollectiveKind::kBroadcast:
        each_ = 1;
        return;
      case CollectiveKind::kMultinodeBroadcast:
        each_ = nodes_;
        return;
      case CollectiveKind::kScatter:
      case CollectiveKind::kGather:
        each_ = nodes_ - 1;
        return;
      case CollectiveKind::kTotalExchange:
        each_ = std::uint64_t{nodes_} * (nodes_ - 1);
        return;
      case CollectiveKind::kMultipath:
        for (NodeId v = 0; v < nodes_; ++v) {
          if (collective.expected_at_node(v) == 0) continue;
          destination_ = v;
          each_ = collective.expected_at_node(v);
        }
        return;
      case CollectiveKind::kPartialExchange:
        each_ = active_.size() * (nodes_ - 1);
        return;
      case CollectiveKind::kConcurrentBroadcast:
        for (NodeId v = 0; v <= nodes_; ++v) below_.push_back(collective.packets_below(v));
        for (NodeId v = 0; v < nodes_; ++v) own_.push_back(below_[v + 1] - below_[v]);
        each_ = below_.back();
        return;
      default:
        throw bad_input(
            "{}: expected a collective whose packets are not combined and are known without the "
            "problem",
            to_string(kind_));
    }
  }

  std::uint64_t count() const { return each_ * messages_; }

  /// kNoPacket if there is no such packet.
  PacketIndex number(PacketId id) const {
    const auto rank = [](NodeId v, NodeId without) { return v < without ? v : v - 1; };
    const bool is_counted = kind_ == CollectiveKind::kBroadcast ||
                            kind_ == CollectiveKind::kMultinodeBroadcast ||
                            kind_ == CollectiveKind::kMultipath;
    if (id.source >= nodes_) return kNoPacket;
    if (kind_ == CollectiveKind::kConcurrentBroadcast) {
      const std::uint32_t number = below_[id.source] + id.tag;
      return id.tag < below_.back() && number < below_[id.source + 1] ? number : kNoPacket;
    }
    if (is_counted) {
      if (kind_ == CollectiveKind::kMultinodeBroadcast)
        return id.tag < messages_ ? id.tag * nodes_ + id.source : kNoPacket;
      return id.source == root_ && id.tag < count() ? id.tag : kNoPacket;
    }
    const NodeId to = id.tag % nodes_;
    const std::uint32_t message = id.tag / nodes_;
    if (to == id.source || message >= messages_) return kNoPacket;
    const auto first = static_cast<PacketIndex>(message * each_);
    switch (kind_) {
      case CollectiveKind::kScatter:
        return id.source == root_ ? first + rank(to, root_) : kNoPacket;
      case CollectiveKind::kGather:
        return to == root_ ? first + rank(id.source, root_) : kNoPacket;
      case CollectiveKind::kPartialExchange: {
        const auto at = std::ranges::lower_bound(active_, id.source);
        if (at == active_.end() || *at != id.source) return kNoPacket;
        return first + static_cast<PacketIndex>(at - active_.begin()) * (nodes_ - 1) + rank(to, id.source);
      }
      default:
        return first + id.source * (nodes_ - 1) + rank(to, id.source);
    }
  }

  PacketList packets(const std::function<std::uint32_t(PacketIndex)>& flits) const {
    if (count() > PacketList::kMaxPackets) throw too_many();
    if (kind_ != CollectiveKind::kMultipath)
      return packets_of({kind_, nodes_, root_, messages_, active_, own_}, flits);
    PacketList list;
    for (std::uint32_t tag = 0; tag < count(); ++tag)
      list.add(root_, tag, flits(tag), std::span(&destination_, 1));
    return list;
  }
  std::invalid_argument too_many() const {
    return bad_input("schedule: {} packets; expected at most {}", count(), PacketList::kMaxPackets);
  }

 private:
  CollectiveKind kind_;
  NodeId nodes_, root_, destination_ = kNoNode;
  std::vector<NodeId> active_;              // of a partial exchange
  std::vector<std::uint32_t> below_, own_;  // of a concurrent broadcast: packets of lower nodes, of each node
  std::uint32_t messages_;
  std::uint64_t each_ = 0;  // packets of a message; of a multipath transfer all
};

}  // namespace

PacketList packets_of(const Collective& collective, const std::function<std::uint32_t(PacketIndex)>& flits) {
  return Numbering(collective).packets(flits);
}

Schedule schedule_of_trace(const Graph& graph, const Collective& collective, PortModel ports,
                           const Trace& trace, std::uint32_t link_latency, std::uint32_t slot_cycles,
                           const std::function<void(const std::string&)>& refuse) {
  const Numbering numbering(collective);
  if (collective.node_count() != graph.processor_count()) {
    throw bad_input("collective of {} nodes: expected {}, as the network has", collective.node_count(),
                    graph.processor_count());
  }
  if (numbering.count() > PacketList::kMaxPackets) throw numbering.too_many();
  Schedule schedule(graph);
  schedule.ports = ports;
  schedule.link_latency = link_latency;
  schedule.collective = to_string(collective.kind());
  schedule.root = collective.root();

  const auto cannot_hold = [&](const Transfer& t, const std::string& why) {
    const std::string line =
        fmt::format("packet (source {}, tag {}) from node {} through port {} in cycle {}: {}",
                    t.packet.source, t.packet.tag, t.from, t.port, t.cycle, why);
    if (!refuse) throw std::invalid_argument(line);
    refuse(line);
  };
  const bool in_slots =
      slot_cycles > 1 && std::all_of(trace.transfers.begin(), trace.transfers.end(),
                                     [slot_cycles](const Transfer& t) { return t.cycle % slot_cycles == 1; });
  schedule.slot_cycles = in_slots ? slot_cycles : 1;
  std::vector<std::uint32_t> flits(numbering.count());
  schedule.sends.reserve(trace.transfers.size());
  for (const Transfer& t : trace.transfers) {
    if (t.cycle == 0 || t.flits == 0) {
      cannot_hold(t, "cycles and flits count from 1");
      continue;
    }
    if (t.from >= graph.node_count() || t.port >= graph.degree(t.from)) {
      cannot_hold(t, "there is no such link");
      continue;
    }
    const PacketIndex packet = numbering.number(t.packet);
    if (packet == kNoPacket) {
      cannot_hold(t, fmt::format("there is no such packet in this {}", schedule.collective));
      continue;
    }
    if (flits[packet] == 0) flits[packet] = t.flits;
    if (flits[packet] != t.flits) {
      cannot_hold(t, fmt::format("sent with {} flits; expected {}, as before", t.flits, flits[packet]));
      continue;
    }
    schedule.sends.push_back({(t.cycle - 1) / schedule.slot_cycles + 1, graph.link(t.from, t.port), packet});
  }
  schedule.packets = numbering.packets([&flits](PacketIndex p) { return std::max(flits[p], 1U); });
  return schedule;
}

}  // namespace safnet
