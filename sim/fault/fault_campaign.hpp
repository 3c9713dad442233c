// fault_campaign - many faults, one after the other: at every link and node, or those chosen, at chosen
// times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/fault/fault_trial.hpp"

namespace safnet {

struct FaultChoice {
  std::optional<std::vector<bool>> links, nodes;  ///< by link, by node; neither: all of both
  std::vector<FaultKind> kinds;                   ///< empty: all that the nodes can have
  std::vector<std::uint32_t> cycles;  ///< from which on a fault strikes; empty: three of the sound run
  std::size_t most = 1000;            ///< runs; of more faults so many are drawn
  std::uint64_t seed = 1;
  TrialSettings trial;
};

struct FaultCampaign {
  SoundRun sound;
  std::vector<std::uint32_t> cycles;  ///< that were tried
  std::size_t possible = 0;           ///< faults that the choice has
  std::size_t drawn = 0;              ///< of these, a sample if they are fewer
  /// Of these, those that are the fault before them, from a later cycle on, as nothing crossed in between:
  /// they are not run again. All others are in `trials`.
  std::size_t same = 0;
  std::vector<FaultTrial> trials;

  std::size_t count(FaultOutcome outcome) const;
};

/// The first cycle, and those at a third and two thirds of the run.
std::vector<std::uint32_t> usual_cycles(const SoundRun& sound);
/// All faults of a choice, in order of kind, place and cycle. Throws std::invalid_argument if there is none,
/// or a kind that was asked for cannot be.
std::vector<Fault> faults_of(const FaultSubject& subject, const FaultChoice& choice,
                             const std::vector<std::uint32_t>& cycles);
/// `progress(done, all)` is called before each run.
FaultCampaign run_campaign(const FaultSubject& subject, const FaultChoice& choice,
                           const HardwareOptions& options,
                           const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace safnet
