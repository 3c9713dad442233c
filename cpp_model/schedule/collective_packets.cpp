#include "cpp_model/schedule/collective_packets.hpp"

#include <numeric>
#include <span>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

using Nodes = std::vector<NodeId>;

class Packets {
 public:
  Packets(const PacketPattern& pattern, const std::function<std::uint32_t(PacketIndex)>& flits)
      : pattern_(pattern), flits_(flits), all_(pattern.nodes) {
    std::iota(all_.begin(), all_.end(), NodeId{0});
  }

  PacketList list() && {
    const Nodes root{pattern_.root};
    switch (pattern_.kind) {
      case CollectiveKind::kBroadcast:
        to_all(root);
        break;
      case CollectiveKind::kMultinodeBroadcast:
        to_all(all_);
        break;
      case CollectiveKind::kScatter:
        personal(root, all_);
        break;
      case CollectiveKind::kGather:
        personal(all_, root);
        break;
      case CollectiveKind::kTotalExchange:
        personal(all_, all_);
        break;
      case CollectiveKind::kPartialExchange:
        personal(pattern_.active, all_);
        break;
      case CollectiveKind::kPartialGather:
        personal(all_, pattern_.active);
        break;
      case CollectiveKind::kConcurrentBroadcast:
        for (const NodeId v : all_) copied(v, 0, pattern_.own[v]);
        break;
      case CollectiveKind::kReduction:
      case CollectiveKind::kAllreduce:
        contributions(1);
        break;
      case CollectiveKind::kMultinodeAccumulation:
        contributions(pattern_.nodes);
        break;
      default:
        throw bad_input("{}: expected another collective, this one is not planned", to_string(pattern_.kind));
    }
    return std::move(packets_);
  }

 private:
  void add(NodeId origin, std::uint32_t tag, std::span<const NodeId> destinations) {
    packets_.add(origin, tag, flits_ ? flits_(packets_.size()) : 1, destinations);
  }
  void personal(const Nodes& origins, const Nodes& destinations) {
    const std::uint64_t most = std::uint64_t{pattern_.messages} * origins.size() * destinations.size();
    packets_.reserve(most, most);
    for (std::uint32_t m = 0; m < pattern_.messages; ++m) {
      for (const NodeId v : origins) {
        for (const NodeId d : destinations) {
          if (d != v) add(v, d + m * pattern_.nodes, std::span(&d, 1));
        }
      }
    }
  }
  // Packets of a node for all others, with so many tags from the first one on.
  void copied(NodeId v, std::uint32_t first_tag, std::uint32_t tags) {
    Nodes others = all_;
    others.erase(others.begin() + v);
    for (std::uint32_t tag = first_tag; tag < first_tag + tags; ++tag) add(v, tag, others);
  }
  void to_all(const Nodes& origins) {
    for (std::uint32_t m = 0; m < pattern_.messages; ++m) {
      for (const NodeId v : origins) copied(v, m, 1);
    }
  }
  void contributions(NodeId results) {
    for (std::uint32_t tag = 0; tag < pattern_.messages * results; ++tag) {
      for (const NodeId v : all_) add(v, tag, {});
    }
  }

  const PacketPattern& pattern_;
  const std::function<std::uint32_t(PacketIndex)>& flits_;
  Nodes all_;
  PacketList packets_;
};

}  // namespace

PacketList packets_of(const PacketPattern& pattern, const std::function<std::uint32_t(PacketIndex)>& flits) {
  return Packets(pattern, flits).list();
}

}  // namespace safnet
