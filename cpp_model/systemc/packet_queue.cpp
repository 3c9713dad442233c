#include "cpp_model/systemc/packet_queue.hpp"

#include <utility>

namespace safnet::reference {

void PacketQueue::put(const QueueKey& key, const Packet& packet, std::vector<PortId> ports,
                      std::optional<std::uint32_t> rest_rank, CopiesLeft copies_left) {
  const std::size_t lane = key.local ? in_lane_.size() - 1 : key.port;
  waiting_.emplace(key, Entry{packet, std::move(ports), lane, rest_rank, std::move(copies_left)});
  ++in_lane_[lane];
}

PacketQueue::Copy PacketQueue::take(std::uint64_t now) {
  const auto head = waiting_.begin();
  Entry& entry = head->second;
  const Copy copy{entry.packet, entry.ports.front(), entry.ports.size() == 1, entry.lane, entry.copies_left};
  entry.ports.erase(entry.ports.begin());
  if (copy.last) {
    waiting_.erase(head);
  } else if (entry.rest_rank && *entry.rest_rank != head->first.rank) {
    auto rest = waiting_.extract(head);
    rest.key() = {*rest.mapped().rest_rank, false, now, false, 0};
    waiting_.insert(std::move(rest));
  }
  return copy;
}

void PacketQueue::leaves(const Copy& copy) {
  if (copy.last) --in_lane_[copy.lane];
}

}  // namespace safnet::reference
