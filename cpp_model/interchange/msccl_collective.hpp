// msccl_collective - where the chunks of a collective are at the start and must be at the end, by MSCCL's
// conventions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  kCustom,  ///< what the program makes of its input buffers
};

/// "allreduce", ..., "custom"; nothing for other words.
std::optional<MscclKind> parse_msccl_kind(const std::string& word);
/// The same for a collective that a user names, by MSCCL's word or either of ours, never a custom one. Throws
/// std::invalid_argument.
MscclKind parse_msccl_collective(const std::string& word);
inline constexpr const char* kMscclWords =
    "allreduce, allgather, alltoall, reduce_scatter, broadcast, reduce, gather or scatter";
const std::string& to_string(MscclKind kind);
/// Our name of it; empty for a custom one.
std::string our_collective(MscclKind kind);

/// A collective of `ranks` ranks. `loop` (nchunksperloop) is the number of chunks in the longest input or
/// output buffer of any rank.
struct MscclCollective {
  MscclKind kind = MscclKind::kAllReduce;
  std::uint32_t ranks = 1;
  std::uint32_t loop = 1;
  NodeId root = 0;  ///< of a broadcast, reduce, gather or scatter
  bool in_place = false;
  std::vector<std::uint32_t> inputs = {},
                             outputs = {};  ///< chunks by rank, as a custom program declares them

  bool has_root() const { return kind >= MscclKind::kBroadcast && kind != MscclKind::kCustom; }
  bool reduces() const {
    return kind == MscclKind::kAllReduce || kind == MscclKind::kReduceScatter || kind == MscclKind::kReduce;
  }
  /// Whether `loop` must be a multiple of `ranks`: buffers are divided among ranks.
  bool divided() const {
    return kind != MscclKind::kAllReduce && kind != MscclKind::kBroadcast && kind != MscclKind::kReduce &&
           kind != MscclKind::kCustom;
  }
  std::uint32_t share() const { return divided() ? loop / ranks : loop; }  ///< chunks of a rank in a buffer

  /// Chunks with data when the program starts, or ends. A custom program without output chunks at a rank puts
  /// them where its input was.
  std::uint32_t input_chunks(NodeId rank) const;
  std::uint32_t output_chunks(NodeId rank) const;
  /// The input chunk whose data output chunk `k` of `rank` must hold: of one rank, or summed over all ranks
  /// if the collective reduces (then the rank is kNoNode). Nobody knows it of a custom one.
  std::pair<NodeId, std::uint32_t> expected(NodeId rank, std::uint32_t k) const;
  /// In place, input and output are one buffer: the chunk that this one ('i' or 'o') really is.
  std::pair<char, std::uint64_t> place(NodeId rank, char buffer, std::uint64_t offset) const;
};

}  // namespace safnet
