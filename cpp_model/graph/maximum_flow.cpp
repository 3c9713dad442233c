#include "cpp_model/graph/maximum_flow.hpp"

#include <algorithm>
#include <limits>

namespace safnet {
namespace {

constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint32_t MaximumFlow::add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  const auto arc = static_cast<std::uint32_t>(arcs_.size());
  arcs_of_[from].push_back(arc);
  arcs_.push_back({to, capacity});
  arcs_of_[to].push_back(arc + 1);
  arcs_.push_back({from, 0});
  return arc;
}

std::uint64_t MaximumFlow::maximum(std::uint32_t source, std::uint32_t sink) {
  std::uint64_t flow = 0;
  while (find_levels(source, sink)) {
    next_.assign(arcs_of_.size(), 0);
    while (const std::uint64_t more = augment(source, sink)) flow += more;
  }
  return flow;
}

bool MaximumFlow::is_before_cut(std::uint32_t place) const { return level_[place] != kNoLevel; }

bool MaximumFlow::find_levels(std::uint32_t source, std::uint32_t sink) {
  level_.assign(arcs_of_.size(), kNoLevel);
  level_[source] = 0;
  std::vector<std::uint32_t> queue{source};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const std::uint32_t arc : arcs_of_[queue[head]]) {
      const std::uint32_t to = arcs_[arc].to;
      if (arcs_[arc].room == 0 || level_[to] != kNoLevel) continue;
      level_[to] = level_[queue[head]] + 1;
      queue.push_back(to);
    }
  }
  return level_[sink] != kNoLevel;
}

std::uint64_t MaximumFlow::augment(std::uint32_t source, std::uint32_t sink) {
  std::vector<std::uint32_t> path;
  std::uint32_t at = source;
  while (at != sink) {
    bool advanced = false;
    for (; next_[at] < arcs_of_[at].size(); ++next_[at]) {
      const std::uint32_t arc = arcs_of_[at][next_[at]];
      if (arcs_[arc].room == 0 || level_[arcs_[arc].to] != level_[at] + 1) continue;
      path.push_back(arc);
      at = arcs_[arc].to;
      advanced = true;
      break;
    }
    if (advanced) continue;
    if (path.empty()) return 0;
    at = arcs_[path.back() ^ 1].to;
    path.pop_back();
    ++next_[at];
  }
  std::uint64_t room = kUnlimited;
  for (const std::uint32_t arc : path) room = std::min(room, arcs_[arc].room);
  for (const std::uint32_t arc : path) {
    arcs_[arc].room -= room;
    arcs_[arc ^ 1].room += room;
  }
  return room;
}

}  // namespace safnet
