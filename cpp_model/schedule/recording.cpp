#include "cpp_model/schedule/recording.hpp"

namespace safnet {

CycleRange cycles_of_steps(const Schedule& schedule, const StepRange& steps) {
  constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  const std::uint64_t slot = schedule.slot_cycles;
  return {(steps.first - 1) * slot + 1, steps.last > kEnd / slot ? kEnd : steps.last * slot};
}

}  // namespace safnet
