// tree_sum_events - the rows of the cycle table of the smallest scan (rtl/exchange/README.md), by the place in the tree.
module tree_sum_events #(
  parameter int Radix = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Radix-1:0] towards_i,
  input logic [Radix-1:0] away_i,
  input logic [Radix-1:0] rx_valid_i,
  input logic [Radix-1:0] tx_valid_o,
  input logic             done_o
);
  logic root, leaf, several;
  assign root    = towards_i == '0;
  assign leaf    = away_i == '0;
  assign several = (rx_valid_i & (rx_valid_i - Radix'(1))) != '0;

  leaf_sends_its_value:        cover property (@(posedge clk_i) rst_ni && leaf && !root && (tx_valid_o & towards_i) != '0);
  root_receives_several:       cover property (@(posedge clk_i) rst_ni && root && several);
  root_sends_the_sum:          cover property (@(posedge clk_i) rst_ni && root && tx_valid_o != '0 && (tx_valid_o & ~away_i) == '0);
  leaf_receives_the_sum:       cover property (@(posedge clk_i) rst_ni && leaf && !root && (rx_valid_i & towards_i) != '0);
  leaf_knows_the_sum:          cover property (@(posedge clk_i) rst_ni && leaf && !root && done_o);
  inner_node_sends_up:         cover property (@(posedge clk_i) rst_ni && !leaf && !root && (tx_valid_o & towards_i) != '0);
  inner_node_sends_down:       cover property (@(posedge clk_i) rst_ni && !leaf && !root && (tx_valid_o & away_i) != '0);
endmodule

bind tree_sum tree_sum_events #(.Radix(Radix)) u_events (
  .clk_i, .rst_ni, .towards_i, .away_i, .rx_valid_i, .tx_valid_o, .done_o
);
