#include "cpp_model/algorithm/partial/line_broadcast.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kTransitRank = 0, kOwnRank = 1;

std::vector<std::uint32_t> packets_of_nodes(const Problem& problem) {
  const Collective collective = collective_of(problem);
  std::vector<std::uint32_t> packets;
  for (NodeId v = 0; v < problem.graph.node_count(); ++v) packets.push_back(collective.own_packets(v));
  return packets;
}

// Labels are {way, source}; way 0: up, to higher numbers, 1: down, 2: both. A packet leaves node v towards a
// neighbour unless it has gone as far as its kind goes that way.
struct Line {
  NodeId nodes = 0;
  bool is_ring = false;

  NodeId source(Label label) const { return label % nodes; }
  bool goes(NodeId v, Label label, bool up) const {
    const Label way = label / nodes;
    const NodeId from = source(label);
    if (!is_ring) return up ? v >= from && v + 1 < nodes : v <= from && v > 0;
    const NodeId gone = up ? (v + nodes - from) % nodes : (from + nodes - v) % nodes;
    if (way < 2) return (way == 0) == up && gone + 1 < nodes;
    const NodeId furthest = up ? nodes / 2 : (nodes - 1) / 2;
    // A whole packet that has come round the other way has been passed on as far as half-way already.
    return gone < furthest;
  }
};

Policy pass_on_first(const Problem& problem) {
  const Graph graph = problem.graph;
  const bool halves = problem.pieces == 2;
  const Line line{graph.node_count(), ring_length(graph) != 0};
  const std::vector<std::uint32_t> packets = packets_of_nodes(problem);
  Policy policy;
  policy.label_count = 3 * line.nodes;
  policy.rank_levels = 2;
  policy.host_packets = *std::ranges::max_element(packets);
  policy.queue_bound = std::accumulate(packets.begin(), packets.end(), std::uint64_t{0});
  policy.table = [graph, line](NodeId v, Label label) {
    TableEntry entry;
    entry.rank = kTransitRank;
    entry.deliver = v != line.source(label);
    for (const bool up : {true, false}) {
      if (!line.goes(v, label, up)) continue;
      const NodeId next = (v + (up ? 1 : line.nodes - 1)) % line.nodes;
      entry.output_mask |= port_bit(*graph.port_to(v, next));
    }
    return entry;
  };
  policy.injections = [line, halves, packets](NodeId v) {
    std::vector<Injection> own;
    for (std::uint32_t tag = 0; tag < packets[v]; ++tag)
      own.push_back({(halves ? tag % 2 : 2) * line.nodes + v, tag, kOwnRank});
    return own;
  };
  return policy;
}

std::string why_not_line(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  if (linear_array_length(problem.graph) == 0 && ring_length(problem.graph) < 3)
    return "needs a linear array, or a ring of 3 nodes or more";
  if (problem.active.empty()) return "needs --active";
  return {};
}

Algorithm base(std::string name, std::string description, std::string domain) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kConcurrentBroadcast,
          .source = "meshes 2, Theorem 2",
          .description = std::move(description),
          .domain = std::move(domain),
          .why_not = why_not_line,
          .policy = pass_on_first,
          .knows_messages = true};
}

}  // namespace

std::vector<Algorithm> line_broadcast_algorithms() {
  Algorithm whole =
      base("pass-on-first", "what arrives leaves first; a node's own packet where a slot is empty",
           "linear arrays and rings, all-port");
  whole.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const NodeId n = p.graph.node_count();
    const std::uint64_t packets = p.active.size() * p.messages;
    if (linear_array_length(p.graph) != 0) return packets + n - 2;
    const bool one_each = packets == n && std::ranges::adjacent_find(p.active) == p.active.end();
    return one_each ? std::optional<std::uint64_t>(n / 2) : std::nullopt;
  };

  Algorithm halves = base("pass-on-first-halves",
                          "the same with the halves of every packet, one each way round", "rings, all-port");
  halves.why_not = [](const Problem& p) -> std::string {
    if (std::string reason = why_not_line(p); !reason.empty()) return reason;
    return ring_length(p.graph) != 0 ? "" : "needs a ring";
  };
  halves.pieces = [](const Problem&) { return 2U; };
  halves.closed_form = [](const Problem& p) {
    return p.active.size() * p.messages + p.graph.node_count() - 2;
  };
  halves.chosen_by_name_only = true;  // its steps are half as long, so they do not compare
  return {whole, halves};
}

}  // namespace safnet
