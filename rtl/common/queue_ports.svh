// queue_ports - the ports that the queues of all routers have.
//
// arriving packets, one stream per lane
`INPUT(Lanes, write_valid_i)
`INPUT(Lanes*IndexWidth, write_index_i)
`INPUT(Lanes*FlitWidth, write_flit_i)
`INPUT(Lanes, commit_i)
`INPUT(Lanes*MaskWidth, commit_mask_i)
// head of the queue; a function of registers
`OUTPUT(1, head_valid_o)
`OUTPUT(LaneWidth, head_lane_o)
`OUTPUT(SlotWidth, head_slot_o)
`OUTPUT(MaskWidth, head_mask_o)
`INPUT(MaskWidth, serve_mask_i)           // ports that the head is taken to in this cycle
`OUTPUT(1, head_done_o)                   // serve_mask_i covers the rest of its mask: it leaves
// memory of the packet being sent
`INPUT(LaneWidth, read_lane_i)
`INPUT(SlotWidth, read_slot_i)
`INPUT(IndexWidth, read_index_i)
`OUTPUT(FlitWidth, read_flit_o)
`INPUT(1, release_i)                      // the place being read is free from the next cycle on
// packets held in each lane
`OUTPUT(Lanes*CountWidth, count_next_o)   // after this cycle
`OUTPUT(TotalWidth, occupancy_o)          // registered: in all lanes
`OUTPUT(TotalWidth, transit_o)            // registered: in all lanes but the host's
