// node_events - what a node of any kind with credits does in each pair of port model and longest packet, and the rows of its
// cycle table (rtl/pifo/README.md, rtl/fifo/README.md, rtl/tdm/README.md).
module node_events #(
  parameter int Radix     = 4,
  parameter int Flits     = 1,
  parameter int Delivered = 4   // width of deliver_valid_o
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [31:0]          cycle_i,
  input logic [1:0]           port_model_i,
  input logic [Radix-1:0]     tx_valid_o,
  input logic [Radix-1:0]     rx_valid_i,
  input logic [Radix-1:0]     tx_credit_o,
  input logic [Radix-1:0]     rx_credit_i,
  input logic [Delivered-1:0] deliver_valid_o,
  input logic [Radix-1:0]     wait_credit_o
);
  logic sends, receives, delivers, all_port, one_port, one_port_send, received_q;
  assign sends         = rst_ni && cycle_i != '0 && tx_valid_o != '0;
  assign receives      = rst_ni && cycle_i != '0 && rx_valid_i != '0;
  assign delivers      = rst_ni && deliver_valid_o != '0;
  assign all_port      = port_model_i == 2'(safnet_pkg::AllPort);
  assign one_port      = port_model_i == 2'(safnet_pkg::OnePort);
  assign one_port_send = port_model_i == 2'(safnet_pkg::OnePortSend);
  always_ff @(posedge clk_i) received_q <= receives;

  all_port_with_packets_of_1:       cover property (@(posedge clk_i) sends && all_port && Flits == 1);
  all_port_with_packets_of_4:       cover property (@(posedge clk_i) sends && all_port && Flits > 1 && Flits <= 4);
  all_port_with_packets_of_16:      cover property (@(posedge clk_i) sends && all_port && Flits > 4 && Flits <= 16);
  all_port_with_packets_of_64:      cover property (@(posedge clk_i) sends && all_port && Flits > 16);
  one_port_with_packets_of_1:       cover property (@(posedge clk_i) sends && one_port && Flits == 1);
  one_port_with_packets_of_4:       cover property (@(posedge clk_i) sends && one_port && Flits > 1 && Flits <= 4);
  one_port_with_packets_of_16:      cover property (@(posedge clk_i) sends && one_port && Flits > 4 && Flits <= 16);
  one_port_with_packets_of_64:      cover property (@(posedge clk_i) sends && one_port && Flits > 16);
  one_port_send_with_packets_of_1:  cover property (@(posedge clk_i) sends && one_port_send && Flits == 1);
  one_port_send_with_packets_of_4:  cover property (@(posedge clk_i) sends && one_port_send && Flits > 1 && Flits <= 4);
  one_port_send_with_packets_of_16: cover property (@(posedge clk_i) sends && one_port_send && Flits > 4 && Flits <= 16);
  one_port_send_with_packets_of_64: cover property (@(posedge clk_i) sends && one_port_send && Flits > 16);

  sends_in_the_first_cycle:      cover property (@(posedge clk_i) sends && cycle_i == 32'd1 && !receives);
  sends_as_it_receives:          cover property (@(posedge clk_i) sends && receives);
  sends_what_came_a_cycle_ago:   cover property (@(posedge clk_i) sends && received_q);
  delivers_what_came_before:     cover property (@(posedge clk_i) delivers && received_q);
  all_links_send:                cover property (@(posedge clk_i) sends && Radix > 1 && tx_valid_o == '1);
  credit_leaves:                 cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && tx_credit_o != '0);
  credit_comes:                  cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && rx_credit_i != '0);
  waits_for_a_credit:            cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && wait_credit_o != '0);
endmodule
