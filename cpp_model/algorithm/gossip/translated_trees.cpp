#include "cpp_model/algorithm/gossip/translated_trees.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <random>
#include <ranges>
#include <tuple>

#include "cpp_model/algorithm/tools/matching.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNoLimit = 0xffff'ffff;

constexpr std::uint64_t kMaxWork = 1'000'000;

// The network as plain arrays, and the order in which its nodes are to be informed.
struct Ground {
  NodeId nodes;
  PortId ports;
  std::vector<NodeId> next;         // [node * ports + port]
  std::vector<std::uint64_t> rank;  // by node: smaller first; all different

  Ground(const Graph& graph) : nodes(graph.node_count()), ports(graph.degree(0)), rank(nodes) {
    next.reserve(std::size_t{nodes} * ports);
    for (NodeId v = 0; v < nodes; ++v) {
      for (PortId p = 0; p < ports; ++p) next.push_back(graph.peer(v, p).node);
    }
  }
};

struct Candidate {
  std::uint64_t rank = 0;
  NodeId node = 0, from = 0;
  bool operator<(const Candidate& other) const { return rank > other.rank; }  // the heap's top has the least
};

// The tree of one message while it grows.
class Growth {
 public:
  explicit Growth(const Ground& ground)
      : ground_(&ground), informed_(ground.nodes, 0), left_(ground.nodes), waiting_(ground.ports) {
    inform(0);
  }
  bool complete() const { return left_ == 0; }
  void inform(NodeId v) {
    informed_[v] = 1;
    --left_;
    for (PortId p = 0; p < ground_->ports; ++p) {
      const NodeId to = ground_->next[std::size_t{v} * ground_->ports + p];
      if (informed_[to]) continue;
      waiting_[p].push_back({ground_->rank[to], to, v});
      std::push_heap(waiting_[p].begin(), waiting_[p].end());
    }
  }
  // The first of those that port p can inform, `most` at most.
  void first(PortId p, std::size_t most, std::vector<Candidate>& list) {
    list.clear();
    std::vector<Candidate>& heap = waiting_[p];
    while (!heap.empty() && list.size() < most) {
      std::pop_heap(heap.begin(), heap.end());
      const Candidate candidate = heap.back();
      heap.pop_back();
      const bool again = !list.empty() && list.back().node == candidate.node;  // another way to the same
      if (!informed_[candidate.node] && !again) list.push_back(candidate);
    }
    for (const Candidate& candidate : list) {
      heap.push_back(candidate);
      std::push_heap(heap.begin(), heap.end());
    }
  }

 private:
  const Ground* ground_;
  std::vector<std::uint8_t> informed_;
  NodeId left_;
  std::vector<std::vector<Candidate>> waiting_;  // [port]: a heap; informed ones go when they are met
};

// A node that a message may inform next, through some of the ports.
struct Offer {
  struct Choice {
    PortId port;
    NodeId from;
  };
  std::uint32_t message = 0;
  NodeId node = 0;
  std::vector<Choice> choices;
};

// A node that may be informed in a step through a port; the least `order` is offered to the matching first.
struct Waiting {
  std::uint64_t order = 0;
  std::uint32_t message = 0;  // counted from the first that is not complete
  PortId port = 0;
  Candidate candidate;
};

// Plans step by step by largest matchings of ports with nodes to inform, in which what was offered first is
// served. Nodes are offered by the ranks of `ground`, the earliest message's first; `mixed`: those of all
// messages together, scattered. Gives up when it takes `give_up` steps or more.
class Search {
 public:
  Search(const Ground& ground, std::uint32_t messages, bool mixed)
      : ground_(ground), messages_(messages), mixed_(mixed), port_of_offer_(ground.ports) {}

