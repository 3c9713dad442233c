#include "cpp_model/interchange/msccl_collective.hpp"

#include <array>

namespace safnet {
namespace {

const std::array<std::string, 8>& kind_names() {
  static const std::array<std::string, 8> names{"allreduce", "allgather", "alltoall", "reduce_scatter",
                                                "broadcast", "reduce",    "gather",   "scatter"};
  return names;
}

}  // namespace

std::optional<MscclKind> parse_msccl_kind(const std::string& word) {
  for (std::size_t i = 0; i < kind_names().size(); ++i) {
    if (kind_names()[i] == word) return static_cast<MscclKind>(i);
  }
  if (word == "reducescatter") return MscclKind::kReduceScatter;
  return std::nullopt;
}

const std::string& to_string(MscclKind kind) { return kind_names().at(static_cast<std::size_t>(kind)); }

std::uint32_t MscclCollective::input_chunks(NodeId rank) const {
  switch (kind) {
    case MscclKind::kAllGather:
    case MscclKind::kGather:
      return share();
    case MscclKind::kBroadcast:
    case MscclKind::kScatter:
      return rank == root ? loop : 0;
    default:
      return loop;
  }
}

std::uint32_t MscclCollective::output_chunks(NodeId rank) const {
  switch (kind) {
    case MscclKind::kReduceScatter:
    case MscclKind::kScatter:
      return share();
    case MscclKind::kReduce:
    case MscclKind::kGather:
      return rank == root ? loop : 0;
    default:
      return loop;
  }
}

std::pair<NodeId, std::uint32_t> MscclCollective::expected(NodeId rank, std::uint32_t k) const {
  switch (kind) {
    case MscclKind::kAllReduce:
    case MscclKind::kReduce:
      return {kNoNode, k};
    case MscclKind::kReduceScatter:
      return {kNoNode, rank * share() + k};
    case MscclKind::kBroadcast:
      return {root, k};
    case MscclKind::kScatter:
      return {root, rank * share() + k};
    case MscclKind::kAllToAll:
      return {k / share(), rank * share() + k % share()};
    case MscclKind::kAllGather:
    case MscclKind::kGather:
      return {k / share(), k % share()};
  }
  return {kNoNode, k};
}

std::pair<char, std::uint64_t> MscclCollective::place(NodeId rank, char buffer, std::uint64_t offset) const {
  if (!in_place) return {buffer, offset};
  const std::uint64_t own = std::uint64_t{rank} * share();
  switch (kind) {
    case MscclKind::kAllGather:
      return buffer == 'i' ? std::pair{'o', offset + own} : std::pair{buffer, offset};
    case MscclKind::kGather:
      return buffer == 'i' && rank == root ? std::pair{'o', offset + own} : std::pair{buffer, offset};
    case MscclKind::kReduceScatter:
      return buffer == 'o' ? std::pair{'i', offset + own} : std::pair{buffer, offset};
    case MscclKind::kScatter:
      return buffer == 'o' && rank == root ? std::pair{'i', offset + own} : std::pair{buffer, offset};
    default:
      return buffer == 'o' ? std::pair{'i', offset} : std::pair{buffer, offset};
  }
}

}  // namespace safnet
