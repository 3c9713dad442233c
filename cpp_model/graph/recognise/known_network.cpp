#include "cpp_model/graph/recognise/known_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// The ports of a node by where they lead, in the numbering of the network that is known; equal ones by
// number.
std::vector<std::pair<NodeId, PortId>> ports_by_target(const Graph& graph, NodeId v,
                                                       const std::vector<NodeId>& number) {
  std::vector<std::pair<NodeId, PortId>> ports;
  for (PortId p = 0; p < graph.degree(v); ++p) {
    const NodeId there = graph.peer(v, p).node;
    ports.emplace_back(number.empty() ? there : number[there], p);
  }
  std::ranges::sort(ports);
  return ports;
}

// Pairs the links that leave node v with those that leave its image; whether there are as many to every node.
bool pair_links(const Graph& graph, KnownNetwork& known, NodeId v) {
  const Graph& network = known.network;
  const NodeId image = known.node[v];
  const auto here = ports_by_target(graph, v, known.node), there = ports_by_target(network, image, {});
  const bool edges = !graph.has_one_way_links();
  if (!std::ranges::equal(
          here, there, {}, [](const auto& port) { return port.first; },
          [](const auto& port) { return port.first; }))
    return false;
  for (std::size_t i = 0; i < here.size(); ++i) {
    // An edge is paired at the end that comes first; its way back goes with it.
    const Endpoint end = graph.peer(v, here[i].second), image_end = network.peer(image, there[i].second);
    if (edges && end.node < v) continue;
    known.link[graph.link(v, here[i].second)] = network.link(image, there[i].second);
    if (edges) known.link[graph.link(end.node, end.port)] = network.link(image_end.node, image_end.port);
  }
  return true;
}

// What numbers are taken to, the other way; nothing if two are taken to the same.
template <class Number>
std::optional<std::vector<Number>> inverse(const std::vector<Number>& map) {
  std::vector<Number> back(map.size(), static_cast<Number>(map.size()));
  for (Number i = 0; i < map.size(); ++i) {
    if (map[i] >= map.size() || back[map[i]] != map.size()) return std::nullopt;
    back[map[i]] = i;
  }
  return back;
}

}  // namespace

bool KnownNetwork::same_numbers() const {
  return std::ranges::is_sorted(node) && std::ranges::is_sorted(link);
}

std::shared_ptr<const KnownNetwork> known_network(const Graph& graph, const Graph& network,
                                                  std::vector<NodeId> node) {
  if (graph.node_count() != network.node_count() || node.size() != graph.node_count() ||
      graph.link_count() != network.link_count() || graph.has_one_way_links() != network.has_one_way_links())
    return nullptr;
  auto back = inverse(node);
  if (!back) return nullptr;
  const auto links = static_cast<std::size_t>(graph.link_count());
  KnownNetwork known{network, std::move(node), std::move(*back), std::vector<LinkId>(links), {}};
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (!pair_links(graph, known, v)) return nullptr;
  }
  auto links_back = inverse(known.link);
  if (!links_back) return nullptr;
  known.link_here = std::move(*links_back);
  return std::make_shared<const KnownNetwork>(std::move(known));
}

const Graph& as_known(const Graph& graph) { return graph.known_as() ? graph.known_as()->network : graph; }

std::string known_in_words(const Graph& graph) {
  if (graph.known_as() == nullptr) return "";
  const KnownNetwork& known = *graph.known_as();
  const bool same_nodes = std::ranges::is_sorted(known.node);
  return fmt::format("the network {}{}", one_line(known.network.spelling()),
                     known.same_numbers() ? ""
                     : same_nodes         ? " with its ports in another order"
                                          : " with its nodes in another order");
}

}  // namespace safnet
