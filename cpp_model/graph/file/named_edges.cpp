#include "cpp_model/graph/file/named_edges.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "cpp_model/graph/file/notes.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/graph/routers.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Numbers of nodes that are called 0 ... n-1; otherwise the order of their appearance.
std::vector<NodeId> node_numbers(const std::vector<std::string>& names) {
  // If n different names are numbers below n, without leading zeros, each of 0 ... n-1 is one of them.
  std::vector<NodeId> in_order(names.size()), as_called;
  for (NodeId v = 0; v < names.size(); ++v) {
    in_order[v] = v;
    const std::optional<std::uint64_t> number = parse_decimal(names[v]);
    const bool padded = names[v].size() > 1 && names[v].front() == '0';
    if (!number || padded || *number >= names.size() || as_called.size() < v) continue;
    as_called.push_back(static_cast<NodeId>(*number));
  }
  return as_called.size() == names.size() ? as_called : in_order;
}

using NodePair = std::pair<NodeId, NodeId>;

struct Edges {
  std::vector<NodePair> ends;
  std::vector<EdgeLatency> latencies;
  EdgeLatency latency(std::size_t edge) const { return latencies.empty() ? EdgeLatency{} : latencies[edge]; }
};

// Each full-duplex edge once: the first of every two opposite edges. Nothing if an edge has no opposite.
std::optional<Edges> without_opposites(const NamedEdges& file) {
  std::map<NodePair, std::vector<std::size_t>> waiting;  // edges whose opposite has not been seen
  std::vector<bool> is_second(file.edges.size());
  std::vector<EdgeLatency> latencies = file.latencies;
  for (std::size_t i = 0; i < file.edges.size(); ++i) {
    const auto [u, v] = file.edges[i];
    const auto opposite = waiting.find({v, u});
    if (opposite == waiting.end()) {
      waiting[{u, v}].push_back(i);
      continue;
    }
    is_second[i] = true;
    if (!latencies.empty()) latencies[opposite->second.back()].back = latencies[i].there;
    opposite->second.pop_back();
    if (opposite->second.empty()) waiting.erase(opposite);
  }
  if (!waiting.empty()) return std::nullopt;
  Edges edges;
  for (std::size_t i = 0; i < file.edges.size(); ++i) {
    if (is_second[i]) continue;
    edges.ends.push_back(file.edges[i]);
    if (!latencies.empty()) edges.latencies.push_back(latencies[i]);
  }
  return edges;
}

void drop_repeated(NamedEdges& file) {
  std::set<NodePair> seen;
  std::vector<NodePair> edges;
  std::vector<EdgeLatency> latencies;
  for (std::size_t i = 0; i < file.edges.size(); ++i) {
    const NodePair& edge = file.edges[i];
    if (!seen.insert(file.directed ? edge : NodePair(std::minmax(edge.first, edge.second))).second) continue;
    edges.push_back(edge);
    if (!file.latencies.empty()) latencies.push_back(file.latencies[i]);
  }
  file.edges = std::move(edges);
  file.latencies = std::move(latencies);
}

// The first node that no path leads to from node 0, over edges in their direction, against it, or both;
// kNoNode if there is none.
NodeId first_unreached(const std::vector<NodePair>& edges, std::size_t nodes, bool forwards, bool backwards) {
  std::vector<std::vector<NodeId>> next(nodes);
  for (const auto& [u, v] : edges) {
    if (forwards) next[u].push_back(v);
    if (backwards) next[v].push_back(u);
  }
  std::vector<bool> is_reached(nodes);
  is_reached[0] = true;
  std::vector<NodeId> open{0};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    for (const NodeId u : next[at]) {
      if (!is_reached[u]) open.push_back(u);
      is_reached[u] = true;
    }
  }
  const auto missed = std::find(is_reached.begin(), is_reached.end(), false);
  return missed == is_reached.end() ? kNoNode : static_cast<NodeId>(missed - is_reached.begin());
}

}  // namespace

