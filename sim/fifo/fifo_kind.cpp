#include "sim/fifo/fifo_kind.hpp"

#include "sim/machine/wave_view.hpp"

namespace safnet {

Hardware fifo_hardware(const PifoParameters& parameters) {
  static const auto kind = router_node_kind({.name = "fifo",
                                             .top = "fifo_node",
                                             .folders = {"common", "fifo"},
                                             .queues = router_queues,
                                             .show_node = show_counters});
  return router_hardware(kind, parameters);
}

}  // namespace safnet
