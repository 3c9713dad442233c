// tdm_program - a schedule as the programs of tdm_nodes: who receives, stores, combines, sends what, from
// which buffer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "sim/machine/node_program.hpp"
#include "sim/tdm/tdm_format.hpp"
#include "sim/tdm/tdm_parameters.hpp"

namespace safnet {

/// The programs of all nodes, and what they ask of the hardware.
struct TdmProgram {
  std::vector<TdmNodeProgram> nodes;
  /// Buffers that the fullest node needs. A buffer is taken from the cycle in which the packet may leave its
  /// sender until its last send has begun and the credit for it has reached the sender of the next packet.
  std::uint32_t peak_buffers = 0;
  /// Packets that the fullest node ever holds, complete or arriving, without the time of the credits.
  std::uint32_t peak_packets = 0;
  std::uint32_t generations = 1;    ///< packets that one buffer holds, one after the other, at most
  std::uint32_t largest_count = 1;  ///< the most parts of a packet, or sends of a packet by one node
  bool combines = false;
  std::uint32_t loopbacks = 0;  ///< that the node with the most of them needs, at most 8
  /// Cycle in which the last delivery completes, and the slot, if everything is on time.
  std::uint64_t planned_cycles = 0;
  std::uint64_t planned_slots = 0;
  std::uint64_t deliveries = 0;
};

/// Cycles from the start of a buffer's last send to the earliest start of the next packet that is to come
/// into it: the buffer table, the credit's register, the link, the sender's credit counter.
std::uint32_t credit_turnaround(std::uint32_t link_latency);

/// Translates a schedule, in near-linear time in its sends. It need not be valid: the send of a packet that
/// its node never gets waits for ever in the hardware. Throws std::invalid_argument, naming packet and node,
/// for what tdm_nodes cannot do: more than 255 parts or sends of a packet at one node, more than 65535
/// buffers, a pause of more than a million cycles.
///
/// A part of which its node also makes other use goes from its buffer into the whole over a loopback, in the
/// slot after it is complete. A schedule that uses the whole before that slot has ended runs late.
TdmProgram compile_program(const Schedule& schedule);

/// Parameters of the hardware for a program: of a few sizes, so that schedules share variants. Throws
/// std::invalid_argument if no hardware can run it.
TdmParameters tdm_parameters(const Schedule& schedule, const TdmProgram& program);

/// The same without what the program does not use.
TdmParameters fitted_tdm_parameters(const Schedule& schedule, const TdmProgram& program);

/// The words of data that hosts must get: of a plain packet its own, else those of its parts combined.
class PacketData {
 public:
  explicit PacketData(const Schedule& schedule) : schedule_(schedule) {}
  std::uint32_t word(PacketIndex packet, std::uint32_t index);

 private:
  std::uint32_t plain_word(PacketIndex packet, std::uint32_t index) const {
    return tdm_word(packet, index, static_cast<std::uint32_t>(schedule_.operation));
  }
  const std::vector<std::uint32_t>& combined(PacketIndex packet);
  const Schedule& schedule_;
  std::vector<std::vector<std::uint32_t>> combined_;  // by packet, where asked for
};

}  // namespace safnet
