// fewest_steps - the optimum of collectives on tiny networks by trying everything: what bounds must not
// exceed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet::testbench {

/// Personal packets. Those at one node for one destination are alike, so a state is how many there are of
/// each kind. A packet may take any way, wait or turn back.
class PersonalPackets {
 public:
  PersonalPackets(const Graph& graph, PortModel ports) : ports_(ports), n_(graph.node_count()) {
    for (NodeId v = 0; v < n_; ++v) {
      distance_.push_back(graph.distances_from(v));
      for (PortId p = 0; p < graph.degree(v); ++p) links_.push_back({v, graph.peer(v, p).node});
    }
  }
  void add(NodeId origin, NodeId destination) { ++start_[kind(origin, destination)]; }

  /// Is there a schedule of so many steps?
  bool feasible(std::uint64_t steps) {
    failed_.clear();
    return deliverable(start_, steps);
  }
  std::uint64_t fewest_steps() {
    std::uint64_t steps = 0;
    while (!feasible(steps)) ++steps;
    return steps;
  }

 private:
  using State = std::array<char, 36>;  // packets by kind: networks of up to 6 nodes
  struct Hash {
    std::size_t operator()(const State& state) const {
      return std::hash<std::string_view>()(std::string_view(state.data(), state.size()));
    }
  };
  struct Link {
    NodeId from, to;
  };
  std::size_t kind(NodeId at, NodeId destination) const { return std::size_t{at} * n_ + destination; }

  bool deliverable(const State& state, std::uint64_t steps) {
    std::uint64_t hops = 0;
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId d = 0; d < n_; ++d) {
        const auto count = static_cast<std::uint64_t>(state[kind(v, d)]);
        if (count != 0 && distance_[v][d] > steps) return false;
        hops += count * distance_[v][d];
      }
    }
    if (hops == 0) return true;
    if (hops > steps * per_step()) return false;
    const auto known = failed_.find(state);
    if (known != failed_.end() && known->second >= steps) return false;
    Step step{state, state, std::vector<bool>(n_), std::vector<bool>(n_), steps, hops};
    if (choose(step, 0)) return true;
    failed_[state] = std::max(failed_[state], steps);
    return false;
  }

  struct Step {
    State waiting;  // packets that have not moved yet
    State after;
    std::vector<bool> sends, receives;
    std::uint64_t steps;
    std::uint64_t hops;  // that `after` has still to go
  };
  std::uint64_t per_step() const { return ports_ == PortModel::kAllPort ? links_.size() : n_; }
  bool choose(Step& step, std::size_t link) {
    if (link == links_.size()) return deliverable(step.after, step.steps - 1);
    const auto [v, u] = links_[link];
    // Hops that the remaining links (one-port: nodes) can add to this step at best.
    const std::uint64_t left = ports_ == PortModel::kAllPort ? links_.size() - link : n_ - v;
    if (step.hops > left + (step.steps - 1) * per_step()) return false;
    const bool port_free = ports_ == PortModel::kAllPort ||
                           (!step.sends[v] && (ports_ == PortModel::kOnePortSend || !step.receives[u]));
    for (NodeId d = 0; port_free && d < n_; ++d) {
      if (step.waiting[kind(v, d)] == 0) continue;
      const bool sent = step.sends[v], received = step.receives[u];
      --step.waiting[kind(v, d)];
      --step.after[kind(v, d)];
      if (u != d) ++step.after[kind(u, d)];
      step.sends[v] = step.receives[u] = true;
      step.hops += distance_[u][d];
      step.hops -= distance_[v][d];
      if (choose(step, link + 1)) return true;
      step.hops += distance_[v][d];
      step.hops -= distance_[u][d];
      step.sends[v] = sent;
      step.receives[u] = received;
      ++step.waiting[kind(v, d)];
      ++step.after[kind(v, d)];
      if (u != d) --step.after[kind(u, d)];
    }
    return choose(step, link + 1);
  }

  PortModel ports_;
  NodeId n_;
  std::vector<std::vector<std::uint32_t>> distance_;
  std::vector<Link> links_;
  State start_{};
  std::unordered_map<State, std::uint64_t, Hash> failed_;  // states, and the steps that were not enough
};

/// Broadcast by nodes that send to one neighbour per step: all sets of nodes that can be informed.
inline std::uint64_t fewest_broadcast_steps(const Graph& graph, NodeId root) {
  const NodeId n = graph.node_count();
  std::vector<bool> reachable(std::size_t{1} << n);
  reachable[std::size_t{1} << root] = true;
  for (std::uint64_t steps = 0;; ++steps) {
    if (reachable.back()) return steps;
    std::vector<bool> next(reachable.size());
    for (std::size_t set = 0; set < reachable.size(); ++set) {
      if (!reachable[set]) continue;
      std::vector<std::size_t> sets{set};
      for (NodeId v = 0; v < n; ++v) {
        if (((set >> v) & 1) == 0) continue;
        const std::size_t before = sets.size();
        for (std::size_t i = 0; i < before; ++i) {
          for (PortId p = 0; p < graph.degree(v); ++p)
            sets.push_back(sets[i] | (std::size_t{1} << graph.peer(v, p).node));
        }
        std::sort(sets.begin(), sets.end());
        sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
      }
      for (const std::size_t informed : sets) next[informed] = true;
    }
    reachable = std::move(next);
  }
}

}  // namespace safnet::testbench