  std::vector<TranslatedHop> run(std::uint64_t give_up) {
    std::vector<TranslatedHop> hops;
    hops.reserve(std::size_t{messages_} * (ground_.nodes - 1));
    for (std::uint32_t step = 1; complete_ < messages_; ++step) {
      if (step >= give_up) return {};
      match();
      for (PortId p = 0; p < ground_.ports; ++p) {
        if (port_of_offer_.seeker_at(p) == Matching::kNobody) continue;
        const Offer& offer = offers_[port_of_offer_.seeker_at(p)];
        const auto choice = std::ranges::find(offer.choices, p, &Offer::Choice::port);
        hops.push_back({step, complete_ + offer.message, choice->from, p});
        growing_[offer.message].inform(offer.node);
      }
      while (!growing_.empty() && growing_.front().complete()) {
        growing_.pop_front();
        ++complete_;
      }
    }
    return hops;
  }

 private:
  // Offers message after message until all ports are taken: one that has not begun can use any port.
  void match() {
    offers_.clear();
    port_of_offer_.clear();
    matched_ = 0;
    const auto most = std::min<std::uint32_t>(messages_ - complete_, mixed_ ? ground_.ports + 1 : kNoLimit);
    waiting_.clear();
    for (std::uint32_t i = 0; i < most && matched_ < ground_.ports; ++i) {
      if (i == growing_.size()) growing_.emplace_back(ground_);
      for (PortId p = 0; p < ground_.ports; ++p) {
        growing_[i].first(p, ground_.ports, list_);
        for (const Candidate& c : list_) {
          const std::uint64_t order = mixed_ ? scattered(c.rank + std::uint64_t{complete_ + i}) : c.rank;
          waiting_.push_back({order, i, p, c});
        }
      }
      if (mixed_ && i + 1 < most) continue;
      offer_all();
      waiting_.clear();
    }
  }
  void offer_all() {
    std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
      return std::tuple(a.order, a.message, a.candidate.node, a.port) <
             std::tuple(b.order, b.message, b.candidate.node, b.port);
    });
    for (std::size_t a = 0; a < waiting_.size() && matched_ < ground_.ports;) {
      Offer offer{waiting_[a].message, waiting_[a].candidate.node, {}};
      for (; a < waiting_.size() && waiting_[a].message == offer.message &&
             waiting_[a].candidate.node == offer.node;
           ++a) {
        offer.choices.push_back({waiting_[a].port, waiting_[a].candidate.from});
      }
      offers_.push_back(std::move(offer));
      const auto ports_of = [this](std::uint32_t o) {
        return std::views::transform(offers_[o].choices, &Offer::Choice::port);
      };
      if (port_of_offer_.add(static_cast<std::uint32_t>(offers_.size() - 1), ports_of)) ++matched_;
    }
  }
  // Any order, the same every time (Steele, Lea and Flood 2014: SplitMix64).
  static std::uint64_t scattered(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return x ^ (x >> 31);
  }

  const Ground& ground_;
  std::uint32_t messages_, complete_ = 0;
  bool mixed_;
  std::deque<Growth> growing_;  // messages from complete_ on
  std::vector<Offer> offers_;   // of a step
  Matching port_of_offer_;
  PortId matched_ = 0;
  std::vector<Candidate> list_;
  std::vector<Waiting> waiting_;
};

// One node of one message per step, breadth first.
std::vector<TranslatedHop> one_by_one(const Graph& graph, std::uint32_t messages) {
  const SpanningTree tree = shortest_path_tree(graph, 0);
  std::vector<TranslatedHop> hops;
  std::uint32_t step = 0;
  for (std::uint32_t m = 0; m < messages; ++m) {
    for (const NodeId v : tree.order) {
      if (v != 0) hops.push_back({++step, m, tree.parent[v], tree.parent_port[v]});
    }
  }
  return hops;
}

}  // namespace

std::uint64_t translated_broadcast_bound(const Graph& graph, PortModel ports, std::uint32_t messages) {
  const std::uint64_t packets = std::uint64_t{messages} * (graph.node_count() - 1);
  if (packets == 0) return 0;
  if (ports != PortModel::kAllPort) return packets;
  // In the first step a node has its own packets only: one of each for a neighbour, whatever the links.
  std::vector<NodeId> neighbours;
  for (PortId p = 0; p < graph.degree(0); ++p) neighbours.push_back(graph.peer(0, p).node);
  std::sort(neighbours.begin(), neighbours.end());
  const auto distinct =
      static_cast<std::uint64_t>(std::unique(neighbours.begin(), neighbours.end()) - neighbours.begin());
  const std::uint64_t degree = graph.degree(0), first = std::min(degree, messages * distinct);
  return std::max<std::uint64_t>(graph.eccentricity(0), 1 + divide_up(packets - first, degree));
}

