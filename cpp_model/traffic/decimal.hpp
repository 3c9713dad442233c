// decimal - numbers such as 0.35 as the exact fractions they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/number/rational.hpp"

namespace safnet {

/// "0.35", "1" or "7/20": at most six digits before and after the point, or on either side of the stroke.
/// Throws std::invalid_argument, which names `option` and the word.
Rational parse_fraction(std::string_view option, std::string_view word);

/// "FROM:TO:STEP" or "A,B,C", each as parse_fraction() reads it: at most `most` values, ascending.
/// Throws std::invalid_argument.
std::vector<Rational> parse_fractions(std::string_view option, std::string_view text, std::size_t most);

/// "0.35" where that is exact with at most six places, else "1/3".
std::string in_decimal(const Rational& value);

}  // namespace safnet
