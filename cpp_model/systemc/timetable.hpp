// timetable - what each node of the reference for rtl/tdm/ is programmed with, and how a schedule becomes
// that.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// One send of an output: in slot `slot` or later, the host's next packet (`own`) or what is in a buffer.
struct ReferenceSend {
  std::uint32_t slot = 1;
  PacketIndex packet = 0;
  std::uint32_t flits = 1;
  std::uint32_t buffer = 0, generation = 0;
  bool own = false;
};

/// What a lane does with its next packet. `packet`: its name, or that of the sum that it is a part of.
struct ReferenceReceive {
  PacketIndex packet = 0;
  std::uint32_t buffer = 0, generation = 0;
  std::uint32_t parts = 1;  ///< packets that meet in the buffer
  std::uint32_t uses = 0;   ///< sends from the buffer
  bool stores = false, combines = false, delivers = false;
};

/// The host's own part of a sum: given in slot `slot` or later, 0: before the start.
struct ReferenceLoad {
  ReferenceReceive receive;
  PacketIndex part = 0;
  std::uint32_t flits = 1;
  std::uint32_t slot = 0;
};

struct ReferenceLoopback {
  std::vector<ReferenceSend> sends;
  std::vector<ReferenceReceive> receives;  ///< one for each send
};

/// The programs of one node, each in its order.
struct ReferenceProgram {
  std::vector<std::vector<ReferenceSend>> sends;        ///< per output port
  std::vector<std::vector<ReferenceReceive>> receives;  ///< per input port
  std::vector<ReferenceLoad> loads;
  std::vector<ReferenceLoopback> loopbacks;
};

/// Per node, what a schedule says, with a buffer for each packet at each node and a loopback for each packet
/// that goes on into a sum: no packet ever waits for room. Made from the schedule and the text of
/// rtl/tdm/README.md alone; the program that the hardware gets is made elsewhere (sim/tdm/). Throws
/// std::invalid_argument if a part has no smaller number than its sum.
std::vector<ReferenceProgram> reference_programs(const Schedule& schedule);

}  // namespace safnet
