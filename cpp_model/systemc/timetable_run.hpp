// timetable_run - what a run of the reference for rtl/tdm/ is given, whom it tells, and what it leaves
// behind.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/systemc/reference_run.hpp"

namespace safnet {

/// The words of one flit. Of a header only the second is data; the first, name and length, is not kept.
using ReferenceWords = std::array<std::uint32_t, 2>;

/// A flit on a link, or the last one of a packet that a host gets.
struct ReferenceFlit {
  std::uint32_t cycle = 0, step = 0;  ///< 0: before the start
  NodeId node = 0;
  /// Output port of the link. At a host the lane: input ports, then the host's own lane, then loopbacks.
  std::uint32_t port = 0;
  PacketIndex packet = 0;
  std::uint32_t flits = 1;  ///< of the packet
  std::uint32_t index = 0;  ///< of this flit within it, from 0
};

/// The hosts of all nodes: they give their packets' data, and are told what crosses links and what they get.
class ReferenceHosts {
 public:
  virtual ~ReferenceHosts() = default;
  /// The words of a flit of a plain packet.
  virtual ReferenceWords words_of(PacketIndex packet, std::uint32_t index) = 0;
  virtual void on_link_flit(const ReferenceFlit& flit, const ReferenceWords& words) = 0;
  /// A packet is complete at its host: `words` flit by flit.
  virtual void on_packet(const ReferenceFlit& last, const std::vector<ReferenceWords>& words) = 0;
};

/// How a timetable is run. The first four are those of the schedule.
struct TimetableParameters {
  std::uint32_t slot_cycles = 1;
  std::uint32_t link_latency = 0;
  PortModel ports = PortModel::kAllPort;
  Operation operation = Operation::kSum;
  std::uint32_t window = 4;  ///< packets that may be granted ahead through one lane
};

/// A send that could not start in its slot.
struct ReferenceLateSend {
  enum class Reason : std::uint8_t { kPacket, kRoom, kPort };
  PortId port = 0;
  std::uint32_t number = 0;  ///< which send of that port, from 0
  std::uint32_t cycle = 0;   ///< in which it was to start
  Reason reason = Reason::kPacket;
};

/// What a node of a timetable has done, and what it waits for in the last cycle. Sets have a bit for each
/// output, or lane.
struct TimetableNodeRecord {
  ReferenceCounters counters;   ///< occupancy: buffers granted and not yet free
  std::uint32_t peak_held = 0;  ///< buffers that hold a packet, complete or arriving, at most
  PortSet wait_packet = 0, wait_credit = 0, wait_buffer = 0;
  std::uint64_t late = 0;                     ///< sends that did not start in their slots
  std::vector<ReferenceLateSend> first_late;  ///< the first few of them
};

struct TimetableRun {
  std::vector<TimetableNodeRecord> nodes;
  bool stuck = false;                 ///< something is left to do and nothing moves any more
  std::vector<std::string> problems;  ///< what cannot be if the text is right, one line each; first 20
  std::uint64_t node_cycles = 0;      ///< nodes times cycles that were simulated
};

}  // namespace safnet
