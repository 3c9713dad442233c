#include "cpp_model/check/queue_peaks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

// A packet in a queue in cycles arrival + 1 ... departure. Queues are numbered by link, or by node.
struct Stay {
  std::uint32_t queue, arrival, departure;
  bool own;
};

std::vector<Stay> stays_of(const Schedule& schedule) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const Graph& graph = schedule.network;
  const bool queue_per_port = schedule.ports == PortModel::kAllPort;
  const SendsByPacket by_packet(schedule.sends, schedule.packets.size());
  std::vector<std::uint32_t> since(graph.node_count());  // the arrival of the packet
  std::vector<std::size_t> stay_of(graph.node_count());  // of the packet in the queue for all ports
  std::vector<Stay> stays;
  stays.reserve(schedule.sends.size());
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    const NodeId origin = schedule.packets.origin(p);
    const std::uint32_t crossing = schedule.packets.flits(p) - 1 + schedule.link_latency;
    since[origin] = 0;
    stay_of[origin] = kNone;
    for (const std::size_t i : by_packet.of(p)) {
      const Send& send = schedule.sends[i];
      const NodeId from = graph.link_source(send.link), to = graph.link_target(send.link);
      if (queue_per_port || stay_of[from] == kNone) {
        stay_of[from] = stays.size();
        stays.push_back({queue_per_port ? send.link : from, since[from], send.start, from == origin});
      } else {
        stays[stay_of[from]].departure = send.start;
      }
      since[to] = send.start + crossing;
      stay_of[to] = kNone;
    }
  }
  return stays;
}

// Follows one queue through the cycles, from a slot before the first send on: until then nothing changes.
class Queue {
 public:
  Queue(const std::vector<Send>& sends, std::uint32_t first_slot, std::uint32_t slot_cycles)
      : origin_(sends.empty() ? 0 : sends.front().start - std::min(sends.front().start, slot_cycles)),
        changes_(sends.empty() ? 0 : sends.back().start - origin_ + std::size_t{2}),
        first_slot_(first_slot),
        slot_cycles_(slot_cycles) {}

  void add(const Stay& stay) {
    const std::uint32_t come = std::max(stay.arrival + 1, origin_);  // own packets are there from cycle 1 on
    ++changes_[come - origin_].come[stay.own ? 1 : 0];
    ++changes_[stay.departure - origin_].leave[stay.own ? 1 : 0];
    begin_ = std::min(begin_, come);
    end_ = std::max(end_, stay.departure);
  }
  // The peaks of the queue, with the largest of all its node's in `node`. Forgets the stays.
  QueuePeak peak(NodePeaks& node) {
    QueuePeak peak;
    std::uint32_t transit = 0, own = 0;
    for (std::uint32_t c = begin_; c <= end_; ++c) {
      const Change change = std::exchange(changes_[c - origin_], {});
      transit += change.come[0];
      own += change.come[1];
      node.transit = std::max(node.transit, transit);
      peak.stored = std::max(peak.stored, transit + own);
      transit -= change.leave[0];
      own -= change.leave[1];
      const bool open = c >= first_slot_ && (c - first_slot_) % slot_cycles_ == 0;
      if (open) peak.waiting = std::max(peak.waiting, transit + own);
    }
    begin_ = std::numeric_limits<std::uint32_t>::max();
    end_ = 0;
    node.occupancy = std::max(node.occupancy, peak.stored);
    return peak;
  }

 private:
  struct Change {  // packets that are there from a cycle on, and up to it: in transit, the node's own
    std::uint32_t come[2] = {}, leave[2] = {};
  };
  std::uint32_t origin_;  // a slot before the first send, so that one slot opens while all own packets wait
  std::vector<Change> changes_;  // by cycle, from origin_ on
  std::uint32_t first_slot_, slot_cycles_;
  std::uint32_t begin_ = std::numeric_limits<std::uint32_t>::max(), end_ = 0;
};

}  // namespace

std::vector<NodePeaks> queue_peaks(const Schedule& sends, std::uint32_t first_slot,
                                   std::uint32_t slot_cycles) {
  const Graph& graph = sends.network;
  const bool queue_per_port = sends.ports == PortModel::kAllPort;
  const std::vector<Stay> stays = stays_of(sends);
  const Groups of_queue(queue_per_port ? graph.link_count() : graph.node_count(), [&](const auto& put) {
    for (std::uint32_t i = 0; i < stays.size(); ++i) put(stays[i].queue, i);
  });
  Queue queue(sends.sends, first_slot, slot_cycles);
  std::vector<NodePeaks> peaks(graph.node_count());
  for (PacketIndex p = 0; p < sends.packets.size(); ++p) ++peaks[sends.packets.origin(p)].own_packets;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId q = 0; q < (queue_per_port ? graph.degree(v) : 1); ++q) {
      for (const std::uint32_t i : of_queue.of(queue_per_port ? graph.link(v, q) : v)) queue.add(stays[i]);
      peaks[v].queues.push_back(queue.peak(peaks[v]));
    }
  }
  return peaks;
}

}  // namespace safnet
