// count_adder - adds two counts of nodes that are kept digit by digit. Combinational.
//
// A count is Digits + 1 digits, lowest first, of base base_i, above a remainder below remainder_base_i: its value is
// remainder + remainder_base_i * (digit 0 + base_i * (digit 1 + ...)). So the class of a rank (rank modulo the number
// of classes) and its place in the class can be read off side by side, without a divider. With remainder_base_i = 1
// there is no remainder: one node is added as a remainder of 1, which carries into digit 0 at once. The sum must be
// below base_i ^ (Digits + 1).
module count_adder #(
  parameter int Digits         = 2,
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 2,
  localparam int CountWidth    = (Digits + 1) * DigitWidth + RemainderWidth
) (
  input  logic [DigitWidth:0]     base_i,            // 2 ... 2^DigitWidth
  input  logic [RemainderWidth:0] remainder_base_i,  // 1 ... 2^RemainderWidth
  input  logic [CountWidth-1:0]   a_i,
  input  logic [CountWidth-1:0]   b_i,
  output logic [CountWidth-1:0]   sum_o
);
  logic [RemainderWidth+1:0] remainder;
  logic [DigitWidth+1:0]     digit;
  logic                      carry, unused;

  always_comb begin
    sum_o     = '0;
    remainder = {2'b0, a_i[RemainderWidth-1:0]} + {2'b0, b_i[RemainderWidth-1:0]};
    carry     = remainder >= {1'b0, remainder_base_i};
    if (carry) remainder = remainder - {1'b0, remainder_base_i};
    sum_o[RemainderWidth-1:0] = remainder[RemainderWidth-1:0];
    for (int j = 0; j <= Digits; j++) begin
      digit = {2'b0, a_i[RemainderWidth+j*DigitWidth +: DigitWidth]} +
              {2'b0, b_i[RemainderWidth+j*DigitWidth +: DigitWidth]} + (DigitWidth+2)'(carry);
      carry = digit >= {1'b0, base_i};
      if (carry) digit = digit - {1'b0, base_i};
      sum_o[RemainderWidth+j*DigitWidth +: DigitWidth] = digit[DigitWidth-1:0];
    end
  end
  assign unused = &{1'b0, carry, remainder, digit};

  initial begin : check_parameters
    if (Digits < 1 || DigitWidth < 1 || RemainderWidth < 1)
      $fatal(1, "count_adder: Digits, DigitWidth and RemainderWidth must be at least 1");
  end
endmodule
