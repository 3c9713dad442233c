// ways - arguments by the ways of packets that each go to one destination of their own.
#pragma once

#include <optional>

#include "cpp_model/bound/bound_witness.hpp"
#include "cpp_model/proof/proof.hpp"
#include "cpp_model/proof/task.hpp"

namespace safnet {

/// Where to look for an argument: in the problem that a task is made of, and at its bound's witness, which is
/// turned round if the task is.
struct ProofHint {
  const Problem& problem;
  const BoundWitness& witness;
};

/// ProofKind::kWays for personal packets: by distances, by what the witness says, smallest cuts, equal
/// prices, those that find_prices() finds, and prices that rise and fall.
std::optional<Proof> prove_by_ways(const Task& task, const ProofHint& hint);

}  // namespace safnet
