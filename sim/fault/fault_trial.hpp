// fault_trial - one run with one fault, and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/fault/fault_subject.hpp"
#include "sim/fault/notice.hpp"

namespace safnet {

enum class FaultOutcome : std::uint8_t {
  kNotStruck,  ///< nothing crossed the wire any more from that cycle on: the run had no fault
  kHarmless,   ///< every check holds, and hosts got the very flits of the run without a fault, no later
  kLate,       ///< the same, but in more cycles, which the run says
  kNoticed,    ///< a check failed
  kSilent,     ///< none of these
};
std::string_view to_string(FaultOutcome outcome);

/// The run without a fault.
struct SoundRun {
  std::uint32_t steps = 0, cycles = 0, scan_cycles = 0;
  std::uint64_t transmissions = 0, delivered = 0, host_flits = 0;
  std::string verdict;
  std::uint64_t fabric_cycles = 0;  ///< those before the start included
};

struct FaultTrial {
  Fault fault;
  std::optional<std::uint32_t> struck = {};  ///< cycle
  FaultOutcome outcome = FaultOutcome::kNotStruck;
  std::uint32_t steps = 0, cycles = 0;  ///< of a run that is late
  std::vector<Notice> notices = {};     ///< in order of cycle; of each check the first

  /// Cycles from the strike to the first notice.
  std::uint32_t cycles_until_notice() const;
  /// The nearest that any message led to the fault.
  Named named() const;
};

/// Runs without a fault. Throws std::invalid_argument, which names what is wrong, if that run fails.
SoundRun run_without_fault(const FaultSubject& subject, HardwareOptions options);

struct TrialSettings {
  std::uint32_t delay = 8;  ///< cycles that a slow link takes longer
  std::set<Check> without;  ///< checks that are left out, as if there were none
};
/// Runs with a fault, for as long as 16 sound runs and a patience at most.
FaultTrial run_with_fault(const FaultSubject& subject, const Fault& fault, const SoundRun& sound,
                          const TrialSettings& settings, HardwareOptions options);

/// What is to be said of a run that ended: a pure function, for run_with_fault() and its tests.
FaultOutcome outcome_of(const JudgedRun& run, bool struck, bool noticed, const SoundRun& sound);

}  // namespace safnet
