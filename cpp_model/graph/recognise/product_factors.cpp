#include "cpp_model/graph/recognise/product_factors.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/disjoint_sets.hpp"

namespace safnet {
namespace {

using EdgeId = std::uint32_t;

// How many links there are from a node to another, and back.
struct Bundle {
  std::uint32_t there = 0, back = 0;
  friend auto operator<=>(const Bundle&, const Bundle&) = default;
};

// A network without directions: neighbours are joined by one edge, whatever links there are between them.
class Adjacency {
 public:
  struct Neighbour {
    NodeId node;
    EdgeId edge;
  };
  struct Edge {
    NodeId low, high;  // low < high
    Bundle links;      // there: from low to high
  };

  explicit Adjacency(const Graph& graph) : of_node_(graph.node_count()) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      std::map<NodeId, Bundle> higher;
      for (PortId p = 0; p < graph.degree(v); ++p) {
        if (const NodeId u = graph.peer(v, p).node; u > v) ++higher[u].there;
      }
      for (PortId q = 0; q < graph.in_degree(v); ++q) {
        if (const NodeId u = graph.feeder(v, q).node; u > v) ++higher[u].back;
      }
      for (const auto& [u, links] : higher) {
        const auto edge = static_cast<EdgeId>(edges_.size());
        edges_.push_back({v, u, links});
        of_node_[v].push_back({u, edge});
        of_node_[u].push_back({v, edge});
      }
    }
  }
  NodeId nodes() const { return static_cast<NodeId>(of_node_.size()); }
  const std::vector<Neighbour>& of(NodeId v) const { return of_node_[v]; }
  const std::vector<Edge>& edges() const { return edges_; }
  const Edge& edge(EdgeId e) const { return edges_[e]; }
  // As seen from node v, one of its ends.
  Bundle links_from(NodeId v, EdgeId e) const {
    const Edge& edge = edges_[e];
    return edge.low == v ? edge.links : Bundle{edge.links.back, edge.links.there};
  }
  // A square's edges and those of all pairs of neighbours: what join_squares() visits.
  std::uint64_t paths_of_two() const {
    std::uint64_t paths = 0;
    for (const auto& neighbours : of_node_) paths += std::uint64_t{neighbours.size()} * neighbours.size();
    return paths;
  }

 private:
  std::vector<std::vector<Neighbour>> of_node_;
  std::vector<Edge> edges_;
};

// Joins edges that belong to the same factor of whatever product the network is.
class EdgeClasses {
 public:
  explicit EdgeClasses(const Adjacency& graph)
      : graph_(graph), sets_(graph.edges().size()), beside_(graph.nodes()), is_neighbour_(graph.nodes()) {}

  std::uint32_t of(EdgeId e) { return sets_.of(e); }

  void join_squares() {
    for (NodeId v = 0; v < graph_.nodes(); ++v) join_around(v);
  }

  // Djokovic's relation with every edge of a node.
  void join_by_distance(NodeId root, WorkBudget& budget) {
    const std::vector<std::uint32_t> from_root = distances(root);
    for (const auto& [u, edge] : graph_.of(root)) {
      if (!budget.take(3 * graph_.edges().size())) return;
      const std::vector<std::uint32_t> from_u = distances(u);
      for (EdgeId e = 0; e < graph_.edges().size(); ++e) {
        const auto& [x, y, links] = graph_.edge(e);
        if (from_root[x] + from_u[y] != from_root[y] + from_u[x]) sets_.join(e, edge);
      }
    }
  }

 private:
  // What lies between node v and a node two hops away.
  struct Beside {
    std::uint32_t count = 0;  // common neighbours
    EdgeId near[2], far[2];   // edges to the first two of them, from v and from the other node
  };

