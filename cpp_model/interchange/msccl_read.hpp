// msccl_read - programs of the MSCCL runtimes, in XML, scheduled onto a network.
//
// What maps onto what is in README.md here.
#pragma once

#include <string>
#include <string_view>

#include "cpp_model/interchange/read_schedule.hpp"

namespace safnet {

/// Reads a program and schedules it onto `network`: every packet leaves in the earliest step that its thread
/// block, its dependencies, links, ports and the buffers of channels allow. Checks that every output chunk
/// ends as the collective says; of a custom program, what output chunks hold in the end is delivered. Throws
/// std::invalid_argument with one line; `shown` names the file in messages.
ReadSchedule read_msccl(std::string_view text, const std::string& shown, const Graph& network,
                        PortModel ports, const MscclReading& reading = {});

}  // namespace safnet
