#include "cpp_model/optimum/gossip_step_bound.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>

#include "cpp_model/bound/unrolled_flow.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using NodeSet = std::uint64_t;

class GossipBounds {
 public:
  explicit GossipBounds(const Gossip& gossip)
      : gossip_(gossip),
        n_(gossip.nodes),
        wiring_(wiring_of(gossip)),
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
    return best_.value();
  }

  /// The first bound above `known`, over all sets of senders, that reaches `enough`; otherwise the largest.
  LowerBound of_sets(std::uint64_t known, std::uint64_t enough) {
    best_ = LargestBound({known, "", ""});
    const NodeSet all = NodeSet{1} << n_;
    for (NodeSet senders = 1; senders < all && best_.steps() < enough; ++senders) sends_of(senders);
    if (n_ > kMaxNodesForAllTrees) return best_.value().reason.empty() ? LowerBound{} : best_.value();
    find_last_sends();
    for (NodeSet senders = 1; senders < all && best_.steps() < enough; ++senders) trees_of(senders);
    return best_.value().reason.empty() ? LowerBound{} : best_.value();
  }

 private:
  static NodeSet only(NodeId v) { return NodeSet{1} << v; }
  static bool has(NodeSet set, NodeId v) { return (set & only(v)) != 0; }
  auto members(NodeSet set) const {
    return std::views::iota(NodeId{0}, n_) | std::views::filter([set](NodeId v) { return has(set, v); });
  }
  // All nodes that a link from one of `nodes` leads to.
  NodeSet beyond(NodeSet nodes) const {
    NodeSet reached = 0;
    for (const NodeId v : members(nodes)) reached |= out_of_[v];
    return reached;
  }

  void furthest_node() {
    for (NodeId o = 0; o < n_; ++o) {
      if (packets_at_[o] == 0) continue;
      const std::uint32_t furthest = *std::max_element(hops_[o].begin(), hops_[o].end());
      if (furthest == kUnreachable) throw bad_input("node {}: expected ways from it to all others", o);
      best_.consider(
          furthest, [&] { return fmt::format("eccentricity of node {}", o); }, way_between(o, kNoNode));
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
    // A single origin of all packets never receives anything new.
    const std::uint64_t receivers = within[0] == 1 ? n_ - 1 : n_;
    while (sent < needed) {
      ++steps;
      sent += gossip_.receives_one ? std::min(informed, receivers) : informed;
      informed = std::min(2 * informed, within[std::min<std::uint64_t>(steps, n_)]);
    }
    best_.consider(steps, [&] {
      return fmt::format("{} packets to send, and who can have anything to send in each step", needed);
    });
  }

  // The first argument of sender_sets_bound(): sends that the parts need without the links of `senders`.
  void sends_of(NodeSet senders) {
    std::vector<NodeSet>& reach = reach_;
    for (NodeId v = 0; v < n_; ++v) reach[v] = only(v) | (has(senders, v) ? 0 : out_of_[v]);
    for (NodeId middle = 0; middle < n_; ++middle) {
      for (NodeId v = 0; v < n_; ++v) {
        if (has(reach[v], middle)) reach[v] |= reach[middle];
      }
    }
    std::vector<NodeSet>& parts = parts_;
    parts.clear();
    NodeSet in_parts = 0;
    for (NodeId v = 0; v < n_; ++v) {
      if (has(in_parts, v)) continue;
      NodeSet leads_to_v = 0;
      for (NodeId u = 0; u < n_; ++u) leads_to_v |= has(reach[u], v) ? only(u) : 0;
      if ((leads_to_v & ~reach[v]) != 0) continue;
      parts.push_back(leads_to_v);
      in_parts |= leads_to_v;
    }
    std::uint64_t needed = 0;
    for (NodeId o = 0; o < n_; ++o) needed += packets_at_[o] * (parts.size() - (has(in_parts, o) ? 1 : 0));
    const auto size = static_cast<std::uint64_t>(std::popcount(senders));
    if (divide_up(needed, size) + longest_wait_ > best_.steps()) time_sends_of(senders);
  }

  void time_sends_of(NodeSet senders) {
    struct Needed {
      std::uint32_t before, after, times;  // steps before such a send and after it
    };
    std::vector<Needed> sends;
    NodeSet useful = 0;  // senders with a link into a part
    std::uint32_t latest = 0, longest = 0;
    for (const NodeSet part : parts_) {
      NodeSet from = 0, entries = 0;
      for (const DirectedLink& link : gossip_.links) {
        if (!has(senders, link.from) || !has(part, link.to) || has(part, link.from)) continue;
        from |= only(link.from);
        entries |= only(link.to);
      }
      useful |= from;
      const std::uint32_t after = steps_within(part, entries, std::popcount(from));
      longest = std::max(longest, after);
      for (NodeId o = 0; o < n_; ++o) {
        if (packets_at_[o] == 0 || has(part, o)) continue;
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
        for (const NodeId v : members(useful))
          unused.push_back(std::max(before, nearest(origins_, only(v))) + after);
        best_.consider(
            steps_of_late_servers(needed, std::move(unused)),
            [&] {
              return fmt::format("nodes {} send {} packets one by one into parts that only they lead to",
                                 listed(senders), needed);
            },
            [&] { return sent_by(senders, needed); });
      }
    }
  }

  // Hops from the nearest of some nodes to the nearest of others.
  std::uint32_t nearest(NodeSet from, NodeSet to) const {
    std::uint32_t hops = kUnreachable;
    for (const NodeId u : members(from)) {
      for (const NodeId v : members(to)) hops = std::min(hops, hops_[u][v]);
    }
    return hops;
  }

  // Steps from when a packet first enters a part, at one of `entries`, until all of the part has it. In each
  // step every informed node of the part informs one more, and `from_outside` senders inform entries; a
  // single entry is informed already.
  std::uint32_t steps_within(NodeSet part, NodeSet entries, int from_outside) const {
    const int more = std::popcount(entries) == 1 ? 0 : from_outside;
    std::uint32_t steps = 0;
    NodeSet near = entries;
    for (int know = std::max(1, std::min(more, std::popcount(entries))); know < std::popcount(part);
         ++steps) {
      near |= beyond(near) & part;
      know = std::min(2 * know + more, std::popcount(near));
    }
    return steps;
  }

  // rest_[v]: steps that must follow the last useful send of v: over all links of v and all packets, the
  // fewest hops from the receiver to the furthest node that the packet reaches only through it.
  void find_last_sends() {
    rest_.assign(n_, kUnreachable);
    for (const DirectedLink& link : gossip_.links) {
      for (NodeId o = 0; o < n_; ++o) {
        if (packets_at_[o] == 0 || o == link.to) continue;
        const NodeSet informed = reached_without(o, link.to);
        if (!has(informed, link.from)) continue;  // link.to informed link.from
        std::uint32_t furthest = 0;
        for (NodeId v = 0; v < n_; ++v) {
          if (!has(informed, v)) furthest = std::max(furthest, hops_[link.to][v]);
        }
        rest_[link.from] = std::min(rest_[link.from], furthest);
      }
    }
  }
  NodeSet reached_without(NodeId start, NodeId closed) const {
    NodeSet reached = only(start);
    for (NodeSet before = 0; before != reached;) {
      before = reached;
      reached |= beyond(before) & ~only(closed);
    }
    return reached;
  }

  // The second argument of sender_sets_bound(): sends of `senders` in the trees in which they send least.
  void trees_of(NodeSet senders) {
    std::uint64_t needed = 0;
    for (NodeId o = 0; o < n_; ++o)
      needed += packets_at_[o] == 0 ? 0 : packets_at_[o] * fewest_sends_in_tree(senders, o);
    std::vector<std::uint32_t> unused;
    for (const NodeId v : members(senders)) {
      if (rest_[v] != kUnreachable) unused.push_back(nearest(origins_, only(v)) + rest_[v]);
    }
    if (unused.empty()) return;
    best_.consider(
        steps_of_late_servers(needed, std::move(unused)),
        [&] {
          return fmt::format("nodes {} send {} packets one by one in any trees, and when they can be of use",
                             listed(senders), needed);
        },
        [&] { return sent_by(senders, needed); });
  }

  // Chu and Liu's algorithm: links of the senders cost 1 and others nothing.
  std::uint64_t fewest_sends_in_tree(NodeSet senders, NodeId root) const {
    struct Arc {
      NodeId from, to;
      std::int32_t cost;
    };
    std::vector<Arc> arcs;
    for (const DirectedLink& link : gossip_.links)
      arcs.push_back({link.from, link.to, has(senders, link.from) ? 1 : 0});
    std::int32_t total = 0;
    for (NodeId nodes = n_;;) {
      std::vector<std::int32_t> least(nodes, 2);
      std::vector<NodeId> parent(nodes, kNoNode), circle(nodes, kNoNode), seen(nodes, kNoNode);
      for (const Arc& arc : arcs) {
        if (arc.from == arc.to || arc.to == root || arc.cost >= least[arc.to]) continue;
        least[arc.to] = arc.cost;
        parent[arc.to] = arc.from;
      }
      least[root] = 0;
      NodeId circles = 0;
      for (NodeId v = 0; v < nodes; ++v) {
        total += least[v];
        NodeId u = v;
        while (u != root && seen[u] != v && circle[u] == kNoNode) {
          seen[u] = v;
          u = parent[u];
        }
        if (u == root || circle[u] != kNoNode) continue;
        for (NodeId w = parent[u]; w != u; w = parent[w]) circle[w] = circles;
        circle[u] = circles++;
      }
      if (circles == 0) return static_cast<std::uint64_t>(total);
      NodeId after = circles;
      for (NodeId v = 0; v < nodes; ++v) {
        if (circle[v] == kNoNode) circle[v] = after++;
      }
      for (Arc& arc : arcs) {
        if (circle[arc.from] != circle[arc.to]) arc.cost -= least[arc.to];
        arc.from = circle[arc.from];
        arc.to = circle[arc.to];
      }
      root = circle[root];
      nodes = after;
    }
  }

  BoundWitness sent_by(NodeSet senders, std::uint64_t packets) const {
    auto nodes = members(senders);
    return stated_witness(
        WitnessKind::kSending, {nodes.begin(), nodes.end()},
        fmt::format("{} must leave {}, one by one, when they can be of use", counted(packets, "packet"),
                    std::has_single_bit(senders) ? "this node"
                                                 : fmt::format("these {} nodes", std::popcount(senders))));
  }
  std::string listed(NodeSet nodes) const { return fmt::format("{{{}}}", fmt::join(members(nodes), " ")); }

  // The packets of all other nodes flow to `node`: raises the bound until there is room for them.
  void flow_to(NodeId node) {
    std::vector<std::uint64_t> supply(packets_at_.begin(), packets_at_.end()), wanted(n_, 0);
    supply[node] = 0;
    wanted[node] = gossip_.packets() - packets_at_[node];
    while (unrolled_flow(wiring_, at_once(gossip_), supply, wanted,
                         static_cast<std::uint32_t>(best_.steps())) < wanted[node]) {
      best_.consider(
          best_.steps() + 1,
          [&] {
            return fmt::format("{} packets for node {}, by maximum flow through the network unrolled in time",
                               wanted[node], node);
          },
          stated_witness(WitnessKind::kReceiving, {node},
                         fmt::format("{} must flow to this node, which takes so long by maximum flow",
                                     counted(wanted[node], "packet"))));
    }
  }

  const Gossip& gossip_;
  NodeId n_;
  Wiring wiring_;
  std::vector<std::vector<std::uint32_t>> hops_;
  std::vector<NodeSet> out_of_;
  std::vector<std::uint32_t> packets_at_;
  NodeSet origins_ = 0;
  std::uint64_t longest_wait_ = 0;  // largest steps of a packet before plus after a send
  std::vector<NodeSet> reach_, parts_;
  std::vector<std::uint32_t> rest_;  // by node: steps after its last send that is of any use
  LargestBound best_;
};

void check(const Gossip& gossip) {
  if (gossip.nodes > kMaxNodesForGossipBound)
    throw bad_input("a gossip of {} nodes: expected at most {}", gossip.nodes, kMaxNodesForGossipBound);
  for (const DirectedLink& link : gossip.links) {
    if (std::max(link.from, link.to) >= gossip.nodes)
      throw bad_input("link from {} to {}: expected nodes from 0 to {}", link.from, link.to,
                      gossip.nodes - 1);
  }
  for (const NodeId o : gossip.origin) {
    if (o >= gossip.nodes) throw bad_input("origin {}: expected a node from 0 to {}", o, gossip.nodes - 1);
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
