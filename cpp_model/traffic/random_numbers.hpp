// random_numbers - random choices that are the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <random>

#include "cpp_model/number/rational.hpp"

namespace safnet {

/// The generator is std::mt19937_64, whose numbers the standard fixes; what is made of them is not left to
/// the library's distributions, which differ.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  /// 0 ... count-1; count > 0. No value is preferred by more than 2^-32.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((engine_() >> 32) * count) >> 32);
  }

 private:
  std::mt19937_64 engine_;
};

/// Something that happens with a given probability, to within 2^-64.
class Chance {
 public:
  /// `probability` from 0 to 1.
  explicit Chance(const Rational& probability);
  bool happens(RandomNumbers& random) const { return always_ || random.bits() < below_; }

 private:
  bool always_;
  std::uint64_t below_ = 0;
};

}  // namespace safnet
