#include "cpp_model/algorithm/unequal/timed_gossip.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

namespace safnet {
namespace {

constexpr std::uint32_t kNotKnown = std::numeric_limits<std::uint32_t>::max();

class TimedGossip {
 public:
  TimedGossip(const Graph& graph, const LinkTimes& times, PortModel ports, std::span<const NodeId> origins,
              const GossipRule& rule)
      : graph_(graph),
        times_(times),
        origins_(origins),
        rule_(rule),
        calendar_(graph, times, ports),
        random_(rule.seed),
        nodes_(graph.node_count()),
        has_from_(origins.size() * nodes_, kNotKnown),
        near_(has_from_.size(), kNoWay),
        copies_(origins.size(), 1),
        lacks_(graph.link_count()),
        turn_(graph.link_count()) {
    for (NodeId v = 0; v < nodes_; ++v) time_.push_back(times_from(graph, times, v));
    std::iota(turn_.begin(), turn_.end(), LinkId{0});
  }

  std::vector<Send> run() {
    for (std::size_t p = 0; p < origins_.size(); ++p) {
      known(static_cast<PacketIndex>(p), origins_[p]) = 1;
      arriving_.emplace(1, static_cast<PacketIndex>(p), origins_[p]);
      events_.insert(1);
      offer(static_cast<PacketIndex>(p), origins_[p]);
    }
    while (!events_.empty()) {
      const std::uint32_t now = *events_.begin();
      events_.erase(events_.begin());
      settle(now);
      send_what_can_be(now);
    }
    return std::move(sends_);
  }

 private:
  std::uint32_t& known(PacketIndex p, NodeId v) { return has_from_[std::size_t{p} * nodes_ + v]; }
  std::uint32_t known(PacketIndex p, NodeId v) const { return has_from_[std::size_t{p} * nodes_ + v]; }

  // The packet is, or will be, at the node: links from there may carry it.
  void offer(PacketIndex p, NodeId v) {
    for (PortId port = 0; port < graph_.degree(v); ++port) {
      const LinkId link = graph_.link(v, port);
      if (known(p, graph_.link_target(link)) == kNotKnown) lacks_[link].push_back(p);
    }
  }

  struct Candidate {
    std::uint64_t copies, far;  // fewer copies first; then further nodes
    PacketIndex packet;
    std::uint64_t gain;  // cycles to the furthest node that it brings the packet nearer to
  };

  // How far the nodes are to which the packet comes sooner if `v` gets it at the end of `arrival`.
  std::uint64_t reach(PacketIndex p, NodeId v, std::uint64_t arrival) const {
    std::uint64_t furthest = 0;
    for (NodeId x = 0; x < nodes_; ++x) {
      if (known(p, x) != kNotKnown) continue;
      const std::uint64_t by_v = arrival + time_[v][x];
      if (by_v <= furthest) continue;
      bool sooner = true;
      for (const NodeId holder : holders(p)) {
        if (known(p, holder) - 1 + time_[holder][x] < by_v && holder != v) {
          sooner = false;
          break;
        }
      }
      if (sooner) furthest = by_v;
    }
    return furthest;
  }
  std::vector<NodeId> holders(PacketIndex p) const {
    std::vector<NodeId> all;
    for (NodeId v = 0; v < nodes_; ++v) {
      if (known(p, v) != kNotKnown) all.push_back(v);
    }
    return all;
  }

  // Packets that have arrived by now may leave: every node is as near to them as to the nearest that has
  // them.
  void settle(std::uint32_t now) {
    for (; !arriving_.empty() && std::get<0>(*arriving_.begin()) <= now; arriving_.erase(arriving_.begin())) {
      const auto [cycle, p, v] = *arriving_.begin();
      for (NodeId x = 0; x < nodes_; ++x) {
        std::uint64_t& near = near_[std::size_t{p} * nodes_ + x];
        near = std::min(near, time_[v][x]);
      }
    }
  }
  // Whether a quicker way from a node that has the packet leads to the link's target, by more than patience.
  bool comes_sooner(PacketIndex p, LinkId link) const {
    const std::uint64_t near = near_[std::size_t{p} * nodes_ + graph_.link_target(link)];
    return near + rule_.patience < times_.crossing[link];
  }

