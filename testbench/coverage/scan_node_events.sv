// scan_node_events - the phases of an interval, and the rows of the cycle table of the smallest scan (rtl/scan/README.md).
module scan_node_events #(
  parameter int Radix = 4,
  parameter int Lanes = 6
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic [scan_pkg::PhaseWidth-1:0] phase_o,
  input logic                            ring_i,
  input logic                            two_pieces_i,
  input logic                            repeat_i,
  input logic                            classed_i,
  input logic                            interval_first_o,
  input logic [Radix-1:0]                tx_valid_o,
  input logic [Radix-1:0]                rx_valid_i,
  input logic [Lanes-1:0]                deliver_valid_o,
  input logic [31:0]                     violations_o
);
  logic sends, receives;
  assign sends    = rst_ni && tx_valid_o != '0;
  assign receives = rst_ni && rx_valid_i != '0;

  class_scan_sends:     cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhaseClassScan);
  rank_scan_sends:      cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhaseRankScan);
  rank_scan_receives:   cover property (@(posedge clk_i) receives && 32'(phase_o) == scan_pkg::PhaseRankScan);
  packing_sends:        cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhasePack);
  broadcast_sends:      cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhaseBroadcast);
  broadcast_delivers:   cover property (@(posedge clk_i) rst_ni && deliver_valid_o != '0 && 32'(phase_o) == scan_pkg::PhaseBroadcast);
  combining_sends:      cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhaseCombine);
  unpacking_sends:      cover property (@(posedge clk_i) sends && 32'(phase_o) == scan_pkg::PhaseUnpack);
  broadcast_on_rings:   cover property (@(posedge clk_i) sends && ring_i && 32'(phase_o) == scan_pkg::PhaseBroadcast);
  broadcast_in_pieces:  cover property (@(posedge clk_i) sends && two_pieces_i && 32'(phase_o) == scan_pkg::PhaseBroadcast);
  packing_on_rings:     cover property (@(posedge clk_i) sends && ring_i && 32'(phase_o) == scan_pkg::PhasePack);
  packets_of_classes:   cover property (@(posedge clk_i) sends && classed_i && 32'(phase_o) == scan_pkg::PhaseBroadcast);
  next_interval:        cover property (@(posedge clk_i) rst_ni && repeat_i && interval_first_o);
  check_fails:          cover property (@(posedge clk_i) rst_ni && violations_o != '0);
endmodule

bind scan_node scan_node_events #(.Radix(Radix), .Lanes(Lanes)) u_events (
  .clk_i, .rst_ni, .phase_o, .ring_i, .two_pieces_i, .repeat_i, .classed_i, .interval_first_o, .tx_valid_o, .rx_valid_i,
  .deliver_valid_o, .violations_o
);
