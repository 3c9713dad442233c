// as_outputs - what follows of the lists of ports (rtl/common/as_ports.svh) are signals for the outputs of one parameter
// set of a bench. Its inputs are the bench's own.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) logic [(width)-1:0] name;
