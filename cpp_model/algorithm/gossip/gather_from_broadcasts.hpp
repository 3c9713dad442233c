// gather_from_broadcasts - every multinode broadcast holds a gather: the way of each packet to the root.
#pragma once

#include <string>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The gather, or backwards in as many steps the scatter, that `problem` says, from a valid schedule of steps
/// for the multinode broadcast of as many messages on the same network (Varvarigos, folded cubes, section 3).
Schedule personal_from_broadcasts(const Problem& problem, const std::string& algorithm,
                                  const Schedule& broadcasts);

}  // namespace safnet
