#include "cpp_model/systemc/packet_queue.hpp"

#include <utility>

namespace safnet::reference {

void PacketQueue::put(const QueueKey& key, const Packet& packet, std::vector<PortId> ports) {
  waiting_.emplace(key, Entry{packet, std::move(ports)});
  ++in_lane_[key.local ? in_lane_.size() - 1 : key.port];
}

PacketQueue::Copy PacketQueue::take() {
  const auto head = waiting_.begin();
  std::vector<PortId>& ports = head->second.ports;
  const std::size_t lane = head->first.local ? in_lane_.size() - 1 : head->first.port;
  const Copy copy{head->second.packet, ports.front(), ports.size() == 1, lane};
  ports.erase(ports.begin());
  if (copy.last) waiting_.erase(head);
  return copy;
}

void PacketQueue::leaves(const Copy& copy) {
  if (copy.last) --in_lane_[copy.lane];
}

}  // namespace safnet::reference
