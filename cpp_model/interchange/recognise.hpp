// recognise - which collective the packets of an imported schedule amount to.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The destinations of a packet, ascending.
std::vector<NodeId> sorted_destinations(const PacketList& packets, PacketIndex p);

/// If the packets, all plain, are exactly those of a broadcast, scatter, gather, total exchange or multinode
/// broadcast of any number of messages: gives the schedule its collective, root, order of packets and tags.
/// `preferred`, a name of ours or empty, is tried first: on two nodes a scatter is a broadcast, too. If some
/// are combined, and it is a reduction, a multinode accumulation or an allreduce, it gets its collective and
/// root. Otherwise nothing is changed.
void recognise_collective(Schedule& schedule, const std::string& preferred);

}  // namespace safnet
