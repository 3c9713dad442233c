#include "cpp_model/algorithm/gossip/rarest_first.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// How an attempt weighs packets against each other.
struct Weights {
  std::int64_t holders = 0;  // for those that few nodes have
  std::int64_t to_go = 0;    // for those with far to go behind the target
  std::int64_t lacking = 0;  // one-port: for targets that lack many
  std::uint64_t chance = 1;  // up to so much is added at random
  std::int64_t in_turn = 0;  // one-port: for a node's first link in step 1, its second in step 2, ...
  bool hurries = true;       // prefers by far what cannot get everywhere in time if it waits
};

class Attempts {
 public:
  Attempts(const GossipTask& problem, std::uint64_t bound)
      : problem_(problem),
        graph_(problem.graph),
        nodes_(problem.graph.nodes),
        packets_(static_cast<std::uint32_t>(problem.origins.size())),
        words_((packets_ + 63) / 64),
        bound_(bound),
        random_(1) {
    find_to_go();
    link_packet_.resize(graph_.source.size());
    link_cost_.resize(graph_.source.size());
    sends_of_.assign(nodes_, 0);
    number_of_link_.resize(graph_.source.size());
    std::size_t most_links = 1;
    for (NodeId v = 0; v < nodes_; ++v) {
      std::uint32_t number = 0;
      for (const LinkId link : graph_.out_of(v)) number_of_link_[link] = number++;
      most_links = std::max<std::size_t>(most_links, number);
    }
    turns_.resize(most_links);
  }

