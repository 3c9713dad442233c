// largest_bound - a lower bound with its reason, and the largest of several.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "cpp_model/bound/bound_witness.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

struct LowerBound {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument gives it: "eccentricity of the root", "cut across dimension 0", ...
  /// Numbers that prove it where words do not ("sending nodes 1 1 2 1 1": see certificate.hpp), or empty.
  std::string certificate = {};
  BoundWitness witness = {};  ///< where in the network it binds; of lower_bound() complete, with its links
};

/// Collects bounds: the first of the largest stays, so what is simplest to see goes in first.
class LargestBound {
 public:
  LargestBound() = default;
  explicit LargestBound(LowerBound first) : best_(std::move(first)) {}

  /// `reason`, a text, and `witness`, or functions that make one and are called only if the bound is the
  /// largest so far. Without a witness it binds the whole network.
  template <class Reason, class Witness = BoundWitness>
  void consider(std::uint64_t steps, const Reason& reason, const Witness& witness = {}) {
    if (steps > best_.steps) best_ = {steps, made(reason), "", made(witness)};
  }
  /// A bound with a reason also replaces one that has no reason, whatever their steps.
  void consider(const LowerBound& bound) {
    if (bound.steps > best_.steps || (best_.reason.empty() && !bound.reason.empty())) best_ = bound;
  }
  std::uint64_t steps() const { return best_.steps; }
  const LowerBound& value() const { return best_; }

 private:
  template <class Maker>
  static decltype(auto) made(const Maker& maker) {
    if constexpr (std::is_invocable_v<Maker>) {
      return maker();
    } else {
      return (maker);
    }
  }

  LowerBound best_;
};

}  // namespace safnet
