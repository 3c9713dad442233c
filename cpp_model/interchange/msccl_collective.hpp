// msccl_collective - where the chunks of a collective are at the start and must be at the end, by MSCCL's
// conventions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

enum class MscclKind : std::uint8_t {
  kAllReduce,
  kAllGather,
  kAllToAll,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kGather,
  kScatter,
};

/// "allreduce", ...; nothing for other words.
std::optional<MscclKind> parse_msccl_kind(const std::string& word);
const std::string& to_string(MscclKind kind);

/// A collective of `ranks` ranks. `loop` (nchunksperloop) is the number of chunks in the longest input or
/// output buffer of any rank.
struct MscclCollective {
  MscclKind kind = MscclKind::kAllReduce;
  std::uint32_t ranks = 1;
  std::uint32_t loop = 1;
  NodeId root = 0;  ///< of a broadcast, reduce, gather or scatter
  bool in_place = false;

  bool has_root() const { return kind >= MscclKind::kBroadcast; }
  bool reduces() const {
    return kind == MscclKind::kAllReduce || kind == MscclKind::kReduceScatter || kind == MscclKind::kReduce;
  }
  /// Whether `loop` must be a multiple of `ranks`: buffers are divided among ranks.
  bool divided() const {
    return kind != MscclKind::kAllReduce && kind != MscclKind::kBroadcast && kind != MscclKind::kReduce;
  }
  std::uint32_t share() const { return divided() ? loop / ranks : loop; }  ///< chunks of a rank in a buffer

  std::uint32_t input_chunks(NodeId rank) const;
  std::uint32_t output_chunks(NodeId rank) const;
  /// The input chunk whose data output chunk `k` of `rank` must hold: of one rank, or summed over all ranks
  /// if the collective reduces (then the rank is kNoNode).
  std::pair<NodeId, std::uint32_t> expected(NodeId rank, std::uint32_t k) const;
  /// In place, input and output are one buffer: the chunk that this one ('i' or 'o') really is.
  std::pair<char, std::uint64_t> place(NodeId rank, char buffer, std::uint64_t offset) const;
};

}  // namespace safnet
