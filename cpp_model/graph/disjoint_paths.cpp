#include "cpp_model/graph/disjoint_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace safnet {
namespace {

// Unit flow through a graph whose nodes carry one path each: augmenting paths in the graph with every node
// split in an entry and an exit.
class UnitNodeFlow {
 public:
  UnitNodeFlow(const Graph& graph, NodeId from, NodeId to)
      : graph_(graph), from_(from), to_(to), next_(graph.node_count(), kNoNode), before_(next_) {}

  /// Adds one more path; false if there is none.
  bool augment() {
    // Places: 2 v is the entry of node v, 2 v + 1 its exit.
    std::vector<std::size_t> reached_from(2 * std::size_t{graph_.node_count()}, kNowhere);
    std::vector<std::size_t> order{exit(from_)};
    reached_from[exit(from_)] = exit(from_);
    const auto reach = [&](std::size_t place, std::size_t by) {
      if (reached_from[place] != kNowhere) return;
      reached_from[place] = by;
      order.push_back(place);
    };
    for (std::size_t head = 0; head < order.size() && reached_from[entry(to_)] == kNowhere; ++head) {
      const std::size_t place = order[head];
      const auto v = static_cast<NodeId>(place / 2);
      if (place == exit(v)) {
        for (PortId p = 0; p < graph_.degree(v); ++p) {
          const NodeId u = graph_.peer(v, p).node;
          const bool used = v == from_ ? is_first(u) : next_[v] == u;
          if (u != from_ && !used) reach(entry(u), place);
        }
        if (v != from_ && before_[v] != kNoNode) reach(entry(v), place);  // take the flow through v back
      } else {
        if (before_[v] == kNoNode) {
          reach(exit(v), place);
        } else {
          reach(exit(before_[v]), place);  // take the flow over the edge into v back
        }
      }
    }
    if (reached_from[entry(to_)] == kNowhere) return false;
    std::vector<std::size_t> path{entry(to_)};
    while (path.back() != exit(from_)) path.push_back(reached_from[path.back()]);
    std::reverse(path.begin(), path.end());
    // Edges taken back first, then the new ones.
    for (const bool taken_back : {true, false}) {
      for (std::size_t i = 1; i < path.size(); ++i) {
        const auto here = static_cast<NodeId>(path[i - 1] / 2), there = static_cast<NodeId>(path[i] / 2);
        if (here == there || (path[i - 1] == entry(here)) != taken_back) continue;
        taken_back ? disconnect(there, here) : connect(here, there);
      }
    }
    return true;
  }
  std::vector<Path> paths() const {
    std::vector<Path> all;
    for (const NodeId first : firsts_) {
      Path path{from_};
      for (NodeId v = first; v != to_; v = next_[v]) path.push_back(v);
      path.push_back(to_);
      all.push_back(std::move(path));
    }
    std::ranges::stable_sort(all, {}, [](const Path& path) { return path.size(); });
    return all;
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  static std::size_t entry(NodeId v) { return 2 * std::size_t{v}; }
  static std::size_t exit(NodeId v) { return 2 * std::size_t{v} + 1; }
  // Never of an edge that leaves from_: an augmenting path begins there, and comes to a place once.
  void disconnect(NodeId v, NodeId u) { next_[v] = before_[u] = kNoNode; }
  void connect(NodeId v, NodeId u) {
    if (v == from_) {
      firsts_.push_back(u);
    } else {
      next_[v] = u;
    }
    if (u != to_) before_[u] = v;
  }
  bool is_first(NodeId u) const { return std::find(firsts_.begin(), firsts_.end(), u) != firsts_.end(); }

  const Graph& graph_;
  NodeId from_, to_;
  std::vector<NodeId> firsts_;         // first nodes of the paths
  std::vector<NodeId> next_, before_;  // along the path through a node
};

// What the construction uses in one dimension: its paths, or, where the coordinates are equal, an edge to
// each neighbour and back.
struct DimensionPaths {
  std::vector<Path> paths;
  bool equal = false;
};

std::vector<DimensionPaths> dimension_paths(const Graph& graph, NodeId v, NodeId u) {
  if (graph.factors().empty()) {
    throw std::invalid_argument(graph.spelling() + ": expected a product of graphs");
  }
  const std::vector<NodeId> from = graph.coordinates(v), to = graph.coordinates(u);
  std::vector<DimensionPaths> all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Graph& dimension = graph.factors()[i];
    DimensionPaths here;
    here.equal = from[i] == to[i];
    if (here.equal) {
      for (PortId p = 0; p < dimension.degree(from[i]); ++p) {
        const NodeId next = dimension.peer(from[i], p).node;
        if (dimension.port_to(from[i], next) == p) here.paths.push_back({from[i], next, from[i]});
      }
    } else {
      here.paths = node_disjoint_paths(dimension, from[i], to[i]);
    }
    all.push_back(std::move(here));
  }
  return all;
}

std::vector<Path> construct(const Graph& graph, NodeId v, NodeId u, bool first_path_whole) {
  const std::vector<DimensionPaths> dimensions = dimension_paths(graph, v, u);
  const std::size_t k = dimensions.size();
  std::vector<Path> result;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < dimensions[i].paths.size(); ++j) {
      const Path& own = dimensions[i].paths[j];
      // Nodes of `own` that are passed before the other dimensions; the rest after them.
      const bool whole = first_path_whole && j == 0 && !dimensions[i].equal;
      const auto split = whole ? own.end() : own.end() - 1;
      Path path{v};
      std::vector<NodeId> at = graph.coordinates(v);
      const auto walk = [&](std::size_t dimension, Path::const_iterator begin, Path::const_iterator end) {
        for (auto node = begin; node != end; ++node) {
          at[dimension] = *node;
          path.push_back(graph.node_at(at));
        }
      };
      walk(i, own.begin() + 1, split);
      for (std::size_t other = 1; other < k; ++other) {
        const std::size_t m = (i + other) % k;
        if (dimensions[m].equal) continue;
        const Path& crossing = dimensions[m].paths[0];
        walk(m, crossing.begin() + 1, crossing.end());
      }
      walk(i, split, own.end());
      result.push_back(std::move(path));
    }
  }
  return result;
}

}  // namespace

