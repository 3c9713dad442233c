#include "cpp_model/bound/bound_witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Links that the search for two processors furthest apart may look at: some milliseconds.
constexpr std::uint64_t kMostLinksSearched = std::uint64_t{1} << 21;

BoundWitness quotient(WitnessKind kind, std::vector<NodeId> nodes, std::uint64_t packets,
                      std::uint64_t at_once, std::uint64_t before, std::uint64_t after) {
  return {kind, std::move(nodes), {}, {}, packets, at_once, before, after, {}};
}

// The processor that is furthest by these distances; of several the first.
NodeId furthest_processor(const Graph& graph, const std::vector<std::uint32_t>& distance) {
  const auto end = distance.begin() + graph.processor_count();
  return static_cast<NodeId>(std::max_element(distance.begin(), end) - distance.begin());
}

// Two processors that are furthest apart: the first such pair among those looked at. On a graph with
// translations all nodes are alike, so one search is enough.
std::pair<NodeId, NodeId> furthest_pair(const Graph& graph) {
  std::pair<NodeId, NodeId> best{0, 0};
  std::uint32_t most = 0;
  std::uint64_t looked_at = 0;
  const NodeId sources = graph.translations() ? 1 : graph.processor_count();
  for (NodeId v = 0; v < sources && looked_at <= kMostLinksSearched; ++v) {
    looked_at += graph.link_count() + graph.node_count();
    const std::vector<std::uint32_t> distance = graph.distances_from(v);
    const NodeId furthest = furthest_processor(graph, distance);
    if (distance[furthest] <= most) continue;
    most = distance[furthest];
    best = {v, furthest};
  }
  return best;
}

// Replaces the two ends by all nodes of a shortest path between them, and adds its links.
void add_path(BoundWitness& witness, const Graph& graph) {
  NodeId from = witness.nodes.front(), to = witness.nodes.back();
  const bool furthest = (from == kNoNode) != (to == kNoNode);
  if (from == kNoNode && to == kNoNode) {
    std::tie(from, to) = furthest_pair(graph);
  } else if (from == kNoNode) {
    from = furthest_processor(graph, graph.distances_to(to));
  } else if (to == kNoNode) {
    to = furthest_processor(graph, graph.distances_from(from));
  }
  const std::vector<std::uint32_t> to_go = graph.distances_to(to);
  witness.nodes.assign(1, from);
  for (NodeId at = from; at != to; at = witness.nodes.back()) {
    PortId port = 0;
    while (to_go[graph.peer(at, port).node] + 1 != to_go[at]) ++port;
    witness.links.push_back(graph.link(at, port));
    witness.nodes.push_back(graph.peer(at, port).node);
  }
  if (!witness.count.empty()) return;
  const std::string hops = counted(witness.links.size(), "hop");
  witness.count = furthest ? fmt::format("the furthest node is {} away", hops)
                           : fmt::format("these nodes are {} apart", hops);
}

void add_links(BoundWitness& witness, const Graph& graph) {
  if (witness.kind == WitnessKind::kReceiving) {
    for (const NodeId v : witness.nodes) {
      for (PortId q = 0; q < graph.in_degree(v); ++q) {
        const Endpoint source = graph.feeder(v, q);
        witness.links.push_back(graph.link(source.node, source.port));
      }
    }
    std::sort(witness.links.begin(), witness.links.end());
    return;
  }
  std::vector<std::uint8_t> inside(graph.node_count(), 0);
  if (witness.kind == WitnessKind::kCut) {
    for (const NodeId v : witness.nodes) inside[v] = 1;
  }
  for (const NodeId v : witness.nodes) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      if (inside[graph.peer(v, p).node] == 0) witness.links.push_back(graph.link(v, p));
    }
  }
}

