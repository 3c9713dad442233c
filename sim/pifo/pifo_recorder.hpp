// pifo_recorder - watches a machine: writes down every transfer, checks every delivery by payload, accounts
// for every packet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "sim/pifo/packet_recorder.hpp"

namespace safnet {

class PifoRecorder final : public PacketRecorder {
 public:
  /// `keep_events`: write down transfers and deliveries; deliveries are checked and counted in any case.
  PifoRecorder(const Graph& graph, const Collective& collective, const PifoParameters& parameters,
               bool keep_events);

  std::vector<std::string> missing(std::size_t limit) const override;

 private:
  std::string name(PacketId packet) const override;
  void sent(const FlitEvent& first, const PacketFormat::Header& header) override;
  std::string arrived(const FlitEvent& last, PacketId packet) override;

  Collective collective_;
  std::vector<std::vector<std::uint8_t>> got_;  // per node and expected packet; touched by the node's thread
};

}  // namespace safnet
