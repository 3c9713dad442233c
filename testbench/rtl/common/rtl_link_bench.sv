// rtl_link_bench - links of latency 0 to 4 side by side, all given the same traffic: five that are built for their
// latency, and five that are built, but for the first, for the largest.
module rtl_link_bench #(
  parameter int FlitWidth = 32,
  parameter int Links     = 10
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       flit_valid_i,
  input  logic [FlitWidth-1:0]       flit_i,
  input  logic                       credit_i,
  input  logic                       request_i,
  input  logic                       grant_i,
  input  logic                       fault_drop_i,
  input  logic                       fault_corrupt_i,
  output logic [Links-1:0]           flit_valid_o,
  output logic [Links*FlitWidth-1:0] flit_o,
  output logic [Links-1:0]           credit_o,
  output logic [Links-1:0]           request_o,
  output logic [Links-1:0]           grant_o,
  output logic [Links-1:0]           in_flight_o
);
  for (genvar l = 0; l < Links; l++) begin : g_link
    localparam int Latency = l % (Links / 2);
    link #(.FlitWidth(FlitWidth), .Latency((l < Links / 2 || Latency == 0) ? Latency : Links / 2 - 1)) u_link (
      .clk_i, .rst_ni, .latency_i(16'(Latency)), .flit_valid_i, .flit_i, .credit_i, .request_i, .grant_i,
      .flit_valid_o (flit_valid_o[l]),
      .flit_o       (flit_o[l*FlitWidth +: FlitWidth]),
      .credit_o     (credit_o[l]),
      .request_o    (request_o[l]),
      .grant_o      (grant_o[l]),
      .fault_drop_i, .fault_corrupt_i,
      .in_flight_o  (in_flight_o[l])
    );
  end
endmodule
