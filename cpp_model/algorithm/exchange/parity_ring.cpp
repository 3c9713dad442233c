#include "cpp_model/algorithm/exchange/parity_ring.hpp"

#include <algorithm>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"

namespace safnet {
namespace {

struct EvenRing {
  NodeId n;
  // Hops of a label from v to its destination, in its direction.
  NodeId hops(NodeId v, Label label) const {
    return label < n ? (label + n - v) % n : (v + n - (label - n)) % n;
  }
  Label label(NodeId source, NodeId destination) const {
    const NodeId clockwise = (destination + n - source) % n;
    const bool goes_clockwise = 2 * clockwise < n || (2 * clockwise == n && source % 2 == 0);
    return goes_clockwise ? destination : destination + n;
  }
};

// `closest_queued`: the node's own packets are queued closest first, not furthest first as published.
Policy parity_policy(const Problem& problem, PriorityRule rule, bool closest_queued) {
  const EvenRing ring{problem.graph.node_count()};
  const NodeId half = ring.n / 2;
  const PortId counterclockwise = problem.graph.max_degree() - 1;  // ring:2 has one port only
  const auto rank = [rule, half](NodeId hops, bool local) { return priority_rank(rule, hops, half, local); };
  Policy policy;
  policy.label_count = 2 * ring.n;
  policy.host_packets = ring.n - 1;
  policy.rank_levels = std::max<std::uint32_t>(2, half);
  policy.conflict_free = true;
  policy.queue_bound = std::uint64_t{half} * (half + 1) / 2;
  policy.table = [ring, half, counterclockwise, rank](NodeId v, Label label) {
    TableEntry entry;
    const NodeId hops = ring.hops(v, label);
    if (hops == 0) {
      entry.deliver = true;
    } else if (hops <= half) {
      entry.output_mask = std::uint64_t{1} << (label < ring.n ? 0 : counterclockwise);
      entry.rank = rank(hops, false);
    }
    return entry;
  };
  policy.injections = [ring, rank, closest_queued](NodeId v) {
    std::vector<Injection> packets;
    for (NodeId offset = 1; offset < ring.n; ++offset) {
      const NodeId destination = (v + offset) % ring.n;
      const Label label = ring.label(v, destination);
      packets.push_back({label, destination, rank(ring.hops(v, label), true)});
    }
    std::stable_sort(packets.begin(), packets.end(), [&](const Injection& a, const Injection& b) {
      const NodeId hops_a = ring.hops(v, a.label), hops_b = ring.hops(v, b.label);
      return closest_queued ? hops_a < hops_b : hops_a > hops_b;
    });
    return packets;
  };
  return policy;
}

Algorithm parity_algorithm(std::string name, PriorityRule rule, std::string description,
                           bool closest_queued = false) {
  return {
      .name = std::move(name),
      .collective = CollectiveKind::kTotalExchange,
      .source = "thesis 4.3.2, Theorem 4.6",
      .description = std::move(description),
      .domain = "rings of an even number of nodes, all-port",
      .why_not = [](const Problem& p) -> std::string {
        if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
        const NodeId n = ring_length(p.graph);
        return n == 0 || n % 2 != 0 ? "needs a ring of an even number of nodes" : "";
      },
      .policy = [rule, closest_queued](const Problem& p) { return parity_policy(p, rule, closest_queued); },
      .closed_form = [rule, closest_queued](const Problem& p) -> std::optional<std::uint64_t> {
        const std::uint64_t n = p.graph.node_count();
        const std::uint64_t optimum = (n * n - 1 + 7) / 8;
        // The thesis gives no times for other orders than its own; these two came out of running them.
        if (closest_queued) return n % 4 == 0 ? optimum + 1 : optimum;
        return rule == PriorityRule::kClosestFirst ? optimum + n / 4 : optimum;
      }};
}

}  // namespace

std::vector<Algorithm> parity_ring_algorithms() {
  return {parity_algorithm(
              "parity-message-shift", PriorityRule::kMessageShift,
              "first in, first out; half-way packets of even nodes clockwise, of odd nodes counterclockwise"),
          parity_algorithm("parity-furthest-first", PriorityRule::kFurthestFirst,
                           "the same directions, the packet with the most hops to go first"),
          parity_algorithm("parity-closest-first", PriorityRule::kClosestFirst,
                           "the same directions, the packet with the fewest hops to go first"),
          parity_algorithm("parity-shift-closest-queued", PriorityRule::kMessageShift,
                           "parity-message-shift from queues that hold the closest packets first", true)};
}

}  // namespace safnet
