#include "cpp_model/interchange/msccl_placement.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "cpp_model/number/disjoint_sets.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};
constexpr std::uint64_t kMaxSummands = std::uint64_t{1} << 27;
constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 24;

}  // namespace

MscclPlacement::MscclPlacement(const Schedule& schedule)
    : packets_(schedule.packets),
      n_(schedule.network.node_count()),
      input_(packets_.size(), kNoIndex),
      output_(packets_.size(), kNoIndex) {
  if (packets_.size() == 0) throw msccl_cannot_hold("no packets");
  if (schedule.network.has_routers()) throw msccl_cannot_hold("nodes that only route");
  collective.ranks = n_;
  const bool found = packets_.combines() ? reduction() : personal(schedule.collective);
  if (!found) {
    throw msccl_cannot_hold(
        "packets that are no allreduce, allgather, alltoall, reduce_scatter, broadcast, reduce, gather or "
        "scatter");
  }
}

bool MscclPlacement::personal(const std::string& name) {
  const NodeId first = packets_.origin(0);
  bool to_all = true, to_one = true, one_origin = true, one_destination = true;
  for (PacketIndex p = 0; p < packets_.size(); ++p) {
    const auto destinations = packets_.destinations(p);
    const std::set<NodeId> different(destinations.begin(), destinations.end());
    if (different.contains(packets_.origin(p)) || different.size() != destinations.size()) return false;
    to_all = to_all && destinations.size() == n_ - 1;
    to_one = to_one && destinations.size() == 1;
    one_origin = one_origin && packets_.origin(p) == first;
    one_destination = one_destination && to_one && destination(p) == destination(0);
  }
  // A collective that gathers has a share for every origin in its output buffers, one that scatters a share
  // for every destination in its input buffers.
  const auto is = [&](MscclKind kind, const std::string& ours, std::size_t keys, NodeId root) {
    if (n_ <= 2 && !name.empty() && name != ours) return false;
    const bool is_exchange = kind == MscclKind::kAllToAll;
    const bool gathers = is_exchange || kind == MscclKind::kAllGather || kind == MscclKind::kGather;
    const bool scatters = is_exchange || kind == MscclKind::kScatter;
    std::vector<std::uint32_t> number(packets_.size());
    const bool to_others = kind == MscclKind::kBroadcast || kind == MscclKind::kAllGather;
    const auto key = [&](PacketIndex p) {
      return std::pair(packets_.origin(p), to_others ? NodeId{0} : destination(p));
    };
    const std::optional<std::uint32_t> share = number_by(keys, key, number);
    if (!share) return false;
    set(kind, *share, root);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      place(p, number[p] + (scatters ? destination(p) * *share : 0),
            number[p] + (gathers ? packets_.origin(p) * *share : 0));
    }
    return true;
  };
  if (to_all &&
      (is(MscclKind::kBroadcast, "broadcast", 1, first) || is(MscclKind::kAllGather, "allgather", n_, 0)))
    return true;
  if (!to_one) return false;
  return (one_origin && is(MscclKind::kScatter, "scatter", n_ - 1, first)) ||
         (one_destination && is(MscclKind::kGather, "gather", n_ - 1, destination(0))) ||
         is(MscclKind::kAllToAll, name, std::size_t{n_} * (n_ - 1), 0);
}

// Packets that are combined with each other are one chunk of all ranks.
bool MscclPlacement::reduction() {
  DisjointSets together(packets_.size());
  std::vector<std::vector<PacketIndex>> summands(packets_.size());  // plain packets, ascending
  std::uint64_t all_summands = 0;
  for (PacketIndex p = 0; p < packets_.size(); ++p) {
    if (packets_.parts(p).empty()) summands[p] = {p};
    for (const PacketIndex part : packets_.parts(p)) {
      if (part >= p) throw msccl_cannot_hold("a packet with a part that comes later");
      summands[p].insert(summands[p].end(), summands[part].begin(), summands[part].end());
      together.join(part, p);
    }
    std::sort(summands[p].begin(), summands[p].end());
    if (std::adjacent_find(summands[p].begin(), summands[p].end()) != summands[p].end())
      throw msccl_cannot_hold("a sum that counts a packet twice");
    if ((all_summands += summands[p].size()) > kMaxSummands)
      throw msccl_cannot_hold("sums of so many packets");
  }
  std::map<PacketIndex, std::uint32_t> number;  // of the chunks, by leader
  std::vector<std::vector<NodeId>> origins, results;
  for (PacketIndex p = 0; p < packets_.size(); ++p) {
    const auto [at, is_new] = number.try_emplace(together.of(p), static_cast<std::uint32_t>(number.size()));
    if (is_new) {
      origins.emplace_back();
      results.emplace_back();
    }
    if (packets_.parts(p).empty()) origins[at->second].push_back(packets_.origin(p));
    const auto destinations = packets_.destinations(p);
    if (!destinations.empty() && summands[p].size() != n_) return false;
    results[at->second].insert(results[at->second].end(), destinations.begin(), destinations.end());
  }
  const auto chunks = static_cast<std::uint32_t>(number.size());
  bool to_all = true, to_one = true, to_root = true;
  for (std::uint32_t c = 0; c < chunks; ++c) {
    std::sort(origins[c].begin(), origins[c].end());
    std::sort(results[c].begin(), results[c].end());
    std::vector<NodeId> all(n_);
    std::iota(all.begin(), all.end(), NodeId{0});
    if (origins[c] != all) return false;
    to_all = to_all && results[c] == all;
    to_one = to_one && results[c].size() == 1;
    to_root = to_root && results[c] == results[0];
  }
  std::vector<std::uint32_t> in(chunks), out(chunks);
  std::iota(in.begin(), in.end(), 0u);
  out = in;
  if (to_all) {
    set(MscclKind::kAllReduce, chunks, 0);
  } else if (to_one && to_root) {
    set(MscclKind::kReduce, chunks, results[0][0]);
  } else if (to_one && chunks % n_ == 0) {
    set(MscclKind::kReduceScatter, chunks / n_, 0);
    std::vector<std::uint32_t> next(n_);
    for (std::uint32_t c = 0; c < chunks; ++c) {
      const NodeId v = results[c][0];
      if (next[v] == chunks / n_) return false;
      out[c] = next[v]++;
      in[c] = v * (chunks / n_) + out[c];
    }
  } else {
    return false;
  }
  for (PacketIndex p = 0; p < packets_.size(); ++p)
    place(p, in[number.at(together.of(p))], out[number.at(together.of(p))]);
  return true;
}

void MscclPlacement::set(MscclKind kind, std::uint32_t share, NodeId root) {
  collective.kind = kind;
  collective.root = root;
  const std::uint64_t loop = std::uint64_t{share} * (collective.divided() ? n_ : 1);
  if (loop * n_ > kMaxChunks) throw msccl_cannot_hold("so many chunks");
  collective.loop = static_cast<std::uint32_t>(loop);
}

}  // namespace safnet
