// pifo_recorder - watches a machine: writes down every transfer, checks every delivery by payload, accounts
// for every packet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/arriving_packet.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

class Recorder final : public MachineObserver {
 public:
  /// `keep_events`: write down transfers and deliveries; deliveries are checked and counted in any case.
  Recorder(const Graph& graph, const Collective& collective, const NodeParameters& parameters,
           bool keep_events);

  void on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                    const std::uint32_t* words) override;
  void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port, const std::uint32_t* words,
                         bool last) override;

  std::uint64_t transmissions() const;  ///< packets that entered a link
  std::uint64_t delivered() const;      ///< distinct expected packets that arrived intact
  std::uint64_t duplicated() const;     ///< further copies of those
  std::uint64_t hosts_got() const;      ///< complete packets handed to hosts, right or wrong
  /// What was wrong with single packets, naming packet, node and cycle; the first 20.
  std::vector<std::string> problems() const;
  /// Expected packets that never arrived, named; at most `limit`.
  std::vector<std::string> missing(std::size_t limit) const;
  /// All events in order of cycle, node and port.
  Trace take_trace();

 private:
  struct NodeRecord {
    std::vector<Transfer> transfers;
    std::vector<Delivery> deliveries;
    std::vector<std::uint32_t> flits_left;  // per output port: flits of the packet on the link still to come
    std::vector<ArrivingPacket> arriving;   // per input port
    std::vector<std::uint8_t> seen;         // per expected packet
    std::vector<std::string> problems;
    std::uint64_t transmissions = 0, delivered = 0, duplicated = 0, hosts_got = 0;
  };
  void complete(NetworkTime now, std::uint32_t node, std::uint32_t port, const ArrivingPacket& packet);

  Graph graph_;
  Collective collective_;
  PacketFormat format_;
  std::size_t words_per_flit_;
  std::uint32_t flits_;
  bool keep_events_;
  std::vector<NodeRecord> nodes_;  // each is touched by the thread of its node alone
};

}  // namespace safnet
