// entries - arguments by what must enter sets of nodes, for packets that are copied on the way.
#pragma once

#include <optional>

#include "cpp_model/proof/ways.hpp"

namespace safnet {

/// ProofKind::kEntries for copied packets, or kWays if those for a single node are enough.
std::optional<Proof> prove_by_entries(const Task& task, const ProofHint& hint);

}  // namespace safnet
