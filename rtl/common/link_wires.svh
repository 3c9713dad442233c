// link_wires - the receiving ends of links: ports of a node, wires within a network.
`INPUT(Nodes*Radix, rx_valid_i)
`INPUT(Nodes*Radix*FlitWidth, rx_flit_i)
`INPUT(Nodes*Radix, rx_credit_i)
