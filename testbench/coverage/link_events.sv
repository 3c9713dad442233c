// link_events - the rows of the cycle table of a link with latency 2 (rtl/common/README.md), as points of coverage.
module link_events (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] latency_i,
  input logic        flit_valid_i,
  input logic        credit_i,
  input logic        flit_valid_o,
  input logic        credit_o,
  input logic        fault_drop_i,
  input logic        fault_corrupt_i,
  input logic        in_flight_o
);
  logic applies;
  assign applies = rst_ni && latency_i == 16'd2;

  flit_enters_an_empty_link:      cover property (@(posedge clk_i) applies && flit_valid_i && !in_flight_o);
  flit_and_credit_enter:          cover property (@(posedge clk_i) applies && flit_valid_i && credit_i && in_flight_o);
  flit_leaves_and_nothing_enters: cover property (@(posedge clk_i) applies && flit_valid_o && !flit_valid_i && !credit_i);
  flit_and_credit_leave:          cover property (@(posedge clk_i) applies && flit_valid_o && credit_o);
  flit_enters_as_one_leaves:      cover property (@(posedge clk_i) applies && flit_valid_i && flit_valid_o);
  flit_is_lost:                   cover property (@(posedge clk_i) rst_ni && flit_valid_i && fault_drop_i);
  flit_is_damaged:                cover property (@(posedge clk_i) rst_ni && flit_valid_i && fault_corrupt_i);
endmodule

bind link link_events u_events (
  .clk_i, .rst_ni, .latency_i, .flit_valid_i, .credit_i, .flit_valid_o, .credit_o, .fault_drop_i, .fault_corrupt_i, .in_flight_o
);
