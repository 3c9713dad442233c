#include "cpp_model/optimum/gossip_step_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "cpp_model/bound/exact.hpp"
#include "cpp_model/optimum/unrolled_flow.hpp"

namespace safnet {
namespace {

using NodeSet = std::uint64_t;

class GossipBounds {
 public:
  explicit GossipBounds(const Gossip& gossip)
      : gossip_(gossip),
        n_(gossip.nodes),
        hops_(hops_between(gossip)),
        out_of_(n_, 0),
        packets_at_(n_, 0),
        reach_(n_) {
    for (const DirectedLink& link : gossip.links) out_of_[link.from] |= only(link.to);
    for (const NodeId o : gossip.origin) {
      ++packets_at_[o];
      origins_ |= only(o);
    }
    std::uint32_t furthest = 0;
    for (const auto& row : hops_) furthest = std::max(furthest, *std::max_element(row.begin(), row.end()));
    longest_wait_ = furthest == kUnreachable
                        ? 0
                        : 2 * std::uint64_t{furthest} + static_cast<std::uint64_t>(std::bit_width(n_));
  }

  LowerBound largest() {
    if (gossip_.packets() == 0 || n_ < 2) return {};
    furthest_node();
    if (gossip_.sends_one) {
      informed_nodes();
      for (NodeId v = 0; v < n_; ++v) sends_of(only(v));
    }
    for (NodeId v = 0; v < n_; ++v) flow_to(v);
    return best_;
  }

  /// More than `known`, by any set of senders; not more than `enough`.
  LowerBound of_sets(std::uint64_t known, std::uint64_t enough) {
    best_.steps = known;
    const NodeSet all = NodeSet{1} << n_;
    for (NodeSet senders = 1; senders < all && best_.steps < enough; ++senders) sends_of(senders);
    return best_.reason.empty() ? LowerBound{} : best_;
  }

 private:
  static NodeSet only(NodeId v) { return NodeSet{1} << v; }

  template <class Reason>
  void consider(std::uint64_t steps, const Reason& reason) {
    if (steps > best_.steps) best_ = {steps, reason(), ""};
  }

  void furthest_node() {
    for (NodeId o = 0; o < n_; ++o) {
      if (packets_at_[o] == 0) continue;
      const std::uint32_t furthest = *std::max_element(hops_[o].begin(), hops_[o].end());
      if (furthest == kUnreachable)
        throw std::invalid_argument(fmt::format("node {}: expected ways from it to all others", o));
      consider(furthest, [&] { return fmt::format("eccentricity of node {}", o); });
    }
  }

  void informed_nodes() {
    const std::uint64_t needed = std::uint64_t{gossip_.packets()} * (n_ - 1);
    std::uint64_t informed = 0, sent = 0, steps = 0;
    std::vector<std::uint64_t> within;  // by number of steps: nodes that any packet can have reached
    for (std::uint32_t t = 0; t <= n_; ++t) {
      std::uint64_t nodes = 0;
      for (NodeId v = 0; v < n_; ++v) {
        bool reached = false;
        for (NodeId o = 0; o < n_; ++o) reached = reached || (packets_at_[o] != 0 && hops_[o][v] <= t);
        nodes += reached ? 1 : 0;
      }
      within.push_back(nodes);
    }
    informed = within[0];
    // No more than all but the only origin of everything can receive anything new.
    const std::uint64_t receivers = within[0] == 1 ? n_ - 1 : n_;
    while (sent < needed) {
      ++steps;
      sent += gossip_.receives_one ? std::min(informed, receivers) : informed;
      informed = std::min(2 * informed, within[std::min<std::uint64_t>(steps, n_)]);
    }
    consider(steps, [&] {
      return fmt::format("{} packets to send, and who can have anything to send in each step", needed);
    });
  }

  // Some nodes, each of which sends one packet per step. Without their links the network falls into parts;
  // of those that no other part leads to, each needs every packet from outside by a send of theirs.
  void sends_of(NodeSet senders) {
    std::vector<NodeSet>& reach = reach_;
    for (NodeId v = 0; v < n_; ++v) reach[v] = only(v) | ((senders & only(v)) != 0 ? 0 : out_of_[v]);
    for (NodeId middle = 0; middle < n_; ++middle) {
      for (NodeId v = 0; v < n_; ++v) {
        if ((reach[v] & only(middle)) != 0) reach[v] |= reach[middle];
      }
    }
    std::vector<NodeSet>& parts = parts_;
    parts.clear();
    NodeSet in_parts = 0;
    for (NodeId v = 0; v < n_; ++v) {
      if ((in_parts & only(v)) != 0) continue;
      NodeSet leads_to_v = 0;
      for (NodeId u = 0; u < n_; ++u) leads_to_v |= (reach[u] & only(v)) != 0 ? only(u) : 0;
      if ((leads_to_v & ~reach[v]) != 0) continue;
      parts.push_back(leads_to_v);
      in_parts |= leads_to_v;
    }
    std::uint64_t needed = 0;
    for (NodeId o = 0; o < n_; ++o)
      needed += packets_at_[o] * (parts.size() - ((in_parts & only(o)) != 0 ? 1 : 0));
    const auto size = static_cast<std::uint64_t>(std::popcount(senders));
    if (divide_up(needed, size) + longest_wait_ > best_.steps) time_sends_of(senders);
  }

