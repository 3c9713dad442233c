// tdm_waits - which instructions of a timetable's programs wait for which others, and whether that ever ends.
//
// The programs of tdm_nodes leave no choice: what an instruction waits for is written down
// (rtl/tdm/README.md, "Timing"), and time decides only how long. A send waits for the send before it, for all
// parts of the packet in its buffer, and for the grant of the receive at the far end. A receive is granted
// after the one before it, and when its buffer's packet before has been sent as often as planned. So a run
// ends, however late, if these waits have no circle and lead to nothing that never happens; otherwise it gets
// stuck, however early.
//
// That no more than a window of packets may be on their way through a lane makes no circle of its own: packet
// k of a lane is granted when packet k - window arrives, and whatever waits for packet k of that lane waits
// for the send of packet k - window anyway, for it comes earlier in the sender's program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/tdm/tdm_program.hpp"

namespace safnet {

/// An instruction of a node: a send, or the grant of a receive.
struct TdmInstruction {
  NodeId node = 0;
  bool is_send = false;
  /// Of sends: the port, or the node's degree + a loopback. Of receives: the port, then the lane of the host,
  /// then the loopbacks.
  std::uint32_t lane = 0;
  std::uint32_t number = 0;  ///< among those of the lane, from 0
  friend auto operator<=>(const TdmInstruction&, const TdmInstruction&) = default;
};

struct TdmWaits {
  std::uint64_t instructions = 0, waits = 0;
  std::uint64_t never = 0;    ///< instructions that are never carried out; 0: the run ends, however late
  std::uint32_t longest = 0;  ///< the longest chain of waits among those that are
  /// Of the others: instructions that wait each for the next and the last for the first, or nothing.
  std::vector<TdmInstruction> circle;
  /// Of the others: one that waits for a packet that no instruction brings, or for a place that none frees.
  std::optional<TdmInstruction> unfed;
};

/// Throws std::invalid_argument if there are more than 100 million instructions.
TdmWaits find_waits(const Graph& graph, const TdmProgram& program);

/// "node 3, port 1, send 4", "node 3, loopback 0, receive 2".
std::string in_words(const Graph& graph, const TdmInstruction& instruction);

}  // namespace safnet
