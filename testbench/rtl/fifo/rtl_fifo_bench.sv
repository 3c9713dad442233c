// rtl_fifo_bench - four fifo_nodes, each linked with every other, with several parameter sets; case_i says which network
// gets the traffic, the others stay in reset. Port p of node n leads to node n + p + 1, modulo 4.
module rtl_fifo_bench #(
  parameter int Cases     = 5,
  parameter int FlitWidth = 32,
  localparam int Nodes          = 4,
  localparam int Radix          = 3,
  localparam int LabelWidth     = 4,
  localparam int InjectPorts    = 1,
  localparam int OccupancyWidth = 8   // wide enough for every parameter set
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  case_i,
  output logic [7:0]  flits_o,
  output logic [7:0]  port_model_o,
  output logic [7:0]  grant_cycles_o,
`include "common/as_ports.svh"
`include "common/router_ports.svh"
  input  logic        start_i,
  output logic [31:0] cycle_o
);
  // case                                      4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits      = {8'd1, 8'd4, 8'd1, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] Latencies  = {8'd0, 8'd1, 8'd0, 8'd1, 8'd0};
  localparam logic [Cases*8-1:0] Slots      = {8'd1, 8'd1, 8'd1, 8'd5, 8'd1};
  localparam logic [Cases*8-1:0] Depths     = {8'd4, 8'd2, 8'd1, 8'd2, 8'd3};
  localparam logic [Cases*8-1:0] HostDepths = {8'd5, 8'd4, 8'd1, 8'd8, 8'd8};
  localparam logic [Cases*8-1:0] PortModels = {8'd2, 8'd1, 8'd0, 8'd0, 8'd0};
  localparam logic [Cases*8-1:0] Grants     = {8'd0, 8'd4, 8'd0, 8'd0, 8'd0};


`include "rtl/as_widths.svh"
  localparam int OutputWidth = 32
`include "common/router_ports.svh"
    ;
  logic [OutputWidth-1:0] outputs [Cases];

  // verilator lint_off VARHIDDEN
  // Each network has outputs of its own, under the names of the bench's outputs; what hosts give is the bench's.
  for (genvar c = 0; c < Cases; c++) begin : g_case
`include "rtl/as_outputs.svh"
`include "common/router_ports.svh"
`include "common/as_signals.svh"
`include "common/router_wires.svh"
    localparam int Depth      = 32'(Depths[c*8 +: 8]);
    localparam int HostDepth  = 32'(HostDepths[c*8 +: 8]);
    localparam int QueueWidth = $clog2(safnet_pkg::larger(Depth, HostDepth) * (Radix + 1) + 1);
    logic                        here, slot_open_next, unused;
    logic [31:0]                 cycle, step;
    logic [Nodes*QueueWidth-1:0] queued, most_queued, most_transit;

    assign here = rst_ni && case_i == 3'(c);
    slot_timer u_timer (
      .clk_i, .start_i,
      .slot_cycles_i    (32'(Slots[c*8 +: 8])),
      .rst_ni           (here),
      .running_o        (unused),
      .cycle_o          (cycle),
      .step_o           (step),
      .slot_open_next_o (slot_open_next)
    );
    for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
      localparam int There = ((w / Radix + w % Radix + 1) % Nodes) * Radix + 2 - w % Radix;
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
      assign {rx_valid_i[w], rx_credit_i[w], rx_request_i[w], rx_grant_i[w]} =
          {tx_valid_o[There], tx_credit_o[There], tx_request_o[There], tx_grant_o[There]};
    end
    fifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .LinkLatency(32'(Latencies[c*8 +: 8])),
      .SlotCycles(32'(Slots[c*8 +: 8])), .QueueDepth(Depth), .HostDepth(HostDepth), .LabelDepth(16),
      .PortModel(32'(PortModels[c*8 +: 8])), .GrantCycles(32'(Grants[c*8 +: 8])), .NodeIdWidth(4), .TagWidth(16)
    ) u_node [Nodes-1:0] (
      .*, .rst_ni(here), .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next),
      .occupancy_o(queued), .peak_occupancy_o(most_queued), .peak_transit_o(most_transit)
    );
    for (genvar n = 0; n < Nodes; n++) begin : g_occupancy
      assign occupancy_o[n*OccupancyWidth +: OccupancyWidth] = OccupancyWidth'(queued[n*QueueWidth +: QueueWidth]);
      assign peak_occupancy_o[n*OccupancyWidth +: OccupancyWidth] =
          OccupancyWidth'(most_queued[n*QueueWidth +: QueueWidth]);
      assign peak_transit_o[n*OccupancyWidth +: OccupancyWidth] =
          OccupancyWidth'(most_transit[n*QueueWidth +: QueueWidth]);
    end
`include "rtl/as_list.svh"
    assign outputs[c] = {
`include "common/router_ports.svh"
      cycle};
  end

  assign {
`include "common/router_ports.svh"
    cycle_o} = outputs[case_i];
  assign flits_o        = Flits[32'(case_i)*8 +: 8];
  assign port_model_o   = PortModels[32'(case_i)*8 +: 8];
  assign grant_cycles_o = Grants[32'(case_i)*8 +: 8];
endmodule

// One C++ class for all nodes of a case: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "fifo_node"
`verilog