  void join_around(NodeId v) {
    std::vector<NodeId> reached;
    for (const auto& [a, edge] : graph_.of(v)) is_neighbour_[a] = 1;
    for (const auto& [a, near] : graph_.of(v)) {
      for (const auto& [w, far] : graph_.of(a)) {
        if (w == v) continue;
        if (is_neighbour_[w] != 0) {  // a triangle; its third edge is joined from a and w
          sets_.join(near, far);
          continue;
        }
        Beside& beside = beside_[w];
        if (beside.count == 0) reached.push_back(w);
        if (beside.count < 2) {
          beside.near[beside.count] = near;
          beside.far[beside.count] = far;
        } else {  // three ways: not two edges of a square of different factors
          sets_.join(near, far);
          sets_.join(near, beside.near[0]);
        }
        ++beside.count;
      }
    }
    for (const NodeId w : reached) join_opposite(v, w);
    for (const NodeId w : reached) beside_[w].count = 0;
    for (const auto& [a, edge] : graph_.of(v)) is_neighbour_[a] = 0;
  }

  void join_opposite(NodeId v, NodeId w) {
    const auto& [count, near, far] = beside_[w];
    if (count == 1) {
      sets_.join(near[0], far[0]);
      return;
    }
    sets_.join(near[0], far[1]);
    sets_.join(near[1], far[0]);
    // Opposite edges of a square of two factors have the same links; and so have no two factors where they
    // differ.
    const bool alike =
        opposite(v, near[0]) == opposite_back(w, far[1]) && opposite(v, near[1]) == opposite_back(w, far[0]);
    if (count > 2 || !alike) {
      sets_.join(near[0], far[0]);
      sets_.join(near[0], near[1]);
    }
  }
  // From v to its neighbour, and from the other neighbour to w, which is the same direction.
  Bundle opposite(NodeId v, EdgeId near) const { return graph_.links_from(v, near); }
  Bundle opposite_back(NodeId w, EdgeId far) const {
    const Bundle links = graph_.links_from(w, far);
    return {links.back, links.there};
  }

  std::vector<std::uint32_t> distances(NodeId source) const {
    std::vector<std::uint32_t> distance(graph_.nodes(), kUnreachable);
    std::vector<NodeId> order{source};
    distance[source] = 0;
    for (std::size_t head = 0; head < order.size(); ++head) {
      for (const auto& [u, edge] : graph_.of(order[head])) {
        if (distance[u] != kUnreachable) continue;
        distance[u] = distance[order[head]] + 1;
        order.push_back(u);
      }
    }
    return distance;
  }

  const Adjacency& graph_;
  DisjointSets sets_;
  std::vector<Beside> beside_;  // by node; nothing between calls of join_around()
  std::vector<std::uint8_t> is_neighbour_;
};

// The coordinates of a class of edges: nodes that are joined by edges of other classes share it. They are
// numbered in the order of their first nodes.
std::vector<NodeId> coordinates_of(const Adjacency& graph, const std::vector<std::uint32_t>& class_of,
                                   std::uint32_t of, NodeId& count) {
  DisjointSets sets(graph.nodes());
  for (EdgeId e = 0; e < graph.edges().size(); ++e) {
    if (class_of[e] != of) sets.join(graph.edge(e).low, graph.edge(e).high);
  }
  std::vector<NodeId> coordinate(graph.nodes());
  count = 0;
  for (NodeId v = 0; v < graph.nodes(); ++v) coordinate[v] = sets.leads(v) ? count++ : coordinate[sets.of(v)];
  return coordinate;
}

// The links between coordinates; nothing if they are not the same everywhere.
std::optional<std::map<std::pair<NodeId, NodeId>, Bundle>> links_between(
    const Adjacency& graph, const std::vector<std::uint32_t>& class_of, std::uint32_t of,
    const std::vector<NodeId>& coordinate, std::uint64_t copies) {
  std::map<std::pair<NodeId, NodeId>, Bundle> links;
  std::uint64_t edges = 0;
  for (EdgeId e = 0; e < graph.edges().size(); ++e) {
    if (class_of[e] != of) continue;
    ++edges;
    auto [low, high, between] = graph.edge(e);
    NodeId from = coordinate[low], to = coordinate[high];
    if (from == to) return std::nullopt;
    if (from > to) {
      std::swap(from, to);
      std::swap(between.there, between.back);
    }
    if (links.try_emplace({from, to}, between).first->second != between) return std::nullopt;
  }
  // Nodes have different coordinates, so that there cannot be more than one edge for each copy.
  if (edges != links.size() * copies) return std::nullopt;
  return links;
}

