// slot_finder - which slots of a link or port are taken, for list scheduling.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace safnet {

/// The slots in which something is busy, as runs: adjacent slots cost no memory.
class BusySlots {
 public:
  /// The first free slot at or after `slot`.
  std::uint64_t free_from(std::uint64_t slot) const {
    const auto after = first_after(slot);
    return after != runs_.begin() && std::prev(after)->end > slot ? std::prev(after)->end : slot;
  }
  /// Takes a free slot.
  void take(std::uint64_t slot) {
    const auto after = runs_.begin() + (first_after(slot) - runs_.cbegin());
    const bool joins_before = after != runs_.begin() && std::prev(after)->end == slot;
    const bool joins_after = after != runs_.end() && after->begin == slot + 1;
    if (joins_before && joins_after) {
      std::prev(after)->end = after->end;
      runs_.erase(after);
    } else if (joins_before) {
      ++std::prev(after)->end;
    } else if (joins_after) {
      --after->begin;
    } else {
      runs_.insert(after, {slot, slot + 1});
    }
  }

  /// Gives back a slot that was taken.
  void release(std::uint64_t slot) {
    const auto run = std::prev(runs_.begin() + (first_after(slot) - runs_.cbegin()));
    const Run rest{slot + 1, run->end};
    run->end = slot;
    const auto next = run->begin == run->end ? runs_.erase(run) : std::next(run);
    if (rest.begin < rest.end) runs_.insert(next, rest);
  }

 private:
  struct Run {
    std::uint64_t begin, end;
  };
  std::vector<Run>::const_iterator first_after(std::uint64_t slot) const {
    return std::upper_bound(runs_.begin(), runs_.end(), slot,
                            [](std::uint64_t s, const Run& run) { return s < run.begin; });
  }
  std::vector<Run> runs_;
};

}  // namespace safnet
