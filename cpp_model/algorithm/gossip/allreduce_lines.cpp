#include "cpp_model/algorithm/gossip/allreduce_lines.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/gossip/gossip_plans.hpp"
#include "cpp_model/algorithm/gossip/translated_trees.hpp"
#include "cpp_model/algorithm/tools/flat_graph.hpp"
#include "cpp_model/algorithm/tools/translated_sends.hpp"
#include "cpp_model/schedule/sum_parts.hpp"

namespace safnet {
namespace {

// What all nodes send in a step. Steps count from 1; before step 1 a node knows its own contribution.
struct Move {
  enum class What : std::uint8_t {
    kSum,      // all that they knew after step `step`
    kOthers,   // all that they know now but their own contribution
    kArrival,  // what came in step `step`
  };
  What what = What::kSum;
  std::uint32_t step = 0;
};

// A schedule of sums while it is written. All nodes send in every step.
class SumWriter {
 public:
  explicit SumWriter(const Graph& graph) : schedule_(graph), known_(graph.node_count()) {
    schedule_.ports = PortModel::kOnePort;
    for (NodeId v = 0; v < graph.node_count(); ++v) schedule_.packets.add(v, 0, 1, {});
  }

  /// All that node v knows, as one packet, of which later sums are made.
  PacketIndex all_of(NodeId v) {
    Known& known = known_[v];
    if (!known.has_own) known.parts.push_back(v);
    known.has_own = true;
    return as_one(v);
  }
  /// The same without its own contribution: before all_of() only.
  PacketIndex all_but_own_of(NodeId v) { return as_one(v); }
  /// What came in the last step.
  PacketIndex last_of(NodeId v) const { return known_[v].parts.back(); }

  /// All nodes v send packets[v] over links[v].
  void step(const std::vector<LinkId>& links, const std::vector<PacketIndex>& packets) {
    ++steps_;
    for (NodeId v = 0; v < links.size(); ++v) {
      schedule_.sends.push_back({steps_, links[v], packets[v]});
      known_[schedule_.network.link_target(links[v])].parts.push_back(packets[v]);
    }
  }
  Schedule finish() {
    for (NodeId v = 0; v < known_.size(); ++v) {
      Known& known = known_[v];
      if (!known.has_own) known.parts.push_back(v);
      std::ranges::sort(known.parts);
      schedule_.packets.add(v, steps_ + 1, 1, std::span(&v, 1), known.parts);
    }
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  struct Known {
    std::vector<PacketIndex> parts;  // nothing in common, together all that the node knows
    bool has_own = false;            // else its own contribution comes on top
  };
  PacketIndex as_one(NodeId v) {
    std::vector<PacketIndex>& parts = known_[v].parts;
    if (parts.size() > 1) {
      std::ranges::sort(parts);
      parts = {schedule_.packets.add(v, steps_, 1, {}, parts)};
    }
    return parts.front();
  }

  Schedule schedule_;
  std::vector<Known> known_;
  std::uint32_t steps_ = 0;
};

// The schedule in which all nodes make these moves; `link(k, v)` is that of node v in move k.
template <class LinkOf>
Schedule schedule_of(const Graph& graph, const std::vector<Move>& moves, LinkOf link) {
  const NodeId n = graph.node_count();
  std::set<std::uint32_t> sent;
  for (const Move& move : moves) {
    if (move.what == Move::What::kSum) sent.insert(move.step);
  }
  SumWriter writer(graph);
  // By step and node.
  std::vector<std::vector<PacketIndex>> sums(moves.size(), std::vector<PacketIndex>(n));
  std::vector<std::vector<PacketIndex>> arrivals(moves.size() + 1, std::vector<PacketIndex>(n));
  std::iota(sums.front().begin(), sums.front().end(), PacketIndex{0});
  std::vector<LinkId> links(n);
  for (std::uint32_t k = 0; k < moves.size(); ++k) {
    for (NodeId v = 0; v < n; ++v) {
      links[v] = link(k, v);
      if (k > 0 && sent.contains(k)) sums[k][v] = writer.all_of(v);
    }
    const auto [what, step] = moves[k];
    std::vector<PacketIndex> packets = what == Move::What::kArrival ? arrivals[step] : sums[step];
    for (NodeId v = 0; v < n && what == Move::What::kOthers; ++v) packets[v] = writer.all_but_own_of(v);
    writer.step(links, packets);
    for (NodeId v = 0; v < n; ++v) arrivals[k + 1][graph.link_target(links[v])] = packets[v];
  }
  return writer.finish();
}

// ---- complete graphs ----

// Moves after which a node knows n contributions, by depth-first search. A node knows sizes[k] after k moves:
// those from its own on, cyclically.
struct DoublingSizes {
  std::uint64_t n = 0;
  std::vector<std::uint64_t> sizes{1};
  std::vector<Move> moves = {};

