// flit_combiner_sum - what a flit_combiner gives is the sum of the payloads of what is stored and of what arrives, and headers
// are joined by or.
module flit_combiner_sum #(
  parameter int FlitWidth = 50,
  localparam int HeaderWidth = scan_pkg::HeaderWidth
) (
  input logic                 clk_i,
  input logic                 first_i, a_valid_i, b_valid_i,
  input logic [FlitWidth-1:0] stored_i, a_i, b_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [FlitWidth-1:0] sum;
  flit_combiner #(.FlitWidth(FlitWidth)) u_dut (
    .first_i, .stored_i, .a_valid_i, .a_i, .b_valid_i, .b_i, .sum_o(sum));

  // Digit by digit in base 2: of the flit, and of what is above its header. At most three ones and a carry of two.
  logic [2*FlitWidth+1:0] carry;
  logic [FlitWidth-1:0]   total;
  logic [HeaderWidth-1:0] joined;
  assign carry[1:0] = '0;
  for (genvar i = 0; i < FlitWidth; i++) begin : g_digit
    logic [2:0] ones;
    assign ones     = 3'(stored_i[i]) + 3'(a_valid_i && a_i[i]) + 3'(b_valid_i && b_i[i]) +
                      ((first_i && i == HeaderWidth) ? 3'd0 : 3'(carry[2*i +: 2]));
    assign total[i] = ones[0];
    assign carry[2*i+2 +: 2] = ones[2:1];
    if (i < HeaderWidth) begin : g_header
      assign joined[i] = stored_i[i] || (a_valid_i && a_i[i]) || (b_valid_i && b_i[i]);
    end
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      a_payload_above_the_header : assert (!first_i || sum[FlitWidth-1:HeaderWidth] == total[FlitWidth-1:HeaderWidth]);
      a_headers_are_joined       : assert (!first_i || sum[HeaderWidth-1:0] == joined);
      a_other_flits_are_payload  : assert (first_i || sum == total);
      c_all_three : cover (first_i && a_valid_i && b_valid_i && sum[FlitWidth-1:HeaderWidth] == '1 && sum[0] && !sum[1]);
    end
  end
endmodule
