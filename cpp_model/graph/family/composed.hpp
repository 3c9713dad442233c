// composed - networks made of other networks, of any family.
#pragma once

#include <vector>

#include "cpp_model/graph/family/family.hpp"

namespace safnet {

std::vector<TopologyFamily> composed_families();

}  // namespace safnet
