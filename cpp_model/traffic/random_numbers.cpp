#include "cpp_model/traffic/random_numbers.hpp"

namespace safnet {

Chance::Chance(const Rational& probability) : always_(probability >= 1) {
  if (always_) return;
  const boost::multiprecision::cpp_int scaled = (numerator(probability) << 64) / denominator(probability);
  below_ = scaled.convert_to<std::uint64_t>();
}

}  // namespace safnet
