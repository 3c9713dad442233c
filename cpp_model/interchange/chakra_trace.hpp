// chakra_trace - the collectives of an execution trace of MLCommons Chakra: what they move, in which group,
// and how a run here moves as much.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/schedule/collective.hpp"

namespace safnet {

/// A node of type COMM_COLL_NODE.
struct ChakraCollective {
  std::uint64_t node = 0;  ///< its id in the trace
  std::string name;
  std::uint64_t comm_type = 0;             ///< a number of CollectiveCommType, 0 ... 9
  std::optional<std::uint64_t> comm_size;  ///< bytes that each member holds before; not said of all
  std::string group;                       ///< pg_name, the process group; empty: not said
  std::vector<bool> involved_dim;          ///< by dimension of the network; empty: not said

  /// "ALL_REDUCE", ...
  const std::string& type_name() const;
  /// What it is here; nothing for a barrier, which moves no data.
  std::optional<CollectiveKind> kind() const;
  /// Whether it takes part of the network only, by its dimensions.
  bool is_partial() const;
};

struct ChakraTrace {
  std::string version;                        ///< of the schema, as the trace says
  std::uint64_t nodes = 0;                    ///< of all types
  std::vector<ChakraCollective> collectives;  ///< in the order of the file
};

/// Most collectives of a trace.
inline constexpr std::size_t kMostChakraCollectives = std::size_t{1} << 18;
/// Reads FILE.et, messages of Protocol Buffers with their lengths before them, or FILE.json, the same
/// messages as chakra_jsonizer writes them: one object after the other. Throws std::invalid_argument with one
/// line that names the file, and the node that is wrong.
ChakraTrace read_chakra_trace(const std::string& path);
/// The same from text; `shown` names the file in messages.
ChakraTrace parse_chakra_protobuf(std::string_view bytes, const std::string& shown);
ChakraTrace parse_chakra_json(std::string_view text, const std::string& shown);

/// Packets of a run that moves as many bytes.
struct ChakraRun {
  std::uint64_t messages = 1;
  std::uint64_t flits = 1;  ///< of a packet
};
/// A message of a run is one packet of every member (allreduce, allgather, reduction, gather), or of the root
/// (broadcast), or one for every member (all-to-all, reduce-scatter, scatter: a share of comm_size each,
/// rounded up). A packet has at most `most_flits` flits of `flit_bytes` bytes each: larger ones are several
/// messages, as few as can be. `members` >= 1. Nothing if no bytes are to be moved, or their number is not
/// said.
std::optional<ChakraRun> chakra_run(const ChakraCollective& collective, std::uint64_t members,
                                    std::uint64_t flit_bytes, std::uint64_t most_flits);

}  // namespace safnet
