#include "sim/fifo/fifo_kind.hpp"

namespace safnet {

Hardware fifo_hardware(const PifoParameters& p) {
  static const auto kind = [] {
    NodeKind made;
    made.name = "fifo";
    made.top = "fifo_node";
    made.folders = {"common", "fifo"};
    made.host_header = "sim/pifo/pifo_host.hpp";
    made.host = "PifoHost";
    made.write_wave_view = write_queue_wave_view;
    return std::make_shared<const NodeKind>(std::move(made));
  }();
  Hardware hardware;
  hardware.kind = kind;
  hardware.parameters = {{"Radix", p.radix},
                         {"FlitWidth", p.flit_width},
                         {"Flits", p.flits},
                         {"LinkLatency", p.link_latency},
                         {"SlotCycles", p.slot_cycles},
                         {"QueueDepth", p.queue_depth},
                         {"HostDepth", p.host_depth},
                         {"LabelDepth", p.label_depth},
                         {"PortModel", p.port_model},
                         {"GrantCycles", p.grant_cycles},
                         {"NodeIdWidth", p.node_id_width},
                         {"TagWidth", p.tag_width}};
  const bool all_port = p.port_model == rtl::safnet_pkg::kAllPort;
  hardware.quick_build = all_port && p.radix > 16;  // the code grows with the square of the radix
  hardware.scope_bytes = 1024.0 * (all_port ? p.radix : 1) * (p.radix + 1) + 16384;
  return hardware;
}

}  // namespace safnet