  bool search(std::uint32_t left) {
    const std::uint64_t now = sizes.back();
    if (now == n) return true;
    if (left == 0 || now << left < n) return false;
    // A tdm_node combines what arrives into one sum at once. After a sum with its own contribution has been
    // sent, none without it can be made in time.
    const bool sum_was_sent = std::ranges::any_of(
        moves, [](const Move& move) { return move.what == Move::What::kSum && move.step > 0; });
    for (auto step = static_cast<std::uint32_t>(moves.size()) + 1; step-- > 0;) {
      if (try_move({Move::What::kSum, step}, now + sizes[step], left)) return true;
      if (step == moves.size() && step > 0 && !sum_was_sent &&
          try_move({Move::What::kOthers, step}, 2 * now - 1, left))
        return true;
    }
    return false;
  }

 private:
  bool try_move(Move move, std::uint64_t size, std::uint32_t left) {
    if (size > n) return false;
    moves.push_back(move);
    sizes.push_back(size);
    if (search(left - 1)) return true;
    moves.pop_back();
    sizes.pop_back();
    return false;
  }
};

// ---- Cayley graphs ----

constexpr std::uint32_t kMostTries = 100'000;
constexpr std::uint32_t kMostMoreSteps = 8;
constexpr NodeId kMostSearchedNodes = 1024;

// Moves after which node 0, and so every node, knows all contributions, by depth-first search. What a node
// knows is a set of nodes: that of node v is that of node 0 translated.
class DoublingSearch {
 public:
  explicit DoublingSearch(const Graph& graph) : graph_(graph), nodes_(graph.node_count()) {
    const Translations& translations = *graph.translations();
    for (PortId q = 0; q < graph.in_degree(0); ++q) {
      const Endpoint from = graph.feeder(0, q);
      Port port{from.port, std::vector<NodeId>(nodes_)};
      for (NodeId x = 0; x < nodes_; ++x) port.moved[x] = translations.apply(from.node, x);
      ports_.push_back(std::move(port));
    }
    sums_.push_back({0});
    arrivals_.emplace_back();
    known_.assign(nodes_, false);
    known_[0] = true;
  }

  /// A schedule of at most `left` more steps, of which all sums are in time for tdm_nodes.
  std::optional<Schedule> search(std::uint32_t left) {
    const std::size_t now = sums_.back().size();
    if (now == nodes_) {
      Schedule found = schedule_of(
          graph_, moves_, [&](std::uint32_t k, NodeId v) { return graph_.link(v, sent_through_[k]); });
      if (first_late_sum(found).empty()) return found;
      return std::nullopt;
    }
    if (left == 0 || tries_ > kMostTries) return std::nullopt;
    for (auto step = static_cast<std::uint32_t>(sums_.size()); step-- > 0;) {
      for (const auto what : {Move::What::kSum, Move::What::kArrival}) {
        const std::vector<NodeId> sent = what == Move::What::kSum ? sums_[step] : arrivals_[step];
        for (const Port& port : ports_) {
          if (auto found = try_move({what, step}, sent, port, left)) return found;
        }
      }
    }
    return std::nullopt;
  }

 private:
  struct Port {
    PortId number = 0;
    std::vector<NodeId> moved;  // where the translation that takes node 0 to the sender takes each node
  };

  std::optional<Schedule> try_move(Move move, const std::vector<NodeId>& sent, const Port& port,
                                   std::uint32_t left) {
    const std::uint64_t then = sums_.back().size() + sent.size();
    if (sent.empty() || then << (left - 1) < nodes_ || ++tries_ > kMostTries) return std::nullopt;
    std::vector<NodeId> comes;
    for (const NodeId x : sent) comes.push_back(port.moved[x]);
    if (std::ranges::any_of(comes, [&](NodeId x) { return known_[x]; })) return std::nullopt;
    std::vector<NodeId> all = sums_.back();
    all.insert(all.end(), comes.begin(), comes.end());
    for (const NodeId x : comes) known_[x] = true;
    sums_.push_back(std::move(all));
    arrivals_.push_back(comes);
    moves_.push_back(move);
    sent_through_.push_back(port.number);
    auto found = search(left - 1);
    sums_.pop_back();
    arrivals_.pop_back();
    moves_.pop_back();
    sent_through_.pop_back();
    for (const NodeId x : comes) known_[x] = false;
    return found;
  }

