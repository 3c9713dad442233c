#include "cpp_model/bound/lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/bound/exact.hpp"

namespace safnet {
namespace {

// Networks up to this size are searched for cut nodes and balls; larger ones only for cuts along dimensions.
constexpr NodeId kMaxSearchedNodes = 512;
// Up to this size every cut there is gets looked at.
constexpr NodeId kMaxExhaustiveNodes = 12;

bool is_tree(const Graph& graph) { return graph.link_count() == 2 * (std::uint64_t{graph.node_count()} - 1); }

class Largest {
 public:
  void consider(std::uint64_t steps, const std::string& reason) {
    if (steps > best_.steps || best_.reason.empty()) best_ = {steps, reason};
  }
  const LowerBound& value() const { return best_; }

 private:
  LowerBound best_;
};

void one_port_broadcast(const Problem& problem, Largest& bound) {
  const std::vector<std::uint64_t> sequence = distance_degree_sequence(problem.graph, problem.root);
  const std::vector<std::uint64_t> at_least = nodes_at_least(sequence);
  for (std::uint64_t d = 0; d < at_least.size(); ++d) {
    bound.consider(steps_to_inform(d, at_least[d]),
                   fmt::format("{} nodes {} or more hops away, thesis Theorem 3.3", at_least[d], d));
  }
  if (!is_tree(problem.graph)) return;
  for (std::uint64_t d = 1; d < sequence.size(); ++d) {
    bound.consider(steps_to_inform_in_tree(d, sequence[d]),
                   fmt::format("{} nodes {} hops away in a tree, thesis Corollary 3.5", sequence[d], d));
  }
}

// Every packet from one side of a cut to the other crosses one of its links.
class CutBound {
 public:
  CutBound(const Graph& graph, Largest& bound)
      : graph_(graph), bound_(bound), inside_(graph.node_count(), false) {}
  void consider(const std::vector<bool>& inside, const std::string& reason) {
    std::uint64_t nodes = 0, links = 0;
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      if (!inside[v]) continue;
      ++nodes;
      for (PortId p = 0; p < graph_.degree(v); ++p) links += inside[graph_.peer(v, p).node] ? 0 : 1;
    }
    if (links != 0) bound_.consider(divide_up(nodes * (graph_.node_count() - nodes), links), reason);
  }
  void along_dimensions() {
    const std::size_t dimensions = std::max<std::size_t>(1, graph_.factors().size());
    for (std::size_t i = 0; i < dimensions; ++i) {
      const NodeId size = graph_.factors().empty() ? graph_.node_count() : graph_.factors()[i].node_count();
      // Only half-way cuts on large networks: the product of the sides is largest there.
      const NodeId first = graph_.node_count() > kMaxSearchedNodes ? size / 2 : 1;
      for (NodeId k = first; k < (first == 1 ? size : first + 1); ++k) {
        for (NodeId v = 0; v < graph_.node_count(); ++v) inside_[v] = graph_.coordinates(v)[i] < k;
        consider(inside_, fmt::format("cut across dimension {} after {} of {}, thesis (4.1)", i, k, size));
      }
    }
  }
  void balls() {
    const NodeId sources = graph_.translations() ? 1 : graph_.node_count();
    for (NodeId source = 0; source < sources; ++source) {
      const auto distance = graph_.distances_from(source);
      const std::uint32_t furthest = *std::max_element(distance.begin(), distance.end());
      for (std::uint32_t r = 0; r < furthest; ++r) {
        for (NodeId v = 0; v < graph_.node_count(); ++v) inside_[v] = distance[v] <= r;
        consider(inside_,
                 fmt::format("cut around the nodes within {} hops of node {}, thesis (4.1)", r, source));
      }
    }
  }
  void all_cuts() {
    for (std::uint32_t set = 1; set < (1U << (graph_.node_count() - 1)); ++set) {
      for (NodeId v = 0; v < graph_.node_count(); ++v) inside_[v] = ((set >> v) & 1) != 0;
      consider(inside_, "best of all cuts, thesis (4.1)");
    }
  }

 private:
  const Graph& graph_;
  Largest& bound_;
  std::vector<bool> inside_;
};

void all_port_total_exchange(const Graph& graph, Largest& bound) {
  CutBound cuts(graph, bound);
  cuts.along_dimensions();
  if (graph.node_count() <= kMaxSearchedNodes) cuts.balls();
  if (graph.node_count() <= kMaxExhaustiveNodes) cuts.all_cuts();
  bound.consider(divide_up(graph.total_status(), graph.link_count()), "hops of all packets over all links");
  bound.consider(graph.diameter(), "diameter");
}

// A node whose removal leaves parts C_1, C_2, ...: it sends its own n-1 packets and forwards all between the
// parts.
void cut_nodes(const Graph& graph, Largest& bound) {
  const NodeId n = graph.node_count();
  for (NodeId removed = 0; removed < n; ++removed) {
    std::vector<bool> seen(n, false);
    seen[removed] = true;
    std::uint64_t squares = 0;
    for (NodeId start = 0; start < n; ++start) {
      if (seen[start]) continue;
      std::vector<NodeId> part{start};
      seen[start] = true;
      for (std::size_t head = 0; head < part.size(); ++head) {
        for (PortId p = 0; p < graph.degree(part[head]); ++p) {
          const NodeId u = graph.peer(part[head], p).node;
          if (!seen[u]) {
            seen[u] = true;
            part.push_back(u);
          }
        }
      }
      squares += std::uint64_t{part.size()} * part.size();
    }
    const std::uint64_t others = n - 1;
    bound.consider(others + others * others - squares,
                   fmt::format("what node {} must send and forward", removed));
  }
}

void one_port_total_exchange(const Graph& graph, Largest& bound) {
  bound.consider(divide_up(graph.total_status(), graph.node_count()), "average status, thesis (4.4)");
  if (!graph.translations() && graph.node_count() <= kMaxSearchedNodes) cut_nodes(graph, bound);
}

}  // namespace

LowerBound lower_bound(const Problem& problem) {
  const Graph& graph = problem.graph;
  const bool all_port = problem.ports == PortModel::kAllPort;
  Largest bound;
  switch (problem.collective) {
    case CollectiveKind::kBroadcast:
      bound.consider(graph.eccentricity(problem.root), "eccentricity of the root");
      if (!all_port) one_port_broadcast(problem, bound);
      break;
    case CollectiveKind::kScatter: {
      const std::uint64_t others = graph.node_count() - 1;
      bound.consider(
          all_port ? divide_up(others, graph.degree(problem.root)) : others,
          all_port ? "packets that leave the root, thesis (3.3)" : "packets that leave the root, thesis 3.3");
      bound.consider(graph.eccentricity(problem.root), "eccentricity of the root");
      break;
    }
    case CollectiveKind::kGather:
    case CollectiveKind::kReduction:
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather:
      break;
    case CollectiveKind::kMultipath: {
      const NodeId destination = destination_of(problem);
      const std::uint64_t distance = graph.distances_from(problem.root)[destination];
      const std::uint64_t at_once =
          all_port ? std::min(graph.degree(problem.root), graph.degree(destination)) : 1;
      bound.consider(distance - 1 + divide_up(collective_of(problem).expected_deliveries(), at_once),
                     "distance to the destination, and what leaves the root at once");
      break;
    }
    case CollectiveKind::kTotalExchange:
      if (all_port) {
        all_port_total_exchange(graph, bound);
      } else {
        one_port_total_exchange(graph, bound);
      }
      break;
  }
  return bound.value();
}

}  // namespace safnet
