// as_ports - the lists of ports included after it (link_ports.svh, router_ports.svh, ...) become ports of a module.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)  input  logic [(width)-1:0] name,
`define OUTPUT(width, name) output logic [(width)-1:0] name,
