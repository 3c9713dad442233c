// grant_events - requests and grants of a router (rtl/pifo/README.md, "Port models and grants").
module grant_events #(
  parameter int Radix = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [31:0]      cycle_i,
  input logic [Radix-1:0] tx_request_o,
  input logic [Radix-1:0] rx_request_i,
  input logic [Radix-1:0] tx_grant_o,
  input logic [Radix-1:0] rx_grant_i,
  input logic [Radix-1:0] wait_grant_o
);
  asks_for_a_grant: cover property (@(posedge clk_i) rst_ni && tx_request_o != '0);
  gives_a_grant: cover property (@(posedge clk_i) rst_ni && tx_grant_o != '0);
  is_given_a_grant: cover property (@(posedge clk_i) rst_ni && rx_grant_i != '0);
  is_asked_by_several: cover property (@(posedge clk_i) rst_ni && (rx_request_i & (rx_request_i - Radix'(1))) != '0);
  waits_for_a_grant: cover property (@(posedge clk_i) rst_ni && cycle_i != '0 && wait_grant_o != '0);
endmodule
