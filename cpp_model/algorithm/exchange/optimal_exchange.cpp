#include "cpp_model/algorithm/exchange/optimal_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr NodeId kMost = kMaxExchangedNodes;

// Packets at a node for another: [node][destination]. Those that have arrived are no longer counted.
using Counts = std::array<std::array<std::uint8_t, kMost>, kMost>;

struct Move {
  LinkId link;
  NodeId destination;
};

class Exchange {
 public:
  Exchange(const Problem& problem, std::uint64_t tries)
      : graph_(problem.graph), ports_(problem.ports), n_(graph_.node_count()), tries_(tries) {
    for (NodeId v = 0; v < n_; ++v) hops_.push_back(graph_.distances_from(v));
    find_capacities();
    find_cut_nodes();
  }

  /// Finds a schedule of at most that many steps; false if there is none, or gave_up().
  bool within(std::uint32_t steps) {
    failed_.clear();
    steps_.clear();
    Counts start{};
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId d = 0; d < n_; ++d) start[v][d] = v == d ? 0 : 1;
    }
    return descend(start, steps);
  }
  bool gave_up() const { return tries_ == 0; }
  const std::vector<std::vector<Move>>& steps() const { return steps_; }

 private:
  // Packets that can leave each set of nodes in a step.
  void find_capacities() {
    capacity_.assign(std::size_t{1} << n_, 0);
    for (std::uint32_t set = 0; set < capacity_.size(); ++set) {
      std::uint32_t links = 0, senders = 0, receivers = 0;
      for (NodeId v = 0; v < n_; ++v) {
        bool at_border = false;
        for (PortId p = 0; p < graph_.degree(v); ++p) {
          const NodeId u = graph_.peer(v, p).node;
          if (((set >> v) & 1) == ((set >> u) & 1)) continue;
          at_border = true;
          links += (set >> v) & 1;
        }
        if (at_border) ++(((set >> v) & 1) != 0 ? senders : receivers);
      }
      capacity_[set] = ports_ == PortModel::kAllPort   ? links
                       : ports_ == PortModel::kOnePort ? std::min(senders, receivers)
                                                       : senders;
    }
  }
  // Does every way from u to d pass v?
  void find_cut_nodes() {
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId u = 0; u < n_; ++u) {
        std::uint32_t reached = u == v ? 0 : 1U << u;
        for (NodeId round = 0; round < n_; ++round) {
          for (NodeId w = 0; w < n_; ++w) {
            for (PortId p = 0; ((reached >> w) & 1) != 0 && p < graph_.degree(w); ++p) {
              if (graph_.peer(w, p).node != v) reached |= 1U << graph_.peer(w, p).node;
            }
          }
        }
        for (NodeId d = 0; d < n_; ++d) parts_[v][u][d] = d != v && ((reached >> d) & 1) == 0;
      }
    }
  }

  // How many of the sends in `left` steps need not bring a packet nearer; negative if there are too few.
  std::int64_t slack(const Counts& counts, std::uint32_t left) const {
    const std::uint64_t a_step = ports_ == PortModel::kAllPort ? graph_.link_count() : n_;
    auto slack = static_cast<std::int64_t>(a_step * left);
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId d = 0; d < n_; ++d) slack -= std::int64_t{counts[v][d]} * hops_[v][d];
    }
    return slack;
  }

  bool possible(const Counts& counts, std::uint32_t left) const {
    for (NodeId v = 0; v < n_; ++v) {
      for (NodeId d = 0; d < n_; ++d) {
        if (counts[v][d] != 0 && hops_[v][d] > left) return false;
      }
    }
    if (slack(counts, left) < 0) return false;
    const bool all_port = ports_ == PortModel::kAllPort;
    for (std::uint32_t set = 1; set + 1 < capacity_.size(); ++set) {
      std::uint32_t crossing = 0;
      for (NodeId v = 0; v < n_; ++v) {
        for (NodeId d = 0; ((set >> v) & 1) != 0 && d < n_; ++d)
          crossing += ((set >> d) & 1) != 0 ? 0U : counts[v][d];
      }
      if (crossing > capacity_[set] * left) return false;
    }
    for (NodeId v = 0; !all_port && v < n_; ++v) {  // what v must still send
      std::uint32_t load = 0;
      for (NodeId u = 0; u < n_; ++u) {
        for (NodeId d = 0; d < n_; ++d) load += parts_[v][u][d] ? counts[u][d] : 0U;
      }
      if (load > left) return false;
    }
    return true;
  }

  static std::uint64_t key(const Counts& counts) {
    std::uint64_t key = 0;
    for (NodeId v = 0; v < kMost; ++v) {
      for (NodeId d = 0; d < kMost; ++d) {
        if (v != d) key = key * 8 + counts[v][d];
      }
    }
    return key;
  }

  bool descend(const Counts& counts, std::uint32_t left) {
    if (key(counts) == 0) return true;
    if (!possible(counts, left)) return false;
    const auto [known, is_new] = failed_.try_emplace(key(counts), left);
    if (!is_new && known->second >= left) return false;
    known->second = left;
    steps_.emplace_back();
    if (choose(0, 0, counts, counts, 0, slack(counts, left), left)) return true;
    steps_.pop_back();
    return false;
  }

  // Chooses what leaves through port p of v and all ports after it. Packets of `here` can still be sent,
  // `next` is the state after the step; `receivers` have got something; `slack` sends may still be of no use.
  bool choose(NodeId v, PortId p, const Counts& here, const Counts& next, std::uint32_t receivers,
              std::int64_t slack, std::uint32_t left) {
    if (slack < 0 || !spend()) return false;
    if (v == n_) return descend(next, left - 1);
    const bool all_port = ports_ == PortModel::kAllPort;
    if (p == graph_.degree(v))
      return choose(v + 1, 0, here, next, receivers, slack - (all_port ? 0 : 1), left);
    const NodeId u = graph_.peer(v, p).node;
    const bool taken = ports_ == PortModel::kOnePort && ((receivers >> u) & 1) != 0;
    const auto send = [&](NodeId d) {
      Counts after_here = here, after_next = next;
      --after_here[v][d];
      --after_next[v][d];
      if (u != d) ++after_next[u][d];
      steps_.back().push_back({graph_.link(v, p), d});
      const std::size_t size = steps_.back().size(), depth = steps_.size();
      const std::int64_t still = slack - 1 - std::int64_t{hops_[u][d]} + std::int64_t{hops_[v][d]};
      if (all_port ? choose(v, p + 1, after_here, after_next, receivers, still, left)
                   : choose(v + 1, 0, after_here, after_next, receivers | (1U << u), still, left))
        return true;
      steps_.resize(depth);
      steps_.back().resize(size - 1);
      return false;
    };
    // Towards the destination first, the furthest first; then nothing; then away from it.
    if (!taken) {
      for (std::uint32_t far = n_; far > 0; --far) {
        for (NodeId d = 0; d < n_; ++d) {
          if (here[v][d] != 0 && hops_[v][d] == far && hops_[u][d] < far && send(d)) return true;
        }
      }
    }
    if (choose(v, p + 1, here, next, receivers, slack - (all_port ? 1 : 0), left)) return true;
    if (!taken) {
      for (NodeId d = 0; d < n_; ++d) {
        if (here[v][d] != 0 && hops_[u][d] >= hops_[v][d] && send(d)) return true;
      }
    }
    return false;
  }

  bool spend() {
    if (tries_ != 0) --tries_;
    return tries_ != 0;
  }

  const Graph& graph_;
  PortModel ports_;
  NodeId n_;
  std::uint64_t tries_;
  std::vector<std::vector<std::uint32_t>> hops_;
  std::vector<std::uint32_t> capacity_;  // by set of nodes
  std::array<std::array<std::array<bool, kMost>, kMost>, kMost> parts_{};
  std::vector<std::vector<Move>> steps_;
  std::unordered_map<std::uint64_t, std::uint32_t> failed_;  // with how many steps left
};

}  // namespace

