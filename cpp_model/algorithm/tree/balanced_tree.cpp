#include "cpp_model/algorithm/tree/balanced_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"

namespace safnet {
namespace {

// The regions of thesis 3.4.2, in the order in which a quarter turn clockwise maps one onto the next:
// A north-east, B south-east, C south-west, D north-west. Region r is owned by the axis point that A's owner
// [0, 1] becomes after r quarter turns.
enum Region : std::uint8_t { kA, kB, kC, kD };

struct Point {
  int x = 0, y = 0;
  Point turned(int quarters) const {  // clockwise
    Point p = *this;
    for (int q = 0; q < (quarters & 3); ++q) p = {p.y, -p.x};
    return p;
  }
  friend bool operator==(const Point&, const Point&) = default;
};

class RegionDivision {
 public:
  // n nodes in the direction of y, m in the direction of x.
  RegionDivision(const Graph& graph, NodeId root, bool as_printed)
      : graph_(graph),
        root_(graph.coordinates(root)),
        n_(static_cast<int>(graph.factors()[0].node_count())),
        m_(static_cast<int>(graph.factors()[1].node_count())),
        parent_(graph.node_count(), kNoNode) {
    for (int x = -((m_ - 1) / 2); x <= m_ / 2; ++x) {
      for (int y = -((n_ - 1) / 2); y <= n_ / 2; ++y) {
        const Point p{x, y};
        if (p != Point{}) hang(p, parent(p, region(p)));
      }
    }
    move_corners(as_printed);
  }
  const std::vector<NodeId>& parents() const { return parent_; }

 private:
  // (3.4): rows are counted against y, columns against x.
  NodeId node(Point p) const {
    return graph_.node_at({(root_[0] + static_cast<NodeId>(n_ - p.y)) % static_cast<NodeId>(n_),
                           (root_[1] + static_cast<NodeId>(m_ - p.x)) % static_cast<NodeId>(m_)});
  }
  void hang(Point child, Point below) { parent_[node(child)] = node(below); }
  bool leaf(Point p) const { return std::find(parent_.begin(), parent_.end(), node(p)) == parent_.end(); }

  // Which region a point belongs to before single corners are moved.
  Region region(Point p) const {
    if (p.x > 0 && p.y > 0) return kA;
    if (p.x > 0 && p.y < 0) return kB;
    if (p.x < 0 && p.y < 0) return kC;
    if (p.x < 0 && p.y > 0) return kD;
    const bool odd = ((p.x + p.y) & 1) != 0;
    const bool even_n = n_ % 2 == 0, even_m = m_ % 2 == 0;
    if (p == Point{0, 1}) return kA;  // the owners of the regions
    if (p == Point{1, 0}) return kB;
    if (p == Point{0, -1}) return kC;
    if (p == Point{-1, 0}) return kD;
    // If the side across is odd, two regions share a half axis: points of odd x + y go to the region of its
    // owner, the others to the one beside it. If that side is even, one region has the half axis whole.
    if (p.x == 0 && p.y > 0) return even_m ? kD : odd ? kA : kD;
    if (p.y == 0 && p.x > 0) return even_n ? kB : odd ? kB : kA;
    if (p.x == 0) return even_m ? kC : odd ? kC : kB;
    return even_n ? kC : odd ? kD : kC;
  }

  // Seen with the region turned onto A: from the owner [0, 1] a path to the right, from each of its points a
  // path up. Axis points beside it hang on the region's point next to them.
  static Point parent(Point p, Region r) {
    const Point here = p.turned(-r);
    Point there;
    if (here == Point{0, 1}) {
      there = {0, 0};
    } else if (here.x == 0) {
      there = {1, here.y};
    } else if (here.y == 0) {
      there = {here.x, 1};
    } else if (here.y == 1) {
      there = {here.x - 1, 1};
    } else {
      there = {here.x, here.y - 1};
    }
    return there.turned(r);
  }

  // The owner of A (of D) may lie on a half axis that D (C) has whole. To keep the sizes equal, one point of
  // the owner's region then goes to that region.
  void move_corners(bool as_printed) {
    const bool even_n = n_ % 2 == 0, even_m = m_ % 2 == 0;
    const int up = n_ / 2, left = -((m_ - 1) / 2);
    if (even_n && m_ == 4 && !as_printed) {
      // The point [-1, 1] of D that the text moves to C is an inner node of D and touches no point of C. Two
      // moves over wrap-around links do instead: A's far corner to D, the end of y+ from D to C.
      hang({2, up}, {-1, up});
      hang({0, up}, {0, -(up - 1)});
      return;
    }
    if (even_m && leaf({1, up})) hang({1, up}, {0, up});        // from A to D
    if (even_n && leaf({left, 1})) hang({left, 1}, {left, 0});  // from D to C
  }

  const Graph& graph_;
  std::vector<NodeId> root_;
  int n_, m_;
  std::vector<NodeId> parent_;
};

}  // namespace

std::optional<ExtendedRing> as_extended_ring(const Graph& graph) {
  const std::string family = graph.family();
  if (family != "extended-ring" && family != "complete" && family != "ring") return std::nullopt;
  ExtendedRing ring;
  ring.n = graph.node_count();
  ring.rho = (graph.max_degree() + 1) / 2;
  ring.diameter = (ring.n / 2 + ring.rho - 1) / ring.rho;
  ring.w = (ring.n - 1) / ring.rho - ring.diameter;
  ring.k = ring.n - (ring.w + ring.diameter) * ring.rho - 1;
  return ring;
}

SpanningTree weight_rule_tree(const Graph& graph, NodeId root) {
  const auto ring = as_extended_ring(graph);
  if (!ring) {
    throw std::invalid_argument("tree weight-rule: expected an extended ring, not " + graph.spelling());
  }
  std::vector<NodeId> parent(graph.node_count(), kNoNode);
  const auto chain = [&](NodeId first, NodeId stride, NodeId weight) {
    NodeId from = root;
    NodeId v = (root + first) % ring->n;
    for (NodeId left = weight; left != 0; --left) {
      parent[v] = from;
      from = v;
      v = (v + stride) % ring->n;
    }
  };
  for (NodeId s = 1; s <= ring->rho; ++s) {
    chain(s, ring->rho, ring->diameter);
    chain(ring->n - s, ring->n - ring->rho, ring->counterclockwise_weight(s));
  }
  return tree_from_parents(graph, root, std::move(parent));
}

std::string why_no_torus_regions(const Graph& graph) {
  const auto& factors = graph.factors();
  const bool torus = factors.size() == 2 && ring_length(factors[0]) >= 3 && ring_length(factors[1]) >= 3;
  return torus ? "" : "needs a two-dimensional torus of at least 3 x 3";
}

SpanningTree torus_region_tree(const Graph& graph, NodeId root, bool as_printed) {
  if (const std::string reason = why_no_torus_regions(graph); !reason.empty()) {
    throw std::invalid_argument("tree torus-regions: " + reason + ", not " + graph.spelling());
  }
  return tree_from_parents(graph, root, RegionDivision(graph, root, as_printed).parents());
}

}  // namespace safnet
