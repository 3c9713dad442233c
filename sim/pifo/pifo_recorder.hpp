// pifo_recorder - watches a machine: writes down every transfer, checks every delivery by payload, accounts
// for every packet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "sim/machine/recorder.hpp"
#include "sim/pifo/arriving_packet.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

class PifoRecorder final : public Recorder {
 public:
  /// `keep_events`: write down transfers and deliveries; deliveries are checked and counted in any case.
  PifoRecorder(const Graph& graph, const Collective& collective, const PifoParameters& parameters,
               bool keep_events);

  void on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                    const std::uint32_t* words) override;
  void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port, const std::uint32_t* words,
                         bool last) override;

  std::vector<std::string> missing(std::size_t limit) const override;

 private:
  struct Ports {
    std::vector<std::uint32_t> flits_left;  // per output port: flits of the packet on the link still to come
    std::vector<ArrivingPacket> arriving;   // per input port
    std::vector<std::uint8_t> got;          // per expected packet
  };
  void complete(NetworkTime now, std::uint32_t node, std::uint32_t port, const ArrivingPacket& packet);

  Graph graph_;
  Collective collective_;
  PacketFormat format_;
  std::uint32_t flits_;
  bool keep_events_;
  std::vector<Ports> nodes_;  // each is touched by the thread of its node alone
};

}  // namespace safnet
