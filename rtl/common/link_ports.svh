// link_ports - what every kind of node with flow control has towards its neighbours, and the faults on its links.
//
// The lists of ports stand in files of their own because a node, a whole network of such nodes and their test benches
// have the same ones. Nodes is 1 in a node; a network's are those of its nodes side by side, node 0 lowest.
`OUTPUT(Nodes*Radix, tx_valid_o)            // links, sending ends
`OUTPUT(Nodes*Radix*FlitWidth, tx_flit_o)
`INPUT(Nodes*Radix, fault_drop_i)           // faults on the links that lead here
`INPUT(Nodes*Radix, fault_corrupt_i)
