// as_list - what follows of the lists of ports (rtl/common/as_ports.svh) are the names of the outputs, to be joined by {}.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) name,
