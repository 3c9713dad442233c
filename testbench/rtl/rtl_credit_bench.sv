// rtl_credit_bench - both ends of the credits of one link, for receivers of 1, 3 and 16 packets; case_i says which one
// gets the traffic. The link between the ends and the receiver's queues are in the test.
module rtl_credit_bench #(
  parameter int Queues = 3,
  parameter int Cases  = 3
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [1:0]          case_i,
  output logic [4:0]          depth_o,
  // sender
  input  logic                spend_i,
  input  logic                credit_i,
  output logic                available_o,
  // receiver
  input  logic                accepted_i,
  input  logic [Queues*5-1:0] count_next_i,
  output logic                credit_o,
  output logic                owing_o
);
  localparam logic [Cases*5-1:0] Depths = {5'd16, 5'd3, 5'd1};
  logic [Cases-1:0] available, credit, owing;
  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int Depth = 32'(Depths[c*5 +: 5]);
    credit_counter #(.Depth(Depth)) u_counter (
      .clk_i, .rst_ni,
      .spend_i     (spend_i && case_i == 2'(c)),
      .credit_i    (credit_i && case_i == 2'(c)),
      .available_o (available[c])
    );
    credit_return #(.Queues(Queues), .Depth(Depth), .CountWidth(5)) u_return (
      .clk_i, .rst_ni,
      .accepted_i   (accepted_i && case_i == 2'(c)),
      .count_next_i (case_i == 2'(c) ? count_next_i : '0),
      .credit_o     (credit[c]),
      .owing_o      (owing[c])
    );
  end
  assign depth_o     = Depths[32'(case_i)*5 +: 5];
  assign available_o = available[case_i];
  assign credit_o    = credit[case_i];
  assign owing_o     = owing[case_i];
endmodule
