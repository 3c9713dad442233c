// as_list - the lists of ports included after it (see rtl/common) become their outputs' names, to be joined by {}.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) name,
