// fault_subject - a run that can be repeated with a fault in it: what is to run, and where in its flits the
// fields are.
#pragma once

#include <functional>
#include <string>

#include "sim/fault/fault.hpp"
#include "sim/run/account.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/scan_run.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

/// What a run came to.
struct JudgedRun {
  Account account;
  std::string verdict;
  std::uint32_t scan_cycles = 0;
  /// Of all flits that hosts got, at which node, whatever their order and cycles; taken from the nodes'
  /// outputs, beside all checks.
  std::uint64_t host_flits = 0;
};

struct FaultSubject {
  Graph graph;
  FlitFields fields = {};
  bool has_credits = true, has_grants = false;
  /// Runs it. Throws std::runtime_error if an assertion in the RTL fails.
  std::function<JudgedRun(const HardwareOptions&)> run = {};

  bool can_have(FaultNeeds needs) const {
    return needs == FaultNeeds::kLabels         ? fields.label != 0
           : needs == FaultNeeds::kSeveralFlits ? fields.flits > 1
           : needs == FaultNeeds::kCredits      ? has_credits
           : needs == FaultNeeds::kGrants       ? has_grants
                                                : true;
  }
};

/// A run on routers or by a timetable.
FaultSubject subject_of(const RunPlan& plan, VariantStore& store);
/// A run on scan_nodes, compared with its closed form and, where there is one, with the model of its
/// algorithm, as `safnet run` does. Its packets have no labels and, in a scan, no length: every flit counts
/// as a packet.
FaultSubject subject_of(const ScanRequest& request, VariantStore& store);

}  // namespace safnet
