// pifo_ports - the ports of a pifo_node beside router_wires.svh, and of a whole network of them.
`include "common/router_ports.svh"
`INPUT(Nodes*Radix, branch_first_i)     // DealsLinks: first ports of branches; constant
`INPUT(RankWidth, table_rank_i)
`INPUT(Radix*PortWidth, table_order_i)
`INPUT(1, table_rest_i)
`INPUT(RankWidth, table_rest_rank_i)
`INPUT(Nodes*InjectPorts*InjectWidth, inject_rank_i)   // ScansFirst: {rank if the class is 1, rank if it is 0}
`OUTPUT(Nodes*Radix*OccupancyWidth, peak_stored_o)     // per queue (one-port: in the lowest field), see queue_peaks
`OUTPUT(Nodes*Radix*OccupancyWidth, peak_waiting_o)
