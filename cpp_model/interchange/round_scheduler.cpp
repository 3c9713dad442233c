#include "cpp_model/interchange/round_scheduler.hpp"

#include <algorithm>
#include <map>

namespace safnet {
namespace {

// Steps of one-port nodes that have to be coloured: packets times rounds.
constexpr std::uint64_t kMaxColouring = std::uint64_t{1} << 28;

}  // namespace

RoundScheduler::RoundScheduler(const Graph& graph, PortModel ports)
    : graph_(graph),
      link_busy_(graph.link_count()),
      out_busy_(ports == PortModel::kAllPort ? 0 : graph.node_count()),
      in_busy_(ports == PortModel::kOnePort ? graph.node_count() : 0) {}

std::pair<std::uint64_t, LinkId> RoundScheduler::earliest(NodeId from, NodeId to, std::uint64_t slot) const {
  std::pair<std::uint64_t, LinkId> best{~std::uint64_t{0}, 0};
  for (PortId p = 0; p < graph_.degree(from); ++p) {
    if (graph_.peer(from, p).node != to) continue;
    const LinkId link = graph_.link(from, p);
    std::uint64_t at = slot;
    for (std::uint64_t last = 0; last != at;) {
      last = at;
      at = link_busy_[link].free_from(at);
      if (!out_busy_.empty()) at = out_busy_[from].free_from(at);
      if (!in_busy_.empty()) at = in_busy_[to].free_from(at);
    }
    best = std::min(best, {at, link});
  }
  return best;
}

std::pair<std::uint64_t, LinkId> RoundScheduler::take(NodeId from, NodeId to, std::uint64_t slot) {
  const auto [at, link] = earliest(from, to, slot);
  link_busy_[link].take(at);
  if (!out_busy_.empty()) out_busy_[from].take(at);
  if (!in_busy_.empty()) in_busy_[to].take(at);
  return {at, link};
}

void RoundScheduler::release(std::uint64_t slot, LinkId link) {
  link_busy_[link].release(slot);
  if (!out_busy_.empty()) out_busy_[graph_.link_source(link)].release(slot);
  if (!in_busy_.empty()) in_busy_[graph_.link_target(link)].release(slot);
}

std::optional<std::vector<std::uint32_t>> rounds_of_one_port_step(
    const std::vector<std::pair<NodeId, NodeId>>& sends) {
  std::map<NodeId, std::uint32_t> sender, receiver;
  std::map<NodeId, std::uint32_t> sent, received;
  std::uint32_t degree = 0;
  for (const auto& [from, to] : sends) {
    sender.try_emplace(from, static_cast<std::uint32_t>(sender.size()));
    receiver.try_emplace(to, static_cast<std::uint32_t>(receiver.size()));
    degree = std::max({degree, ++sent[from], ++received[to]});
  }
  if ((std::uint64_t{sends.size()} + sender.size() + receiver.size()) * degree > kMaxColouring)
    return std::nullopt;
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> by_sender(sender.size() * degree, kNone),
      by_receiver(receiver.size() * degree, kNone);
  std::vector<std::uint32_t> colour(sends.size());
  const auto slot_s = [&](std::uint32_t i, std::uint32_t c) -> std::uint32_t& {
    return by_sender[std::size_t{sender.at(sends[i].first)} * degree + c];
  };
  const auto slot_r = [&](std::uint32_t i, std::uint32_t c) -> std::uint32_t& {
    return by_receiver[std::size_t{receiver.at(sends[i].second)} * degree + c];
  };
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    std::uint32_t a = 0, b = 0;
    while (slot_s(i, a) != kNone) ++a;
    while (slot_r(i, b) != kNone) ++b;
    // The path from the receiver whose edges are a, b, a, ...: exchanged, a is free there. It cannot come
    // back to the sender, where a is free.
    std::vector<std::uint32_t> path;
    bool at_receiver = true;
    for (std::uint32_t edge = slot_r(i, a); edge != kNone; at_receiver = !at_receiver) {
      path.push_back(edge);
      edge = at_receiver ? slot_s(edge, b) : slot_r(edge, a);
    }
    for (const std::uint32_t edge : path) slot_s(edge, colour[edge]) = slot_r(edge, colour[edge]) = kNone;
    for (const std::uint32_t edge : path) {
      colour[edge] = colour[edge] == a ? b : a;
      slot_s(edge, colour[edge]) = slot_r(edge, colour[edge]) = edge;
    }
    colour[i] = a;
    slot_s(i, a) = slot_r(i, a) = i;
  }
  return colour;
}

}  // namespace safnet
