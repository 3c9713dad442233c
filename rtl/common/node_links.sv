// node_links - the links that lead to a node, one per port: every kind of node takes its inputs through these.
//
// A link belongs to the node at its receiving end. The rx_*_i inputs are therefore wires without delay from the outputs
// of the neighbours, and the latency of the link lies between them and the link_*_o outputs, which the rest of the node
// uses. Links carry flits and, beside them, what the same neighbour says of traffic in the other direction: credits,
// requests and grants. A kind of node that does not use one of these ties its input to 0 and leaves its output open.
// Outputs follow inputs combinationally if Latency is 0, and are registered otherwise.
module node_links #(
  parameter int Radix     = 4,   // ports
  parameter int FlitWidth = 64,  // bits of a flit
  parameter int Latency   = 0    // most cycles, >= 0
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [15:0]                latency_i,      // cycles, 1 to Latency if that is not 0; changes in reset only
  // from the neighbours
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Radix-1:0]           rx_credit_i,
  input  logic [Radix-1:0]           rx_request_i,
  input  logic [Radix-1:0]           rx_grant_i,
  // faults, acting on the flit that enters a link in this cycle
  input  logic [Radix-1:0]           fault_drop_i,
  input  logic [Radix-1:0]           fault_corrupt_i,  // inverts the highest bit
  // to the node, latency_i cycles later
  output logic [Radix-1:0]           link_valid_o,
  output logic [Radix*FlitWidth-1:0] link_flit_o,
  output logic [Radix-1:0]           link_credit_o,
  output logic [Radix-1:0]           link_request_o,
  output logic [Radix-1:0]           link_grant_o,
  output logic                       in_flight_o       // something is on its way on one of the links
);
  logic [Radix-1:0] in_flight;
  assign in_flight_o = in_flight != '0;

  link #(.FlitWidth(FlitWidth), .Latency(Latency)) u_link [Radix-1:0] (
    .clk_i, .rst_ni, .latency_i, .fault_drop_i, .fault_corrupt_i,
    .flit_valid_i(rx_valid_i), .flit_i(rx_flit_i), .credit_i(rx_credit_i), .request_i(rx_request_i), .grant_i(rx_grant_i),
    .flit_valid_o(link_valid_o), .flit_o(link_flit_o), .credit_o(link_credit_o), .request_o(link_request_o),
    .grant_o(link_grant_o), .in_flight_o(in_flight)
  );

  initial begin : check_parameters
    if (Radix < 1) $fatal(1, "node_links: Radix must be at least 1");
  end
endmodule
