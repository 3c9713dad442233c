// queue_check - the peaks that routers counted of their queues, held against what their links carried.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/schedule.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/problems.hpp"
#include "sim/pifo/host_start.hpp"

namespace safnet {

/// Adds a line to `problems` for every peak of a queue that a node counted and its links did not make.
/// `sends`: all that the links carried, a valid schedule of cycles. `first_slot`: its first cycle. The
/// packets of a host that were not in its queues from the start came later, when is not known: such a node's
/// queues are judged without them. `may_lack`: of routers that need not count peaks; if they do not, all of
/// their nodes say 0.
void judge_queues(const Schedule& sends, const Machine& machine, const PifoParameters& parameters,
                  std::uint32_t first_slot, HostStart hosts, bool may_lack, Problems& problems);

}  // namespace safnet
