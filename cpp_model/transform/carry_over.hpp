// carry_over - what was planned for a network under its name, on the nodes and ports of the network that is
// known as it.
#pragma once

#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// A schedule for on_known_network(problem) as one for the problem. Packets are named as the problem's are,
/// and come in the order of collective_packets(); packets that combine others follow. Times stay. The network
/// of `problem` must be known as another, that of the schedule.
Schedule carry_over(Schedule planned, const Problem& problem);

/// The same of a policy. Where several packets of equal rank reach a node at once, or a one-port node may
/// serve several ports, the order of ports decides which is first: a multicast packet keeps the order that it
/// has on the network that is known, packets that tie do not.
Policy carry_over(Policy planned, const Problem& problem);

}  // namespace safnet
