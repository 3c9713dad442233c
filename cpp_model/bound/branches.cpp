#include "cpp_model/bound/branches.hpp"

#include <algorithm>
#include <numeric>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostLookedAt = std::uint64_t{1} << 24;

// `count`: nodes at each distance.
Distances from_counts(std::vector<std::uint64_t> count) {
  while (!count.empty() && count.back() == 0) count.pop_back();
  add_from_the_end(count);
  return {std::move(count)};
}

}  // namespace

std::uint32_t Distances::nearest() const {
  std::uint32_t hops = 0;
  while (beyond(hops + 1) == all()) ++hops;
  return hops;
}

std::optional<Branches> Branches::of(const Graph& graph) {
  if (graph.has_one_way_links()) return std::nullopt;
  const NodeId n = graph.node_count();
  Branches result;
  result.leaving_.resize(n);
  for (NodeId v = 0; v < n; ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId to = graph.peer(v, p).node;
      auto known = std::ranges::find_if(result.leaving_[v],
                                        [&](std::uint32_t b) { return result.branches_[b].to == to; });
      if (known == result.leaving_[v].end()) {
        result.leaving_[v].push_back(static_cast<std::uint32_t>(result.branches_.size()));
        Branch& branch = result.branches_.emplace_back();
        branch.from = v;
        branch.to = to;
        known = std::prev(result.leaving_[v].end());
      }
      ++result.branches_[*known].links;
    }
  }
  if (result.branches_.size() != 2 * (std::size_t{n} - 1))
    return std::nullopt;  // a connected graph with more is no tree
  for (Branch& branch : result.branches_) {
    branch.back = *std::ranges::find_if(
        result.leaving_[branch.to], [&](std::uint32_t b) { return result.branches_[b].to == branch.from; });
  }
  // Ahead of a branch are those that leave its target, but for the way back; they come before it in order_.
  std::vector<std::uint32_t> unknown(result.branches_.size()), height(result.branches_.size(), 1);
  for (std::uint32_t b = 0; b < result.branches_.size(); ++b) {
    unknown[b] = static_cast<std::uint32_t>(result.leaving_[result.branches_[b].to].size()) - 1;
    if (unknown[b] == 0) result.order_.push_back(b);
  }
  std::uint64_t looked_at = 0;
  for (std::size_t i = 0; i < result.order_.size(); ++i) {
    const std::uint32_t done = result.order_[i];
    looked_at += height[done];
    if (looked_at > kMostLookedAt) return std::nullopt;
    // `done` is ahead of all branches that lead to its source, but for its own way back.
    for (const std::uint32_t out : result.leaving_[result.branches_[done].from]) {
      if (out == done) continue;
      const std::uint32_t into = result.branches_[out].back;
      height[into] = std::max(height[into], height[done] + 1);
      if (--unknown[into] == 0) result.order_.push_back(into);
    }
  }
  std::vector<std::uint8_t> processes(n, 0);
  std::fill_n(processes.begin(), graph.processor_count(), std::uint8_t{1});
  std::vector<Distances> sides = result.sides(processes);
  for (std::uint32_t b = 0; b < sides.size(); ++b) result.branches_[b].processors = std::move(sides[b]);
  // onwards: packets per step that the target can use or send on; of `back`, what the source can make or
  // bring.
  std::vector<std::uint64_t> onwards(result.branches_.size());
  for (const std::uint32_t b : result.order_) {
    Branch& branch = result.branches_[b];
    std::vector<std::uint64_t> parts;
    std::uint64_t beyond = 0;
    for (const std::uint32_t next : result.leaving_[branch.to]) {
      if (next == branch.back || result.branches_[next].processors.all() == 0) continue;
      beyond += onwards[next];
      parts.push_back(result.branches_[next].informing_steps);
    }
    onwards[b] = processes[branch.to] != 0 ? branch.links : std::min(branch.links, beyond);
    branch.informing_steps = steps_one_by_one(std::move(parts));
  }
  for (std::uint32_t b = 0; b < result.branches_.size(); ++b)
    result.branches_[b].usable = std::min(onwards[b], onwards[result.branches_[b].back]);
  return result;
}

std::vector<Distances> Branches::sides(const std::vector<std::uint8_t>& marks) const {
  std::vector<std::vector<std::uint64_t>> count(branches_.size());
  for (const std::uint32_t b : order_) {
    const Branch& branch = branches_[b];
    count[b].assign(1, marks[branch.to]);
    for (const std::uint32_t next : leaving_[branch.to]) {
      if (next == branch.back) continue;
      if (count[b].size() < count[next].size() + 1) count[b].resize(count[next].size() + 1, 0);
      for (std::size_t d = 0; d < count[next].size(); ++d) count[b][d + 1] += count[next][d];
    }
  }
  std::vector<Distances> result;
  result.reserve(count.size());
  for (auto& of_branch : count) result.push_back(from_counts(std::move(of_branch)));
  return result;
}

std::uint64_t Branches::informing_steps(NodeId node) const {
  std::vector<std::uint64_t> parts;
  for (const std::uint32_t b : leaving_[node]) {
    if (branches_[b].processors.all() != 0) parts.push_back(branches_[b].informing_steps);
  }
  return steps_one_by_one(std::move(parts));
}

}  // namespace safnet
