// router_wires - between neighbouring routers, beside the flits: ports of a node, wires within a network.
`include "common/link_wires.svh"
`OUTPUT(Nodes*Radix, tx_credit_o)   // room again for what comes in through this port
`OUTPUT(Nodes*Radix, tx_request_o)
`OUTPUT(Nodes*Radix, tx_grant_o)
`INPUT(Nodes*Radix, rx_request_i)
`INPUT(Nodes*Radix, rx_grant_i)