  // The packet for a link to carry from `now` on; nothing if there is none.
  bool best_for(LinkId link, std::uint32_t now, Candidate& best) {
    const NodeId from = graph_.link_source(link), to = graph_.link_target(link);
    std::vector<PacketIndex>& lacks = lacks_[link];
    std::erase_if(lacks, [&](PacketIndex p) { return known(p, to) != kNotKnown; });
    bool found = false;
    for (const PacketIndex p : lacks) {
      if (known(p, from) > now) {
        events_.insert(known(p, from));
        continue;
      }
      if (found && copies_[p] > best.copies) continue;
      if (comes_sooner(p, link)) continue;
      const std::uint64_t far = origins_.size() == 1 ? 0 : time_[origins_[p]][to];
      if (found && std::tuple(copies_[p], std::numeric_limits<std::uint64_t>::max() - far) >=
                       std::tuple(best.copies, std::numeric_limits<std::uint64_t>::max() - best.far))
        continue;
      best = {copies_[p], far, p, 0};
      found = true;
    }
    return found;
  }

  void send_what_can_be(std::uint32_t now) {
    struct Offer {
      Candidate candidate;
      LinkId link;
      std::uint32_t chance;
    };
    std::vector<Offer> offers;
    for (const LinkId link : turn_) {
      if (lacks_[link].empty()) continue;
      const std::uint32_t free = calendar_.free_from(link, now);
      if (free > now) {
        events_.insert(free);
        continue;
      }
      Offer offer{{}, link, static_cast<std::uint32_t>(random_())};
      if (!best_for(link, now, offer.candidate)) continue;
      const NodeId to = graph_.link_target(link);
      const std::uint32_t arrival = now + times_.crossing[link] - 1;
      if (nodes_ <= kMostReached) offer.candidate.gain = reach(offer.candidate.packet, to, arrival);
      offers.push_back(offer);
    }
    std::ranges::sort(offers, [](const Offer& a, const Offer& b) {
      return std::tuple(a.candidate.copies, b.candidate.gain, a.chance) <
             std::tuple(b.candidate.copies, a.candidate.gain, b.chance);
    });
    for (const Offer& offer : offers) {
      const PacketIndex p = offer.candidate.packet;
      const NodeId to = graph_.link_target(offer.link);
      if (known(p, to) != kNotKnown || calendar_.free_from(offer.link, now) > now) {
        events_.insert(now + 1);
        continue;
      }
      calendar_.take(offer.link, now);
      known(p, to) = now + times_.crossing[offer.link];
      arriving_.emplace(known(p, to), p, to);
      ++copies_[p];
      sends_.push_back({now, offer.link, p});
      events_.insert(now + times_.busy[offer.link]);
      events_.insert(known(p, to));
      this->offer(p, to);
    }
  }

  static constexpr NodeId kMostReached = 256;  // nodes of networks whose furthest nodes are looked for

  const Graph& graph_;
  const LinkTimes& times_;
  std::span<const NodeId> origins_;
  GossipRule rule_;
  PortCalendar calendar_;
  std::mt19937_64 random_;
  NodeId nodes_;
  std::vector<std::vector<std::uint64_t>> time_;  // by node: to every other
  std::vector<std::uint32_t> has_from_;           // by packet and node: the first cycle in which it may leave
  std::vector<std::uint64_t> near_;               // by packet and node: from the nearest node that has it
  std::set<std::tuple<std::uint32_t, PacketIndex, NodeId>> arriving_;  // cycle from which it may leave
  std::vector<std::uint64_t> copies_;                                  // nodes that have a packet, or will
  std::vector<std::vector<PacketIndex>> lacks_;  // by link: what its source has and its target lacked
  std::vector<LinkId> turn_;
  std::set<std::uint32_t> events_;  // cycles in which something may begin
  std::vector<Send> sends_;
};

}  // namespace

std::vector<Send> timed_gossip(const Graph& graph, const LinkTimes& times, PortModel ports,
                               std::span<const NodeId> origins, const GossipRule& rule) {
  return TimedGossip(graph, times, ports, origins, rule).run();
}

std::uint32_t last_arrival(const LinkTimes& times, std::span<const Send> sends) {
  std::uint32_t last = 0;
  for (const Send& send : sends) last = std::max(last, send.start + times.crossing[send.link] - 1);
  return last;
}

}  // namespace safnet
