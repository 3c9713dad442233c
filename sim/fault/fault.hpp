// fault - what may go wrong with a link or a node, and the words for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// A link's wires are those of its bundle: flits and requests there, credits and grants back.
enum class FaultKind : std::uint8_t {
  kNone,
  // of a link, from a cycle on
  kDeadLink,  ///< nothing crosses it
  kSlowLink,  ///< all of its wires have a further latency
  // of one flit or packet of a link, the first from a cycle on
  kDropFlit,
  kDropPacket,
  kRepeatFlit,    ///< it crosses twice; what follows closely is as much later
  kRepeatPacket,  ///< the same of all flits of a packet
  kCorruptLabel,  ///< a bit of what routers route by, or of what names a packet on a tdm_node
  kCorruptHeader,
  kCorruptPayload,
  // of a link's credits
  kLostCredit,   ///< the first from a cycle on
  kNoCredits,    ///< all from a cycle on: the wire is stuck at 0
  kExtraCredit,  ///< one that nobody gave
  kStuckCredit,  ///< the wire is stuck at 1
  // of a link's requests and grants
  kLostRequest,
  kNoRequests,
  kLostGrant,
  kNoGrants,
  kExtraGrant,
  kStuckGrant,
  // of a node, from a cycle on
  kDeadNode,     ///< it drives nothing and hears nothing, its host included
  kStoppedNode,  ///< its clock stops; its wires stay as they are
  kResetNode,    ///< it and its host are reset once
};

/// What a fault needs to be possible.
enum class FaultNeeds : std::uint8_t { kNothing, kLabels, kSeveralFlits, kCredits, kGrants };

struct FaultName {
  FaultKind kind;
  const char* word;
  bool of_node;
  FaultNeeds needs;
  const char* meaning;
};

/// All but kNone, in the order of the enumeration.
const std::vector<FaultName>& fault_names();
const FaultName& name_of(FaultKind kind);
/// The kinds that words between commas name, in order, each once. Throws std::invalid_argument.
std::vector<FaultKind> parse_fault_kinds(const std::string& words);

/// One fault of a run.
struct Fault {
  FaultKind kind = FaultKind::kNone;
  NodeId node = 0;         ///< that is at fault; of a link its source
  PortId port = 0;         ///< of a link, the output port of its source
  std::uint32_t from = 1;  ///< cycle
};

/// "link 0_0>0_1", "node 3".
std::string place_in_words(const Fault& fault, const Graph& graph);

/// Where label and header are in the first flit of a packet, and how long packets are: all other bits are
/// payload.
struct FlitFields {
  std::uint64_t label = 0, header = 0;  ///< bits of the flit's lowest 64
  std::uint32_t flit_bits = 64;
  std::uint32_t flits = 1;        ///< of every packet
  std::uint32_t first_cycle = 1;  ///< before it every flit is a packet
  std::uint64_t first_payload =
      ~std::uint64_t{0};  ///< of the first flit: bits that may be damaged as its payload
};

}  // namespace safnet