// "64 packets must cross these 8 links, none in the first step".
std::string words_of(const BoundWitness& witness) {
  const bool cut = witness.kind == WitnessKind::kCut;
  const std::size_t size = cut ? witness.links.size() : witness.nodes.size();
  const char* noun = cut ? "link" : "node";
  std::string words =
      fmt::format("{} must {} {}", counted(witness.packets, "packet"),
                  cut                                     ? "cross"
                  : witness.kind == WitnessKind::kSending ? "leave"
                                                          : "reach",
                  size == 1 ? fmt::format("this {}", noun) : fmt::format("these {} {}s", size, noun));
  if (!cut || witness.at_once != size) words += fmt::format(", {} at a time", witness.at_once);
  const auto steps = [](const char* which, std::uint64_t number) {
    return number == 1 ? fmt::format("the {} step", which) : fmt::format("the {} {} steps", which, number);
  };
  if (witness.before != 0) words += ", none in " + steps("first", witness.before);
  if (witness.after != 0)
    words += (witness.before != 0 ? " and " : ", none in ") + steps("last", witness.after);
  return words;
}

}  // namespace

const char* to_string(WitnessKind kind) {
  switch (kind) {
    case WitnessKind::kSending:
      return "sending";
    case WitnessKind::kReceiving:
      return "receiving";
    case WitnessKind::kCut:
      return "cut";
    case WitnessKind::kPath:
      return "path";
    case WitnessKind::kPrices:
      return "prices";
    default:
      return "network";
  }
}

BoundWitness must_leave(NodeId v, std::uint64_t packets, std::uint64_t at_once, std::uint64_t before,
                        std::uint64_t after) {
  return quotient(WitnessKind::kSending, {v}, packets, at_once, before, after);
}

BoundWitness must_reach(NodeId v, std::uint64_t packets, std::uint64_t at_once, std::uint64_t before,
                        std::uint64_t after) {
  return quotient(WitnessKind::kReceiving, {v}, packets, at_once, before, after);
}

BoundWitness must_cross(const std::vector<std::uint8_t>& from, std::uint64_t packets, std::uint64_t at_once,
                        std::uint64_t before, std::uint64_t after) {
  std::vector<NodeId> nodes = marked_nodes(from);
  if (nodes.size() + 1 == from.size() && from.size() > 2) {
    const auto outside = std::find(from.begin(), from.end(), std::uint8_t{0});
    return must_reach(static_cast<NodeId>(outside - from.begin()), packets, at_once, before, after);
  }
  const WitnessKind kind = nodes.size() == 1 ? WitnessKind::kSending : WitnessKind::kCut;
  return quotient(kind, std::move(nodes), packets, at_once, before, after);
}

BoundWitness way_between(NodeId from, NodeId to) { return stated_witness(WitnessKind::kPath, {from, to}); }

BoundWitness stated_witness(WitnessKind kind, std::vector<NodeId> nodes, std::string count) {
  return {kind, std::move(nodes), {}, std::move(count)};
}

std::vector<NodeId> marked_nodes(const std::vector<std::uint8_t>& marks) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < marks.size(); ++v) {
    if (marks[v] != 0) nodes.push_back(v);
  }
  return nodes;
}

BoundWitness turned_round(BoundWitness witness, NodeId nodes) {
  if (!witness.count.empty()) witness.count += ", seen backwards in time";
  std::swap(witness.before, witness.after);
  if (witness.kind == WitnessKind::kSending) {
    witness.kind = WitnessKind::kReceiving;
  } else if (witness.kind == WitnessKind::kReceiving) {
    witness.kind = WitnessKind::kSending;
  } else if (witness.kind == WitnessKind::kPath) {
    std::reverse(witness.nodes.begin(), witness.nodes.end());
  } else if (witness.kind == WitnessKind::kCut) {
    std::vector<std::uint8_t> others(nodes, 1);
    for (const NodeId v : witness.nodes) others[v] = 0;
    witness.nodes = marked_nodes(others);
  }
  return witness;
}

void finish_witness(BoundWitness& witness, const Graph& graph, const std::string& reason) {
  if (witness.kind == WitnessKind::kPath) {
    add_path(witness, graph);
  } else if (witness.kind != WitnessKind::kNetwork && witness.kind != WitnessKind::kPrices) {
    add_links(witness, graph);
  }
  if (witness.count.empty()) witness.count = witness.packets != 0 ? words_of(witness) : reason;
  witness.count += witness.remark;
}

}  // namespace safnet
