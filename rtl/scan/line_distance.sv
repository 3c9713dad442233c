// line_distance - how many hops it is along a line from one coordinate to another, towards larger coordinates.
// Combinational.
//
// Round a ring the way goes on from the last coordinate to 0. On an array to_i must not be smaller than from_i; where it
// is, the result means nothing.
module line_distance #(
  parameter int DigitWidth = 2
) (
  input  logic [DigitWidth:0]   base_i,  // coordinates of the line, 2 ... 2^DigitWidth
  input  logic                  ring_i,
  input  logic [DigitWidth-1:0] from_i,
  input  logic [DigitWidth-1:0] to_i,
  output logic [DigitWidth-1:0] distance_o
);
  assign distance_o = (to_i >= from_i || !ring_i) ? to_i - from_i
                                                  : DigitWidth'({1'b0, to_i} + base_i - {1'b0, from_i});

  initial begin : check_parameters
    if (DigitWidth < 1) $fatal(1, "line_distance: DigitWidth must be at least 1");
  end
endmodule
