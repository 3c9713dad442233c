// batch_increment - the number of the batch after this one. Combinational.
//
// When digit j is broadcast, the number of a batch stands in the digits above j; digit j and those below are zero and
// stay so. See batch_counter for what a batch is. After the last batch of all comes batch 0 again.
module batch_increment #(
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input  logic [DigitWidth:0]   base_i,   // 2 ... 2^DigitWidth
  input  logic [IndexWidth-1:0] digit_i,  // the digit that is broadcast
  input  logic [RankWidth-1:0]  batch_i,
  output logic [RankWidth-1:0]  next_o
);
  logic [DigitWidth+1:0] sum;
  logic                  carry, unused;

  always_comb begin
    next_o = batch_i;
    carry  = 1'b1;
    sum    = '0;
    for (int j = 1; j <= Digits; j++) begin
      if (j > 32'(digit_i)) begin
        sum   = {2'b0, batch_i[j*DigitWidth +: DigitWidth]} + (DigitWidth+2)'(carry);
        carry = sum >= {1'b0, base_i};
        next_o[j*DigitWidth +: DigitWidth] = carry ? '0 : sum[DigitWidth-1:0];
      end
    end
  end
  assign unused = &{1'b0, carry, sum};

  initial begin : check_parameters
    if (Digits < 1 || DigitWidth < 1) $fatal(1, "batch_increment: Digits and DigitWidth must be at least 1");
  end
endmodule
