#include "cpp_model/interchange/round_scheduler.hpp"

#include <algorithm>

namespace safnet {

RoundScheduler::RoundScheduler(const Graph& graph, PortModel ports)
    : graph_(graph),
      link_busy_(graph.link_count()),
      out_busy_(ports == PortModel::kAllPort ? 0 : graph.node_count()),
      in_busy_(ports == PortModel::kOnePort ? graph.node_count() : 0) {}

std::pair<std::uint64_t, LinkId> RoundScheduler::take(NodeId from, NodeId to, std::uint64_t slot) {
  const auto free_from = [](const BusySlots& busy, std::uint64_t first) {
    const auto run = busy.find(first);
    return run == busy.end() ? first : run->upper();
  };
  std::pair<std::uint64_t, LinkId> best{~std::uint64_t{0}, 0};
  for (PortId p = 0; p < graph_.degree(from); ++p) {
    if (graph_.peer(from, p).node != to) continue;
    const LinkId link = graph_.link(from, p);
    std::uint64_t at = slot;
    for (std::uint64_t last = 0; last != at;) {
      last = at;
      at = free_from(link_busy_[link], at);
      if (!out_busy_.empty()) at = free_from(out_busy_[from], at);
      if (!in_busy_.empty()) at = free_from(in_busy_[to], at);
    }
    best = std::min(best, {at, link});
  }
  const auto [at, link] = best;
  link_busy_[link].insert(at);
  if (!out_busy_.empty()) out_busy_[from].insert(at);
  if (!in_busy_.empty()) in_busy_[to].insert(at);
  return best;
}

void RoundScheduler::release(std::uint64_t slot, LinkId link) {
  link_busy_[link].erase(slot);
  if (!out_busy_.empty()) out_busy_[graph_.link_source(link)].erase(slot);
  if (!in_busy_.empty()) in_busy_[graph_.link_target(link)].erase(slot);
}

}  // namespace safnet
