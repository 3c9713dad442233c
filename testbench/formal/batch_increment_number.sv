// batch_increment_number - the digits above the one that is broadcast are a number in base base_i, and the next batch has the next
// number; after the last comes 0. The digits below stay as they are.
module batch_increment_number #(
  parameter int Digits     = 2,
  parameter int DigitWidth = 2,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input logic                  clk_i,
  input logic [DigitWidth:0]   base_i,
  input logic [IndexWidth-1:0] digit_i,
  input logic [RankWidth-1:0]  batch_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [RankWidth-1:0] next;
  batch_increment #(.Digits(Digits), .DigitWidth(DigitWidth)) u_dut (.base_i, .digit_i, .batch_i, .next_o(next));

  // Numbers of this batch and the next, the number of all batches, and whether all digits are digits.
  logic [15:0] number, next_number, batches;
  logic        are_digits, next_are_digits, same_below;
  always_comb begin
    number          = '0;
    next_number     = '0;
    batches         = 16'd1;
    are_digits      = 1'b1;
    next_are_digits = 1'b1;
    same_below      = 1'b1;
    for (int j = Digits; j >= 0; j--) begin
      if (j > 32'(digit_i)) begin
        number          = number * 16'(base_i) + 16'(batch_i[j*DigitWidth +: DigitWidth]);
        next_number     = next_number * 16'(base_i) + 16'(next[j*DigitWidth +: DigitWidth]);
        batches         = batches * 16'(base_i);
        are_digits      = are_digits && {1'b0, batch_i[j*DigitWidth +: DigitWidth]} < base_i;
        next_are_digits = next_are_digits && {1'b0, next[j*DigitWidth +: DigitWidth]} < base_i;
      end else begin
        same_below = same_below && next[j*DigitWidth +: DigitWidth] == batch_i[j*DigitWidth +: DigitWidth];
      end
    end
  end
  always @(posedge clk_i) begin
    assume (base_i >= (DigitWidth+1)'(2) && 32'(base_i) <= (1 << DigitWidth) && are_digits && 32'(digit_i) < Digits);
    if (rst_n) begin
      a_the_next_number   : assert (next_number == (number + 16'd1 == batches ? 16'd0 : number + 16'd1));
      a_digits_are_digits : assert (next_are_digits);
      a_digits_below_stay : assert (same_below);
      c_a_carry : cover (next_number == 16'(base_i) && digit_i == '0);
    end
  end
endmodule
