#include "sim/library/verdict.hpp"

#include "sim/run/verdict.hpp"

namespace safnet::lab {

// The interface has the words of sim/run/verdict.hpp without the headers behind them.
#define SAFNET_SAME_VERDICT(word) \
  static_assert(static_cast<int>(Verdict::word) == static_cast<int>(safnet::Verdict::word))
SAFNET_SAME_VERDICT(kOptimal);
SAFNET_SAME_VERDICT(kAsPublished);
SAFNET_SAME_VERDICT(kWithinBound);
SAFNET_SAME_VERDICT(kWorse);
SAFNET_SAME_VERDICT(kFailed);
SAFNET_SAME_VERDICT(kStuck);
#undef SAFNET_SAME_VERDICT

const char* to_string(Verdict verdict) {
  return safnet::to_string(static_cast<safnet::Verdict>(verdict)).c_str();
}

}  // namespace safnet::lab
