// rtl_node_bench - three pifo_nodes in a row under one slot_timer, with several parameter sets; case_i says which row
// gets the traffic, the others stay in reset. Port 0 leads to the next node, port 1 to the previous one; port 2 and the
// two ports at the ends lead out of the bench, where the test plays the neighbour.
module rtl_node_bench #(
  parameter int Nodes     = 3,
  parameter int Radix     = 3,
  parameter int FlitWidth = 32,
  parameter int Cases     = 11,
  localparam int HostDepth      = 8,   // more than any QueueDepth
  localparam int OccupancyWidth = $clog2(HostDepth * (Radix + 1) + 1),
  localparam int LabelWidth     = 4,
  localparam int InjectPorts    = 1,
  localparam int RankWidth      = 2,
  localparam int InjectWidth    = RankWidth,
  localparam int PortWidth      = safnet_pkg::index_width(Radix)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [3:0]  case_i,
  output logic [7:0]  flits_o,
  output logic [7:0]  latency_o,
  output logic [7:0]  slot_cycles_o,
  output logic [7:0]  queue_depth_o,
  output logic [7:0]  port_model_o,
  output logic [7:0]  grant_cycles_o,
  // the nodes' ports; what the test plays as a neighbour is ignored where a node is connected
`include "common/as_ports.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
  input  logic        start_i,
  output logic [31:0] cycle_o,
  output logic [31:0] step_o
);
  // case                                      10    9     8     7     6     5     4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits      = {8'd1, 8'd1, 8'd1, 8'd2, 8'd4, 8'd4, 8'd4, 8'd1, 8'd4, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] Latencies  = {8'd0, 8'd0, 8'd0, 8'd0, 8'd0, 8'd1, 8'd1, 8'd0, 8'd1, 8'd1, 8'd0};
  localparam logic [Cases*8-1:0] Slots      = {8'd1, 8'd1, 8'd1, 8'd1, 8'd1, 8'd9, 8'd1, 8'd1, 8'd1, 8'd5, 8'd1};
  localparam logic [Cases*8-1:0] Depths     = {8'd4, 8'd4, 8'd2, 8'd2, 8'd4, 8'd2, 8'd4, 8'd1, 8'd1, 8'd2, 8'd3};
  localparam logic [Cases*8-1:0] PortModels = {8'd2, 8'd0, 8'd0, 8'd2, 8'd1, 8'd1, 8'd1, 8'd0, 8'd0, 8'd0, 8'd0};
  localparam logic [Cases*8-1:0] Grants     = {8'd0, 8'd0, 8'd0, 8'd0, 8'd0, 8'd4, 8'd4, 8'd0, 8'd0, 8'd0, 8'd0};
  localparam logic [Cases-1:0]   Deals      = 11'b010_0000_0000;
  localparam logic [Cases-1:0]   Rests      = 11'b100_0000_0000;

  // This is how each row runs. Some are built for more: for longer links, deeper queues, and one-port rows for grants.

`include "rtl/as_widths.svh"
  localparam int OutputWidth = 64
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
    ;
  logic [OutputWidth-1:0] outputs [Cases];

  // verilator lint_off VARHIDDEN
  // Each row has outputs of its own, under the names of the bench's outputs; what hosts give is the bench's.
  for (genvar c = 0; c < Cases; c++) begin : g_case
`include "rtl/as_outputs.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
    logic                             here, slot_open_next, unused;
    logic [31:0]                      cycle, step;
    logic [Nodes*Radix-1:0]           rx_valid, rx_credit, rx_request, rx_grant;
    logic [Nodes*Radix*FlitWidth-1:0] rx_flit;

    assign here = rst_ni && case_i == 4'(c);
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
      localparam int Node  = w / Radix;
      localparam int Port  = w % Radix;
      localparam int Peer  = (Port == 0 && Node < Nodes - 1) ? Node + 1 : (Port == 1 && Node > 0) ? Node - 1 : -1;
      localparam int There = Peer * Radix + 1 - Port;
      if (Peer >= 0) begin : g_peer
        assign rx_flit[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
        assign {rx_valid[w], rx_credit[w], rx_request[w], rx_grant[w]} =
            {tx_valid_o[There], tx_credit_o[There], tx_request_o[There], tx_grant_o[There]};
      end else begin : g_test
        assign rx_flit[w*FlitWidth +: FlitWidth] = rx_flit_i[w*FlitWidth +: FlitWidth];
        assign {rx_valid[w], rx_credit[w], rx_request[w], rx_grant[w]} =
            {rx_valid_i[w], rx_credit_i[w], rx_request_i[w], rx_grant_i[w]};
      end
    end
    localparam int MostLatency = 32'(Latencies[c*8 +: 8]) * (1 + c % 2);
    localparam int MostQueued  = (c % 2 == 0) ? HostDepth : 32'(Depths[c*8 +: 8]);
    localparam int Model       = (PortModels[c*8 +: 8] == 8'd0) ? safnet_pkg::AllPort : safnet_pkg::OnePort;
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .LinkLatency(MostLatency),
      .QueueDepth(MostQueued), .HostDepth(HostDepth), .LabelDepth(16), .RankLevels(4), .PortModel(Model),
      .GrantCycles((Model == safnet_pkg::AllPort) ? 0 : 2 * MostLatency + 2), .NodeIdWidth(4), .TagWidth(16),
      .DealsLinks(32'(Deals[c])), .RestRanks(32'(Rests[c]))
    ) u_node [Nodes-1:0] (
      .slot_cycles_i(32'(Slots[c*8 +: 8])), .link_latency_i(16'(Latencies[c*8 +: 8])),
      .port_model_i(2'(PortModels[c*8 +: 8])), .grant_cycles_i(16'(Grants[c*8 +: 8])),
      .queue_depth_i(16'(Depths[c*8 +: 8])),
      .*, .rst_ni(here), .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next),
      .rx_valid_i(rx_valid), .rx_flit_i(rx_flit), .rx_credit_i(rx_credit), .rx_request_i(rx_request),
      .rx_grant_i(rx_grant)
    );
`include "rtl/as_list.svh"
    assign outputs[c] = {
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
      cycle, step};
  end

  assign {
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
    cycle_o, step_o} = outputs[case_i];
  assign flits_o        = Flits[32'(case_i)*8 +: 8];
  assign latency_o      = Latencies[32'(case_i)*8 +: 8];
  assign slot_cycles_o  = Slots[32'(case_i)*8 +: 8];
  assign queue_depth_o  = Depths[32'(case_i)*8 +: 8];
  assign port_model_o   = PortModels[32'(case_i)*8 +: 8];
  assign grant_cycles_o = Grants[32'(case_i)*8 +: 8];


  logic unused_inputs;  // ports that lead to another node of the row do not use the bench's inputs
  assign unused_inputs = &{1'b0, rx_valid_i, rx_flit_i, rx_credit_i, rx_request_i, rx_grant_i};
endmodule

// One C++ class for all nodes of a row: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "pifo_node"
`verilog
