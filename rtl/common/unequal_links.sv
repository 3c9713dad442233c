// unequal_links - the links that lead to a node whose links have latencies and widths of their own, one per port.
//
// What node_links is where all links are alike; see there for whose the links are.
// Outputs follow inputs combinationally where a link delays nothing, and are registered otherwise.
module unequal_links #(
  parameter int Radix       = 4,   // ports
  parameter int FlitWidth   = 64,  // bits of a flit
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int Delay       = 1,   // most cycles from a flit's entering to its leaving, >= 1
  parameter int LengthShift = 40   // position of the length field in a header
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // by port, quasi-static: of the link that leads to it; of credits for the link that leaves through it
  input  logic [Radix*16-1:0]        rx_latency_i,
  input  logic [Radix*8-1:0]         rx_interval_i,
  input  logic [Radix*16-1:0]        credit_latency_i,
  // from the neighbours
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Radix-1:0]           rx_credit_i,
  // faults, acting on the flit that enters a link in this cycle
  input  logic [Radix-1:0]           fault_drop_i,
  input  logic [Radix-1:0]           fault_corrupt_i,  // inverts the highest bit
  // to the node
  output logic [Radix-1:0]           link_valid_o,
  output logic [Radix*FlitWidth-1:0] link_flit_o,
  output logic [Radix-1:0]           link_credit_o,
  output logic                       in_flight_o       // something is on its way on one of the links
);
  logic [Radix-1:0] in_flight;
  assign in_flight_o = in_flight != '0;

  unequal_link #(.FlitWidth(FlitWidth), .Flits(Flits), .Delay(Delay), .LengthShift(LengthShift)) u_link [Radix-1:0] (
    .clk_i, .rst_ni, .latency_i(rx_latency_i), .interval_i(rx_interval_i), .credit_latency_i,
    .fault_drop_i, .fault_corrupt_i,
    .flit_valid_i(rx_valid_i), .flit_i(rx_flit_i), .credit_i(rx_credit_i),
    .flit_valid_o(link_valid_o), .flit_o(link_flit_o), .credit_o(link_credit_o), .in_flight_o(in_flight)
  );

  initial begin : check_parameters
    if (Radix < 1) $fatal(1, "unequal_links: Radix must be at least 1");
  end
endmodule
