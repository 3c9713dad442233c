// largest_bound - a lower bound with its reason, and the largest of several.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace safnet {

struct LowerBound {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument gives it: "eccentricity of the root", "cut across dimension 0", ...
  /// Numbers that prove it where words do not ("sending nodes 1 1 2 1 1": see certificate.hpp), or empty.
  std::string certificate = {};
};

/// "1 packet", "2 packets".
inline std::string counted(std::uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// Collects bounds: the first of the largest stays, so what is simplest to see goes in first.
class LargestBound {
 public:
  LargestBound() = default;
  explicit LargestBound(LowerBound first) : best_(std::move(first)) {}

  /// `reason`: a text, or a function that makes one and is called only if the bound is the largest so far.
  template <class Reason>
  void consider(std::uint64_t steps, const Reason& reason) {
    if (steps <= best_.steps) return;
    if constexpr (std::is_invocable_v<Reason>) {
      best_ = {steps, reason(), ""};
    } else {
      best_ = {steps, reason, ""};
    }
  }
  /// A bound with a reason also replaces one that has no reason, whatever their steps.
  void consider(const LowerBound& bound) {
    if (bound.steps > best_.steps || (best_.reason.empty() && !bound.reason.empty())) best_ = bound;
  }
  std::uint64_t steps() const { return best_.steps; }
  const LowerBound& value() const { return best_; }

 private:
  LowerBound best_;
};

}  // namespace safnet
