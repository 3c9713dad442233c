// informing - arguments about packets of one origin for all nodes: who can know the last one by when.
#pragma once

#include <optional>

#include "cpp_model/proof/proof.hpp"
#include "cpp_model/proof/task.hpp"

namespace safnet {

/// ProofKind::kInformed, kTree or kCarried, or kWays if some node is too far away.
std::optional<Proof> prove_by_informing(const Task& task);

}  // namespace safnet
