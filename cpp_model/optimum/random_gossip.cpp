#include "cpp_model/optimum/random_gossip.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace safnet {
namespace {

using PacketSet = std::uint64_t;

class RandomGossip {
 public:
  explicit RandomGossip(const Gossip& gossip)
      : gossip_(gossip), n_(gossip.nodes), hops_(hops_between(gossip)), into_(n_), score_(gossip.packets()) {
    for (std::uint32_t l = 0; l < gossip.links.size(); ++l) into_[gossip.links[l].to].push_back(l);
    order_.resize(n_);
    std::iota(order_.begin(), order_.end(), NodeId{0});
    for (std::uint32_t p = 0; p < gossip.packets(); ++p) all_ |= PacketSet{1} << p;
  }

  // Builds one gossip; gives up when it reaches `most` steps.
  bool once(std::uint32_t most) {
    has_.assign(n_, 0);
    for (std::uint32_t p = 0; p < gossip_.packets(); ++p) has_[gossip_.origin[p]] |= PacketSet{1} << p;
    sends_.clear();
    far_weight_ = static_cast<std::uint32_t>(random_() % 3) * 16;
    for (std::uint32_t step = 1; lacking() != 0; ++step) {
      if (step >= most) return false;
      rate_packets();
      shuffle(order_);
      std::stable_sort(order_.begin(), order_.end(), [this](NodeId a, NodeId b) {
        return std::popcount(has_[a]) < std::popcount(has_[b]);
      });
      const std::vector<PacketSet> before = has_;
      if (gossip_.sends_one || gossip_.receives_one) {
        one_port(step, before);
      } else {
        all_port(step, before);
      }
    }
    return true;
  }
  const std::vector<GossipSend>& sends() const { return sends_; }

 private:
  std::uint64_t lacking() const {
    std::uint64_t sum = 0;
    for (const PacketSet set : has_) sum += static_cast<std::uint64_t>(std::popcount(all_ & ~set));
    return sum;
  }

  // The score of a packet is high if a node that lacks it is far away, and if few nodes have it.
  void rate_packets() {
    for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
      const PacketSet bit = PacketSet{1} << p;
      std::uint32_t furthest = 0, without = 0;
      for (NodeId v = 0; v < n_; ++v) {
        if ((has_[v] & bit) != 0) continue;
        ++without;
        std::uint32_t nearest = kUnreachable;
        for (NodeId u = 0; u < n_; ++u) {
          if ((has_[u] & bit) != 0) nearest = std::min(nearest, hops_[u][v]);
        }
        furthest = std::max(furthest, nearest);
      }
      score_[p] = (furthest * far_weight_ + without * 16) * 16;
    }
  }
  std::uint32_t score(std::uint32_t p) { return score_[p] + static_cast<std::uint32_t>(random_() % 64); }

  // The packet of `from` with the highest score.
  std::uint32_t best_of(PacketSet from) {
    std::uint32_t best = 0, best_score = 0;
    for (PacketSet rest = from; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t now = score(p) + 1;
      if (now <= best_score) continue;
      best = p;
      best_score = now;
    }
    return best;
  }

  void send(std::uint32_t step, std::uint32_t link, std::uint32_t p) {
    sends_.push_back({step, link, p});
    has_[gossip_.links[link].to] |= PacketSet{1} << p;
    score_[p] -= std::min(score_[p], 256U);  // one fewer lacks it
  }

  // For every node a matching of its incoming links with packets that it lacks and the link's source has.
  void all_port(std::uint32_t step, const std::vector<PacketSet>& before) {
    for (const NodeId v : order_) {
      std::vector<std::uint32_t>& links = into_[v];
      shuffle(links);
      // Packets in the order of their scores; each takes a link if the earlier ones can be moved to others.
      std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;
      for (PacketSet rest = all_ & ~before[v]; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(std::countr_zero(rest));
        wanted.emplace_back(score(p), p);
      }
      std::sort(wanted.rbegin(), wanted.rend());
      packet_on_.assign(links.size(), kNone);
      std::size_t taken = 0;
      for (const auto& [rated, p] : wanted) {
        if (taken == links.size()) break;
        tried_.assign(links.size(), false);
        taken += take_link(p, links, before) ? 1 : 0;
      }
      for (std::size_t i = 0; i < links.size(); ++i) {
        if (packet_on_[i] != kNone) send(step, links[i], packet_on_[i]);
      }
    }
  }
  bool take_link(std::uint32_t p, const std::vector<std::uint32_t>& links,
                 const std::vector<PacketSet>& before) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (tried_[i] || (before[gossip_.links[links[i]].from] >> p & 1) == 0) continue;
      tried_[i] = true;
      if (packet_on_[i] != kNone && !take_link(packet_on_[i], links, before)) continue;
      packet_on_[i] = p;
      return true;
    }
    return false;
  }

  // A largest matching of senders and receivers, starting with the receivers that lack most.
  void one_port(std::uint32_t step, const std::vector<PacketSet>& before) {
    link_from_.assign(n_, kNone);
    for (const NodeId v : order_) {
      shuffle(into_[v]);
      tried_.assign(n_, false);
      take_sender(v, before);
    }
    for (const std::uint32_t link : link_from_) {
      if (link == kNone) continue;
      const DirectedLink& ends = gossip_.links[link];
      const PacketSet useful = before[ends.from] & ~has_[ends.to];
      if (useful != 0) send(step, link, best_of(useful));
    }
  }
  bool take_sender(NodeId v, const std::vector<PacketSet>& before) {
    for (const std::uint32_t l : into_[v]) {
      const NodeId from = gossip_.links[l].from;
      if (tried_[from] || (before[from] & ~before[v]) == 0) continue;
      tried_[from] = true;
      if (link_from_[from] != kNone && !take_sender(gossip_.links[link_from_[from]].to, before)) continue;
      link_from_[from] = l;
      return true;
    }
    return false;
  }

  void shuffle(std::vector<std::uint32_t>& list) {
    for (std::size_t size = list.size(); size > 1; --size) std::swap(list[size - 1], list[random_() % size]);
  }

  static constexpr std::uint32_t kNone = 0xffff'ffff;
  const Gossip& gossip_;
  NodeId n_;
  std::vector<std::vector<std::uint32_t>> hops_, into_;
  std::vector<std::uint32_t> score_;
  std::uint32_t far_weight_ = 16;
  std::mt19937_64 random_{1};
  PacketSet all_ = 0;
  std::vector<PacketSet> has_;
  std::vector<NodeId> order_;
  std::vector<GossipSend> sends_;
  std::vector<std::uint32_t> packet_on_, link_from_;
  std::vector<bool> tried_;
};

}  // namespace

std::uint32_t steps_of(const std::vector<GossipSend>& sends) {
  std::uint32_t last = 0;
  for (const GossipSend& send : sends) last = std::max(last, send.step);
  return last;
}

std::vector<GossipSend> random_gossip(const Gossip& gossip, std::uint64_t enough, std::uint32_t tries) {
  RandomGossip random(gossip);
  std::vector<GossipSend> best;
  std::uint32_t steps = kUnreachable;
  for (std::uint32_t i = 0; i < tries && steps > enough; ++i) {
    if (!random.once(steps)) continue;
    best = random.sends();
    steps = steps_of(best);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace safnet
