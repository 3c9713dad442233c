#include "sim/fifo/fifo_kind.hpp"

namespace safnet {

Hardware fifo_hardware(const PifoParameters& parameters) {
  static const auto kind = router_node_kind(
      {.name = "fifo", .top = "fifo_node", .folders = {"common", "fifo"}, .show_node = show_queues});
  return router_hardware(kind, parameters);
}

}  // namespace safnet
