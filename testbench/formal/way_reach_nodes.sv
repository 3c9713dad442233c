// way_reach_nodes - every other node of a line is reached: round a ring, by a whole packet, on one of the two ways, and no way
// is longer than the other by more than one node; else on the one way there is.
module way_reach_nodes #(
  parameter int DigitWidth = 2
) (
  input logic                clk_i,
  input logic [DigitWidth:0] base_i,
  input logic                ring_i, two_pieces_i, alternate_i, odd_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [DigitWidth-1:0] plus, minus;
  way_reach #(.DigitWidth(DigitWidth)) u_plus (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .plus_i(1'b1), .odd_i, .reach_o(plus));
  way_reach #(.DigitWidth(DigitWidth)) u_minus (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .plus_i(1'b0), .odd_i, .reach_o(minus));

  logic shared, minus_first;  // both ways share the nodes of a ring; the way minus has the one that is left over
  assign shared      = ring_i && !two_pieces_i;
  assign minus_first = alternate_i && odd_i;
  always @(posedge clk_i) begin
    assume (32'(base_i) >= 2 && 32'(base_i) <= (1 << DigitWidth));
    if (rst_n) begin
      a_every_node_is_reached_once : assert (!shared || 32'(plus) + 32'(minus) + 32'd1 == 32'(base_i));
      a_the_ways_are_nearly_equal  : assert (!shared || plus == minus ||
                                             (minus_first ? 32'(minus) == 32'(plus) + 32'd1 : 32'(plus) == 32'(minus) + 32'd1));
      a_all_others_on_one_way      : assert (shared || (32'(plus) + 32'd1 == 32'(base_i) && minus == plus));
      c_minus_is_longer : cover (shared && minus > plus);
    end
  end
endmodule
