// as_signals - what follows of the lists of ports are signals of the same names, for a module that has such nodes in it.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)  logic [(width)-1:0] name;
`define OUTPUT(width, name) logic [(width)-1:0] name;
