#include "cpp_model/proof/prove.hpp"

#include <algorithm>
#include <utility>

#include "cpp_model/optimum/allreduce_optimum.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/proof/entries.hpp"
#include "cpp_model/proof/informing.hpp"
#include "cpp_model/proof/task.hpp"
#include "cpp_model/proof/ways.hpp"

namespace safnet {
namespace {

// Steps that a certificate may be about.
constexpr std::uint64_t kMostSteps = 10'000'000;
// Nodes that an allreduce is seen from, one after the other: milliseconds each.
constexpr NodeId kMostRootsTried = 256;
// Of them those that all arguments are tried for.
constexpr NodeId kMostRootsTriedAtLength = 32;
// Conflicts that the SAT solver may meet: some seconds.
constexpr std::uint32_t kMostConflicts = 50'000;

// `at_length`: also by arguments that it takes long to look for.
std::optional<Proof> prove_task(const Task& task, const ProofHint& hint, bool at_length) {
  if (!task.copied) return prove_by_ways(task, hint);
  if (task.origins.size() == 1) {
    if (auto proof = prove_by_informing(task)) return proof;
  }
  return at_length ? prove_by_entries(task, hint) : std::nullopt;
}

// By the SAT solver: of copied packets on networks of the size that it proves bounds for.
std::optional<Proof> prove_by_refutation(const Task& task) {
  const bool has_routers = task.processors != task.nodes;
  const NodeId most = task.together ? kMaxNodesForAllreduce
                      : has_routers ? kMaxNodesAndRoutersForOptimum
                                    : kMaxNodesForOptimum;
  if (!task.copied || !task.alike || task.nodes > most || (has_routers && !task.combined))
    return std::nullopt;
  const std::optional<std::vector<Clause>> question = question_of(task);
  if (!question) return std::nullopt;
  std::optional<Refutation> refutation = refute(*question, kMostConflicts);
  if (!refutation) return std::nullopt;
  Proof proof;
  proof.kind = ProofKind::kRefutation;
  proof.refutation = std::move(*refutation);
  return proof;
}

// That `too_few` steps do not suffice; cycles if there are `times`.
std::optional<Proof> prove_too_few(const Problem& problem, const BoundWitness& witness, std::uint64_t too_few,
                                   const LinkTimes* times) {
  const BoundWitness turned = turned_round(witness, problem.graph.node_count());
  const auto prove_as = [&](CollectiveKind as, NodeId root, bool at_length) -> std::optional<Proof> {
    std::optional<Task> task = task_of(problem, as, root, times);
    if (!task) return std::nullopt;
    task->steps = too_few;
    std::optional<Proof> proof;
    if (!task->together) proof = prove_task(*task, {problem, task->combined ? turned : witness}, at_length);
    const bool at_routers = at_length && task->combined && task->processors != task->nodes;
    if (!proof && (as == problem.collective || at_routers)) proof = prove_by_refutation(*task);
    if (!proof) return std::nullopt;
    proof->as = as;
    proof->root = root;
    return proof;
  };
  if (problem.collective != CollectiveKind::kAllreduce)
    return prove_as(problem.collective, problem.root, true);
  const NodeId roots = std::min(kMostRootsTried, problem.graph.processor_count());
  for (const bool at_length : {false, true}) {
    for (NodeId root = 0; root < (!at_length || roots <= kMostRootsTriedAtLength ? roots : 1); ++root) {
      for (const CollectiveKind as : {CollectiveKind::kBroadcast, CollectiveKind::kReduction}) {
        if (auto proof = prove_as(as, root, at_length)) return proof;
      }
    }
  }
  return prove_as(CollectiveKind::kAllreduce, 0, false);
}

// In cycles, or in steps of as many cycles as a packet keeps every link busy. What each node receives is in
// the order of its steps only if all links have one latency.
std::optional<Proof> prove_in_cycles(const Problem& problem, const LowerBound& bound,
                                     const LinkTimes& times) {
  const std::uint64_t too_few = bound.steps - 1;
  if (auto proof = prove_too_few(problem, bound.witness, too_few, &times)) return proof;
  if (problem.ports == PortModel::kOnePort) {
    for (LinkId link = 0; link < problem.graph.link_count(); ++link) {
      if (times.latency(link) != times.latency(0)) return std::nullopt;
    }
  }
  const std::uint64_t step = std::ranges::min(times.busy);
  std::optional<Proof> proof = prove_too_few(problem, bound.witness, too_few / step, nullptr);
  if (proof) proof->cycles_per_step = step;
  return proof;
}

}  // namespace

std::optional<Proof> prove(const Problem& problem, const LowerBound& bound, std::uint32_t flits,
                           std::uint32_t link_latency) {
  if (bound.steps == 0 || bound.steps > kMostSteps) return std::nullopt;
  std::optional<Proof> proof =
      problem.graph.has_unequal_links()
          ? prove_in_cycles(problem, bound, LinkTimes(problem.graph, flits, link_latency))
          : prove_too_few(problem, bound.witness, bound.steps - 1, nullptr);
  if (proof) proof->steps = bound.steps;
  return proof;
}

}  // namespace safnet
