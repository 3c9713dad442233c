// tdm_pkg - constants that a tdm_node, its parts and the hosts' software share.
package tdm_pkg;

  // What a combine unit does (input operation_i).
  localparam int OperationWidth = 3;
  localparam int CombineSum     = 0;
  localparam int CombineMinimum = 1;
  localparam int CombineMaximum = 2;
  localparam int CombineAnd     = 3;
  localparam int CombineOr      = 4;

  // What a receive instruction asks for: numbers of the bits of its field "actions".
  localparam int Actions    = 3;
  localparam int StoreBit   = 0;  // write the packet into the buffer
  localparam int CombineBit = 1;  // combine it with what the buffer holds
  localparam int DeliverBit = 2;  // hand it to the host

  // Bits of the slot number in a send instruction.
  localparam int SlotWidth = 32;

endpackage