Schedule optimal_exchange(const Problem& problem, std::uint64_t tries) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  if (n > kMaxExchangedNodes) {
    throw bad_input("branch-and-bound: {} has {} nodes; expected at most {}", one_line(graph.spelling()), n,
                    kMaxExchangedNodes);
  }
  Exchange exchange(problem, tries);
  auto steps = static_cast<std::uint32_t>(lower_bound(problem).steps);
  while (!exchange.within(steps)) {
    if (exchange.gave_up()) {
      throw bad_input(
          "branch-and-bound: {}: {} tries do not tell whether {} steps do; expected a smaller "
          "network or another algorithm",
          one_line(graph.spelling()), tries, steps);
    }
    ++steps;
  }
  // Packets for the same node are alike: a move takes any of them. A way back to an earlier node is cut out.
  std::vector<std::vector<std::vector<NodeId>>> there(n, std::vector<std::vector<NodeId>>(n));  // origins
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId d = 0; d < n; ++d) there[v][d].push_back(v);
  }
  std::vector<std::vector<std::vector<Send>>> ways(n, std::vector<std::vector<Send>>(n));
  std::uint32_t step = 0;
  for (const std::vector<Move>& moves : exchange.steps()) {
    ++step;
    auto next = there;
    for (const Move& move : moves) {
      const NodeId d = move.destination, from = graph.link_source(move.link),
                   to = graph.link_target(move.link);
      const NodeId origin = there[from][d].back();
      there[from][d].pop_back();
      std::erase(next[from][d], origin);
      next[to][d].push_back(origin);
      std::vector<Send>& way = ways[origin][d];
      const auto earlier = std::find_if(way.begin(), way.end(),
                                        [&](const Send& s) { return graph.link_target(s.link) == to; });
      if (to == origin) {
        way.clear();
      } else if (earlier != way.end()) {
        way.erase(earlier + 1, way.end());
      } else {
        way.push_back({step, move.link, exchange_packet(origin, d, n)});
      }
    }
    there = std::move(next);
  }
  Schedule schedule = empty_schedule(problem, "branch-and-bound");
  for (const auto& of_origin : ways) {
    for (const auto& way : of_origin) schedule.sends.insert(schedule.sends.end(), way.begin(), way.end());
  }
  sort_sends(schedule);
  return schedule;
}

std::vector<Algorithm> optimal_exchange_algorithms() {
  return {
      Algorithm{.name = "branch-and-bound",
                .collective = CollectiveKind::kTotalExchange,
                .source = "optimal",
                .description = "as few steps as there can be, by searching where packets are; may give up",
                .domain = fmt::format("networks of at most {} nodes", kMaxExchangedNodes),
                .why_not = [](const Problem& p) -> std::string {
                  if (!p.tree.empty()) return "finds its own routes, without --tree";
                  return p.graph.node_count() <= kMaxExchangedNodes
                             ? ""
                             : fmt::format("needs a network of at most {} nodes", kMaxExchangedNodes);
                },
                .chosen_by_name_only = true,
                .plan = [](const Problem& p) { return optimal_exchange(p); }}};
}

}  // namespace safnet
