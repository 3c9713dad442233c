#include "cpp_model/traffic/random_numbers.hpp"

namespace safnet {

Chance::Chance(Rational probability) : always_(probability >= 1) {
  if (always_) return;
  // The first 64 binary digits, by long division.
  auto rest = static_cast<std::uint64_t>(probability.numerator());
  const auto divisor = static_cast<std::uint64_t>(probability.denominator());
  for (int digit = 0; digit < 64; ++digit) {
    rest *= 2;  // below 2^64, as both parts of a Rational are below 2^63
    below_ = 2 * below_ + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
}

}  // namespace safnet
