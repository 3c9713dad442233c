// rtl_pair_bench - two nodes of two ports, each port p linked with the other's port p: pifo_nodes, or with is_fifo_i
// fifo_nodes; those of the other kind stay in reset. Packets have one flit, links no latency.
module rtl_pair_bench #(
  parameter int Nodes     = 2,
  parameter int Radix     = 2,
  parameter int FlitWidth = 32,
  localparam int Depth          = 4,
  localparam int OccupancyWidth = $clog2(Depth * (Radix + 1) + 1),
  localparam int LabelWidth     = 4,
  localparam int InjectPorts    = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        is_fifo_i,
`include "common/as_ports.svh"
`include "common/router_ports.svh"
  input  logic        start_i,
  output logic [31:0] cycle_o
);
`include "rtl/as_widths.svh"
  localparam int OutputWidth = 32
`include "common/router_ports.svh"
    ;
  logic [OutputWidth-1:0] outputs [2];

  // verilator lint_off VARHIDDEN
  // Each pair has outputs of its own, under the names of the bench's outputs; what hosts give is the bench's.
  for (genvar c = 0; c < 2; c++) begin : g_case
`include "rtl/as_outputs.svh"
`include "common/router_ports.svh"
`include "common/as_signals.svh"
`include "common/router_wires.svh"
    logic        here, slot_open_next, unused;
    logic [31:0] cycle, step;

    assign here = rst_ni && is_fifo_i == 1'(c);
    slot_timer u_timer (
      .clk_i, .start_i,
      .slot_cycles_i    (32'd1),
      .rst_ni           (here),
      .running_o        (unused),
      .cycle_o          (cycle),
      .step_o           (step),
      .slot_open_next_o (slot_open_next)
    );
    for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
      localparam int There = (w + Radix) % (Nodes * Radix);
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
      assign {rx_valid_i[w], rx_credit_i[w], rx_request_i[w], rx_grant_i[w]} =
          {tx_valid_o[There], tx_credit_o[There], tx_request_o[There], tx_grant_o[There]};
    end
    if (c == 0) begin : g_pifo
      /* verilator lint_off PINCONNECTEMPTY */
      pifo_node #(
        .Radix(Radix), .FlitWidth(FlitWidth), .QueueDepth(Depth), .HostDepth(Depth), .LabelDepth(16), .NodeIdWidth(4),
        .TagWidth(16)
      ) u_node [Nodes-1:0] (
        .slot_cycles_i(32'd1), .link_latency_i(16'd0), .port_model_i(2'(safnet_pkg::AllPort)), .grant_cycles_i(16'd0),
        .queue_depth_i(16'(Depth)),
        .*, .rst_ni(here), .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next),
        .branch_first_i(2'b11), .table_rank_i(2'd0), .table_order_i(2'b10), .table_rest_i(1'b0), .table_rest_rank_i(2'd0),
        .inject_rank_i(2'd0), .peak_stored_o(), .peak_waiting_o()
      );
      /* verilator lint_on PINCONNECTEMPTY */
    end else begin : g_fifo
      fifo_node #(
        .Radix(Radix), .FlitWidth(FlitWidth), .QueueDepth(Depth), .HostDepth(Depth), .LabelDepth(16), .NodeIdWidth(4),
        .TagWidth(16)
      ) u_node [Nodes-1:0] (
        .*, .rst_ni(here), .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next)
      );
    end
`include "rtl/as_list.svh"
    assign outputs[c] = {
`include "common/router_ports.svh"
      cycle};
  end

  assign {
`include "common/router_ports.svh"
    cycle_o} = outputs[is_fifo_i];
endmodule
