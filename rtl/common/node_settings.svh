// node_settings - how all nodes of a network run: ports of a node, and of a whole network.
//
// They are quasi-static: constant while the network runs, to be changed in reset only. Parameters say up to what a node
// is built. What logic without a register needs of them is kept in registers, so that none of a node's outputs follows an
// input. Constants here make a node for one way of running, which costs no more than one that could do nothing else.
`INPUT(32, slot_cycles_i)   // cycles in a slot; 1: nodes run freely
`INPUT(16, link_latency_i)  // cycles of every link, 1 to LinkLatency; 0 where that is 0
`INPUT(2, port_model_i)     // safnet_pkg::AllPort, OnePort or OnePortSend
