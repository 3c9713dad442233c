// router_ports - the ports of a router that decides by labels: a fifo_node, and beside pifo_ports.svh a pifo_node. The
// fifo_node writes them out, since it is the example for a router of one's own.
`include "common/link_ports.svh"
// host: label table, before the run; nodes of a network share all but the first
`INPUT(Nodes, table_valid_i)
`INPUT(LabelWidth, table_label_i)
`INPUT(Radix, table_mask_i)
`INPUT(1, table_deliver_i)
// host: injection
`INPUT(Nodes*InjectPorts, inject_valid_i)
`OUTPUT(Nodes*InjectPorts, inject_ready_o)
`INPUT(Nodes*InjectPorts*FlitWidth, inject_flit_i)
// host: deliveries, one stream per input port
`OUTPUT(Nodes*Radix, deliver_valid_o)
`OUTPUT(Nodes*Radix, deliver_last_o)
`OUTPUT(Nodes*Radix*FlitWidth, deliver_flit_o)
// measurements
`include "common/count_ports.svh"
`OUTPUT(Nodes*OccupancyWidth, peak_transit_o)  // without the host's own packets
`OUTPUT(Nodes*Radix, wait_grant_o)             // a packet asks for this output and has no grant
`OUTPUT(Nodes, idle_o)                         // registered: nothing happens here unless something arrives
