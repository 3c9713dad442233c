// findings - what the checks of a schedule find wrong, as numbers until it is known what is reported.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/check/schedule_report.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What can be wrong. Findings at one place are reported in this order.
enum class Wrong : std::uint8_t {
  kOrigin,
  kNoFlits,
  kDestination,
  kDestinationTwice,
  kDestinationAtOrigin,
  kName,
  kLaterPart,
  kPartTwice,
  kPartLength,
  kStranger,
  kCollectiveAsAWhole,
  kOrder,
  kSlotOfNoCycles,
  kNoSuchPacket,
  kStart,
  kNoSuchLink,
  kNeverHeld,
  kTooEarly,
  kLinkBusy,
  kSenderBusy,
  kReceiverBusy,
  kArrivesTwice,
  kArrivesAtOrigin,
  kPartMissing,
  kCountedTwice,
  kNotDelivered,
};
ScheduleRule rule_of(Wrong wrong);

enum class Phase : std::uint8_t { kPackets, kCollective, kOrder, kSends, kEnd };

/// A violation in numbers; only those that are kept are put in words.
struct Finding {
  Phase phase = Phase::kPackets;
  std::uint64_t position = 0;  // of the packet, or of the send in order of time
  Wrong wrong = Wrong::kOrigin;
  std::size_t send = ScheduleViolation::kNoSend;
  PacketIndex packet = kNoPacket;
  std::uint64_t detail = 0;  // a node, a packet, a cycle or a note's number, depending on `wrong`
  std::uint64_t place = 0;   // a second such number
  friend bool operator<(const Finding& a, const Finding& b) {
    return std::tie(a.phase, a.position, a.wrong, a.detail, a.place) <
           std::tie(b.phase, b.position, b.wrong, b.detail, b.place);
  }
};

/// Keeps the first `limit` findings in their order, whatever the order in which they are added.
class Findings {
 public:
  explicit Findings(std::size_t limit) : limit_(limit) {}
  void add(const Finding& finding) {
    ++count_;
    if (first_.size() < limit_) {
      first_.push_back(finding);
      std::push_heap(first_.begin(), first_.end());
    } else if (limit_ != 0 && finding < first_.front()) {
      std::pop_heap(first_.begin(), first_.end());
      first_.back() = finding;
      std::push_heap(first_.begin(), first_.end());
    }
  }
  /// Stores a text on the collective as a whole, and returns its number: the finding's `detail`.
  std::size_t note(std::string text) {
    texts_.push_back(std::move(text));
    return texts_.size() - 1;
  }
  const std::string& text(std::size_t number) const { return texts_[number]; }

  std::uint64_t count() const { return count_; }
  std::vector<Finding> take() {
    std::sort_heap(first_.begin(), first_.end());
    return std::move(first_);
  }

 private:
  std::size_t limit_;
  std::uint64_t count_ = 0;
  std::vector<Finding> first_;  // a heap: the last one in front
  std::vector<std::string> texts_;
};

}  // namespace safnet