bool is_node_name(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return !number && name.size() <= kLongestNodeName && std::all_of(name.begin(), name.end(), legal);
}

bool is_router_type(std::string_view type) {
  const auto small = [](std::string_view word) {
    std::string result(word);
    for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return result;
  };
  return small(type) == "switch" || small(type) == "router";
}

bool is_link_speed(std::string_view attribute) {
  constexpr std::string_view kSpeeds[] = {"bandwidth", "bw",   "capacity", "cost",  "delay",
                                          "latency",   "rate", "speed",    "weight"};
  return std::find(std::begin(kSpeeds), std::end(kSpeeds), attribute) != std::end(kSpeeds);
}

std::optional<NodeId> NameTable::number_of(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (names_.size() == kMaxNodes) return std::nullopt;
  const auto number = static_cast<NodeId>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), number);
  return number;
}

void note_latencies(const Graph& graph, const std::string& shown) {
  if (!graph.has_unequal_links()) return;
  note("file '{}': links take up to {} cycles more than the quickest; --link-latency says what that takes",
       shown, graph.largest_own_latency());
}

Graph graph_of_named_edges(NamedEdges file, const std::string& shown, std::string spelling) {
  const BadFile wrong(shown);
  const auto name = [&](NodeId v) { return in_quotes(file.names[v]); };
  if (file.edges.empty()) throw wrong("no edges; expected a connected network");
  for (const auto& [u, v] : file.edges) {
    if (u == v) throw wrong("edge {0} {0}: a node cannot be connected to itself", name(u));
  }
  if (file.strict) drop_repeated(file);
  const Edges as_listed{file.edges, file.latencies};
  const std::optional<Edges> paired = file.directed ? without_opposites(file) : std::optional(as_listed);
  const Edges& edges = paired ? *paired : as_listed;

  const std::vector<NodeId> numbers = node_numbers(file.names);
  PortNumbering ports(file.names.size(), paired ? LinkPairs::kAll : LinkPairs::kNotAll);
  for (std::size_t i = 0; i < edges.ends.size(); ++i) {
    const auto [u, v] = edges.ends[i];
    const NodeId from = numbers[u], to = numbers[v];
    if (const auto full = ports.full_end(from, to)) {
      throw wrong("edge {} {}: node {} has more than {} links", name(u), name(v), name(*full == from ? u : v),
                  kMaxDegree);
    }
    ports.connect(from, to, edges.latency(i));
  }
  const std::size_t nodes = file.names.size();
  if (const NodeId cut_off = first_unreached(edges.ends, nodes, true, paired.has_value());
      cut_off != kNoNode) {
    throw wrong("node {} cannot be reached from node {}; expected {} connected graph", name(cut_off), name(0),
                paired ? "a" : "a strongly");
  }
  if (const NodeId end = paired ? kNoNode : first_unreached(edges.ends, nodes, false, true); end != kNoNode)
    throw wrong("node {} cannot reach node {}; expected a strongly connected graph", name(end), name(0));
  std::vector<bool> routes(nodes);
  for (const NodeId v : file.routers) routes[numbers[v]] = true;
  if (file.names.size() < file.routers.size() + 2) {
    throw wrong("{} of {} nodes only route; expected two or more that process", file.routers.size(),
                file.names.size());
  }
  if (!file.unused.empty()) {
    note("file '{}': {} of edges is not used; --timed says how links differ", shown,
         printable(fmt::format("{}", fmt::join(file.unused, ", "))));
  }
  Graph graph = std::move(ports).graph(spelling);
  note_latencies(graph, shown);
  if (std::all_of(file.names.begin(), file.names.end(), is_node_name)) {
    const auto names = std::make_shared<const std::vector<std::string>>(std::move(file.names));
    graph = graph.with_node_names([names](NodeId v) { return (*names)[v]; });
  }
  return file.routers.empty() ? graph : with_routers(graph, routes, std::move(spelling));
}

}  // namespace safnet
