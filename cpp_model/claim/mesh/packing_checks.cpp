#include "cpp_model/claim/mesh/packing_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"

namespace safnet {
namespace {

using Nodes = std::vector<NodeId>;
using Digits = std::vector<std::uint32_t>;

// A mesh of p^d nodes: numbers and their digits.
struct Numbers {
  std::uint32_t p, d;
  std::string name() const { return fmt::format("p = {}, d = {}", p, d); }
  NodeId nodes() const { return static_cast<NodeId>(DigitShape{p, d, false, false}.nodes()); }
  NodeId weight(std::uint32_t digit) const {
    return static_cast<NodeId>(DigitShape{p, digit, false, false}.nodes());
  }
  std::uint32_t digit(NodeId v, std::uint32_t i) const { return v / weight(i) % p; }
  // The number with its digits rotated up by c places.
  NodeId shifted_left(NodeId v, std::uint32_t c) const {
    return v % weight(d - c) * weight(c) + v / weight(d - c);
  }
};

struct Routing {
  Nodes at;                 // where the packets are in the end
  std::uint32_t steps = 0;  // up to the last in which a packet moves
  bool without_conflict = true;
};

// Every packet moves along the digits in this order. It waits where another has taken its link. All packets
// begin with a digit in the same step: p - 1 steps after the digit before, or later if a packet had to wait.
Routing route(const Numbers& mesh, Nodes at, const Nodes& to, const Digits& order) {
  Routing routing;
  std::uint32_t step = 0;
  for (const std::uint32_t digit : order) {
    const std::uint32_t begin = step;
    for (bool done = false; !done || step < begin + mesh.p - 1;) {
      ++step;
      done = true;
      std::set<std::pair<NodeId, NodeId>> links;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const std::uint32_t from = mesh.digit(at[k], digit), end = mesh.digit(to[k], digit);
        if (from == end) continue;
        const NodeId next = from < end ? at[k] + mesh.weight(digit) : at[k] - mesh.weight(digit);
        if (links.emplace(at[k], next).second) {
          at[k] = next;
          routing.steps = step;
        } else {
          routing.without_conflict = false;
        }
        done = done && mesh.digit(at[k], digit) == end;
      }
    }
  }
  routing.at = std::move(at);
  return routing;
}

Digits ascending(std::uint32_t d) { return range<std::uint32_t>(0, d - 1); }
Digits descending(std::uint32_t d) {
  Digits order = ascending(d);
  std::reverse(order.begin(), order.end());
  return order;
}

std::string check_packing(const Numbers& mesh, bool full) {
  return first_fault(sets_of_active_nodes(mesh.nodes(), full), [&](const Nodes& active) {
    const Routing routing = route(mesh, active, all_nodes(active.size()), ascending(mesh.d));
    const bool in_time = routing.steps <= mesh.d * (mesh.p - 1);
    return unless(routing.without_conflict && in_time, "packets of nodes {} {}", fmt::join(active, ", "),
                  routing.without_conflict ? "do not arrive in time" : "meet");
  });
}

// The first set of active nodes whose packets meet under `routed`.
template <class Route>
std::optional<Nodes> first_meeting(const Numbers& mesh, const Route& routed) {
  for (const Nodes& active : sets_of_active_nodes(mesh.nodes(), false)) {
    if (!routed(active).without_conflict) return active;
  }
  return std::nullopt;
}

std::optional<Nodes> meeting_if_descending(const Numbers& mesh) {
  return first_meeting(mesh, [&](const Nodes& active) {
    return route(mesh, active, all_nodes(active.size()), descending(mesh.d));
  });
}

struct Pairs {
  Nodes from, to;
};

// Random sets of sources and of destinations, both in ascending order.
std::vector<Pairs> random_pairs(NodeId nodes, std::size_t count) {
  std::mt19937 random(1);
  const auto some = [&](std::size_t size) {
    std::set<NodeId> chosen;
    while (chosen.size() < size) chosen.insert(static_cast<NodeId>(random() % nodes));
    return Nodes(chosen.begin(), chosen.end());
  };
  std::vector<Pairs> list;
  while (list.size() < count) {
    const std::size_t size = 1 + random() % nodes;
    list.push_back({some(size), some(size)});
  }
  return list;
}

Routing route_monotonically(const Numbers& mesh, const Pairs& pairs, const Digits& order_of_second_half) {
  Routing first = route(mesh, pairs.from, all_nodes(pairs.from.size()), ascending(mesh.d));
  Routing second = route(mesh, first.at, pairs.to, order_of_second_half);
  second.without_conflict &= first.without_conflict;
  second.steps = std::max(mesh.d * (mesh.p - 1), first.steps) + second.steps;
  return second;
}

std::string check_monotone(const Numbers& mesh, std::size_t pairs_of_sets) {
  return first_fault(random_pairs(mesh.nodes(), pairs_of_sets), [&](const Pairs& pairs) {
    const Routing routing = route_monotonically(mesh, pairs, descending(mesh.d));
    return unless(routing.without_conflict && routing.steps <= 2 * mesh.d * (mesh.p - 1),
                  "from {} to {}: they meet or do not arrive in time", fmt::join(pairs.from, ", "),
                  fmt::join(pairs.to, ", "));
  });
}

// As printed, dimensions d, ..., 1 in the second half: there is no d, and digit 0 is left as the rank has it.
// How many nodes a packet from node 0, alone, then reaches.
std::uint64_t reached_as_printed(const Numbers& mesh) {
  Digits order = descending(mesh.d);
  order.pop_back();
  std::uint64_t reached = 0;
  for (NodeId to = 0; to < mesh.nodes(); ++to)
    reached += route_monotonically(mesh, {{0}, {to}}, order).at[0] == to ? 1 : 0;
  return reached;
}

// Packets that meet if ranks and node names are by the left shift, but dimensions still by (l + c) mod d.
std::optional<Nodes> meeting_if_shifted_left(const Numbers& mesh, std::uint32_t c) {
  Nodes name_of(mesh.nodes()), node_of(mesh.nodes());
  for (NodeId v = 0; v < mesh.nodes(); ++v) {
    name_of[v] = mesh.shifted_left(v, c);
    node_of[name_of[v]] = v;
  }
  Digits order;
  for (std::uint32_t l = 0; l < mesh.d; ++l) order.push_back((l + c) % mesh.d);
  return first_meeting(mesh, [&](Nodes from) {
    std::ranges::sort(from, {}, [&](NodeId v) { return name_of[v]; });
    return route(mesh, from, {node_of.begin(), node_of.begin() + std::ssize(from)}, order);
  });
}

}  // namespace