Graph factor_of_links(NodeId nodes, const std::map<std::pair<NodeId, NodeId>, Bundle>& links) {
  const bool both_ways =
      std::ranges::all_of(links, [](const auto& each) { return each.second.there == each.second.back; });
  PortNumbering ports(nodes, both_ways ? LinkPairs::kAll : LinkPairs::kNotAll);
  std::vector<std::string> words;
  for (const auto& [ends, between] : links) {
    const auto connect = [&](NodeId u, NodeId v, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) {
        ports.connect(u, v);
        words.push_back(fmt::format("{}-{}", u, v));
      }
    };
    connect(ends.first, ends.second, between.there);
    if (!both_ways) connect(ends.second, ends.first, between.back);
  }
  return std::move(ports).graph(fmt::format("{}:{}", both_ways ? "edges" : "links", fmt::join(words, ",")));
}

// Whether no two nodes have all coordinates in common, where there are as many nodes as there can be
// coordinates.
bool are_different(const std::vector<ProductFactor>& factors, NodeId nodes) {
  std::vector<std::uint8_t> is_taken(nodes);
  for (NodeId v = 0; v < nodes; ++v) {
    std::uint64_t number = 0;
    for (const ProductFactor& factor : factors)
      number = number * factor.graph.node_count() + factor.coordinate[v];
    if (is_taken[number]++ != 0) return false;
  }
  return true;
}

// The factors that classes of edges stand for; none if they stand for no product.
std::vector<ProductFactor> factors_of(const Adjacency& graph, EdgeClasses& classes, WorkBudget& budget) {
  std::vector<std::uint32_t> class_of(graph.edges().size()), names;
  for (EdgeId e = 0; e < class_of.size(); ++e) {
    class_of[e] = classes.of(e);
    if (class_of[e] == e) names.push_back(e);
  }
  // A node of a product has an edge of every factor, and each factor two nodes at least.
  if (names.size() < 2 || names.size() > graph.of(0).size() || names.size() > 16) return {};
  if (!budget.take(names.size() * (graph.nodes() + 4 * class_of.size()))) return {};
  std::vector<std::vector<NodeId>> coordinates;
  std::vector<NodeId> sizes;
  std::uint64_t nodes = 1;
  for (const std::uint32_t name : names) {
    coordinates.push_back(coordinates_of(graph, class_of, name, sizes.emplace_back()));
    nodes *= sizes.back();
    if (nodes > graph.nodes()) return {};
  }
  if (nodes != graph.nodes()) return {};
  std::vector<ProductFactor> factors;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto links = links_between(graph, class_of, names[i], coordinates[i], nodes / sizes[i]);
    if (!links) return {};
    factors.push_back({factor_of_links(sizes[i], *links), std::move(coordinates[i])});
  }
  return are_different(factors, graph.nodes()) ? std::move(factors) : std::vector<ProductFactor>();
}

}  // namespace

std::vector<ProductFactor> product_factors(const Graph& graph, WorkBudget& budget) {
  const Adjacency adjacency(graph);
  if (!budget.take(graph.link_count() + 2 * adjacency.paths_of_two())) return {};
  EdgeClasses classes(adjacency);
  classes.join_squares();
  std::vector<ProductFactor> factors = factors_of(adjacency, classes, budget);
  if (!factors.empty()) return factors;
  // Which node's edges are looked at rarely matters; those of a few are.
  constexpr NodeId kRoots = 4;
  for (NodeId i = 0; i < kRoots; ++i)
    classes.join_by_distance(static_cast<NodeId>(std::uint64_t{i} * graph.node_count() / kRoots), budget);
  return factors_of(adjacency, classes, budget);
}

}  // namespace safnet
