#include "cpp_model/algorithm/node_invariant_gossip.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>

#include "cpp_model/bound/exact.hpp"

namespace safnet {
namespace {

// A message of node 0 crosses a link.
struct Crossing {
  std::uint32_t step = 0, message = 0;
  NodeId from = 0;
  PortId port = 0;
};

// Hops along shortest paths from node 0 through each node to the furthest that they lead to.
std::vector<std::uint32_t> hops_behind(const Graph& graph, const std::vector<std::uint32_t>& distance) {
  std::vector<NodeId> order(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) order[v] = v;
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
  std::vector<std::uint32_t> behind(graph.node_count(), 0);
  for (const NodeId v : order) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId w = graph.peer(v, p).node;
      if (w != kNoNode && distance[w] == distance[v] + 1) behind[v] = std::max(behind[v], behind[w] + 1);
    }
  }
  return behind;
}

class InvariantBroadcast {
 public:
  InvariantBroadcast(const Graph& graph, std::uint32_t messages)
      : graph_(graph),
        nodes_(graph.node_count()),
        ports_(graph.degree(0)),
        messages_(messages),
        behind_(hops_behind(graph, graph.distances_from(0))) {}

  /// All-port. False if it takes more than `limit` steps.
  bool attempt(std::uint64_t seed, std::uint64_t limit) {
    random_.seed(seed);
    by_distance_ = seed % 2 == 1;
    crossings_.clear();
    waiting_.assign(ports_, {});
    first_.assign(ports_, 0);
    informed_.assign(std::size_t{nodes_} * messages_, false);
    for (std::uint32_t m = 0; m < messages_; ++m) inform(m, 0);
    std::uint64_t left = std::uint64_t{messages_} * (nodes_ - 1);
    for (std::uint32_t step = 1; left != 0; ++step) {
      if (step - 1 + divide_up(left, ports_) > limit) return false;
      left -= choose(step);
    }
    return true;
  }
  /// One send after the other.
  void one_by_one() {
    crossings_.clear();
    std::vector<bool> seen(nodes_, false);
    std::vector<NodeId> queue{0};
    seen[0] = true;
    std::uint32_t step = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (PortId p = 0; p < ports_; ++p) {
        const NodeId w = graph_.peer(queue[head], p).node;
        if (seen[w]) continue;
        seen[w] = true;
        queue.push_back(w);
        for (std::uint32_t m = 0; m < messages_; ++m) crossings_.push_back({++step, m, queue[head], p});
      }
    }
  }
  const std::vector<Crossing>& crossings() const { return crossings_; }
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  struct Offer {
    std::uint64_t rank;  // the smallest first
    std::size_t what;    // message and target
    NodeId from;
  };

  void inform(std::uint32_t message, NodeId v) {
    informed_[std::size_t{message} * nodes_ + v] = true;
    for (PortId p = 0; p < ports_; ++p) waiting_[p].push_back({message, v});
  }

  // A send for as many ports as can have one: a matching of ports with messages and targets.
  std::uint64_t choose(std::uint32_t step) {
    offers_.assign(ports_, {});
    std::vector<PortId> order;
    for (PortId p = 0; p < ports_; ++p) {
      collect(p);
      if (!offers_[p].empty()) order.push_back(p);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](PortId a, PortId b) { return offers_[a].size() < offers_[b].size(); });
    taken_.clear();
    for (const PortId p : order) {
      tried_.clear();
      give(p);
    }
    for (const auto& [what, p] : taken_) {
      const auto offer = std::find_if(offers_[p].begin(), offers_[p].end(),
                                      [what = what](const Offer& o) { return o.what == what; });
      crossings_.push_back({step, static_cast<std::uint32_t>(what / nodes_), offer->from, p});
    }
    for (const auto& [what, p] : taken_)
      inform(static_cast<std::uint32_t>(what / nodes_), static_cast<NodeId>(what % nodes_));
    return taken_.size();
  }
  // What port p can send that is not there yet: those that have waited longest.
  void collect(PortId p) {
    std::vector<std::pair<std::uint32_t, NodeId>>& list = waiting_[p];
    std::size_t kept = first_[p];
    for (std::size_t i = first_[p]; i < list.size(); ++i) {
      ++looked_at_;
      const auto [message, from] = list[i];
      const NodeId to = graph_.peer(from, p).node;
      const std::size_t what = std::size_t{message} * nodes_ + to;
      if (informed_[what]) {
        // Those before it that are still waited for move up.
        std::move_backward(list.begin() + static_cast<std::ptrdiff_t>(kept),
                           list.begin() + static_cast<std::ptrdiff_t>(i),
                           list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        ++kept;
        continue;
      }
      const std::uint64_t far = by_distance_ ? nodes_ - behind_[to] : 0;
      offers_[p].push_back({(far << 32) | (random_() & 0xffff'ffff), what, from});
      if (offers_[p].size() == kMostOffers) break;
    }
    first_[p] = kept;
    std::sort(offers_[p].begin(), offers_[p].end(),
              [](const Offer& a, const Offer& b) { return a.rank < b.rank; });
  }
  bool give(PortId p) {
    for (const bool push : {false, true}) {
      for (const Offer& offer : offers_[p]) {
        if (std::find(tried_.begin(), tried_.end(), offer.what) != tried_.end()) continue;
        const auto owner = std::find_if(taken_.begin(), taken_.end(),
                                        [&](const auto& taken) { return taken.first == offer.what; });
        if (owner == taken_.end()) {
          taken_.push_back({offer.what, p});
          return true;
        }
        if (!push) continue;
        tried_.push_back(offer.what);
        const std::pair rival = *owner;
        if (!give(rival.second)) continue;
        *std::find(taken_.begin(), taken_.end(), rival) = {offer.what, p};
        return true;
      }
    }
    return false;
  }

  static constexpr std::size_t kMostOffers = 64;

  const Graph& graph_;
  const NodeId nodes_;
  const PortId ports_;
  const std::uint32_t messages_;
  const std::vector<std::uint32_t> behind_;
  std::mt19937_64 random_;
  bool by_distance_ = true;
  std::uint64_t looked_at_ = 0;
  std::vector<Crossing> crossings_;
  std::vector<bool> informed_;                                          // by message and node
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>> waiting_;  // by port: messages and holders
  std::vector<std::size_t> first_;                                      // by port: what is before it is done
  std::vector<std::vector<Offer>> offers_;                              // by port
  std::vector<std::pair<std::size_t, PortId>> taken_;
  std::vector<std::size_t> tried_;
};

}  // namespace

std::vector<Send> node_invariant_gossip(const Graph& graph, PortModel ports, std::uint32_t messages) {
  if (!graph.translations()) throw std::invalid_argument("expected a graph with translations");
  const NodeId n = graph.node_count();
  if (n == 1) return {};
  InvariantBroadcast broadcast(graph, messages);
  std::vector<Crossing> best;
  if (ports == PortModel::kAllPort) {
    const std::uint64_t bound = std::max<std::uint64_t>(
        graph.eccentricity(0), divide_up(std::uint64_t{messages} * (n - 1), graph.degree(0)));
    constexpr std::uint64_t kMostLookedAt = 10'000'000, kMostAttempts = 300;
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t i = 1; best.empty() || (broadcast.looked_at() < kMostLookedAt && i <= kMostAttempts);
         ++i) {
      if (!broadcast.attempt(i, limit)) continue;
      best = broadcast.crossings();
      limit = best.back().step - 1;
      if (limit < bound) break;
    }
  } else {
    broadcast.one_by_one();
    best = broadcast.crossings();
  }
  const Translations& translations = *graph.translations();
  std::vector<Send> sends;
  sends.reserve(best.size() * n);
  for (const Crossing& crossing : best) {
    for (NodeId v = 0; v < n; ++v) {
      sends.push_back({crossing.step, graph.link(translations.apply(v, crossing.from), crossing.port),
                       crossing.message * n + v});
    }
  }
  return sends;
}

}  // namespace safnet