std::vector<TranslatedHop> translated_trees(const Graph& graph, PortModel ports, std::uint32_t messages) {
  if (!graph.translations()) {
    throw bad_input("translated broadcast on {}: expected a Cayley graph", one_line(graph.spelling()));
  }
  std::vector<TranslatedHop> best;
  if (messages == 0 || graph.node_count() == 1) return best;
  if (ports != PortModel::kAllPort) return one_by_one(graph, messages);
  Ground ground(graph);
  const std::vector<std::uint32_t> distance = graph.distances_from(0);
  const std::uint64_t bound = translated_broadcast_bound(graph, ports, messages);
  std::uint64_t steps = std::numeric_limits<std::uint64_t>::max(), work = 0;
  for (std::uint32_t attempt = 0; steps > bound && (attempt < 3 || work < kMaxWork); ++attempt) {
    // The nearest first, which keeps ways short; the furthest first; any first.
    std::mt19937_64 random(attempt);
    for (NodeId v = 0; v < ground.nodes; ++v) {
      const std::uint64_t first = attempt % 3 == 0   ? distance[v]
                                  : attempt % 3 == 1 ? 0xffff - distance[v]
                                                     : 0;
      ground.rank[v] = first << 48 | (random() >> 32) << 16 | v;
    }
    const bool mixed = messages > 1 && attempt % 2 == 1;
    std::vector<TranslatedHop> found = Search(ground, messages, mixed).run(steps);
    work += std::uint64_t{messages} * ground.nodes * ground.ports;
    if (found.empty()) continue;
    steps = found.back().step;
    best = std::move(found);
  }
  return best;
}

std::vector<TranslatedHop> quarter_turn_tree(NodeId side) {
  // Ports of a torus: 0 and 1 change the first coordinate by 1 and -1, 2 and 3 the second.
  static constexpr std::array<PortId, 4> kTurned{2, 3, 1, 0};
  const NodeId half = side % 2 == 0 ? side / 2 : side;  // if odd there is none, and no coordinate is `side`
  const auto turned = [side](NodeId v) { return (side - v % side) % side * side + v / side; };
  const auto moved = [side](NodeId v, PortId p) {
    const NodeId x = v / side, y = v % side, by = p % 2 == 0 ? 1 : side - 1;
    return p < 2 ? (x + by) % side * side + y : x * side + (y + by) % side;
  };
  const auto short_orbit = [side, half](NodeId v) {
    return (v / side == 0 || v / side == half) && (v % side == 0 || v % side == half);
  };
  std::vector<TranslatedHop> hops;
  std::vector<std::uint8_t> informed(std::size_t{side} * side, 0);
  std::vector<NodeId> order{0};  // one node of every orbit, as they are informed
  std::uint32_t step = 0;
  for (std::size_t head = 0; head < order.size(); ++head) {
    for (PortId port = 0; port < 4; ++port) {
      const NodeId to = moved(order[head], port);
      if (informed[to] || short_orbit(to)) continue;
      order.push_back(to);
      ++step;
      NodeId from = order[head];
      for (PortId p = port, turn = 0; turn < 4; ++turn, p = kTurned[p], from = turned(from)) {
        hops.push_back({step, 0, from, p});
        informed[moved(from, p)] = 1;
      }
    }
  }
  if (side % 2 == 0) {
    ++step;
    hops.push_back({step, 0, (half - 1) * side, 0});
    hops.push_back({step, 0, half - 1, 2});
    hops.push_back({step, 0, (half + 1) * side + half, 1});
  }
  return hops;
}

}  // namespace safnet
