#include "cpp_model/graph/remaining_network.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/nested_words.hpp"
#include "cpp_model/graph/recognise/recognise.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::string_view kName = "without(";

NodeId parse_end(const Graph& graph, const std::string& entry, const std::string& word) {
  try {
    return graph.parse_node(word);
  } catch (const std::invalid_argument& error) {
    throw bad_input("without {}: {}", in_quotes(entry), error.what());
  }
}

// What is at fault, by link and by node.
struct Missing {
  std::vector<bool> links, nodes;
};

// The link of the lowest port of `from` that leads to `to` and is left.
std::optional<LinkId> link_left(const Graph& graph, const Missing& missing, NodeId from, NodeId to) {
  for (PortId p = 0; p < graph.degree(from); ++p) {
    const LinkId link = graph.link(from, p);
    if (graph.peer(from, p).node == to && !missing.links[link]) return link;
  }
  return std::nullopt;
}

void take_links(const Graph& graph, const std::string& entry, std::size_t between, Missing& missing) {
  const NodeId a = parse_end(graph, entry, entry.substr(0, between)),
               b = parse_end(graph, entry, entry.substr(between + 1));
  const std::optional<LinkId> there = link_left(graph, missing, a, b);
  bool found = there.has_value();
  if (there) missing.links[*there] = true;
  if (entry[between] == ':') {
    // Of an edge the opposite is at the other end's port.
    std::optional<LinkId> back;
    if (there && !graph.has_one_way_links())
      back = graph.link(graph.link_target(*there), graph.link_target_port(*there));
    else
      back = link_left(graph, missing, b, a);
    if (back) missing.links[*back] = true;
    found = found || back;
  }
  if (!found) {
    throw bad_input("without {}: no link from node {} to node {}{}; expected neighbours", in_quotes(entry),
                    graph.node_name(a), graph.node_name(b), entry[between] == ':' ? " or back" : "");
  }
}

Missing parse_missing(const Graph& graph, const std::vector<std::string>& entries) {
  Missing missing{std::vector<bool>(graph.link_count()), std::vector<bool>(graph.node_count())};
  for (const std::string& entry : entries) {
    const std::size_t between = entry.find_first_of(":>");
    if (between != std::string::npos) {
      take_links(graph, entry, between, missing);
      continue;
    }
    const NodeId node = parse_end(graph, entry, entry);
    if (missing.nodes[node])
      throw bad_input("without {}: the node is missing already; expected each node once", in_quotes(entry));
    missing.nodes[node] = true;
  }
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    if (missing.nodes[graph.link_source(link)] || missing.nodes[graph.link_target(link)])
      missing.links[link] = true;
  }
  return missing;
}

// The numbers of the nodes that are left, in order.
std::vector<NodeId> nodes_left(const Missing& missing) {
  std::vector<NodeId> left;
  for (NodeId v = 0; v < missing.nodes.size(); ++v) {
    if (!missing.nodes[v]) left.push_back(v);
  }
  return left;
}

// Throws unless every node that is left can reach every other.
void check_connected(const Graph& graph, const Missing& missing, const std::vector<NodeId>& left,
                     const std::string& spelling) {
  for (const bool backwards : {false, true}) {
    std::vector<bool> reached(graph.node_count());
    std::vector<NodeId> order{left.front()};
    reached[left.front()] = true;
    const auto go = [&](NodeId to, LinkId by) {
      if (missing.links[by] || reached[to]) return;
      reached[to] = true;
      order.push_back(to);
    };
    for (std::size_t head = 0; head < order.size(); ++head) {
      const NodeId v = order[head];
      for (PortId p = 0; !backwards && p < graph.degree(v); ++p) go(graph.peer(v, p).node, graph.link(v, p));
      for (PortId q = 0; backwards && q < graph.in_degree(v); ++q) {
        const Endpoint from = graph.feeder(v, q);
        go(from.node, graph.link(from.node, from.port));
      }
    }
    const auto lost = std::ranges::find_if(left, [&](NodeId v) { return !reached[v]; });
    if (lost == left.end()) continue;
    throw bad_input(
        "{}: the network falls apart, node {} cannot {} node {}; expected one that stays connected",
        one_line(spelling), graph.node_name(*lost), backwards ? "reach" : "be reached from",
        graph.node_name(left.front()));
  }
}