  /// Makes one schedule; false if that would take more than `limit` steps.
  bool attempt(const Weights& weights, std::uint64_t seed, std::uint64_t limit) {
    weights_ = weights;
    random_.seed(seed);
    take_turns();
    goal_ = std::min(limit, bound_);
    has_.assign(std::size_t{nodes_} * words_, 0);
    holders_.assign(packets_, 1);
    missing_.assign(nodes_, packets_);
    sends_.clear();
    for (std::uint32_t p = 0; p < packets_; ++p) {
      const NodeId origin = problem_.origins[p];
      has_[std::size_t{origin} * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
      --missing_[origin];
    }
    gets_ = has_;
    to_send_ = sends_of_;
    auto left = std::accumulate(missing_.begin(), missing_.end(), std::uint64_t{0});
    for (step_ = 1; left != 0; ++step_) {
      if (!can_end_by(limit)) return false;
      const std::size_t before = sends_.size();
      looked_at_ += graph_.out.size() + nodes_;
      if (problem_.limits.one_send && problem_.limits.one_receive) {
        match();
      } else if (problem_.limits.one_send) {
        each_sender();
      } else {
        each_receiver();
      }
      if (sends_.size() == before) throw std::invalid_argument("gossip: a node cannot be reached");
      left -= sends_.size() - before;
      for (std::size_t i = before; i < sends_.size(); ++i) {
        const auto& [start, link, p] = sends_[i];
        has_[std::size_t{graph_.target[link]} * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
        std::uint32_t& to_send = to_send_[graph_.source[link]];
        if (to_send != 0) --to_send;
      }
    }
    std::fill(sends_of_.begin(), sends_of_.end(), 0);
    for (const Send& send : sends_) ++sends_of_[graph_.source[send.link]];
    return true;
  }
  const std::vector<Send>& sends() const { return sends_; }
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  // Behind each node, by origin: hops along shortest paths from the origin to the furthest node they lead to.
  void find_to_go() {
    number_.assign(nodes_, kNone);
    std::uint32_t count = 0;
    for (const NodeId origin : problem_.origins) {
      if (number_[origin] == kNone) number_[origin] = count++;
    }
    to_go_.assign(std::size_t{count} * nodes_, 0);
    std::vector<NodeId> order(nodes_);
    for (NodeId origin = 0; origin < nodes_; ++origin) {
      if (number_[origin] == kNone) continue;
      const std::vector<std::uint32_t> distance = graph_.distances_from(origin);
      std::iota(order.begin(), order.end(), NodeId{0});
      std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
      std::uint16_t* const to_go = &to_go_[std::size_t{number_[origin]} * nodes_];
      for (const NodeId v : order) {
        for (const LinkId link : graph_.out_of(v)) {
          const NodeId w = graph_.target[link];
          if (distance[w] == distance[v] + 1)
            to_go[v] = std::max(to_go[v], static_cast<std::uint16_t>(to_go[w] + 1));
        }
      }
    }
  }

  void take_turns() {
    if (weights_.in_turn == 0) return;
    std::iota(turns_.begin(), turns_.end(), std::uint32_t{0});
    shuffle(turns_, random_);
    hold_ = 1 + random_() % 2;
  }

  bool can_end_by(std::uint64_t limit) const {
    if (limit == std::numeric_limits<std::uint64_t>::max()) return true;
    for (NodeId v = 0; v < nodes_; ++v) {
      const std::size_t at_once = problem_.limits.one_receive ? 1 : graph_.into(v).size();
      if (missing_[v] != 0 && step_ - 1 + divide_up(missing_[v], at_once) > limit) return false;
    }
    return true;
  }

  std::int64_t cost(std::uint32_t p, NodeId target) {
    const std::int64_t to_go = to_go_[std::size_t{number_[problem_.origins[p]]} * nodes_ + target];
    std::int64_t cost = weights_.holders * holders_[p] - weights_.to_go * to_go;
    if (weights_.chance > 1) cost += static_cast<std::int64_t>(random_() % weights_.chance);
    // A packet that gets everywhere in time only if it is sent now.
    if (weights_.hurries && static_cast<std::int64_t>(step_) + to_go >= static_cast<std::int64_t>(goal_))
      cost -= 1'000'000 * to_go;
    return cost;
  }

  // Calls visit(packet) for packets that the link can bring its target, beginning with a random word of the
  // bits, until kMostLookedAt are seen.
  template <class Visit>
  void for_candidates(LinkId link, Visit visit) {
    const std::uint64_t* const from = &has_[std::size_t{graph_.source[link]} * words_];
    const std::uint64_t* const at = &gets_[std::size_t{graph_.target[link]} * words_];
    const std::size_t offset = words_ > 1 ? random_() % words_ : 0;
    std::uint32_t seen = 0;
    for (std::size_t k = 0; k < words_; ++k) {
      const std::size_t w = offset + k < words_ ? offset + k : offset + k - words_;
      std::uint64_t bits = from[w] & ~at[w];
      while (bits != 0) {
        visit(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
        bits &= bits - 1;
        ++seen;
      }
      if (seen >= kMostLookedAt) break;
    }
    looked_at_ += seen + words_ / 8 + 2;
  }

  // The packet that had best go over a link, if there is one.
  bool find_best(LinkId link) {
    const NodeId target = graph_.target[link];
    std::uint32_t best = kNone;
    std::int64_t least = 0;
    if (missing_[target] != 0) {
      for_candidates(link, [&](std::uint32_t p) {
        const std::int64_t c = cost(p, target);
        if (best == kNone || c < least) {
          best = p;
          least = c;
        }
      });
    }
    link_packet_[link] = best;
    link_cost_[link] = least;
    return best != kNone;
  }

  void send(LinkId link, std::uint32_t p) {
    const NodeId target = graph_.target[link];
    gets_[std::size_t{target} * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
    ++holders_[p];
    --missing_[target];
    sends_.push_back({static_cast<std::uint32_t>(step_), link, p});
  }

  void shuffled_nodes() {
    order_.resize(nodes_);
    std::iota(order_.begin(), order_.end(), NodeId{0});
    shuffle(order_, random_);
  }

  // Receivers one by one in random order, each over all its links (or one). Senders have no limits here, so
  // what one receiver gets takes nothing from another.
  void each_receiver() {
    shuffled_nodes();
    for (const NodeId v : order_) {
      if (missing_[v] == 0) continue;
      const std::span<const LinkId> in = graph_.into(v);
      if (problem_.limits.one_receive) {
        receive_one(in);
      } else if (missing_[v] > 4 * in.size()) {
        receive_each(in);
      } else {
        receive_matched(in);
      }
    }
  }
  void receive_one(std::span<const LinkId> in) {
    LinkId best = kNone;
    for (const LinkId link : in) {
      if (find_best(link) && (best == kNone || link_cost_[link] < link_cost_[best])) best = link;
    }
    if (best != kNone) send(best, link_packet_[best]);
  }
  void receive_each(std::span<const LinkId> in) {
    const std::size_t first = random_() % in.size();
    bool left_out = false;
    const std::size_t before = sends_.size();
    for (std::size_t i = 0; i < in.size(); ++i) {
      const LinkId link = in[(first + i) % in.size()];
      if (find_best(link)) {
        send(link, link_packet_[link]);
      } else {
        left_out = true;
      }
    }
    if (!left_out) return;
    // Some link found nothing that was not on its way already: again, as a matching.
    while (sends_.size() > before) {
      const Send undone = sends_.back();
      sends_.pop_back();
      const NodeId v = graph_.target[undone.link];
      gets_[std::size_t{v} * words_ + undone.packet / 64] &= ~(std::uint64_t{1} << (undone.packet % 64));
      --holders_[undone.packet];
      ++missing_[v];
    }
    receive_matched(in);
  }
  // As many links as can carry different packets, by augmenting paths.
  void receive_matched(std::span<const LinkId> in) {
    offers_.assign(in.size(), {});
    by_count_.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
      for_candidates(in[i], [&](std::uint32_t p) {
        offers_[i].push_back({cost(p, graph_.target[in[i]]), p});
      });
      if (offers_[i].empty()) continue;
      std::sort(offers_[i].begin(), offers_[i].end());
      // For a largest matching a link needs as many choices as there are links, and no more.
      if (offers_[i].size() > 2 * in.size()) offers_[i].resize(2 * in.size());
      by_count_.push_back(i);
    }
    std::stable_sort(by_count_.begin(), by_count_.end(),
                     [&](std::size_t a, std::size_t b) { return offers_[a].size() < offers_[b].size(); });
    taken_.clear();
    for (const std::size_t i : by_count_) {
      tried_.clear();
      give_packet(i);
    }
    for (const auto& [p, i] : taken_) send(in[i], p);
  }
  bool give_packet(std::size_t i) {
    for (const bool push : {false, true}) {
      for (const auto& [unused, p] : offers_[i]) {
        if (std::find(tried_.begin(), tried_.end(), p) != tried_.end()) continue;
        const auto owner =
            std::find_if(taken_.begin(), taken_.end(), [p](const auto& taken) { return taken.first == p; });
        if (owner == taken_.end()) {
          taken_.push_back({p, i});
          return true;
        }
        if (!push) continue;
        tried_.push_back(p);
        const std::pair rival = *owner;
        if (!give_packet(rival.second)) continue;
        *std::find(taken_.begin(), taken_.end(), rival) = {p, i};
        return true;
      }
    }
    return false;
  }

  // Senders one by one, each to the node that the best packet is for.
  void each_sender() {
    shuffled_nodes();
    for (const NodeId u : order_) {
      LinkId best = kNone;
      for (const LinkId link : graph_.out_of(u)) {
        if (!find_best(link)) continue;
        link_cost_[link] -= weights_.lacking * missing_[graph_.target[link]];
        if (best == kNone || link_cost_[link] < link_cost_[best]) best = link;
      }
      if (best != kNone) send(best, link_packet_[best]);
    }
  }

  // A matching of senders and receivers: receivers that lack most first, then senders that have most to send.
  void match() {
    into_.resize(nodes_);
    receivers_.clear();
    partner_of_sender_.assign(nodes_, kNone);
    partner_of_receiver_.assign(nodes_, kNone);
    for (NodeId v = 0; v < nodes_; ++v) {
      into_[v].clear();
      if (missing_[v] == 0) continue;
      for (const LinkId link : graph_.into(v)) {
        if (!find_best(link)) continue;
        link_cost_[link] -= weights_.lacking * std::int64_t{to_send_[graph_.source[link]]};
        if (weights_.in_turn != 0 && number_of_link_[link] == turns_[step_ / hold_ % turns_.size()])
          link_cost_[link] -= weights_.in_turn;
        into_[v].push_back(link);
      }
      if (into_[v].empty()) continue;
      std::sort(into_[v].begin(), into_[v].end(), [&](LinkId a, LinkId b) {
        return link_cost_[a] != link_cost_[b] ? link_cost_[a] < link_cost_[b] : a < b;
      });
      const std::int64_t urgency =
          link_cost_[into_[v].front()] - weights_.lacking * std::int64_t{missing_[v]};
      receivers_.push_back({urgency, v});
    }
    std::sort(receivers_.begin(), receivers_.end());
    visited_.assign(nodes_, kNone);
    for (const auto& [unused, v] : receivers_) serve(v, v);
    prefer_busy_senders();
    for (NodeId v = 0; v < nodes_; ++v) {
      if (partner_of_receiver_[v] != kNone)
        send(partner_of_receiver_[v], link_packet_[partner_of_receiver_[v]]);
    }
  }
  bool serve(NodeId v, NodeId round) {
    for (const LinkId link : into_[v]) {
      if (partner_of_sender_[graph_.source[link]] == kNone) return join(link);
    }
    for (const LinkId link : into_[v]) {
      const NodeId u = graph_.source[link];
      if (visited_[u] == round) continue;
      visited_[u] = round;
      const NodeId other = graph_.target[partner_of_sender_[u]];
      if (serve(other, round)) return join(link);
    }
    return false;
  }
  bool join(LinkId link) {
    partner_of_sender_[graph_.source[link]] = link;
    partner_of_receiver_[graph_.target[link]] = link;
    return true;
  }
  // The matched receivers stay; a sender without a receiver takes the place of one that has less to send.
  void prefer_busy_senders() {
    out_of_.resize(nodes_);
    idle_.clear();
    for (NodeId u = 0; u < nodes_; ++u) out_of_[u].clear();
    for (NodeId v = 0; v < nodes_; ++v) {
      for (const LinkId link : into_[v]) out_of_[graph_.source[link]].push_back(link);
    }
    for (NodeId u = 0; u < nodes_; ++u) {
      if (partner_of_sender_[u] == kNone && !out_of_[u].empty()) idle_.push_back(u);
    }
    std::sort(idle_.begin(), idle_.end(), [&](NodeId a, NodeId b) {
      return to_send_[a] != to_send_[b] ? to_send_[a] > to_send_[b] : a < b;
    });
    visited_.assign(nodes_, kNone);
    for (const NodeId u : idle_) displace(u, u);
  }
  bool displace(NodeId u, NodeId first) {
    for (const LinkId link : out_of_[u]) {
      const NodeId v = graph_.target[link];
      if (visited_[v] == first || partner_of_receiver_[v] == kNone) continue;
      visited_[v] = first;
      const NodeId other = graph_.source[partner_of_receiver_[v]];
      if (other == u) continue;
      if (to_send_[other] < to_send_[first]) {
        partner_of_sender_[other] = kNone;
        return join(link);
      }
      if (displace(other, first)) return join(link);
    }
    return false;
  }

  static constexpr std::uint32_t kMostLookedAt = 128;

  const GossipTask& problem_;
  const FlatGraph& graph_;
  const NodeId nodes_;
  const std::uint32_t packets_;
  const std::size_t words_;
  const std::uint64_t bound_;
  std::mt19937_64 random_;
  Weights weights_;
  std::vector<std::uint32_t> number_;  // by node that is an origin: its row in to_go_
  std::vector<std::uint16_t> to_go_;
  std::vector<std::uint32_t> sends_of_;        // by node, in the last schedule
  std::vector<std::uint32_t> number_of_link_;  // by link: among those of its source
  std::vector<std::uint32_t> turns_;           // such numbers, in the order of their turns
  std::uint64_t hold_ = 1;                     // steps of a turn

  std::uint64_t goal_ = 0, step_ = 0, looked_at_ = 0;
  std::vector<std::uint64_t> has_, gets_;  // by node, a bit per packet: before the step, and after it
  std::vector<std::uint32_t> holders_, missing_, to_send_;
  std::vector<Send> sends_;

  std::vector<NodeId> order_;
  std::vector<std::uint32_t> link_packet_;
  std::vector<std::int64_t> link_cost_;
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> offers_;  // by link of a receiver
  std::vector<std::size_t> by_count_;
  std::vector<std::pair<std::uint32_t, std::size_t>> taken_;  // packet, link of the receiver
  std::vector<std::uint32_t> tried_;
  std::vector<std::vector<LinkId>> into_, out_of_;
  std::vector<std::pair<std::int64_t, NodeId>> receivers_;
  std::vector<LinkId> partner_of_sender_, partner_of_receiver_;
  std::vector<NodeId> visited_, idle_;
};

}  // namespace

PortLimits port_limits(PortModel ports) {
  return {ports != PortModel::kAllPort, ports == PortModel::kOnePort};
}

FlatGraph turned_round(FlatGraph graph) {
  std::swap(graph.source, graph.target);
  std::swap(graph.first_out, graph.first_in);
  std::swap(graph.out, graph.in);
  return graph;
}

std::vector<Send> rarest_first(const GossipTask& problem, const GossipEffort& effort) {
  if (problem.graph.nodes <= 1 || problem.origins.empty()) return {};
  Attempts attempts(problem, effort.goal);
  static constexpr Weights kWeights[] = {
      {64, 8, 64, 16},          {16, 64, 64, 16},      {64, 0, 8, 64},
      {8, 64, 8, 64},           {64, 64, 16, 64},      {4, 4, 16, 256},
      {64, 1, 1, 16, 100'000},  {64, 1, 1, 256, 1000}, {64, 1, 1, 64, 100'000, false},
      {64, 4, 4, 64, 0, false},
  };
  constexpr std::size_t kStyles = std::size(kWeights);
  std::vector<Send> best;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kMostInVain = 500;
  for (std::uint64_t i = 0, in_vain = 0;
       i == 0 || (attempts.looked_at() < effort.packets_looked_at && in_vain < kMostInVain); ++i, ++in_vain) {
    if (!attempts.attempt(kWeights[i % kStyles], 1 + i, limit)) continue;
    best = attempts.sends();
    limit = best.back().start - 1;
    if (limit < effort.goal) break;
    in_vain = 0;
  }
  return best;
}

}  // namespace safnet
