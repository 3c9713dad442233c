// refutation - a proof of the SAT solver's that a task cannot be done in its steps, with the steps of the
// proof written out so that it is checked in time linear in its length.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/proof/task.hpp"

namespace safnet {

/// A clause: literals v or -v of variables v = 1, 2, ...
using Clause = std::vector<int>;

/// Lemmas in the order in which they follow; the last is empty. Clauses have numbers: those of the question
/// from 0 on, then the lemmas.
struct Refutation {
  struct Lemma {
    Clause clause;
    /// If no literal of the lemma is true, these clauses in turn make a literal true each, and the last one
    /// has none left.
    std::vector<std::uint32_t> because;
  };
  std::vector<Lemma> lemmas;
};

/// The question whether copied packets can be everywhere in the task's steps; README.md lists the clauses.
/// Nothing if there were more than some millions.
std::optional<std::vector<Clause>> question_of(const Task& task);

/// Nothing if the clauses can be satisfied, or the solver gives up after so many conflicts, or its proof is
/// too long. Deterministic.
std::optional<Refutation> refute(const std::vector<Clause>& question, std::uint32_t most_conflicts);

}  // namespace safnet
