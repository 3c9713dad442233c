// largest_bound - a lower bound with its reason, and the largest of several.
#pragma once

#include <cstdint>
#include <string>

namespace safnet {

struct LowerBound {
  std::uint64_t steps = 0;
  std::string reason;  ///< which argument gives it: "eccentricity of the root", "cut across dimension 0", ...
  /// Numbers that prove it where words do not ("sending nodes 1 1 2 1 1": see certificate.hpp), or empty.
  std::string certificate = {};
};

}  // namespace safnet
