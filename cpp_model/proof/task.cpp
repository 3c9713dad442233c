#include "cpp_model/proof/task.hpp"

#include <utility>

namespace safnet {

std::optional<Task> task_of(const Problem& problem, CollectiveKind as, NodeId root) {
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

Wiring wiring_of(const Task& task) {
  return Wiring(Groups(task.nodes, [&](const auto& put) {
    for (const DirectedLink& link : task.links) put(link.from, link.to);
  }));
}

}  // namespace safnet