  const Graph& graph_;
  NodeId nodes_;
  std::vector<Port> ports_;
  std::vector<std::vector<NodeId>> sums_, arrivals_;  // after, and in, each step
  std::vector<Move> moves_;
  std::vector<PortId> sent_through_;
  std::vector<bool> known_;
  std::uint32_t tries_ = 0;
};

std::uint32_t fewest_doublings(NodeId nodes) {
  return static_cast<std::uint32_t>(std::bit_width(std::uint64_t{nodes} - 1));
}

// The nodes of a ring in the order in which they follow each other, from node 0; empty if it is not one.
std::vector<NodeId> round_trip(const Graph& graph) {
  std::vector<NodeId> order{0};
  for (NodeId before = kNoNode, at = 0; order.size() <= graph.node_count();) {
    if (graph.degree(at) != 2 || graph.peer(at, 0).node == graph.peer(at, 1).node) return {};
    const NodeId next = graph.peer(at, graph.peer(at, 0).node == before ? 1 : 0).node;
    if (next == 0) break;
    order.push_back(next);
    before = std::exchange(at, next);
  }
  return order.size() == graph.node_count() ? order : std::vector<NodeId>();
}

// Every node combines what a multinode broadcast brings it.
Schedule combined_broadcast(const Graph& graph) {
  const NodeId n = graph.node_count();
  Schedule schedule(graph);
  schedule.ports = PortModel::kOnePort;
  std::vector<NodeId> origins(n);
  std::iota(origins.begin(), origins.end(), NodeId{0});
  for (NodeId v = 0; v < n; ++v) schedule.packets.add(v, 0, 1, {});
  schedule.sends = graph.translations() && n > 1
                       ? translated_sends(graph, translated_trees(graph, PortModel::kOnePort, 1))
                       : plan_gossip({FlatGraph(graph), port_limits(PortModel::kOnePort), origins}, n, {});
  for (NodeId v = 0; v < n; ++v) schedule.packets.add(v, 1, 1, std::span(&v, 1), origins);
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::optional<Schedule> doubling_on_complete_graph(const Graph& graph) {
  const NodeId n = graph.node_count();
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId u = 0; u < n; ++u) {
      if (u != v && !graph.port_to(v, u)) return std::nullopt;
    }
  }
  if (n < 2) return std::nullopt;
  for (std::uint32_t steps = fewest_doublings(n);; ++steps) {
    DoublingSizes found{.n = n};
    if (!found.search(steps)) continue;
    return schedule_of(graph, found.moves, [&](std::uint32_t k, NodeId v) {
      // v sends to the node that lies as far before it as that one knows contributions, its own first.
      const bool others = found.moves[k].what == Move::What::kOthers;
      const std::uint64_t ahead = found.sizes[k] - (others ? 1 : 0);
      return graph.link(v, *graph.port_to(v, static_cast<NodeId>((v + n - ahead) % n)));
    });
  }
}

std::optional<Schedule> pairwise_exchange_on_ring(const Graph& graph) {
  const NodeId n = graph.node_count();
  if (n < 4 || n % 2 != 0) return std::nullopt;
  const std::vector<NodeId> order = round_trip(graph);
  if (order.empty()) return std::nullopt;
  SumWriter writer(graph);
  std::vector<LinkId> links(n);
  std::vector<PacketIndex> packets(n);
  std::iota(packets.begin(), packets.end(), PacketIndex{0});
  for (std::uint32_t step = 1; step <= n / 2; ++step) {
    for (NodeId i = 0; i < n; ++i) {
      const NodeId v = order[i];
      if (step == 2) packets[v] = writer.all_of(v);
      if (step > 2) packets[v] = writer.last_of(v);
      const NodeId partner = order[(i + ((i + step) % 2 == 1 ? 1 : n - 1)) % n];
      links[v] = graph.link(v, *graph.port_to(v, partner));
    }
    writer.step(links, packets);
  }
  return writer.finish();
}

std::optional<Schedule> doubling_on_cayley_graph(const Graph& graph, std::uint32_t most_steps) {
  const NodeId n = graph.node_count();
  if (!graph.translations() || n < 2 || n > kMostSearchedNodes) return std::nullopt;
  const std::uint32_t fewest = fewest_doublings(n);
  for (std::uint32_t steps = fewest; steps <= std::min(most_steps, fewest + kMostMoreSteps); ++steps) {
    DoublingSearch search(graph);
    if (auto found = search.search(steps)) return found;
  }
  return std::nullopt;
}

Schedule best_allreduce_line(const Graph& graph) {
  if (std::optional<Schedule> doubling = doubling_on_complete_graph(graph)) return *doubling;
  Schedule best = combined_broadcast(graph);
  const auto better = [&](std::optional<Schedule> other) {
    if (other && other->last_start() < best.last_start()) best = std::move(*other);
  };
  better(pairwise_exchange_on_ring(graph));
  if (best.last_start() > 0) better(doubling_on_cayley_graph(graph, best.last_start() - 1));
  return best;
}

}  // namespace safnet
