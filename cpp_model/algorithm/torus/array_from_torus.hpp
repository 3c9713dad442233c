// array_from_torus - collectives on arrays by those of the tori of the same sides: Varvarigos and Bertsekas
// 1994, section 2. transform/ring_on_array folds a torus onto an array.
#pragma once

#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// "array-from-torus" for multinode broadcast and accumulation by "translated-broadcast" on the torus, for
/// total exchange by what promises the fewest steps there.
std::vector<Algorithm> array_from_torus_algorithms();

}  // namespace safnet
