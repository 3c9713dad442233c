// link_delay - everything that enters a link leaves it latency_i cycles later, once and unaltered, and nothing else does.
module link_delay #(
  parameter int FlitWidth = 2,
  parameter int Latency   = 2
) (
  input logic                 clk_i,
  input logic                 flit_valid_i, credit_i, request_i, grant_i, fault_drop_i, fault_corrupt_i,
  input logic [FlitWidth-1:0] flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] latency;
  logic                 flit_valid, credit, request, grant, in_flight;
  logic [FlitWidth-1:0] flit;
  link #(.FlitWidth(FlitWidth), .Latency(Latency)) u_dut (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .flit_valid_i, .flit_i, .credit_i, .request_i, .grant_i,
    .flit_valid_o(flit_valid), .flit_o(flit), .credit_o(credit), .request_o(request), .grant_o(grant),
    .fault_drop_i, .fault_corrupt_i, .in_flight_o(in_flight)
  );

  // What entered k cycles ago.
  localparam int Width = FlitWidth + 4;
  logic [Width-1:0]             enters, leaves;
  logic [(Latency+1)*Width-1:0] entered_q;
  assign enters = {flit_valid_i && !fault_drop_i, credit_i, request_i, grant_i,
                   flit_i ^ (FlitWidth'(fault_corrupt_i) << (FlitWidth - 1))};
  assign leaves = (latency == '0) ? enters : entered_q[(32'(latency) - 1)*Width +: Width];
  always @(posedge clk_i) entered_q <= rst_n ? ((Latency+1)*Width)'({entered_q, enters}) : '0;
  logic on_its_way;
  always_comb begin
    on_its_way = 1'b0;
    for (int k = 0; k < Latency; k++)
      if (k < 32'(latency)) on_its_way = on_its_way || entered_q[k*Width + FlitWidth +: 4] != '0;
  end
  always @(posedge clk_i) begin
    assume (Latency == 0 ? latency == '0 : (latency != '0 && 32'(latency) <= Latency));
    if (rst_n) begin
      a_flits_take_the_latency   : assert (flit_valid == leaves[Width-1]);
      a_flits_are_as_they_entered : assert (!flit_valid || flit == leaves[FlitWidth-1:0]);
      a_credits_and_grants_take_the_latency : assert ({credit, request, grant} == leaves[FlitWidth +: 3]);
      a_it_tells_what_is_on_its_way : assert (in_flight == on_its_way);
      c_full : cover (flit_valid && grant && flit_valid_i && 32'(latency) == Latency && flit == '1);
    end
  end
endmodule
