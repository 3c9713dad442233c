// rtl_credit_bench - credit_counters of three links to receivers of 1, 3 and 16 packets, and again of 3 with a counter
// built for 16; case_i says which counter gets the traffic. The links and the receivers are in the test.
module rtl_credit_bench #(
  parameter int Cases = 4,
  localparam int Links = 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [1:0]       case_i,
  output logic [4:0]       depth_o,
  input  logic [Links-1:0] spend_i,
  input  logic [Links-1:0] credit_i,
  output logic [Links-1:0] available_o
);
  localparam logic [Cases*5-1:0] Depths = {5'd3, 5'd16, 5'd3, 5'd1};
  localparam logic [Cases*5-1:0] Built  = {5'd16, 5'd16, 5'd3, 5'd1};
  logic [Links-1:0] available [Cases];
  for (genvar c = 0; c < Cases; c++) begin : g_case
    credit_counter #(.Links(Links), .Depth(32'(Built[c*5 +: 5]))) u_counter (
      .clk_i, .rst_ni,
      .depth_i     (16'(Depths[c*5 +: 5])),
      .spend_i     (case_i == 2'(c) ? spend_i : '0),
      .credit_i    (case_i == 2'(c) ? credit_i : '0),
      .available_o (available[c])
    );
  end
  assign depth_o     = Depths[32'(case_i)*5 +: 5];
  assign available_o = available[case_i];
endmodule
