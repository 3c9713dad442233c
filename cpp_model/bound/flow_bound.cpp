#include "cpp_model/bound/flow_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/graph/maximum_flow.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

struct Gossip {
  const Wiring& wiring;
  const std::vector<std::uint64_t>& packets;
  PortModel ports;
  std::uint64_t all;  // packets
  NodeId nodes() const { return wiring.nodes(); }
  bool one_send() const { return ports != PortModel::kAllPort; }
};

// The fewest steps, from `at_least` on, in which `wanted` packets get through; `flow(steps)` says how many
// do. Returns `at_least` if no packet gets through: nothing is proved then.
template <class Flow>
std::uint64_t fewest_steps(std::uint64_t wanted, std::uint64_t at_least, const Flow& flow) {
  for (std::uint64_t steps = std::max<std::uint64_t>(at_least, 1);; ++steps) {
    const std::uint64_t through = flow(steps);
    if (through == wanted) return steps;
    if (through == 0) return at_least;
    steps = std::max(steps, divide_up(wanted * steps, through) - 1);
  }
}

// The fewest steps in which all packets flow to v, no matter in which order.
std::uint64_t steps_to_node(const Gossip& gossip, NodeId v, std::uint64_t at_least) {
  return fewest_steps(gossip.all - gossip.packets[v], at_least, [&](std::uint64_t steps) {
    const NodeId n = gossip.nodes();
    const std::uint32_t source = 2 * n;
    MaximumFlow flow(source + 1);
    // Node u is split into its input, u, and its output, n + u.
    for (NodeId u = 0; u < n; ++u) {
      if (u == v) continue;
      if (gossip.packets[u] != 0) flow.add(source, u, gossip.packets[u]);
      flow.add(u, n + u, gossip.one_send() ? steps : gossip.all);
      for (const NodeId to : gossip.wiring.targets_of(u)) flow.add(n + u, to, steps);
    }
    return flow.maximum(source, v);
  });
}

// The fewest steps in which nodes that send one packet per step can send their neighbours all that these
// lack, as if the senders had all packets from the start.
std::uint64_t steps_of_senders(const Gossip& gossip, std::uint64_t at_least) {
  const NodeId n = gossip.nodes();
  return fewest_steps(gossip.all * (n - 1), at_least, [&](std::uint64_t steps) {
    const std::uint32_t source = 2 * n, sink = source + 1;
    MaximumFlow flow(sink + 1);
    for (NodeId v = 0; v < n; ++v) {
      flow.add(source, v, steps);
      flow.add(n + v, sink, gossip.all - gossip.packets[v]);
      for (const NodeId u : gossip.wiring.targets_of(v)) flow.add(v, n + u, steps);
    }
    return flow.maximum(source, sink);
  });
}

// Nodes that get what they lack from too few neighbours for so many steps: those that a smallest cut of the
// flow in steps_of_senders() leaves on the side of the sink. They lack more than their neighbours can send.
BoundWitness fed_by_few(const Gossip& gossip, std::uint64_t too_few_steps) {
  const NodeId n = gossip.nodes();
  const Wiring back = gossip.wiring.reversed();
  const std::uint32_t source = 2 * n, sink = source + 1;
  MaximumFlow flow(sink + 1);
  std::vector<std::uint32_t> sent, taken;  // arcs, by node and by link
  for (NodeId v = 0; v < n; ++v) {
    sent.push_back(flow.add(source, v, too_few_steps));
    flow.add(n + v, sink, gossip.all - gossip.packets[v]);
    for (const NodeId u : gossip.wiring.targets_of(v))
      taken.push_back(flow.add(v, n + u, MaximumFlow::kUnlimited));
  }
  flow.maximum(source, sink);
  // A sender has room left, or a receiver of its packets can take them from such a sender instead.
  std::vector<std::uint8_t> sends_more(n), gets_enough(n, 0);
  for (NodeId v = 0; v < n; ++v) sends_more[v] = flow.flow(sent[v]) < too_few_steps ? 1 : 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId v = 0; v < n; ++v) {
      for (LinkId link = gossip.wiring.first[v]; link < gossip.wiring.first[v + 1]; ++link) {
        std::uint8_t& enough = gets_enough[gossip.wiring.target[link]];
        const bool forwards = sends_more[v] != 0 && enough == 0;
        const bool gives_back = enough != 0 && sends_more[v] == 0 && flow.flow(taken[link]) != 0;
        if (forwards) enough = 1;
        if (gives_back) sends_more[v] = 1;
        changed = changed || forwards || gives_back;
      }
    }
  }
  BoundWitness witness = stated_witness(WitnessKind::kReceiving, {});
  std::vector<std::uint8_t> feeds(n, 0);
  for (NodeId u = 0; u < n; ++u) {
    if (gets_enough[u] != 0) continue;
    witness.nodes.push_back(u);
    witness.packets += gossip.all - gossip.packets[u];
    for (const NodeId v : back.targets_of(u)) feeds[v] = 1;
  }
  witness.at_once = static_cast<std::uint64_t>(std::count(feeds.begin(), feeds.end(), 1));
  return witness;
}

