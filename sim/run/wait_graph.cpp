#include "sim/run/wait_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <limits>
#include <numeric>

#include "cpp_model/graph/node_words.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxLooks = 100'000'000;
constexpr std::size_t kMaxLines = 20;
constexpr std::size_t kMaxNamed = 40;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The waits of each node, without those that lead out of its strong component, as those are on no cycle.
std::vector<std::vector<std::size_t>> waits_in_circles(NodeId node_count, const std::vector<Wait>& waits) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(node_count);
  for (const Wait& wait : waits) boost::add_edge(wait.node, wait.on, graph);
  std::vector<std::size_t> component(node_count);
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<std::size_t>> of_node(node_count);
  for (std::size_t w = 0; w < waits.size(); ++w) {
    if (component[waits[w].node] == component[waits[w].on]) of_node[waits[w].node].push_back(w);
  }
  return of_node;
}

// All waits of routers, from their own status outputs.
std::vector<Wait> waits_of(const Graph& graph, const std::function<NodeStatus(NodeId)>& status) {
  std::vector<Wait> waits;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeStatus here = status(v);
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const bool credit = ((here.wait_credit >> p) & 1) != 0, grant = ((here.wait_grant >> p) & 1) != 0;
      if (credit || grant) waits.push_back({v, p, graph.peer(v, p).node, !credit});
    }
  }
  return waits;
}

// A shortest cycle of links that wait for each other, as positions in `waits`.
std::vector<std::size_t> cycle_of_links(const Graph& graph, const std::vector<Wait>& waits,
                                        const LastPackets& last) {
  std::vector<std::size_t> wait_of(graph.link_count(), kNone);
  for (std::size_t w = 0; w < waits.size(); ++w) wait_of[graph.link(waits[w].node, waits[w].port)] = w;
  std::vector<Wait> between;  // waits take the place of nodes
  for (std::size_t w = 0; w < waits.size(); ++w) {
    const PortSet onward = last.onward[graph.link(waits[w].node, waits[w].port)];
    for (PortId p = 0; p < graph.degree(waits[w].on); ++p) {
      const std::size_t next = wait_of[graph.link(waits[w].on, p)];
      if ((onward & port_bit(p)) == 0 || next == kNone) continue;
      between.push_back({static_cast<NodeId>(w), p, static_cast<NodeId>(next)});
    }
  }
  std::vector<std::size_t> cycle = shortest_cycle(static_cast<NodeId>(waits.size()), between);
  for (std::size_t& at : cycle) at = between[at].node;
  return cycle;
}

}  // namespace

std::vector<std::size_t> shortest_cycle(NodeId node_count, const std::vector<Wait>& waits) {
  const std::vector<std::vector<std::size_t>> of_node = waits_in_circles(node_count, waits);
  // Nodes with several waits are tried first: a cycle that passes none of them is a whole strong component.
  std::vector<NodeId> starts(node_count);
  std::iota(starts.begin(), starts.end(), NodeId{0});
  std::erase_if(starts, [&](NodeId v) { return of_node[v].empty(); });
  std::ranges::stable_partition(starts, [&](NodeId v) { return of_node[v].size() > 1; });
  std::vector<std::size_t> shortest;
  std::vector<bool> tried(node_count);
  std::vector<std::size_t> came_by(node_count, kNone);
  std::size_t looks = 0;
  for (const NodeId start : starts) {
    if (tried[start]) continue;
    // Breadth-first search, to the first wait on `start` or to the length of the shortest cycle so far.
    std::vector<NodeId> reached{start};
    std::size_t closing = kNone, level_end = 1, depth = 0;
    for (std::size_t next = 0; next < reached.size() && closing == kNone; ++next) {
      if (next == level_end) {
        level_end = reached.size();
        if (++depth + 1 >= shortest.size() && !shortest.empty()) break;
      }
      for (const std::size_t w : of_node[reached[next]]) {
        ++looks;
        if (waits[w].on == start) {
          closing = w;
          break;
        }
        if (came_by[waits[w].on] != kNone) continue;
        came_by[waits[w].on] = w;
        reached.push_back(waits[w].on);
      }
    }
    if (closing != kNone) {
      std::vector<std::size_t> cycle{closing};
      for (NodeId v = waits[closing].node; v != start; v = waits[came_by[v]].node)
        cycle.push_back(came_by[v]);
      std::reverse(cycle.begin(), cycle.end());
      if (shortest.empty() || cycle.size() < shortest.size()) shortest = std::move(cycle);
    }
    // Nodes that follow, with one wait each, are done too: their cycles pass `start` or a node tried before.
    tried[start] = true;
    for (NodeId v = start; of_node[v].size() == 1;) {
      v = waits[of_node[v][0]].on;
      if (tried[v] || of_node[v].size() != 1) break;
      tried[v] = true;
    }
    for (const NodeId v : reached) came_by[v] = kNone;
    if (shortest.size() == 1 || shortest.size() == 2 || looks > kMaxLooks) break;
  }
  return shortest;
}

std::string cycle_in_words(const Graph& graph, const std::vector<Wait>& waits,
                           const std::vector<std::size_t>& cycle, bool of_links) {
  const auto name = [&](std::size_t at) {
    const Wait& wait = waits[at];
    return of_links ? link_in_words(graph, graph.link(wait.node, wait.port)) : graph.node_name(wait.node);
  };
  std::string text = fmt::format("cycle of waiting {}: ", of_links ? "links" : "nodes");
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle.size() > kMaxNamed && i == kMaxNamed / 2) {
      const std::size_t skipped = cycle.size() - kMaxNamed;
      text += fmt::format("... {} more ... -> ", skipped);
      i += skipped;
    }
    text += name(cycle[i]) + " -> ";
  }
  return text + name(cycle.front());
}

std::vector<std::string> explain_waits(const Graph& graph, const std::function<NodeStatus(NodeId)>& status,
                                       const LastPackets* last) {
  const std::vector<Wait> waits = waits_of(graph, status);
  if (waits.empty()) return {"no node waits for a credit or a grant, yet packets remain"};
  const std::vector<std::size_t> cycle =
      last != nullptr ? cycle_of_links(graph, waits, *last) : shortest_cycle(graph.node_count(), waits);
  std::vector<std::string> lines;
  if (!cycle.empty()) lines.push_back(cycle_in_words(graph, waits, cycle, last != nullptr));
  const auto add = [&](const Wait& wait) {
    const NodeStatus behind = status(wait.on);
    const LinkId link = graph.link(wait.node, wait.port);
    lines.push_back(fmt::format(
        "node {} ({} packets queued) waits on port {} for a {} from node {} ({} queued){}",
        graph.node_name(wait.node), status(wait.node).occupancy, wait.port,
        wait.for_grant ? "grant" : "credit", graph.node_name(wait.on), behind.occupancy,
        last != nullptr && last->in_words ? last->in_words(link, last->onward[link] & behind.wait_credit)
                                          : std::string()));
  };
  const std::size_t most = kMaxLines + lines.size();
  for (std::size_t i = 0; i < cycle.size() && lines.size() < most; ++i) add(waits[cycle[i]]);
  for (std::size_t w = 0; w < waits.size() && lines.size() < most; ++w) {
    if (std::ranges::find(cycle, w) == cycle.end()) add(waits[w]);
  }
  return lines;
}

}  // namespace safnet
