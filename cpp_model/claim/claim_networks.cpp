#include "cpp_model/claim/claim_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {

std::vector<std::string> claim_networks(bool full) {
  return with_more(
      full,
      "linear:2 linear:7 ring:3 ring:8 ring:9 mesh:4x3 mesh:3x4x2 torus:4x4 torus:5x3 hypercube:3 "
      "hypercube:5 extended-ring:14,2 circulant:12,1,3 hypercycle:8/2x6/1 complete:8 "
      "generalized-hypercube:3x4 cube-connected-cycles:3 butterfly:3 star:4 folded-cube:4 tree:2,3 "
      "generalized-petersen:5,2 random:12,20,1 product(ring:4,linear:3)",
      "linear:48 ring:64 ring:101 mesh:9x7 mesh:5x5x5 torus:16x16 torus:5x6x7 torus:4x4x4x4 "
      "hypercube:8 extended-ring:30,3 circulant:40,3,7,10 hypercycle:5/2x7/2 complete:9 "
      "generalized-hypercube:3x4x4 cube-connected-cycles:5 butterfly:5 star:5 folded-cube:7 tree:3,3 "
      "random:60,100,9 random:100,99,3 product(star:3,random:8,12,4)");
}

std::vector<std::string> cayley_networks(bool full) {
  return with_more(
      full,
      "linear:2 extended-ring:14,2 extended-ring:8,4 circulant:12,1,3 hypercycle:8/2x6/1 complete:8 "
      "generalized-hypercube:3x4 cube-connected-cycles:3 cube-connected-cycles:4 butterfly:3 star:3 star:4 "
      "folded-cube:4 product(star:3,ring:4)",
      "extended-ring:30,3 circulant:40,3,7,10 hypercycle:5/2x7/2 complete:9 generalized-hypercube:3x4x4 "
      "cube-connected-cycles:5 butterfly:4 star:5 folded-cube:5 folded-cube:7 "
      "product(star:4,linear:2,ring:3)");
}

std::vector<NodeId> claim_sources(const Graph& graph) {
  const NodeId n = graph.node_count();
  std::vector<NodeId> roots;
  for (const NodeId root : {NodeId{0}, n / 2, n - 1}) {
    if (roots.empty() || roots.back() != root) roots.push_back(root);
  }
  return roots;
}

std::vector<ClaimCase> over_trees(
    bool full, const std::function<ClaimCase(const Graph&, NodeId, const std::string&)>& make_case) {
  std::vector<ClaimCase> cases;
  for (const std::string& word : claim_networks(full)) {
    const Graph graph = make_topology(word);
    std::vector<std::string> trees = {"shortest-path", "depth-first", "random:1"};
    if (!graph.factors().empty()) trees.push_back("product");
    if (full) trees.insert(trees.end(), {"random:2", "random:3"});
    for (const NodeId root : claim_sources(graph)) {
      for (const std::string& tree : trees) cases.push_back(make_case(graph, root, tree));
    }
  }
  return cases;
}

std::vector<std::uint64_t> ExtendedRingSize::path_lengths() const {
  std::vector<std::uint64_t> lengths(rho, d());
  lengths.insert(lengths.end(), k(), w() + 1);
  if (w() != 0) lengths.insert(lengths.end(), rho - k(), w());
  return lengths;
}

std::vector<ExtendedRingSize> extended_rings(std::uint64_t most) {
  std::vector<ExtendedRingSize> rings;
  for (std::uint64_t n = 2; n <= most; ++n) {
    for (std::uint64_t rho = 1; rho <= n / 2 && ExtendedRingSize{n, rho}.degree() <= 8; ++rho)
      rings.push_back({n, rho});
  }
  return rings;
}

std::vector<std::string> small_connected_graphs(NodeId most) {
  std::vector<std::string> spellings;
  for (NodeId n = 2; n <= most; ++n) {
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId v = u + 1; v < n; ++v) pairs.emplace_back(u, v);
    }
    // Renumbering the nodes moves edge i to [i]; a graph is a set of edges, a bit each.
    std::vector<std::vector<std::size_t>> renumberings;
    std::vector<NodeId> names(n);
    std::iota(names.begin(), names.end(), NodeId{0});
    do {
      std::vector<std::size_t> moved;
      for (const auto& [u, v] : pairs) {
        const std::pair<NodeId, NodeId> image = std::minmax(names[u], names[v]);
        moved.push_back(
            static_cast<std::size_t>(std::find(pairs.begin(), pairs.end(), image) - pairs.begin()));
      }
      renumberings.push_back(std::move(moved));
    } while (std::next_permutation(names.begin(), names.end()));

    std::vector<bool> seen(std::size_t{1} << pairs.size(), false);
    for (std::size_t edges = 0; edges < seen.size(); ++edges) {
      if (seen[edges]) continue;
      std::vector<NodeId> part(n);  // connected if all nodes end in the same part
      std::iota(part.begin(), part.end(), NodeId{0});
      std::vector<std::string> words;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (((edges >> i) & 1) == 0) continue;
        const auto [u, v] = pairs[i];
        words.push_back(fmt::format("{}-{}", u, v));
        const NodeId from = part[v], to = part[u];
        std::replace(part.begin(), part.end(), from, to);
      }
      for (const std::vector<std::size_t>& moved : renumberings) {
        std::size_t image = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) image |= ((edges >> i) & 1) << moved[i];
        seen[image] = true;
      }
      const bool connected = std::all_of(part.begin(), part.end(), [&](NodeId p) { return p == part[0]; });
      if (connected) spellings.push_back(fmt::format("edges:{}", fmt::join(words, ",")));
    }
  }
  return spellings;
}

std::vector<Automorphism> automorphisms(const Graph& graph, const Automorphism& first) {
  if (first.size() == graph.node_count()) return {first};
  const auto v = static_cast<NodeId>(first.size());
  std::vector<Automorphism> all;
  for (NodeId image = 0; image < graph.node_count(); ++image) {
    if (std::ranges::find(first, image) != first.end()) continue;
    bool fits = true;
    for (NodeId u = 0; fits && u < v; ++u)
      fits = graph.port_to(v, u).has_value() == graph.port_to(image, first[u]).has_value();
    if (fits) all = joined(std::move(all), automorphisms(graph, joined(first, {image})));
  }
  return all;
}

std::uint64_t searched_status(const Graph& graph, NodeId v) {
  const std::vector<std::uint32_t> distance = graph.distances_from(v);
  return std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
}

std::uint64_t searched_total_status(const Graph& graph) {
  std::uint64_t total = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) total += searched_status(graph, v);
  return total;
}

std::uint64_t largest_part(const SpanningTree& tree, const Graph& graph) {
  std::uint64_t largest = 0;
  for (const PortId p : tree.children[tree.root]) {
    std::vector<NodeId> part{graph.peer(tree.root, p).node};
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const PortId q : tree.children[part[i]]) part.push_back(graph.peer(part[i], q).node);
    }
    largest = std::max<std::uint64_t>(largest, part.size());
  }
  return largest;
}

}  // namespace safnet
