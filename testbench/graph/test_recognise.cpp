#include <set>
#include <string>
#include <vector>

#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/recognise/recognise.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/shuffled_network.hpp"

using namespace safnet;

namespace {

// What the graph is known as; empty: as nothing.
std::string name_of(const Graph& graph, std::uint64_t visits = kRecognitionVisits) {
  const auto known = recognise(graph, make_topology, visits).known_as();
  return known ? known->network.spelling() : "";
}

// Every node and link has its image, links lead where their images lead, and edges are edges.
void check_isomorphism(const Graph& graph, const KnownNetwork& known) {
  const Graph& network = known.network;
  REQUIRE(std::set(known.node.begin(), known.node.end()).size() == graph.node_count());
  REQUIRE(std::set(known.link.begin(), known.link.end()).size() == graph.link_count());
  bool agrees = network.node_count() == graph.node_count() && network.link_count() == graph.link_count();
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    agrees = agrees && known.node_here[known.node[v]] == v;
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const LinkId link = graph.link(v, p), image = known.link[link];
      agrees = agrees && known.link_here[image] == link && network.link_source(image) == known.node[v] &&
               network.link_target(image) == known.node[graph.peer(v, p).node];
      if (graph.has_one_way_links()) continue;
      const Endpoint end = graph.peer(v, p);
      agrees = agrees && known.link[graph.link(end.node, end.port)] ==
                             network.link(network.link_target(image), network.link_target_port(image));
    }
  }
  CHECK(agrees);
}

struct Named {
  std::string spelling, known_as;
  Named(const char* same) : spelling(same), known_as(same) {}  // NOLINT: a row of a table
  Named(const char* of, const char* as) : spelling(of), known_as(as) {}
};

const std::vector<Named>& named_networks() {
  static const std::vector<Named> all{
      "linear:2",
      "linear:9",
      "ring:3",
      "ring:4",
      "ring:5",
      "ring:64",
      "complete:6",
      {"complete:3", "ring:3"},
      {"complete:2", "linear:2"},
      "mesh:5x3",
      {"mesh:3x5", "mesh:5x3"},
      {"mesh:2x5x2", "mesh:5x2x2"},
      "mesh:32x32",
      {"torus:4x4", "hypercube:4"},
      {"torus:3x3", "torus:3x3"},
      {"torus:2x5", "torus:5x2"},
      {"product(hypercube:3,ring:5)", "torus:5x4x2"},
      {"mesh:2x2", "ring:4"},
      "torus:6x4",
      "torus:8x8x8",
      {"hypercube:1", "linear:2"},
      "hypercube:3",
      "hypercube:8",
      {"generalized-hypercube:3x4", "generalized-hypercube:4x3"},
      {"hypercycle:3/1x6/2", "hypercycle:6/2x3/1"},
      "extended-ring:14,2",
      "circulant:12,1,3",
      "circulant:13,1,5",
      "circulant:30,3,5",
      "circulant:12,1,6",
      "folded-cube:3",
      "folded-cube:6",
      "cube-connected-cycles:3",
      "cube-connected-cycles:5",
      "butterfly:3",
      "butterfly:5",
      "star:4",
      "star:5",
      "doubled-cube:1",
      "doubled-cube:3",
      "tree:2,3",
      "tree:5,1",
      "tree:3,4",
      "petersen",
      "generalized-petersen:7,2",
      "generalized-petersen:24,5",
      {"generalized-petersen:6,1", "torus:6x2"},
      "dgx-1",
      "kautz:2,3",
      "kautz:3,3",
      "de-bruijn:2,3",
      "de-bruijn:3,4",
      {"transpose(kautz:2,3)", "kautz:2,3"},
      "product(petersen,ring:5)",
      {"product(linear:3,star:4)", "product(star:4,linear:3)"},
      {"product(kautz:2,2,ring:5)", "product(kautz:2,2,ring:5)"},
      {"product(petersen,petersen,linear:2)", "product(petersen,petersen,linear:2)"},
      {"product(folded-cube:4,linear:3)", "product(folded-cube:4,linear:3)"},
  };
  return all;
}

}  // namespace

TEST_CASE("networks are recognised with their nodes and ports in any order", "[recognise]") {
  for (const Named& named : named_networks()) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      CAPTURE(named.spelling, seed);
      const Graph graph = recognise(shuffled_network(make_topology(named.spelling), seed), make_topology);
      REQUIRE(graph.known_as() != nullptr);
      CHECK(graph.known_as()->network.spelling() == named.known_as);
      check_isomorphism(graph, *graph.known_as());
    }
  }
}

TEST_CASE("a factor of no family is spelled as its edges", "[recognise]") {
  const Graph odd = make_topology("edges:0-1,1-2,2-3,3-4,4-0,0-2");
  const Graph graph =
      recognise(shuffled_network(cartesian_product({odd, make_topology("ring:7")}, "p"), 1), make_topology);
  REQUIRE(graph.known_as() != nullptr);
  check_isomorphism(graph, *graph.known_as());
  const std::string name = graph.known_as()->network.spelling();
  CHECK(name.starts_with("product(ring:7,edges:"));
  CHECK(name_of(make_topology(name)) == name);
}

TEST_CASE("a network that is as its name says is known by it, with the same numbers", "[recognise]") {
  for (const char* word : {"torus:6x5", "mesh:4x3", "petersen", "ring:9", "doubled-cube:2"}) {
    CAPTURE(word);
    const Graph graph = recognise(make_topology(word), make_topology);
    REQUIRE(graph.known_as() != nullptr);
    check_isomorphism(graph, *graph.known_as());
    CHECK(known_in_words(graph).starts_with(std::string("the network ") + word));
  }
  CHECK(known_in_words(make_topology("torus:6x5")).empty());
}

