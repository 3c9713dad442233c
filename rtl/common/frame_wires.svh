// frame_wires - between a router_frame and the node around it: ports of the frame, signals of the node, named as the frame
// sees them.
//
// table: what is to become of the packets that arrive at the inputs, links first, then the host
`OUTPUT(Inputs, header_o)                  // a packet's first flit arrives in this cycle
`OUTPUT(Inputs*LabelWidth, label_o)
`INPUT(Inputs*Radix, mask_i)
`INPUT(Inputs, deliver_i)
`INPUT(Inputs*RankWidth, rank_i)
// queues: arriving packets; a lane per input
`OUTPUT(Queues*Inputs, write_valid_o)
`OUTPUT(Inputs*IndexWidth, write_index_o)  // which flit of the packet
`OUTPUT(Inputs*FlitWidth, write_flit_o)
`OUTPUT(Queues*Inputs, commit_o)           // with the last flit: the packet is complete
`OUTPUT(Inputs*RankWidth, commit_rank_o)
`OUTPUT(Inputs*MaskWidth, commit_mask_o)
`INPUT(Queues*Inputs*CountWidth, count_next_i)  // packets held in each lane after this cycle
// queues: heads, and the packets being sent
`INPUT(Queues, head_valid_i)
`INPUT(Queues*LaneWidth, head_lane_i)
`INPUT(Queues*SlotWidth, head_slot_i)
`INPUT(Queues, head_done_i)                // serve_mask_o covers the last ports of the head: it leaves the order
`INPUT(Radix, wanted_i)                    // a head is for this output, credit or not
`OUTPUT(Queues*MaskWidth, serve_mask_o)    // ports that the head is taken to in this cycle
`OUTPUT(Queues*LaneWidth, read_lane_o)
`OUTPUT(Queues*SlotWidth, read_slot_o)
`OUTPUT(Queues*IndexWidth, read_index_o)
`INPUT(Queues*FlitWidth, read_flit_i)
`OUTPUT(Queues, release_o)                 // the last copy of a packet starts to leave
`OUTPUT(Queues, sending_o)                 // registered: flits of a packet are still to leave
// what happens, for the counters
`OUTPUT(1, slot_open_o)                    // registered: packets may start in this cycle
`OUTPUT(Radix, start_o)                    // a packet starts on this output
`OUTPUT(Radix, arrived_o)                  // the last flit of a packet arrives
`OUTPUT(Radix, for_host_o)                 // and it is for the host
`OUTPUT(1, violation_o)
