// lower_bound - steps that no algorithm whatsoever can beat, exact integers.
#pragma once

#include <cstdint>
#include <string>

#include "cpp_model/schedule/problem.hpp"

namespace safnet {

struct LowerBound {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument gives it: "eccentricity of the root", "cut across dimension 0", ...
  /// Numbers that prove it where words do not ("sending nodes 1 1 2 1 1": see certificate.hpp), or empty.
  std::string certificate = {};
};

/// The largest of the lower bounds known for the problem: see the other files of this folder. Takes up to a
/// few tenths of a second for a thousand nodes. Throws std::invalid_argument for nodes that do not exist.
LowerBound lower_bound(const Problem& problem);

}  // namespace safnet
