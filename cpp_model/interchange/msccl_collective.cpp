#include "cpp_model/interchange/msccl_collective.hpp"

#include <algorithm>
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
  const auto found = std::ranges::find(kind_names(), word == "reducescatter" ? "reduce_scatter" : word);
  if (found == kind_names().end()) return std::nullopt;
  return static_cast<MscclKind>(found - kind_names().begin());
}

const std::string& to_string(MscclKind kind) { return kind_names().at(static_cast<std::size_t>(kind)); }

std::uint32_t MscclCollective::input_chunks(NodeId rank) const {
  if (kind == MscclKind::kAllGather || kind == MscclKind::kGather) return share();
  const bool only_root = kind == MscclKind::kBroadcast || kind == MscclKind::kScatter;
  return only_root && rank != root ? 0 : loop;
}

std::uint32_t MscclCollective::output_chunks(NodeId rank) const {
  if (kind == MscclKind::kReduceScatter || kind == MscclKind::kScatter) return share();
  const bool only_root = kind == MscclKind::kReduce || kind == MscclKind::kGather;
  return only_root && rank != root ? 0 : loop;
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
  const bool gathers = kind == MscclKind::kAllGather || kind == MscclKind::kGather;
  const bool scatters = kind == MscclKind::kReduceScatter || kind == MscclKind::kScatter;
  const bool only_root = kind == MscclKind::kGather || kind == MscclKind::kScatter;
  // The shorter buffer is a part of the other one; of equal ones the output is the input.
  const char inner = gathers ? 'i' : 'o';
  if (!in_place || buffer != inner || (only_root && rank != root)) return {buffer, offset};
  return {gathers ? 'o' : 'i', offset + (gathers || scatters ? std::uint64_t{rank} * share() : 0)};
}

}  // namespace safnet
