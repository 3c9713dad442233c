// combine_unit - a reduction over those of its inputs that are valid: sum, minimum, maximum, and, or.
//
// Inputs are flits of two unsigned words each; sums wrap around. Purely combinational; all operations are associative
// and commutative, so the order of the inputs does not matter. Without a valid input the result is 0.
module combine_unit #(
  parameter int Inputs    = 5,
  parameter int WordWidth = 32,  // bits of a word, half a flit
  localparam int FlitWidth      = 2 * WordWidth,
  localparam int OperationWidth = tdm_pkg::OperationWidth
) (
  input  logic [OperationWidth-1:0]   operation_i,  // tdm_pkg::CombineSum, ...
  input  logic [Inputs-1:0]           valid_i,
  input  logic [Inputs*FlitWidth-1:0] flit_i,
  output logic [FlitWidth-1:0]        result_o
);
  for (genvar w = 0; w < 2; w++) begin : g_word
    logic [WordWidth-1:0] result, word;
    logic                 any;
    always_comb begin
      result = '0;
      any    = 1'b0;
      for (int k = 0; k < Inputs; k++) begin
        word = flit_i[k*FlitWidth + w*WordWidth +: WordWidth];
        if (valid_i[k]) begin
          if (!any) begin
            result = word;
          end else begin
            case (operation_i)
              OperationWidth'(tdm_pkg::CombineMinimum): result = (word < result) ? word : result;
              OperationWidth'(tdm_pkg::CombineMaximum): result = (word > result) ? word : result;
              OperationWidth'(tdm_pkg::CombineAnd):     result = result & word;
              OperationWidth'(tdm_pkg::CombineOr):      result = result | word;
              default:                        result = result + word;
            endcase
          end
          any = 1'b1;
        end
      end
    end
    assign result_o[w*WordWidth +: WordWidth] = result;
  end

  initial begin : check_parameters
    if (Inputs < 1)    $fatal(1, "combine_unit: Inputs must be at least 1");
    if (WordWidth < 1) $fatal(1, "combine_unit: WordWidth must be at least 1");
  end
endmodule
