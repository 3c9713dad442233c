// two_way_link - the two links between a sender and a receiver, for proofs: first flits of packets go forth, credits come back.
module two_way_link #(
  parameter int Latency = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] latency_i,         // of both
  input  logic        send_i,            // a packet begins to leave
  output logic        arrives_o,
  input  logic        credit_i,
  output logic        credit_o,
  output logic        forth_in_flight_o, // something is on its way to the receiver
  output logic        back_in_flight_o
);
  logic       unused_valid, unused_credit;
  logic [1:0] unused_flit, unused_back, unused_request, unused_grant;
  link #(.FlitWidth(2), .Latency(Latency)) u_forth (
    .clk_i, .rst_ni, .latency_i, .flit_valid_i(send_i), .flit_i(2'b01), .credit_i(1'b0), .request_i(1'b0), .grant_i(1'b0),
    .flit_valid_o(arrives_o), .flit_o(unused_flit), .credit_o(unused_credit), .request_o(unused_request[0]),
    .grant_o(unused_grant[0]), .fault_drop_i(1'b0), .fault_corrupt_i(1'b0), .in_flight_o(forth_in_flight_o)
  );
  link #(.FlitWidth(2), .Latency(Latency)) u_back (
    .clk_i, .rst_ni, .latency_i, .flit_valid_i(1'b0), .flit_i(2'b00), .credit_i, .request_i(1'b0), .grant_i(1'b0),
    .flit_valid_o(unused_valid), .flit_o(unused_back), .credit_o, .request_o(unused_request[1]),
    .grant_o(unused_grant[1]), .fault_drop_i(1'b0), .fault_corrupt_i(1'b0), .in_flight_o(back_in_flight_o)
  );
endmodule
