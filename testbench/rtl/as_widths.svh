// as_widths - the lists of ports included after it (see rtl/common) become the sum of the widths of their outputs.
`undef INPUT
`undef OUTPUT
`define INPUT(width, name)
`define OUTPUT(width, name) + (width)
