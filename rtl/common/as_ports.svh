// as_ports - what follows of the lists of ports (link_ports.svh, router_ports.svh, ...) are ports of a module.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)  input  logic [(width)-1:0] name,
`define OUTPUT(width, name) output logic [(width)-1:0] name,