namespace {

// The network with edges a and b, numbers in edges_of(), leading to each other's ends: all degrees stay. If
// that would connect a node to itself, another edge is taken for b.
Graph with_ends_swapped(const Graph& graph, std::size_t a, std::size_t b) {
  auto edges = edges_of(graph);
  while (edges[a].first == edges[b].second || edges[b].first == edges[a].second) b = (b + 1) % edges.size();
  std::swap(edges[a].second, edges[b].second);
  return network_of(graph.node_count(), edges,
                    graph.has_one_way_links() ? LinkPairs::kNotAll : LinkPairs::kAll);
}

// A torus whose rings in one direction end a few places further: the row after the last is the first,
// shifted.
Graph twisted_torus(NodeId rows, NodeId columns, NodeId shift) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId r = 0; r < rows; ++r) {
    for (NodeId c = 0; c < columns; ++c) {
      edges.emplace_back(r * columns + c, r * columns + (c + 1) % columns);
      const NodeId below = r + 1 < rows ? (r + 1) * columns + c : (c + shift) % columns;
      edges.emplace_back(r * columns + c, below);
    }
  }
  return network_of(rows * columns, edges, LinkPairs::kAll);
}

}  // namespace

TEST_CASE("near misses are not recognised", "[recognise]") {
  for (const char* word :
       {"torus:8x8", "mesh:6x7", "hypercube:6", "torus:5x5x5", "folded-cube:5", "butterfly:4", "star:5",
        "cube-connected-cycles:4", "product(petersen,ring:5)", "de-bruijn:2,5"}) {
    CAPTURE(word);
    const Graph graph = make_topology(word);
    const std::size_t edges = edges_of(graph).size();
    CHECK(name_of(with_ends_swapped(graph, 2, edges / 3)).empty());
    CHECK(name_of(with_ends_swapped(graph, 3, edges - 1)).empty());
  }
  CHECK(name_of(twisted_torus(8, 8, 0)) == "torus:8x8");
  CHECK(name_of(twisted_torus(8, 8, 4)).empty());
  CHECK(name_of(twisted_torus(8, 16, 8)).empty());
  // A twist by one makes a single ring of all nodes in one direction: a circulant.
  CHECK(name_of(shuffled_network(twisted_torus(5, 7, 1), 1)).starts_with("circulant:35,"));
  CHECK(name_of(make_topology("random:64,128,1")).empty());
  CHECK(name_of(make_topology("edges:0-1,1-2,2-3,3-4,2-5")).empty());
}

TEST_CASE("products with a twisted factor are products of two", "[recognise]") {
  const Graph product = cartesian_product({twisted_torus(6, 6, 3), make_topology("ring:5")}, "p");
  const Graph graph = recognise(shuffled_network(product, 7), make_topology);
  REQUIRE(graph.known_as() != nullptr);
  CHECK(graph.known_as()->network.factors().size() == 2);
  check_isomorphism(graph, *graph.known_as());
}

TEST_CASE("an isomorphism is verified link by link", "[recognise]") {
  const Graph mesh = make_topology("mesh:3x2");
  CHECK(known_network(mesh, mesh, {0, 1, 2, 3, 4, 5}) != nullptr);
  CHECK(known_network(mesh, mesh, {5, 4, 3, 2, 1, 0}) != nullptr);
  CHECK(known_network(mesh, mesh, {1, 0, 2, 3, 4, 5}) == nullptr);
  CHECK(known_network(mesh, mesh, {0, 0, 2, 3, 4, 5}) == nullptr);
  CHECK(known_network(mesh, mesh, {0, 1, 2, 3, 4, 6}) == nullptr);
  CHECK(known_network(mesh, make_topology("ring:6"), {0, 1, 2, 3, 4, 5}) == nullptr);
  // Parallel links are counted.
  const Graph first = make_topology("edges:0-1,0-1,1-2"), last = make_topology("edges:0-1,1-2,1-2");
  CHECK(known_network(first, last, {0, 1, 2}) == nullptr);
  const auto known = known_network(first, last, {2, 1, 0});
  REQUIRE(known != nullptr);
  check_isomorphism(first, *known);
}

TEST_CASE("networks with routers or links that differ are left as they are", "[recognise]") {
  CHECK(name_of(make_topology("routers(torus:3x3;0-1)")).empty());
  CHECK(name_of(make_topology("timed(ring:5;0-1:latency=3)")).empty());
  const Graph ring = recognise(make_topology("ring:5"), make_topology);
  REQUIRE(ring.known_as() != nullptr);
  CHECK(ring.with_routers_from(4).known_as() == nullptr);
  CHECK(ring.with_link_timing(std::vector<LinkTiming>(ring.link_count(), {1, 1})).known_as() == nullptr);
  CHECK(ring.with_spelling("other").known_as() != nullptr);
}

TEST_CASE("recognising takes few visits of links, and ends when they are used up", "[recognise]") {
  struct Row {
    const char* spelling;
    std::uint64_t visits;
  };
  for (const Row& row :
       {Row{"hypercube:12", 3'000'000}, Row{"torus:16x16x16", 1'000'000}, Row{"mesh:64x64", 1'000'000},
        Row{"ring:4096", 1'000'000}, Row{"folded-cube:12", 12'000'000}, Row{"tree:2,11", 1'000'000},
        Row{"butterfly:9", 2'000'000}, Row{"star:7", 4'000'000}, Row{"circulant:4096,1,77", 5'000'000},
        Row{"de-bruijn:2,12", 2'000'000}}) {
    CAPTURE(row.spelling);
    const Graph graph = shuffled_network(make_topology(row.spelling), 5);
    CHECK(name_of(graph, row.visits) == row.spelling);
    CHECK(name_of(graph, graph.link_count() / 2).empty());
  }
}
