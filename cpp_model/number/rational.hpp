// rational - exact fractions of any size, for bounds and times in slots.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace safnet {

using Rational = boost::multiprecision::cpp_rational;

}  // namespace safnet
