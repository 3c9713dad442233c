// one_way_networks - small networks with one-way links for tests: random ones, and some of the families.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet::testbench {

/// A cycle through all nodes in a random order, and so many further links, parallel ones among them.
inline Graph random_one_way(NodeId nodes, std::size_t more_links, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> order(nodes);
  for (NodeId v = 0; v < nodes; ++v) order[v] = v;
  for (NodeId i = nodes; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<std::pair<NodeId, NodeId>> links;
  for (NodeId i = 0; i < nodes; ++i) links.emplace_back(order[i], order[(i + 1) % nodes]);
  while (links.size() < nodes + more_links) {
    const auto u = static_cast<NodeId>(random() % nodes), v = static_cast<NodeId>(random() % nodes);
    if (u != v) links.emplace_back(u, v);
  }
  std::string spelling = "links:";
  for (const auto& [u, v] : links)
    spelling += (spelling.back() == ':' ? "" : ",") + std::to_string(u) + "-" + std::to_string(v);
  return graph_of_links(spelling, nodes, links);
}

inline std::vector<Graph> one_way_networks() {
  std::vector<Graph> list;
  for (const char* spelling : {"links:0-1,1-2,2-0", "kautz:2,2", "kautz:3,2", "de-bruijn:2,3",
                               "transpose(de-bruijn:3,2)", "links:0-1,1-2,2-3,3-0,0-2,0-2",
                               "product(links:0-1,1-2,2-0,linear:2)", "product(kautz:2,2,ring:3)"}) {
    list.push_back(make_topology(spelling));
  }
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    list.push_back(random_one_way(static_cast<NodeId>(3 + seed), seed, seed));
  return list;
}

/// Those of at most six nodes, on which plans take milliseconds.
inline std::vector<Graph> small_one_way_networks() {
  std::vector<Graph> list = one_way_networks();
  std::erase_if(list, [](const Graph& graph) { return graph.node_count() > 6; });
  return list;
}

}  // namespace safnet::testbench
