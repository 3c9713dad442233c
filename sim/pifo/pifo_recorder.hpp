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

  /// Counts deliveries by round: the packets of round r have tags from r * `tag_stride` on.
  void count_rounds(std::uint32_t rounds, std::uint32_t tag_stride);
  /// Of how many rounds, from the first on, a node has got all packets that it expects.
  std::uint32_t rounds_got(NodeId node) const { return rounds_got_[node]; }

  std::vector<std::string> missing(std::size_t limit) const override;
  std::string name(PacketId packet) const override;

 private:
  std::vector<NodeId> destinations(PacketId packet) const override;
  void sent(const FlitEvent& first, const PacketFormat::Header& header) override;
  std::string arrived(const FlitEvent& last, PacketId packet) override;

  Collective collective_;
  // All of these are per node, and touched by the node's thread.
  std::vector<std::vector<bool>> got_;                      // expected packets
  std::vector<std::vector<std::uint32_t>> left_of_rounds_;  // packets still to come, if rounds are counted
  std::vector<std::uint32_t> rounds_got_;
  std::uint32_t tag_stride_ = 0;
};

}  // namespace safnet
