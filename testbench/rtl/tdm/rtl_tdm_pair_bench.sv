// rtl_tdm_pair_bench - two tdm_nodes of two ports, each port p linked with the other's port p. Packets have one flit, links
// no latency, and there are no combine units.
module rtl_tdm_pair_bench #(
  parameter int Nodes     = 2,
  parameter int Radix     = 2,
  parameter int FlitWidth = 32,
  localparam int Lanes           = Radix + 1,
  localparam int Outputs         = Radix,
  localparam int OwnStreams      = Radix + 1,
  localparam int Buffers         = 4,
  localparam int BufferWidth     = 2,
  localparam int GenerationWidth = 2,
  localparam int CountWidth      = 2,
  localparam int NameWidth       = 10,
  localparam int OccupancyWidth  = 3,
  localparam int ReceiveWidth    = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int SendWidth       = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "tdm/tdm_ports.svh"
  input  logic        start_i,
  output logic [31:0] cycle_o
);
  logic                             slot_open_next, unused;
  logic [31:0]                      step;
  logic [Nodes*Radix-1:0]           rx_valid, rx_credit;
  logic [Nodes*Radix*FlitWidth-1:0] rx_flit;

  slot_timer u_timer (
    .clk_i, .rst_ni, .start_i, .cycle_o,
    .slot_cycles_i    (32'd1),
    .running_o        (unused),
    .step_o           (step),
    .slot_open_next_o (slot_open_next)
  );
  for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
    localparam int There = (w + Radix) % (Nodes * Radix);
    assign {rx_valid[w], rx_credit[w]}       = {tx_valid_o[There], tx_credit_o[There]};
    assign rx_flit[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
  end
  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Buffers(Buffers), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth),
    .CountWidth(CountWidth), .Combining(0)
  ) u_node [Nodes-1:0] (
    .slot_cycles_i(32'd1), .link_latency_i(16'd0), .port_model_i(2'(safnet_pkg::AllPort)), .window_i(16'd4),
    .*, .cycle_i(cycle_o), .step_i(step), .slot_open_next_i(slot_open_next),
    .rx_valid_i(rx_valid), .rx_flit_i(rx_flit), .rx_credit_i(rx_credit)
  );
endmodule
