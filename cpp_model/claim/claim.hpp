// claim - the ledger of published statements as data: where each stands, on which networks it is run, what
// must come out.
//
// Expected values are computed here from the statement's own formula, not asked of the algorithm that is run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// What a run on the hardware hands back to the claim that asked for it.
struct RunOutcome {
  std::uint64_t steps = 0;
  std::uint64_t delay_sum = 0;  ///< sum over deliveries of the step in which they completed
  std::uint64_t deliveries = 0;
  const Graph* graph = nullptr;
  const Trace* trace = nullptr;  ///< only if the case asked for it
};

/// One run.
struct ClaimCase {
  std::string topology;
  CollectiveKind collective = CollectiveKind::kTotalExchange;
  PortModel ports = PortModel::kAllPort;
  std::string algorithm;
  NodeId root = 0;
  std::string tree;
  std::uint64_t expected_steps = 0;
  /// Further conditions on the outcome: empty, or what is wrong. Gets the trace.
  std::function<std::string(const RunOutcome&)> inspect;
};

/// A published statement, with its domain. `published_holds` false: the paper says otherwise than what is
/// expected here; the run confirms the refutation, and `statement` gives both.
struct Claim {
  std::string id;       ///< "thesis.T6"
  std::string section;  ///< "4.2, Theorem 4.3"
  std::string statement;
  bool published_holds = true;
  std::string sizes;  ///< what `cases(full)` covers, in words: quick; full
  std::function<std::vector<ClaimCase>(bool full)> cases;
};

/// The ledger, in the order of the papers.
const std::vector<Claim>& claims();

}  // namespace safnet
