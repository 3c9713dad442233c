// verdict - what came of a run.
#pragma once

namespace safnet::lab {

enum class Verdict {
  kOptimal,      ///< as many steps as the lower bound
  kAsPublished,  ///< as many as the closed form of the algorithm
  kWithinBound,  ///< fewer than the closed form, or more than the bound where there is no closed form
  kWorse,        ///< more than the closed form
  kFailed,       ///< not all was delivered, or a rule was broken
  kStuck         ///< the run stopped making progress
};
/// "optimal", "as published", ...: the words of the reports.
const char* to_string(Verdict verdict);

}  // namespace safnet::lab