std::vector<Path> node_disjoint_paths(const Graph& graph, NodeId v, NodeId u) {
  UnitNodeFlow flow(graph, v, u);
  while (flow.augment()) {
  }
  return flow.paths();
}

std::size_t promised_paths(const Graph& graph, NodeId v, NodeId u) {
  std::size_t sum = 0;
  for (const DimensionPaths& dimension : dimension_paths(graph, v, u)) sum += dimension.paths.size();
  return sum;
}

std::vector<Path> product_paths_as_printed(const Graph& graph, NodeId v, NodeId u) {
  return construct(graph, v, u, false);
}

std::vector<Path> product_paths(const Graph& graph, NodeId v, NodeId u) {
  return construct(graph, v, u, true);
}

std::string why_not_disjoint(const Graph& graph, NodeId v, NodeId u, const std::vector<Path>& paths) {
  std::vector<bool> used(graph.node_count(), false);
  for (const Path& path : paths) {
    if (path.size() < 2 || path.front() != v || path.back() != u) return "a path does not lead from v to u";
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (!graph.port_to(path[i - 1], path[i])) {
        return fmt::format("nodes {} and {} are not adjacent", path[i - 1], path[i]);
      }
      if (i + 1 == path.size()) continue;
      if (used[path[i]] || path[i] == v || path[i] == u)
        return fmt::format("two paths pass node {}", graph.node_name(path[i]));
      used[path[i]] = true;
    }
  }
  return {};
}

}  // namespace safnet
