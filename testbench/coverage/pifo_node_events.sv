// What a pifo_node does, as points of coverage.
bind pifo_node node_events #(.Radix(Radix), .Flits(Flits), .Delivered(Radix)) u_events_of_pifo_node (
  .clk_i, .rst_ni, .cycle_i, .port_model_i(port_model_i), .tx_valid_o, .rx_valid_i, .tx_credit_o, .rx_credit_i, .deliver_valid_o,
  .wait_credit_o
);
bind pifo_node grant_events #(.Radix(Radix)) u_grant_events_of_pifo_node (
  .clk_i, .rst_ni, .cycle_i, .tx_request_o, .rx_request_i, .tx_grant_o, .rx_grant_i, .wait_grant_o
);
