// work_budget - how much a search may do: counted, not timed, so that equal networks have equal answers.
#pragma once

#include <cstdint>

namespace safnet {

/// Visits of links and nodes that are left. A search that has used them up gives up.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t visits) : left_(visits) {}
  /// Takes so many visits; false, and nothing is left, if there are not as many.
  bool take(std::uint64_t visits) {
    const bool enough = visits <= left_;
    left_ = enough ? left_ - visits : 0;
    return enough;
  }
  std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
};

}  // namespace safnet
