// count_adder_sum - the sum of a count_adder has the value of its two counts together, for every base.
module count_adder_sum #(
  parameter int Digits         = 2,
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 2,
  localparam int CountWidth    = (Digits + 1) * DigitWidth + RemainderWidth
) (
  input logic                    clk_i,
  input logic [DigitWidth:0]     base_i,
  input logic [RemainderWidth:0] remainder_base_i,
  input logic [CountWidth-1:0]   a_i, b_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [CountWidth-1:0] sum;
  count_adder #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_dut (
    .base_i, .remainder_base_i, .a_i, .b_i, .sum_o(sum)
  );

  localparam int ValueWidth = (Digits + 1) * (DigitWidth + 1) + RemainderWidth + 2;
  function automatic logic [ValueWidth-1:0] value(input logic [CountWidth-1:0] count);
    value = '0;
    for (int j = Digits; j >= 0; j--)
      value = value * ValueWidth'(base_i) + ValueWidth'(count[RemainderWidth + j*DigitWidth +: DigitWidth]);
    value = value * ValueWidth'(remainder_base_i) + ValueWidth'(count[RemainderWidth-1:0]);
  endfunction
  // Every digit is below the base, and the remainder below its own; a remainder base of 1 lets a single node in.
  function automatic logic proper(input logic [CountWidth-1:0] count, input logic one_more);
    proper = {1'b0, count[RemainderWidth-1:0]} < remainder_base_i + (RemainderWidth+1)'(one_more);
    for (int j = 0; j <= Digits; j++)
      proper = proper && {1'b0, count[RemainderWidth + j*DigitWidth +: DigitWidth]} < base_i;
  endfunction
  logic [ValueWidth-1:0] limit;
  always_comb begin
    limit = ValueWidth'(remainder_base_i);
    for (int j = 0; j <= Digits; j++) limit = limit * ValueWidth'(base_i);
  end

  logic [ValueWidth-1:0] together;
  assign together = value(a_i) + value(b_i);
  always @(posedge clk_i) begin
    assume (32'(base_i) >= 2 && 32'(base_i) <= (1 << DigitWidth));
    assume (remainder_base_i != '0 && 32'(remainder_base_i) <= (1 << RemainderWidth));
    assume (proper(a_i, 1'b0) && proper(b_i, remainder_base_i == 1));
    assume (together < limit);
    if (rst_n) begin
      a_the_sum_is_the_sum    : assert (value(sum) == together);
      a_the_digits_are_digits : assert (proper(sum, 1'b0));
      c_all_carry : cover (value(a_i) != '0 && b_i == CountWidth'(1) && sum[RemainderWidth-1:0] == '0 && base_i == 2);
    end
  end
endmodule
