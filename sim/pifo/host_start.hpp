// host_start - what is in the queues of routers when a run starts.
#pragma once

#include <cstdint>

namespace safnet {

enum class HostStart : std::uint8_t {
  kFull,   ///< the packets of the local hosts, as many as there is room for, as the papers assume
  kEmpty,  ///< nothing: hosts begin to inject in cycle 1
};

}  // namespace safnet
