#include "cpp_model/algorithm/torus/torus_broadcast.hpp"

#include <fmt/format.h>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tree/optimal_broadcast.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Group = std::vector<std::size_t>;  // dimensions that are done together
using Places = std::vector<NodeId>;      // clockwise from the root, by dimension of a group

// A node informs its next one in a dimension of the group.
struct Move {
  std::uint32_t step;
  Places from;
  std::size_t dimension;  // index into the group
  bool clockwise;
};

// Largest 3 x 3 x m torus that is searched.
constexpr NodeId kMaxLongSide = 112;

bool is_odd(NodeId side) { return side % 2 == 1; }

// Sides of 3 go with longer odd ones, then the longer odd ones left over in pairs. Of the sides of 3 left
// over two go with an even side of 6 to kMaxLongSide, then three go together. All others are done alone.
std::vector<Group> groups_of(const std::vector<NodeId>& sides) {
  Group threes, odd, even;
  for (std::size_t i = 0; i < sides.size(); ++i)
    (!is_odd(sides[i]) ? even : sides[i] == 3 ? threes : odd).push_back(i);
  std::vector<Group> groups;
  const auto take = [](Group& from) {
    const std::size_t i = from.back();
    from.pop_back();
    return i;
  };
  while (!odd.empty() && !threes.empty()) groups.push_back({take(odd), take(threes)});
  while (odd.size() >= 2) groups.push_back({take(odd), take(odd)});
  for (std::size_t i = 0; i < even.size() && threes.size() >= 2;) {
    if (sides[even[i]] < 6 || sides[even[i]] > kMaxLongSide) {
      ++i;
      continue;
    }
    groups.push_back({take(threes), take(threes), even[i]});
    even.erase(even.begin() + static_cast<std::ptrdiff_t>(i));
  }
  while (threes.size() >= 3) groups.push_back({take(threes), take(threes), take(threes)});
  for (Group* rest : {&threes, &odd, &even}) {
    while (!rest->empty()) groups.push_back({take(*rest)});
  }
  return groups;
}

std::uint64_t steps_of_group(const Group& group, const std::vector<NodeId>& sides) {
  std::uint64_t diameter = 0;
  for (const std::size_t i : group) diameter += sides[i] / 2;
  if (group.size() == 1) return diameter + (is_odd(sides[group[0]]) ? 1 : 0);
  const bool three_threes = group.size() == 3 && is_odd(sides[group[2]]);
  return diameter + (three_threes ? 2 : 1);
}

std::vector<Move> ring_moves(NodeId side) {
  std::vector<Move> moves;
  for (NodeId k = 1; k <= side / 2; ++k) moves.push_back({k, {k - 1}, 0, true});
  for (NodeId k = 1; k <= (side - 1) / 2; ++k) moves.push_back({k + 1, {(side - k + 1) % side}, 0, false});
  return moves;
}

// 2a + 1 >= 5 columns of 2b + 1 nodes in a + b + 1 steps. The root's row takes a + 1, but in the last of them
// only `sender` is busy, informing `late`: the other columns begin then, counterclockwise first. The columns
// of these two have b steps for 2b nodes and miss one each, the b-th counterclockwise; in the last step the
// column beside, which had its own node there informed the step before, informs it.
std::vector<Move> odd_pair_moves(NodeId columns, NodeId rows) {
  const NodeId a = columns / 2, b = rows / 2;
  const NodeId sender = columns - (a - 1), late = columns - a;  // a - 1 and a places counterclockwise
  std::vector<Move> moves;
  for (NodeId k = 1; k <= a; ++k) {
    moves.push_back({k, {k - 1, 0}, 0, true});
    moves.push_back({k + 1, {(columns - k + 1) % columns, 0}, 0, false});
  }
  for (NodeId column = 0; column < columns; ++column) {
    const bool is_late = column == sender || column == late;
    const std::uint32_t clockwise = a + 1, other = is_late ? a + 2 : a;
    for (NodeId k = 1; k <= b; ++k) {
      moves.push_back({clockwise + k, {column, k - 1}, 1, true});
      if (!is_late || k < b) moves.push_back({other + k, {column, (rows - k + 1) % rows}, 1, false});
    }
  }
  moves.push_back({a + b + 1, {(sender + 1) % columns, rows - b}, 0, false});
  moves.push_back({a + b + 1, {late - 1, rows - b}, 0, true});
  return moves;
}

// Three small sides, by search; the search is the same on every machine.
std::vector<Move> searched_moves(const std::vector<NodeId>& sides, std::uint64_t steps) {
  const Graph torus = make_topology(fmt::format("torus:{}x{}x{}", sides[0], sides[1], sides[2]));
  std::vector<Move> moves;
  for (const Informing& i : searched_broadcast(torus, 0, steps)) {
    const Places from = torus.coordinates(i.from), to = torus.coordinates(torus.peer(i.from, i.port).node);
    std::size_t dimension = 0;
    while (from[dimension] == to[dimension]) ++dimension;
    const bool clockwise = to[dimension] == (from[dimension] + 1) % sides[dimension];
    moves.push_back({i.step, from, dimension, clockwise});
  }
  return moves;
}

