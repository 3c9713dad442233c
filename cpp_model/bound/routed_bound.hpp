// routed_bound - lower bounds on networks some of whose nodes only route.
#pragma once

#include "cpp_model/bound/lower_bound.hpp"

namespace safnet {

/// The largest of what is known: distances between processors, what a processor sends and receives, what must
/// cross the branches of a fat tree or pass through its nodes. Steps.
LowerBound routed_bound(const Problem& problem);

}  // namespace safnet