std::uint64_t steps_of_doubling(const Gossip& gossip) {
  std::uint64_t wanted = gossip.all * (gossip.nodes() - 1), holders = 0, receivers = 0;
  for (const std::uint64_t count : gossip.packets) {
    holders += count != 0 ? 1 : 0;
    receivers += count != gossip.all ? 1 : 0;
  }
  const std::uint64_t most = gossip.ports == PortModel::kOnePort ? receivers : gossip.nodes();
  std::uint64_t steps = 0;
  while (wanted != 0 && holders < most) {
    wanted -= std::min(wanted, holders);
    holders *= 2;
    ++steps;
  }
  return steps + divide_up(wanted, most);
}

// Lengths of link-disjoint paths from root to node, as many as there are, so that for every k the first k are
// as short in total as k can be: successive shortest paths in the residual network, where a used link can be
// given back, which saves its hop.
std::vector<std::uint32_t> disjoint_path_lengths(const Wiring& wiring, NodeId root, NodeId node) {
  const NodeId n = wiring.nodes();
  std::vector<std::uint8_t> used(wiring.links(), 0);
  std::vector<std::uint32_t> lengths;
  std::vector<std::int64_t> distance(n);
  std::vector<LinkId> by(n);
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
  for (;;) {
    std::fill(distance.begin(), distance.end(), kFar);
    distance[root] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId u = 0; u < n; ++u) {
        for (LinkId link = wiring.first[u]; link < wiring.first[u + 1]; ++link) {
          const NodeId from = used[link] != 0 ? wiring.target[link] : u;
          const NodeId to = used[link] != 0 ? u : wiring.target[link];
          const std::int64_t length = distance[from] + (used[link] != 0 ? -1 : 1);
          if (distance[from] == kFar || length >= distance[to]) continue;
          distance[to] = length;
          by[to] = link;
          changed = true;
        }
      }
    }
    if (distance[node] == kFar) return lengths;
    lengths.push_back(static_cast<std::uint32_t>(distance[node]));
    for (NodeId at = node; at != root;) {
      const LinkId link = by[at];
      // The link's source: the last node whose links begin no later.
      const auto source = static_cast<NodeId>(
          std::upper_bound(wiring.first.begin(), wiring.first.end(), link) - wiring.first.begin() - 1);
      at = used[link] != 0 ? wiring.target[link] : source;
      used[link] ^= 1;
    }
  }
}

// Packets of one origin that node v gets over disjoint paths, each of so many hops after the first.
BoundWitness over_paths(NodeId v, std::uint64_t packets, const std::vector<std::uint32_t>& late) {
  const auto [least, most] = std::minmax_element(late.begin(), late.end());
  BoundWitness witness = must_reach(v, packets, late.size(), *least);
  witness.remark = *least == *most ? ", over ways without a common link"
                                   : ", over ways without a common link, some of them longer";
  return witness;
}

}  // namespace

LowerBound flow_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets, PortModel ports) {
  const Gossip gossip{wiring, packets, ports,
                      std::accumulate(packets.begin(), packets.end(), std::uint64_t{0})};
  const NodeId n = wiring.nodes();
  if (n < 2 || gossip.all == 0) return {};
  LargestBound best;
  if (gossip.one_send())
    best.consider(steps_of_doubling(gossip), "nodes that have packets double in a step at most");
  if (n > kMaxNodesForFlows) return best.value();
  const auto origin = std::find(packets.begin(), packets.end(), gossip.all);
  for (NodeId v = 0; v < n; ++v) {
    if (packets[v] == gossip.all) continue;
    if (origin != packets.end() && !gossip.one_send()) {
      const auto root = static_cast<NodeId>(origin - packets.begin());
      std::vector<std::uint32_t> late = disjoint_path_lengths(wiring, root, v);
      const std::size_t paths = late.size();
      for (std::uint32_t& length : late) --length;
      if (paths == 0) continue;
      best.consider(
          steps_of_late_servers(gossip.all, late),
          [&] {
            return fmt::format("{} packets flow to node {} over {} without a common link", gossip.all, v,
                               counted(paths, "path"));
          },
          [&] { return over_paths(v, gossip.all, late); });
    } else {
      const std::uint64_t wanted = gossip.all - packets[v];
      best.consider(
          steps_to_node(gossip, v, best.steps()),
          [&] { return fmt::format("{} packets flow to node {}", wanted, v); },
          [&] {
            return stated_witness(
                WitnessKind::kReceiving, {v},
                fmt::format("{} must flow to this node, which takes so long by maximum flow",
                            counted(wanted, "packet")));
          });
    }
  }
  if (gossip.one_send()) {
    const std::uint64_t steps = steps_of_senders(gossip, best.steps());
    best.consider(steps, "what sets of nodes lack comes from their neighbours, one packet a step each",
                  [&] { return fed_by_few(gossip, steps - 1); });
  }
  return best.value();
}

}  // namespace safnet
