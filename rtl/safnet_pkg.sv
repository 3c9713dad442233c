// safnet_pkg - constants and functions that every module shares.
package safnet_pkg;

  // Port models (parameter PortModel).
  localparam int AllPort     = 0;  // every link busy in both directions
  localparam int OnePort     = 1;  // at most one packet being sent and one being received
  localparam int OnePortSend = 2;  // at most one being sent, any number being received

  // Bits that number `count` things; at least 1, so that a vector of one element still has an index.
  function automatic int index_width(input int count);
    index_width = (count <= 2) ? 1 : $clog2(count);
  endfunction

  function automatic int larger(input int a, input int b);
    larger = (a > b) ? a : b;
  endfunction

  // Position of the lowest bit that is set; 0 if none is.
  function automatic logic [5:0] first_set(input logic [63:0] word);
    logic [63:0] rest;
    logic [5:0]  index;
    rest  = word;
    index = 6'd0;
    if (rest[31:0] == 32'd0) begin index[5] = 1'b1; rest = rest >> 32; end
    if (rest[15:0] == 16'd0) begin index[4] = 1'b1; rest = rest >> 16; end
    if (rest[7:0]  ==  8'd0) begin index[3] = 1'b1; rest = rest >> 8;  end
    if (rest[3:0]  ==  4'd0) begin index[2] = 1'b1; rest = rest >> 4;  end
    if (rest[1:0]  ==  2'd0) begin index[1] = 1'b1; rest = rest >> 2;  end
    if (rest[0]    ==  1'b0) index[0] = 1'b1;
    first_set = (word == 64'd0) ? 6'd0 : index;
  endfunction

endpackage
