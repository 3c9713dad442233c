// count_ports - what every kind of node with flow control measures of itself (see counters).
`OUTPUT(Nodes*Radix*32, sent_o)
`OUTPUT(Nodes*Radix*32, received_o)
`OUTPUT(Nodes*32, delivered_o)
`OUTPUT(Nodes*32, last_delivery_cycle_o)
`OUTPUT(Nodes*32, last_delivery_step_o)
`OUTPUT(Nodes*64, delay_sum_o)
`OUTPUT(Nodes*OccupancyWidth, occupancy_o)       // packets in the fullest queue; of a tdm_node, buffers in use
`OUTPUT(Nodes*OccupancyWidth, peak_occupancy_o)
`OUTPUT(Nodes*32, violations_o)                  // cycles in which the port model was broken
`OUTPUT(Nodes*32, first_violation_cycle_o)
`OUTPUT(Nodes*Radix, wait_credit_o)              // a packet is to leave through this output and has no credit