Checks packing_checks(bool full) {
  const auto name = [full](const Numbers& mesh) {
    return fmt::format("{}: {} sets of active nodes", mesh.name(),
                       sets_of_active_nodes(mesh.nodes(), full).size());
  };
  Checks checks =
      check_each(with_more<Numbers>(full, {{3, 2}, {2, 3}, {4, 2}, {3, 3}, {5, 1}}, {{5, 2}, {4, 3}, {2, 6}}),
                 name, [full](const Numbers& mesh) { return check_packing(mesh, full); });
  const Numbers square{3, 2};
  const auto meeting = meeting_if_descending(square);
  const std::string who = meeting ? fmt::format("{}", fmt::join(*meeting, ", ")) : "no nodes";
  checks.push_back({fmt::format("p = 3, d = 2: the highest digit first, packets of nodes {} meet", who),
                    [meeting] { return unless(meeting.has_value(), "no packets meet"); }});
  return checks;
}

Checks monotone_routing_checks(bool full) {
  Checks checks;
  const std::size_t pairs = full ? 500 : 50;
  for (const Numbers& mesh : {Numbers{3, 2}, Numbers{4, 2}, Numbers{3, 3}, Numbers{2, 4}}) {
    checks.push_back({.name = fmt::format("{}: {} random pairs of sets", mesh.name(), pairs),
                      .check = [mesh, pairs] { return check_monotone(mesh, pairs); },
                      .printed = Printed<>{{kExactly, mesh.nodes(), "nodes reached by a packet of node 0",
                                            "dimension 2d - j in the second half"},
                                           [mesh] { return Rational(reached_as_printed(mesh)); }}});
  }
  return checks;
}

Checks class_order_checks(bool full) {
  return joined(check_each(range<std::uint32_t>(1, 2), "p = 3, d = 3, class {}, shifted to the left",
                           [](std::uint32_t c) {
                             return unless(meeting_if_shifted_left({3, 3}, c).has_value(), "no packets meet");
                           }),
                check_each(with_more(full, "mesh:3x3x3 torus:3x3x3", "mesh:4x4x4 hypercube:5"),
                           sets_of(full, "all classes at once"), [full](const std::string& topology) {
                             return check_plans(BroadcastSetting(topology, true), full);
                           }));
}

}  // namespace safnet
