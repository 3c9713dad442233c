// line_distance_hops - from one coordinate of a line it is as many hops to the other as line_distance says, and no fewer: on an
// array to the right of it, round a ring past the last coordinate.
module line_distance_hops #(
  parameter int DigitWidth = 2
) (
  input logic                  clk_i, ring_i,
  input logic [DigitWidth:0]   base_i,
  input logic [DigitWidth-1:0] from_i, to_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [DigitWidth-1:0] distance;
  line_distance #(.DigitWidth(DigitWidth)) u_dut (.base_i, .ring_i, .from_i, .to_i, .distance_o(distance));

  // A walk of base_i - 1 hops along the line, and after how many of them it is first at its end.
  logic [DigitWidth:0] at, hops;
  logic                there;
  always_comb begin
    at    = {1'b0, from_i};
    hops  = '0;
    there = from_i == to_i;
    for (int h = 1; h < (1 << DigitWidth); h++) begin
      if (!there) begin
        at    = (at + 1'b1 == base_i && ring_i) ? '0 : at + 1'b1;
        hops  = hops + 1'b1;
        there = at == {1'b0, to_i};
      end
    end
  end
  always @(posedge clk_i) begin
    assume (base_i >= (DigitWidth+1)'(2) && 32'(base_i) <= (1 << DigitWidth) && {1'b0, from_i} < base_i && {1'b0, to_i} < base_i);
    assume (ring_i || to_i >= from_i);
    if (rst_n) begin
      a_hops_to_the_other : assert (there && {1'b0, distance} == hops);
      c_round_the_ring : cover (to_i < from_i && distance == '1);
    end
  end
endmodule
