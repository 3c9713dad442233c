// node_settings - how the nodes of a network run, as far as its nodes are told at run time and not built for
// it.
#pragma once

#include <cstdint>

namespace safnet {

/// Values of the quasi-static inputs of nodes and timers (rtl/common/node_settings.svh and the lists that
/// include it). A node that lacks an input was built for the value, or does not need it.
struct NodeSettings {
  std::uint32_t slot_cycles = 1;
  std::uint32_t link_latency = 0;
  std::uint32_t port_model = 0;
  std::uint32_t grant_cycles = 0;
  std::uint32_t queue_depth = 1;
  std::uint32_t window = 1;
};

}  // namespace safnet
