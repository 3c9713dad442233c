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
  const NodeId most = task.together ? kMaxNodesForAllreduce : kMaxNodesForOptimum;
  if (!task.copied || task.processors != task.nodes || task.nodes > most) return std::nullopt;
  const std::optional<std::vector<Clause>> question = question_of(task);
  if (!question) return std::nullopt;
  std::optional<Refutation> refutation = refute(*question, kMostConflicts);
  if (!refutation) return std::nullopt;
  Proof proof;
  proof.kind = ProofKind::kRefutation;
  proof.refutation = std::move(*refutation);
  return proof;
}

}  // namespace

std::optional<Proof> prove(const Problem& problem, const LowerBound& bound) {
  if (bound.steps == 0) return std::nullopt;
  const NodeId n = problem.graph.node_count();
  const BoundWitness turned = turned_round(bound.witness, n);
  const auto prove_as = [&](CollectiveKind as, NodeId root, bool at_length) -> std::optional<Proof> {
    std::optional<Task> task = task_of(problem, as, root);
    if (!task) return std::nullopt;
    task->steps = bound.steps - 1;
    std::optional<Proof> proof;
    if (!task->together)
      proof = prove_task(*task, {problem, task->combined ? turned : bound.witness}, at_length);
    if (!proof && as == problem.collective) proof = prove_by_refutation(*task);
    if (!proof) return std::nullopt;
    proof->steps = bound.steps;
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

}  // namespace safnet