std::vector<Move> moves_of(const Group& group, const std::vector<NodeId>& sides) {
  if (group.size() == 1) return ring_moves(sides[group[0]]);
  if (group.size() == 2) return odd_pair_moves(sides[group[0]], sides[group[1]]);
  return searched_moves({sides[group[0]], sides[group[1]], sides[group[2]]}, steps_of_group(group, sides));
}

// A dimension, walked from the root's place.
struct Ring {
  std::vector<NodeId> digit;                        // coordinate of each place clockwise
  std::vector<PortId> clockwise, counterclockwise;  // ports of the factor, by place
};

Ring walk(const Graph& factor, NodeId start) {
  Ring ring;
  NodeId at = start;
  PortId out = 0;
  std::vector<PortId> in;
  do {
    const Endpoint next = factor.peer(at, out);
    ring.digit.push_back(at);
    ring.clockwise.push_back(out);
    in.push_back(next.port);
    at = next.node;
    out = factor.degree(at) == 1 ? 0 : 1 - next.port;
  } while (at != start);
  for (std::size_t i = 0; i < in.size(); ++i)
    ring.counterclockwise.push_back(in[(i + in.size() - 1) % in.size()]);
  return ring;
}

bool is_ring(const Graph& factor) {
  if (factor.node_count() == 2) return factor.max_degree() == 1;
  return factor.node_count() > 2 && factor.min_degree() == 2 && factor.max_degree() == 2;
}

std::vector<NodeId> sides_of(const Graph& graph) {
  std::vector<NodeId> sides;
  for (const Graph& factor : dimensions_of(graph)) sides.push_back(factor.node_count());
  return sides;
}

}  // namespace

std::string why_no_torus(const Graph& graph) {
  for (const Graph& factor : dimensions_of(graph)) {
    if (!is_ring(factor)) return "needs a torus, a product of rings";
  }
  return {};
}

std::uint64_t torus_broadcast_steps(const std::vector<NodeId>& sides) {
  std::uint64_t steps = 0;
  for (const Group& group : groups_of(sides)) steps += steps_of_group(group, sides);
  return steps;
}

std::vector<Informing> torus_broadcast(const Graph& graph, NodeId root) {
  if (const std::string reason = why_no_torus(graph); !reason.empty())
    throw bad_input("torus-broadcast: {}: {}", one_line(graph.spelling()), reason);
  const std::vector<Graph> factors = dimensions_of(graph);
  const std::vector<NodeId> sides = sides_of(graph), origin = graph.coordinates(root);
  std::vector<Ring> rings;
  std::vector<PortId> first_port{0};  // by dimension; all nodes of a ring have equally many
  for (std::size_t i = 0; i < factors.size(); ++i) {
    rings.push_back(walk(factors[i], origin[i]));
    first_port.push_back(first_port.back() + factors[i].max_degree());
  }
  std::vector<Informing> informings;
  std::vector<std::vector<NodeId>> informed{std::vector<NodeId>(sides.size(), 0)};  // places by dimension
  std::uint32_t before = 0;
  for (const Group& group : groups_of(sides)) {
    const std::vector<Move> moves = moves_of(group, sides);
    std::vector<std::vector<NodeId>> next = informed;
    for (const std::vector<NodeId>& start : informed) {
      for (const Move& move : moves) {
        std::vector<NodeId> places = start, digits(sides.size());
        for (std::size_t k = 0; k < group.size(); ++k) places[group[k]] = move.from[k];
        for (std::size_t i = 0; i < sides.size(); ++i) digits[i] = rings[i].digit[places[i]];
        const std::size_t i = group[move.dimension];
        const Ring& ring = rings[i];
        const PortId port = (move.clockwise ? ring.clockwise : ring.counterclockwise)[places[i]];
        informings.push_back({before + move.step, graph.node_at(digits), first_port[i] + port});
        places[i] = (places[i] + (move.clockwise ? 1 : sides[i] - 1)) % sides[i];
        next.push_back(std::move(places));
      }
    }
    informed = std::move(next);
    before += static_cast<std::uint32_t>(steps_of_group(group, sides));
  }
  return informings;
}

std::vector<Algorithm> torus_broadcast_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind collective : {CollectiveKind::kBroadcast, CollectiveKind::kReduction}) {
    list.push_back({.name = "torus-broadcast",
                    .collective = collective,
                    .source = "after thesis 3.2; optimal in up to three dimensions",
                    .description = std::string("dimension after dimension, odd ones in pairs that overlap") +
                                   (collective == CollectiveKind::kReduction ? "; backwards" : ""),
                    .domain = "tori, one-port",
                    .why_not = [](const Problem& p) -> std::string {
                      if (!p.tree.empty()) return "finds its own tree, without --tree";
                      if (p.ports == PortModel::kAllPort) return "needs --ports one or one-send";
                      return why_no_torus(p.graph);
                    },
                    .closed_form = [](const Problem& p) { return torus_broadcast_steps(sides_of(p.graph)); },
                    .plan =
                        [](const Problem& p) {
                          return informing_schedule(p, "torus-broadcast", torus_broadcast(p.graph, p.root));
                        }});
  }
  return list;
}

}  // namespace safnet