// The names that nodes keep.
Graph with_names(const Graph& remaining, const Graph& graph, const std::vector<NodeId>& left) {
  const auto is_number = [](const std::string& name) { return parse_decimal(name).has_value(); };
  const bool all_numbers = std::ranges::all_of(left, [&](NodeId v) { return is_number(graph.node_name(v)); });
  if (all_numbers && left.size() == graph.node_count()) return remaining;
  auto names = std::make_shared<std::vector<std::string>>();
  for (const NodeId v : left) {
    const std::string name = graph.node_name(v);
    names->push_back(is_number(name) ? "node_" + name : name);
  }
  return remaining.with_node_names([names](NodeId v) { return (*names)[v]; });
}

// Ports that are left are numbered anew, output and input ports each in their order.
Graph renumbered(const Graph& graph, const Missing& missing, const std::vector<NodeId>& left,
                 std::string spelling) {
  std::vector<NodeId> number(graph.node_count());
  for (NodeId v = 0; v < left.size(); ++v) number[left[v]] = v;
  std::vector<PortId> input(graph.link_count());  // of each link that is left, at its target
  for (const NodeId v : left) {
    PortId next = 0;
    for (PortId q = 0; q < graph.in_degree(v); ++q) {
      const Endpoint from = graph.feeder(v, q);
      const LinkId link = graph.link(from.node, from.port);
      if (!missing.links[link]) input[link] = next++;
    }
  }
  std::vector<std::vector<Endpoint>> ports(left.size());
  std::vector<LinkTiming> timing;
  bool paired = !graph.has_one_way_links();
  for (NodeId v = 0; v < left.size(); ++v) {
    for (PortId p = 0; p < graph.degree(left[v]); ++p) {
      const LinkId link = graph.link(left[v], p);
      if (missing.links[link]) {
        // If its opposite stays, there is a link without one.
        paired = paired && missing.links[graph.link(graph.link_target(link), graph.link_target_port(link))];
        continue;
      }
      ports[v].push_back({number[graph.link_target(link)], input[link]});
      timing.push_back(graph.timing(link));
    }
  }
  return Graph(std::move(spelling), std::move(ports), paired ? LinkPairs::kAll : LinkPairs::kNotAll)
      .with_link_timing(std::move(timing));
}

}  // namespace

Graph remaining_network(const Graph& graph, const std::vector<std::string>& entries, std::string spelling,
                        const MakeNetwork& make) {
  const Missing missing = parse_missing(graph, entries);
  const std::vector<NodeId> left = nodes_left(missing);
  const auto processors =
      static_cast<NodeId>(std::ranges::count_if(left, [&](NodeId v) { return v < graph.processor_count(); }));
  if (processors < 2) {
    throw bad_input("{}: {} left that process; expected 2 or more", one_line(spelling),
                    counted(processors, "node"));
  }
  check_connected(graph, missing, left, spelling);
  Graph remaining = renumbered(graph, missing, left, std::move(spelling));
  if (graph.has_routers()) remaining = remaining.with_routers_from(processors);
  return recognise(with_names(remaining, graph, left), make);
}

std::optional<WholeNetwork> whole_network(const Graph& remaining, const MakeNetwork& make) {
  const std::string& spelling = remaining.spelling();
  if (!spelling.starts_with(kName) || !spelling.ends_with(')')) return std::nullopt;
  std::vector<std::string> words =
      nested_words(spelling.substr(kName.size(), spelling.size() - kName.size() - 1));
  const Graph whole = make(words.front());
  words.erase(words.begin());
  return WholeNetwork{whole, nodes_left(parse_missing(whole, words))};
}

}  // namespace safnet
