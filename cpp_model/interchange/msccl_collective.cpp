#include "cpp_model/interchange/msccl_collective.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

const std::array<std::string, 9>& kind_names() {
  static const std::array<std::string, 9> names{"allreduce",      "allgather", "alltoall",
                                                "reduce_scatter", "broadcast", "reduce",
                                                "gather",         "scatter",   "custom"};
  return names;
}

// In the order of MscclKind.
const std::array<CollectiveKind, 8>& our_kinds() {
  static const std::array<CollectiveKind, 8> kinds{
      CollectiveKind::kAllreduce,     CollectiveKind::kMultinodeBroadcast,
      CollectiveKind::kTotalExchange, CollectiveKind::kMultinodeAccumulation,
      CollectiveKind::kBroadcast,     CollectiveKind::kReduction,
      CollectiveKind::kGather,        CollectiveKind::kScatter};
  return kinds;
}

}  // namespace

std::string our_collective(MscclKind kind) {
  return kind == MscclKind::kCustom ? "" : to_string(our_kinds().at(static_cast<std::size_t>(kind)));
}

std::optional<MscclKind> parse_msccl_kind(const std::string& word) {
  const auto found = std::ranges::find(kind_names(), word == "reducescatter" ? "reduce_scatter" : word);
  if (found == kind_names().end()) return std::nullopt;
  return static_cast<MscclKind>(found - kind_names().begin());
}

MscclKind parse_msccl_collective(const std::string& word) {
  if (const auto kind = parse_msccl_kind(word); kind && *kind != MscclKind::kCustom) return *kind;
  try {
    const auto found = std::ranges::find(our_kinds(), parse_collective(word));
    if (found != our_kinds().end()) return static_cast<MscclKind>(found - our_kinds().begin());
  } catch (const std::invalid_argument&) {
    // Neither of our names.
  }
  throw bad_input("collective {}: expected {}", in_quotes(word), kMscclWords);
}

const std::string& to_string(MscclKind kind) { return kind_names().at(static_cast<std::size_t>(kind)); }

std::uint32_t MscclCollective::input_chunks(NodeId rank) const {
  if (kind == MscclKind::kCustom) return inputs[rank];
  if (kind == MscclKind::kAllGather || kind == MscclKind::kGather) return share();
  const bool only_root = kind == MscclKind::kBroadcast || kind == MscclKind::kScatter;
  return only_root && rank != root ? 0 : loop;
}

std::uint32_t MscclCollective::output_chunks(NodeId rank) const {
  if (kind == MscclKind::kCustom) return outputs[rank] > 0 ? outputs[rank] : inputs[rank];
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
    case MscclKind::kCustom:
      break;
  }
  return {kNoNode, k};
}

std::pair<char, std::uint64_t> MscclCollective::place(NodeId rank, char buffer, std::uint64_t offset) const {
  if (kind == MscclKind::kCustom) {
    const bool is_input = in_place || outputs[rank] == 0;
    return {buffer == 'o' && is_input ? 'i' : buffer, offset};
  }
  const bool gathers = kind == MscclKind::kAllGather || kind == MscclKind::kGather;
  const bool scatters = kind == MscclKind::kReduceScatter || kind == MscclKind::kScatter;
  const bool only_root = kind == MscclKind::kGather || kind == MscclKind::kScatter;
  // The shorter buffer is a part of the other one; of equal ones the output is the input.
  const char inner = gathers ? 'i' : 'o';
  if (!in_place || buffer != inner || (only_root && rank != root)) return {buffer, offset};
  return {gathers ? 'o' : 'i', offset + (gathers || scatters ? std::uint64_t{rank} * share() : 0)};
}

}  // namespace safnet
