// as_widths - what follows of the lists of ports (rtl/common/as_ports.svh) is the sum of the widths of the outputs.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) + (width)
