// precompiled - the headers that most sources include and that take longest to read. make compiles them once
// and hands the result to every compilation. Sources include what they use all the same: without this they
// compile too, only more slowly.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>
