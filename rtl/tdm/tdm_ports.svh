// tdm_ports - the ports of a tdm_node beside link_wires.svh, and of a whole network of them.
`include "common/link_ports.svh"
// with UnequalLinks, by port: cycles of a flit of the link that leads there, and that it takes for each flit; cycles of
// credits for the link that leaves there, and that it takes for each flit. Set before the start.
`INPUT(Nodes*Radix*16, rx_latency_i)
`INPUT(Nodes*Radix*8, rx_interval_i)
`INPUT(Nodes*Radix*16, credit_latency_i)
`INPUT(Nodes*Radix*8, tx_interval_i)
`OUTPUT(Nodes*Radix, tx_credit_o)                     // one more packet may come in through this port
// host: what combining does, for all nodes; constant during a run
`INPUT(tdm_pkg::OperationWidth, operation_i)
// host: programs, one stream per lane and per output; "more" while the host has instructions left for it
`INPUT(Nodes*Lanes, receive_valid_i)
`OUTPUT(Nodes*Lanes, receive_ready_o)
`INPUT(Nodes*Lanes*ReceiveWidth, receive_i)
`INPUT(Nodes*Lanes, receive_more_i)
`INPUT(Nodes*Outputs, send_valid_i)
`OUTPUT(Nodes*Outputs, send_ready_o)
`INPUT(Nodes*Outputs*SendWidth, send_i)
`INPUT(Nodes*Outputs, send_more_i)
// host: flits of its own packets, one stream per link and, last, one into the buffers
`INPUT(Nodes*OwnStreams, own_valid_i)
`OUTPUT(Nodes*OwnStreams, own_ready_o)
`INPUT(Nodes*OwnStreams*FlitWidth, own_flit_i)
// host: deliveries, one stream per lane
`OUTPUT(Nodes*Lanes, deliver_valid_o)
`OUTPUT(Nodes*Lanes, deliver_last_o)
`OUTPUT(Nodes*Lanes*FlitWidth, deliver_flit_o)
// measurements
`include "common/count_ports.svh"
`OUTPUT(Nodes*32, dry_o)                  // cycles with a program that is empty although the host has more
`OUTPUT(Nodes*32, first_dry_cycle_o)
`OUTPUT(Nodes*32, mismatches_o)           // cycles in which a packet began that was not the one programmed
`OUTPUT(Nodes*32, first_mismatch_cycle_o)
// what the head of each program waits for; of a send only when its slot has come
`OUTPUT(Nodes*Radix, late_o)              // as a slot opens: a send is due and does not start
`OUTPUT(Nodes*Radix, wait_packet_o)       // due, and its packet is not there
`OUTPUT(Nodes*Lanes, wait_buffer_o)       // the lane's next packet has to wait for its buffer
`OUTPUT(Nodes, idle_o)                    // nothing happens here unless something arrives
