// What a tdm_node does, as points of coverage.
module tdm_node_events #(
  parameter int Radix = 4,
  parameter int Lanes = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [31:0]      cycle_i,
  input logic [Radix-1:0] late_o,
  input logic [Radix-1:0] wait_packet_o,
  input logic [Lanes-1:0] wait_buffer_o,
  input logic [31:0]      dry_o,
  input logic [31:0]      mismatches_o
);
  send_is_late:         cover property (@(posedge clk_i) rst_ni && late_o != '0);
  waits_for_its_packet: cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && wait_packet_o != '0);
  waits_for_its_buffer: cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && wait_buffer_o != '0);
  program_runs_dry:     cover property (@(posedge clk_i) rst_ni && dry_o != '0);
  packet_is_another:    cover property (@(posedge clk_i) rst_ni && mismatches_o != '0);
endmodule

bind tdm_node node_events #(.Radix(Radix), .Flits(Flits), .Delivered(Lanes)) u_events_of_tdm_node (
  .clk_i, .rst_ni, .cycle_i, .port_model_i, .tx_valid_o, .rx_valid_i, .tx_credit_o, .rx_credit_i, .deliver_valid_o,
  .wait_credit_o
);
bind tdm_node tdm_node_events #(.Radix(Radix), .Lanes(Lanes)) u_tdm_events (
  .clk_i, .rst_ni, .cycle_i, .late_o, .wait_packet_o, .wait_buffer_o, .dry_o, .mismatches_o
);
