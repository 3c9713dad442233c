// combine_unit_reduction - the result of a combine_unit is the sum, minimum, maximum, and or or of its valid inputs.
module combine_unit_reduction #(
  parameter int Inputs    = 3,
  parameter int WordWidth = 3,
  localparam int FlitWidth = 2 * WordWidth
) (
  input logic                               clk_i,
  input logic [tdm_pkg::OperationWidth-1:0] operation_i,
  input logic [Inputs-1:0]                  valid_i,
  input logic [Inputs*FlitWidth-1:0]        flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [FlitWidth-1:0] result;
  combine_unit #(.Inputs(Inputs), .WordWidth(WordWidth)) u_dut (.operation_i, .valid_i, .flit_i, .result_o(result));

  // Of both words: neither below nor above any input, and one of them; bit by bit; the sum modulo 2^WordWidth.
  logic [1:0]           no_less, no_more, is_one;
  logic [FlitWidth-1:0] all, any, sum;
  logic [WordWidth-1:0] word, answer;
  always_comb begin
    no_less = '1;
    no_more = '1;
    is_one  = '0;
    all     = '1;
    any     = '0;
    sum     = '0;
    for (int w = 0; w < 2; w++) begin
      answer = result[w*WordWidth +: WordWidth];
      for (int k = 0; k < Inputs; k++) begin
        word = flit_i[k*FlitWidth + w*WordWidth +: WordWidth];
        if (valid_i[k]) begin
          if (answer < word)  no_less[w] = 1'b0;
          if (answer > word)  no_more[w] = 1'b0;
          if (answer == word) is_one[w] = 1'b1;
          all[w*WordWidth +: WordWidth] = all[w*WordWidth +: WordWidth] & word;
          any[w*WordWidth +: WordWidth] = any[w*WordWidth +: WordWidth] | word;
          sum[w*WordWidth +: WordWidth] = sum[w*WordWidth +: WordWidth] + word;
        end
      end
    end
  end
  logic some;
  assign some = rst_n && valid_i != '0;
  always @(posedge clk_i) begin
    a_minimum : assert (!(some && 32'(operation_i) == tdm_pkg::CombineMinimum) || (no_more == '1 && is_one == '1));
    a_maximum : assert (!(some && 32'(operation_i) == tdm_pkg::CombineMaximum) || (no_less == '1 && is_one == '1));
    a_and     : assert (!(some && 32'(operation_i) == tdm_pkg::CombineAnd) || result == all);
    a_or      : assert (!(some && 32'(operation_i) == tdm_pkg::CombineOr) || result == any);
    a_sum     : assert (!(some && 32'(operation_i) == tdm_pkg::CombineSum) || result == sum);
    a_nothing_is_zero : assert (!rst_n || valid_i != '0 || result == '0);
    c_three : cover (some && valid_i == '1 && result == '1 && sum != '1);
  end
endmodule
