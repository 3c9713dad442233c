// link - one direction of an edge: what enters leaves latency_i cycles later, in order.
//
// It carries one flit a cycle and, beside it, wires on which the same node tells the far end about traffic in the other
// direction: credits and, under one-port with grants, requests and grants. With Latency 0 it is a wire. There is no
// backpressure: the sender has a credit for every place that is free at the far end. The fault inputs let a test lose or
// damage a flit on the way.
// Outputs follow inputs combinationally if Latency is 0, and are registered otherwise.
module link #(
  parameter int FlitWidth = 64,  // bits of a flit
  parameter int Latency   = 0    // most cycles, >= 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [15:0]          latency_i,        // cycles, 1 to Latency if that is not 0; changes in reset only
  // sending end
  input  logic                 flit_valid_i,
  input  logic [FlitWidth-1:0] flit_i,
  input  logic                 credit_i,
  input  logic                 request_i,
  input  logic                 grant_i,
  // receiving end
  output logic                 flit_valid_o,
  output logic [FlitWidth-1:0] flit_o,
  output logic                 credit_o,
  output logic                 request_o,
  output logic                 grant_o,
  // faults, acting on the flit that enters in this cycle
  input  logic                 fault_drop_i,
  input  logic                 fault_corrupt_i,  // inverts the highest bit
  output logic                 in_flight_o       // something is on its way
);
  localparam int BundleWidth = FlitWidth + 4;

  logic [BundleWidth-1:0] entering, leaving;

  assign entering = {flit_valid_i & ~fault_drop_i, credit_i, request_i, grant_i,
                     flit_i[FlitWidth-1] ^ fault_corrupt_i, flit_i[FlitWidth-2:0]};
  assign {flit_valid_o, credit_o, request_o, grant_o, flit_o} = leaving;

  if (Latency == 0) begin : g_wire
    assign leaving     = entering;
    assign in_flight_o = 1'b0;
  end else begin : g_pipeline
    // Of the stages the last latency_i are in use; those before them stay empty.
    logic [BundleWidth-1:0] stage_q [Latency];
    logic [Latency-1:0]     stage_used;
    logic                   enters;
    assign enters = entering[BundleWidth-1 -: 4] != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        for (int i = 0; i < Latency; i++) stage_q[i] <= '0;
      end else if (enters || in_flight_o) begin
        for (int i = 0; i < Latency; i++) begin
          if (32'(latency_i) == Latency - i) stage_q[i] <= entering;
          else if (i > 0)                    stage_q[i] <= stage_q[i-1];
        end
      end
    end
    for (genvar i = 0; i < Latency; i++) begin : g_used
      assign stage_used[i] = |stage_q[i][BundleWidth-1 -: 4];
    end
    assign leaving     = stage_q[Latency-1];
    assign in_flight_o = |stage_used;
  end

  always @(posedge clk_i) begin : a_latency_is_built
    if (!rst_ni) assert (32'(latency_i) <= Latency && (Latency == 0 || latency_i != '0));
  end

  initial begin : check_parameters
    if (FlitWidth < 2) $fatal(1, "link: FlitWidth must be at least 2");
    if (Latency < 0)   $fatal(1, "link: Latency must be at least 0");
  end
endmodule
