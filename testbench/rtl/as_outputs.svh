// as_outputs - the lists of ports included after it (see rtl/common) become signals for the outputs of one parameter
// set of a bench; as inputs each set has those of the bench.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) logic [(width)-1:0] name;
