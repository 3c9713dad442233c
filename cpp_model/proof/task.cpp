#include "cpp_model/proof/task.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace safnet {

std::optional<Task> task_of(const Problem& problem, CollectiveKind as, NodeId root, const LinkTimes* times) {
  const CollectiveName& name = name_of(as);
  const bool of_mpi = name.handling == Handling::kPersonal || name.handling == Handling::kCopied ||
                      name.handling == Handling::kCombined || as == CollectiveKind::kAllreduce;
  const auto is_mpi = [](Parties parties) { return parties == Parties::kRoot || parties == Parties::kAll; };
  if (!of_mpi || !is_mpi(name.from) || !is_mpi(name.to)) return std::nullopt;
  const Graph& graph = problem.graph;
  Task task;
  task.nodes = graph.node_count();
  task.processors = graph.processor_count();
  for (LinkId link = 0; link < graph.link_count(); ++link)
    task.links.push_back({graph.link_source(link), graph.link_target(link)});
  task.busy = times == nullptr ? std::vector<std::uint32_t>(task.links.size(), 1) : times->busy;
  task.crossing = times == nullptr ? task.busy : times->crossing;
  task.alike = std::ranges::all_of(task.crossing, [](std::uint32_t steps) { return steps == 1; });
  task.sends_one = problem.ports != PortModel::kAllPort;
  task.receives_one = problem.ports == PortModel::kOnePort;
  task.combined = name.handling == Handling::kCombined;
  task.together = as == CollectiveKind::kAllreduce;
  task.copied = task.combined || task.together || name.handling == Handling::kCopied;
  const auto nodes_of = [&](Parties parties) {
    return some_nodes(parties, task.processors, root, {}).list();
  };
  task.origins = nodes_of(name.from);
  task.destinations = nodes_of(name.to);
  task.messages = task.together ? 1 : problem.messages;
  return task.combined ? turned_round(std::move(task)) : task;
}

Task turned_round(Task task) {
  for (DirectedLink& link : task.links) std::swap(link.from, link.to);
  std::swap(task.sends_one, task.receives_one);
  std::swap(task.origins, task.destinations);
  return task;
}

std::vector<std::uint64_t> soonest(const Task& task, const std::vector<NodeId>& from, bool backwards,
                                   const std::vector<std::uint8_t>& within) {
  const auto start_of = [&](const DirectedLink& link) { return backwards ? link.to : link.from; };
  const auto end_of = [&](const DirectedLink& link) { return backwards ? link.from : link.to; };
  const Groups leaving(task.nodes, [&](const auto& put) {
    for (std::uint32_t l = 0; l < task.links.size(); ++l) put(start_of(task.links[l]), l);
  });
  std::vector<std::uint64_t> steps(task.nodes, kNoWay);
  using Reached = std::pair<std::uint64_t, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  const auto reach = [&](NodeId v, std::uint64_t after) {
    if (after >= steps[v] || (!within.empty() && within[v] == 0)) return;
    steps[v] = after;
    open.emplace(after, v);
  };
  for (const NodeId v : from) reach(v, 0);
  while (!open.empty()) {
    const auto [at, v] = open.top();
    open.pop();
    if (at != steps[v]) continue;
    for (const std::uint32_t l : leaving.of(v)) reach(end_of(task.links[l]), at + task.crossing[l]);
  }
  return steps;
}

Wiring wiring_of(const Task& task) {
  return Wiring(Groups(task.nodes, [&](const auto& put) {
    for (const DirectedLink& link : task.links) put(link.from, link.to);
  }));
}

}  // namespace safnet
