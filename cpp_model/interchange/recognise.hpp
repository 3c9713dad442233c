// recognise - which collective the packets of an imported schedule amount to.
#pragma once

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// If the packets, all plain, are exactly those of a broadcast, scatter, gather or total exchange: gives the
/// schedule its collective, root, order of packets and tags. `preferred`, a name of ours or empty, is tried
/// first: on two nodes a scatter is a broadcast, too. Otherwise nothing is changed.
void recognise_collective(Schedule& schedule, const std::string& preferred);

}  // namespace safnet
