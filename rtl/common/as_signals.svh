// as_signals - the lists of ports included after it become signals of the same names, for a module that has nodes in it.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)  logic [(width)-1:0] name;
`define OUTPUT(width, name) logic [(width)-1:0] name;
