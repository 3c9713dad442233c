// packet_queue - packets that wait to leave a node, in the order in which they may.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/systemc/flit.hpp"

namespace safnet::reference {

/// What a host wants carried: a word for each flit after the header.
using Words = std::shared_ptr<const std::vector<std::uint64_t>>;

struct Packet {
  PacketId id;
  Label label = 0;
  std::uint32_t length = 1;  ///< flits
  Words words = {};          ///< null: payload_of says what the flits carry
  std::uint64_t payload(std::uint32_t index) const {
    return words != nullptr && index != 0 ? (*words)[index - 1] : payload_of(id, label, index);
  }
};

/// What decides who leaves first, the most important first.
struct QueueKey {
  std::uint32_t rank = 0;
  bool local = false;         ///< packets in transit go before the host's own
  std::uint64_t arrival = 0;  ///< cycle of the last flit's arrival; the host's own: their number
  bool arrived = true;        ///< false: the rest of a packet, whose copy was taken in that cycle
  PortId port = 0;            ///< input port
  friend auto operator<=>(const QueueKey&, const QueueKey&) = default;
};

/// One queue of a node. The head's copies are taken one by one; a packet counts until the last of them starts
/// to leave, which with grants is later than being taken.
class PacketQueue {
 public:
  /// `lanes`: one per input port, then the host's.
  explicit PacketQueue(std::size_t lanes) : in_lane_(lanes) {}

  /// The copies of one packet, in whatever queues, that have not started to leave.
  using CopiesLeft = std::shared_ptr<std::size_t>;

  /// A packet that must leave through `ports`, in this order (at least one). `rest_rank`: see TableEntry.
  void put(const QueueKey& key, const Packet& packet, std::vector<PortId> ports,
           std::optional<std::uint32_t> rest_rank, CopiesLeft copies_left);
  bool empty() const { return waiting_.empty(); }
  /// The port through which the head leaves next. The queue must not be empty.
  PortId next_port() const { return waiting_.begin()->second.ports.front(); }
  struct Copy {
    Packet packet;
    PortId port = 0;
    bool last = false;     ///< of the packet's copies in this queue
    std::size_t lane = 0;  ///< that the packet is in
    CopiesLeft copies_left;
  };
  /// Takes the head's next copy, in cycle `now`. From then on nothing can overtake it.
  Copy take(std::uint64_t now);
  /// A copy starts to leave. Must be called once for each that was taken.
  void leaves(const Copy& copy);

  std::size_t packets() const { return std::accumulate(in_lane_.begin(), in_lane_.end(), std::size_t{0}); }
  std::size_t packets_in_transit() const { return packets() - in_lane_.back(); }

 private:
  struct Entry {
    Packet packet;
    std::vector<PortId> ports;  // still to be served
    std::size_t lane;
    std::optional<std::uint32_t> rest_rank;
    CopiesLeft copies_left;
  };
  std::map<QueueKey, Entry> waiting_;
  std::vector<std::size_t> in_lane_;
};

}  // namespace safnet::reference
