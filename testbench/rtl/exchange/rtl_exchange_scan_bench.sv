// rtl_exchange_scan_bench - one exchange_scan of a node of four ports, whose packets have up to three flits; the test is the
// host, the router and all neighbours.
module rtl_exchange_scan_bench #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  localparam int LabelDepth  = 8,
  localparam int RankWidth   = 8,
  localparam int LabelWidth  = 3
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // network time; cycle 0: the scan has not begun
  input  logic [31:0]                cycle_i,
  input  logic                       slot_open_next_i,
  // label table, as the host writes it
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  // links
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  // host
  input  logic                       inject_valid_i,
  input  logic                       inject_ready_i,         // the router's
  input  logic [FlitWidth-1:0]       inject_flit_i,
  input  logic [2*RankWidth-1:0]     inject_ranks_i,         // {rank if the class is 1, rank if it is 0}
  output logic [Radix-1:0]           deliver_valid_o,
  output logic [Radix-1:0]           deliver_last_o,
  output logic [Radix*FlitWidth-1:0] deliver_flit_o,
  // router
  output logic                       router_slot_open_next_o,
  output logic [Radix-1:0]           router_rx_valid_o,
  output logic [Radix*FlitWidth-1:0] router_rx_flit_o,
  input  logic [Radix-1:0]           router_tx_valid_i,
  input  logic [Radix*FlitWidth-1:0] router_tx_flit_i,
  output logic [FlitWidth-1:0]       router_inject_flit_o,
  output logic [RankWidth-1:0]       router_inject_rank_o,
  input  logic [Radix-1:0]           router_deliver_valid_i,
  input  logic [Radix-1:0]           router_deliver_last_i,
  input  logic [Radix*FlitWidth-1:0] router_deliver_flit_i,
  output logic                       idle_o                  // the host has been told and nothing of the scan is leaving
);
  exchange_scan #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(3), .LabelDepth(LabelDepth), .RankWidth(RankWidth)
  ) u_scan (.*);
endmodule
