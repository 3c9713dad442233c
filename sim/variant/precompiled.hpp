// precompiled - the headers that all variants include and that take longest to read. build_variant.sh
// compiles them once and hands the result to the compilation of each variant, which needs its time for the
// model alone then.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>
