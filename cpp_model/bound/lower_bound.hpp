// lower_bound - steps that no algorithm whatsoever can beat, exact integers.
#pragma once

#include <cstdint>
#include <string>

#include "cpp_model/schedule/problem.hpp"

namespace safnet {

struct LowerBound {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument gives it: "eccentricity of the root", "cut across dimension 0", ...
};

/// The largest of the lower bounds known for the problem.
LowerBound lower_bound(const Problem& problem);

}  // namespace safnet
