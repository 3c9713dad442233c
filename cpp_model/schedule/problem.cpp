#include "cpp_model/schedule/problem.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "cpp_model/graph/disjoint_paths.hpp"

namespace safnet {
namespace {

const std::vector<NodeId>& active_nodes(const Problem& problem) {
  const std::vector<NodeId>& active = problem.active;
  if (active.empty()) throw std::invalid_argument("--active: expected at least one node");
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i] >= problem.graph.node_count()) {
      throw std::invalid_argument(
          fmt::format("--active {}: expected nodes from 0 to {}", active[i], problem.graph.node_count() - 1));
    }
    if (i > 0 && active[i] <= active[i - 1])
      throw std::invalid_argument(fmt::format("--active {}: expected ascending nodes", active[i]));
  }
  return active;
}

}  // namespace

NodeId destination_of(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  if (problem.destination == kNoNode) return problem.root == n - 1 ? n - 2 : n - 1;
  if (problem.destination >= n || problem.destination == problem.root) {
    throw std::invalid_argument(
        fmt::format("destination {}: expected a node from 0 to {} other than the root, {}",
                    problem.destination, n - 1, problem.root));
  }
  return problem.destination;
}

Collective collective_of(const Problem& problem) {
  const Graph& graph = problem.graph;
  if (problem.collective != CollectiveKind::kMultipath)
    return Collective(problem.collective, graph.node_count(), problem.root);
  const NodeId destination = destination_of(problem);
  const std::size_t paths = graph.factors().empty()
                                ? node_disjoint_paths(graph, problem.root, destination).size()
                                : promised_paths(graph, problem.root, destination);
  return Collective::multipath(graph.node_count(), problem.root, destination,
                               static_cast<std::uint32_t>(paths));
}

PacketList collective_packets(const Problem& problem) {
  const NodeId n = problem.graph.node_count();
  if (problem.root >= n) {
    throw std::invalid_argument(fmt::format("root {}: expected a node from 0 to {}", problem.root, n - 1));
  }
  std::vector<NodeId> all(n);
  std::iota(all.begin(), all.end(), NodeId{0});
  PacketList packets;
  const auto personal = [&](const std::vector<NodeId>& origins, const std::vector<NodeId>& destinations) {
    packets.reserve(origins.size() * destinations.size(), origins.size() * destinations.size());
    for (const NodeId v : origins) {
      for (const NodeId d : destinations) {
        if (d != v) packets.add(v, d, 1, std::span(&d, 1));
      }
    }
  };
  switch (problem.collective) {
    case CollectiveKind::kBroadcast: {
      std::vector<NodeId> others = all;
      others.erase(others.begin() + problem.root);
      packets.add(problem.root, 0, 1, others);
      break;
    }
    case CollectiveKind::kScatter:
      personal({problem.root}, all);
      break;
    case CollectiveKind::kGather:
      personal(all, {problem.root});
      break;
    case CollectiveKind::kTotalExchange:
      personal(all, all);
      break;
    case CollectiveKind::kPartialExchange:
      personal(active_nodes(problem), all);
      break;
    case CollectiveKind::kPartialGather:
      personal(all, active_nodes(problem));
      break;
    case CollectiveKind::kReduction:
      for (const NodeId v : all) packets.add(v, 0, 1, {});
      break;
    case CollectiveKind::kMultipath:
      throw std::invalid_argument("multipath: expected another collective, this one is not planned");
  }
  return packets;
}

Schedule empty_schedule(const Problem& problem, const std::string& algorithm) {
  Schedule schedule(problem.graph);
  schedule.ports = problem.ports;
  schedule.packets = collective_packets(problem);
  schedule.collective = to_string(problem.collective);
  schedule.root = problem.root;
  schedule.algorithm = algorithm;
  return schedule;
}

}  // namespace safnet