  void time_sends_of(NodeSet senders) {
    struct Needed {
      std::uint32_t before, after, times;  // steps before such a send and after it
    };
    std::vector<Needed> sends;
    NodeSet useful = 0;  // senders that lead to a part
    std::uint32_t latest = 0, longest = 0;
    for (const NodeSet part : parts_) {
      NodeSet from = 0, entries = 0;
      for (const DirectedLink& link : gossip_.links) {
        if ((senders & only(link.from)) == 0 || (part & only(link.to)) == 0 || (part & only(link.from)) != 0)
          continue;
        from |= only(link.from);
        entries |= only(link.to);
      }
      useful |= from;
      const std::uint32_t after = steps_within(part, entries);
      longest = std::max(longest, after);
      for (NodeId o = 0; o < n_; ++o) {
        if (packets_at_[o] == 0 || (part & only(o)) != 0) continue;
        sends.push_back({nearest(only(o), from), after, packets_at_[o]});
        latest = std::max(latest, sends.back().before);
      }
    }
    for (std::uint32_t before = 0; before <= latest; ++before) {
      for (std::uint32_t after = 0; after <= longest; ++after) {
        std::uint64_t needed = 0;
        for (const Needed& send : sends)
          needed += send.before >= before && send.after >= after ? send.times : 0;
        if (needed == 0) break;
        std::vector<std::uint32_t> unused;
        for (NodeId v = 0; v < n_; ++v) {
          if ((useful & only(v)) != 0) unused.push_back(std::max(before, nearest(origins_, only(v))) + after);
        }
        consider(steps_of_late_servers(needed, std::move(unused)), [&] {
          return fmt::format("nodes {} send {} packets one by one into parts that only they lead to",
                             listed(senders), needed);
        });
      }
    }
  }

  // Hops from the nearest of some nodes to the nearest of others.
  std::uint32_t nearest(NodeSet from, NodeSet to) const {
    std::uint32_t hops = kUnreachable;
    for (NodeId u = 0; u < n_; ++u) {
      for (NodeId v = 0; v < n_ && (from & only(u)) != 0; ++v) {
        if ((to & only(v)) != 0) hops = std::min(hops, hops_[u][v]);
      }
    }
    return hops;
  }

  // Steps after the first time that a packet enters a part, at one of `entries`, before all of it has it. If
  // there is but one entry only nodes of the part inform others: the number of those that know at most
  // doubles.
  std::uint32_t steps_within(NodeSet part, NodeSet entries) const {
    const bool doubles = std::popcount(entries) == 1;
    std::uint32_t steps = 0;
    NodeSet near = entries;
    for (int know = 1; doubles ? know < std::popcount(part) : near != part; ++steps) {
      NodeSet next = near;
      for (NodeId v = 0; v < n_; ++v) next |= (near & only(v)) != 0 ? out_of_[v] & part : 0;
      near = next;
      know = std::min(2 * know, std::popcount(near));
    }
    return steps;
  }

  std::string listed(NodeSet nodes) const {
    std::string text = "{";
    for (NodeId v = 0; v < n_; ++v) {
      if ((nodes & only(v)) != 0) text += (text.size() == 1 ? "" : " ") + std::to_string(v);
    }
    return text + "}";
  }

  // The packets of all other nodes have to get to this one.
  void flow_to(NodeId node) {
    std::vector<std::uint32_t> supply = packets_at_, wanted(n_, 0);
    supply[node] = 0;
    wanted[node] = gossip_.packets() - packets_at_[node];
    while (unrolled_flow(gossip_, supply, wanted, static_cast<std::uint32_t>(best_.steps)) < wanted[node]) {
      consider(best_.steps + 1, [&] {
        return fmt::format("{} packets for node {}, by maximum flow through the network unrolled in time",
                           wanted[node], node);
      });
    }
  }

  const Gossip& gossip_;
  NodeId n_;
  std::vector<std::vector<std::uint32_t>> hops_;
  std::vector<NodeSet> out_of_;
  std::vector<std::uint32_t> packets_at_;
  NodeSet origins_ = 0;
  std::uint64_t longest_wait_ = 0;  // of a packet before and after a send
  std::vector<NodeSet> reach_, parts_;
  LowerBound best_;
};

void check(const Gossip& gossip) {
  if (gossip.nodes > kMaxNodesForGossipBound)
    throw std::invalid_argument(
        fmt::format("a gossip of {} nodes: expected at most {}", gossip.nodes, kMaxNodesForGossipBound));
  for (const DirectedLink& link : gossip.links) {
    if (std::max(link.from, link.to) >= gossip.nodes)
      throw std::invalid_argument(fmt::format("link from {} to {}: expected nodes from 0 to {}", link.from,
                                              link.to, gossip.nodes - 1));
  }
  for (const NodeId o : gossip.origin) {
    if (o >= gossip.nodes)
      throw std::invalid_argument(
          fmt::format("origin {}: expected a node from 0 to {}", o, gossip.nodes - 1));
  }
}

}  // namespace

LowerBound gossip_step_bound(const Gossip& gossip) {
  check(gossip);
  return GossipBounds(gossip).largest();
}

LowerBound sender_sets_bound(const Gossip& gossip, std::uint64_t known, std::uint64_t enough) {
  check(gossip);
  if (gossip.nodes > kMaxNodesForAllSenders || !gossip.sends_one || gossip.packets() == 0) return {};
  return GossipBounds(gossip).of_sets(known, enough);
}

}  // namespace safnet
