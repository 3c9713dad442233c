// transmit_port_events - the rows of the cycle table of a transmit_port (rtl/common/README.md), and packets with grants.
module transmit_port_events #(
  parameter int IndexWidth = 1
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  accept_i,
  input logic                  start_i,
  input logic                  flit_valid_o,
  input logic                  sending_o,
  input logic [IndexWidth-1:0] read_index_o
);
  logic sent_q;  // a flit left in the cycle before
  always_ff @(posedge clk_i) sent_q <= rst_ni && flit_valid_o;

  first_flit: cover property (@(posedge clk_i) rst_ni && accept_i && start_i && !sending_o && read_index_o == '0);
  second_flit: cover property (@(posedge clk_i) rst_ni && sending_o && flit_valid_o && 32'(read_index_o) == 1);
  third_flit: cover property (@(posedge clk_i) rst_ni && sending_o && flit_valid_o && 32'(read_index_o) == 2);
  next_packet_at_once: cover property (@(posedge clk_i) rst_ni && accept_i && start_i && sent_q);
  accepted_for_a_grant: cover property (@(posedge clk_i) rst_ni && accept_i && !start_i);
  starts_after_its_grant: cover property (@(posedge clk_i) rst_ni && start_i && !accept_i);
endmodule

bind transmit_port transmit_port_events #(.IndexWidth(IndexWidth)) u_events (
  .clk_i, .rst_ni, .accept_i, .start_i, .flit_valid_o, .sending_o, .read_index_o
);
