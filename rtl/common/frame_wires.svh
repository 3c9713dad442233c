// frame_wires - between a router_frame and the node around it: ports of the frame, signals of the node, named as the frame
// sees them.
//
// table: what is to become of the packets that arrive at the inputs, links first, then the injection ports
`OUTPUT(Inputs, header_o)                  // a packet's first flit arrives in this cycle
`OUTPUT(Inputs*LabelWidth, label_o)
`INPUT(Inputs*Radix, mask_i)
`INPUT(Inputs, deliver_i)
`INPUT(Inputs*RankWidth, rank_i)
// queues: packets that are complete and join them
`OUTPUT(Queues*QueueInputs, push_o)        // of a queue's inputs, links first, the injection port that feeds it last
`OUTPUT(Inputs*PlaceWidth, push_place_o)   // where they lie
`OUTPUT(Inputs*RankWidth, push_rank_o)
// queues: heads, and the packets being sent
`INPUT(Queues, head_valid_i)
`INPUT(Queues*PlaceWidth, head_place_i)
`OUTPUT(Queues*MaskWidth, head_left_o)     // outputs that the head has not been taken to
`INPUT(Radix, wanted_i)                    // a head is for this output, credit or not
`OUTPUT(Queues, taken_o)                   // a copy of the head is taken
`OUTPUT(Queues, pop_o)                     // and it is the last: the head leaves the order
`OUTPUT(Queues*FlitWidth, read_flit_o)     // while nothing is being sent: the head's header
`OUTPUT(Queues, release_o)                 // the last copy of a packet starts to leave
`OUTPUT(Queues, sending_o)                 // registered: flits of a packet are still to leave
// queues: packets in them, registered; a packet counts from the cycle after its last flit arrived to its release
`OUTPUT(Queues*QueuedWidth, queued_o)
`OUTPUT(Queues*QueuedWidth, transit_o)  // without the host's own
// what happens, for the counters
`OUTPUT(1, slot_open_o)                    // registered: packets may start in this cycle
`OUTPUT(Radix, start_o)                    // a packet starts on this output
`OUTPUT(Radix, arrived_o)                  // the last flit of a packet arrives
`OUTPUT(Radix, for_host_o)                 // and it is for the host
`OUTPUT(1, violation_o)
