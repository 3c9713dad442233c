#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// A full-duplex edge, or a one-way link, per pair, in the order given; each takes the next free ports.
Graph graph_of_pairs(std::string spelling, NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& pairs,
                     LinkPairs kind) {
  PortNumbering ports(nodes, kind);
  for (const auto& [u, v] : pairs) ports.connect(u, v);
  return std::move(ports).graph(std::move(spelling));
}

// A connected graph without parallel edges: a random spanning tree and random further edges. The same seed
// gives the same graph everywhere. n - 1 <= edges <= n (n - 1) / 2.
Graph random_graph(NodeId n, std::uint64_t edges, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<NodeId, NodeId>> chosen;
  std::set<std::pair<NodeId, NodeId>> known;
  const auto add = [&](NodeId u, NodeId v) {
    if (u != v && known.insert(std::minmax(u, v)).second) chosen.emplace_back(u, v);
  };
  // Nodes join in a random order, each at a random one of those before it.
  std::vector<NodeId> order(n);
  std::iota(order.begin(), order.end(), NodeId{0});
  for (NodeId i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (NodeId i = 1; i < n; ++i) add(order[i], order[random() % i]);
  if (2 * edges > std::uint64_t{n} * (n - 1) / 2) {
    // Dense: draw from the edges that are not in the graph yet.
    std::vector<std::pair<NodeId, NodeId>> left;
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId v = u + 1; v < n; ++v) {
        if (known.count({u, v}) == 0) left.emplace_back(u, v);
      }
    }
    while (chosen.size() < edges) {
      std::swap(left[random() % left.size()], left.back());
      add(left.back().first, left.back().second);
      left.pop_back();
    }
  }
  while (chosen.size() < edges) add(static_cast<NodeId>(random() % n), static_cast<NodeId>(random() % n));
  return graph_of_pairs(fmt::format("random:{},{},{}", n, edges, seed), n, chosen, LinkPairs::kAll);
}

// NVIDIA's DGX-1: eight processors with six edges each, some of them double, as in dgx1.topology.json.
Graph dgx1(const Spelling&) {
  constexpr std::array<std::array<int, 8>, 8> kLinks{{{0, 2, 1, 1, 2, 0, 0, 0},
                                                      {2, 0, 1, 2, 0, 1, 0, 0},
                                                      {1, 1, 0, 2, 0, 0, 2, 0},
                                                      {1, 2, 2, 0, 0, 0, 0, 1},
                                                      {2, 0, 0, 0, 0, 2, 1, 1},
                                                      {0, 1, 0, 0, 2, 0, 1, 2},
                                                      {0, 0, 2, 0, 1, 1, 0, 2},
                                                      {0, 0, 0, 1, 1, 2, 2, 0}}};
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId v = 0; v < kLinks.size(); ++v) {
    for (NodeId u = v + 1; u < kLinks.size(); ++u) {
      for (int i = 0; i < kLinks[u][v]; ++i) edges.emplace_back(v, u);
    }
  }
  return graph_of_pairs("dgx-1", static_cast<NodeId>(kLinks.size()), edges, LinkPairs::kAll);
}

Graph check_degrees(Graph graph) {
  if (graph.max_degree() > kMaxDegree) {
    throw bad_input("{}: a node has {} links; expected at most {}", one_line(graph.spelling()),
                    graph.max_degree(), kMaxDegree);
  }
  return graph;
}

Graph build_random(const Spelling& spelling) {
  const auto words = spelling.words(3, "N,EDGES,SEED such as 12,20,1");
  const NodeId n = spelling.number(words[0], 2, kMaxNodes);
  const std::uint64_t most =
      std::min<std::uint64_t>(std::uint64_t{n} * (n - 1) / 2, std::uint64_t{n} * kMaxDegree / 2);
  const std::uint32_t edges = spelling.number(words[1], n - 1, static_cast<std::uint32_t>(most));
  return check_degrees(random_graph(n, edges, spelling.number(words[2], 0, 0xffff'ffff)));
}

// "0-1,1-2": pairs of nodes.
Graph build_from_pairs(const Spelling& spelling, LinkPairs kind) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  NodeId nodes = 0;
  for (const std::string& word : split(spelling.arguments(), ',')) {
    const std::vector<std::string> ends = split(word, '-');
    if (ends.size() != 2) throw spelling.wrong(word, "U-V such as 0-1");
    pairs.emplace_back(spelling.number(ends[0], 0, kMaxNodes - 1),
                       spelling.number(ends[1], 0, kMaxNodes - 1));
    nodes = std::max({nodes, pairs.back().first + 1, pairs.back().second + 1});
  }
  return check_degrees(graph_of_pairs(spelling.text(), nodes, pairs, kind));
}

}  // namespace

Graph graph_of_links(std::string spelling, NodeId nodes,
                     const std::vector<std::pair<NodeId, NodeId>>& links) {
  return graph_of_pairs(std::move(spelling), nodes, links, LinkPairs::kNotAll);
}

std::vector<TopologyFamily> listed_families() {
  return {
      {"dgx-1", "", "dgx-1", "NVIDIA's DGX-1: eight processors, six links each, double links between some",
       dgx1},
      {"random", ":N,EDGES,SEED", "random:12,20,1",
       "connected, without parallel edges; the same for the same seed", build_random},
      {"edges", ":U-V,U-V,...", "edges:0-1,0-2,1-2,2-3",
       "the edges themselves; a pair given twice is two links",
       [](const Spelling& s) { return build_from_pairs(s, LinkPairs::kAll); }},
      {"links", ":U-V,U-V,...", "links:0-1,1-2,2-3,3-0,0-2", "one way: the links themselves, from U to V",
       [](const Spelling& s) { return build_from_pairs(s, LinkPairs::kNotAll); }},
  };
}

}  // namespace safnet
