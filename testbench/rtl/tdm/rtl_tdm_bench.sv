// rtl_tdm_bench - three tdm_nodes in a row under one slot_timer, with several parameter sets; case_i says which
// row gets the traffic, the others stay in reset. Port 0 leads to the next node, port 1 to the previous one; port 2 and
// the two ports at the ends lead out of the bench, where the test plays the neighbour.
module rtl_tdm_bench #(
  parameter int Nodes     = 3,
  parameter int Radix     = 3,
  parameter int FlitWidth = 64,
  parameter int Cases     = 6,
  parameter int Loopbacks = 1,
  localparam int Lanes           = Radix + 1 + Loopbacks,
  localparam int Outputs         = Radix + Loopbacks,
  localparam int OwnStreams      = Radix + 1,
  localparam int BufferWidth     = 2,
  localparam int GenerationWidth = 4,
  localparam int CountWidth      = 3,
  localparam int NameWidth       = 8,
  localparam int Window          = 2,
  localparam int OccupancyWidth  = 8,  // wide enough for every parameter set
  localparam int ReceiveWidth    = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int SendWidth       = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  case_i,
  output logic [7:0]  flits_o,
  output logic [7:0]  latency_o,
  output logic [7:0]  slot_cycles_o,
  output logic [7:0]  port_model_o,
  // the nodes' ports; what the test plays as a neighbour is ignored where a node is connected
`include "common/as_ports.svh"
`include "common/link_wires.svh"
`include "tdm/tdm_ports.svh"
  input  logic        start_i,
  output logic [31:0] cycle_o,
  output logic [31:0] step_o
);
  // case                                      5     4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits      = {8'd4, 8'd3, 8'd4, 8'd1, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] Latencies  = {8'd12, 8'd0, 8'd1, 8'd0, 8'd1, 8'd0};
  localparam logic [Cases*8-1:0] Slots      = {8'd1, 8'd1, 8'd5, 8'd1, 8'd1, 8'd1};
  localparam logic [Cases*8-1:0] Buffers    = {8'd4, 8'd4, 8'd3, 8'd4, 8'd4, 8'd4};
  localparam logic [Cases*8-1:0] PortModels = {8'd0, 8'd2, 8'd0, 8'd1, 8'd0, 8'd0};
  localparam logic [Cases*8-1:0] Combining  = {8'd1, 8'd1, 8'd0, 8'd0, 8'd1, 8'd1};
  // Rows 1, 3 and 5 are built for longer links, and for more packets granted ahead, than they run with. Row 5 has links
  // of their own latencies and widths, as the test says; none may be longer than its Latencies.

`include "rtl/as_widths.svh"
  localparam int OutputWidth = 64
`include "tdm/tdm_ports.svh"
    ;
  logic [OutputWidth-1:0] outputs [Cases];

  // verilator lint_off VARHIDDEN
  // Each row has outputs of its own, under the names of the bench's outputs; what hosts give is the bench's.
  for (genvar c = 0; c < Cases; c++) begin : g_case
`include "rtl/as_outputs.svh"
`include "tdm/tdm_ports.svh"
    localparam int BuffersWidth = $clog2(32'(Buffers[c*8 +: 8]) + 1);
    logic                             here, slot_open_next, unused;
    logic [31:0]                      cycle, step;
    logic [Nodes*Radix-1:0]           rx_valid, rx_credit;
    logic [Nodes*Radix*FlitWidth-1:0] rx_flit;
    logic [Nodes*BuffersWidth-1:0]    used, most_used;

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
      localparam int Node  = w / Radix;
      localparam int Port  = w % Radix;
      localparam int Peer  = (Port == 0 && Node < Nodes - 1) ? Node + 1 : (Port == 1 && Node > 0) ? Node - 1 : -1;
      localparam int There = Peer * Radix + 1 - Port;
      if (Peer >= 0) begin : g_peer
        assign {rx_valid[w], rx_credit[w]}       = {tx_valid_o[There], tx_credit_o[There]};
        assign rx_flit[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
      end else begin : g_test
        assign {rx_valid[w], rx_credit[w]}       = {rx_valid_i[w], rx_credit_i[w]};
        assign rx_flit[w*FlitWidth +: FlitWidth] = rx_flit_i[w*FlitWidth +: FlitWidth];
      end
    end
    tdm_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])),
      .LinkLatency(32'(Latencies[c*8 +: 8]) * (1 + c % 2)), .Buffers(32'(Buffers[c*8 +: 8])), .ProgramDepth(3),
      .Window(Window + c % 2), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth), .CountWidth(CountWidth),
      .Combining(32'(Combining[c*8 +: 8])), .Loopbacks(Loopbacks),
      .UnequalLinks(c == 5 ? 1 : 0)
    ) u_node [Nodes-1:0] (
      .slot_cycles_i(32'(Slots[c*8 +: 8])), .link_latency_i(16'(Latencies[c*8 +: 8])),
      .port_model_i(2'(PortModels[c*8 +: 8])), .window_i(16'(Window)),
      .*, .rst_ni(here), .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next),
      .rx_valid_i(rx_valid), .rx_flit_i(rx_flit), .rx_credit_i(rx_credit), .occupancy_o(used),
      .peak_occupancy_o(most_used)
    );
    for (genvar n = 0; n < Nodes; n++) begin : g_occupancy
      assign occupancy_o[n*OccupancyWidth +: OccupancyWidth] = OccupancyWidth'(used[n*BuffersWidth +: BuffersWidth]);
      assign peak_occupancy_o[n*OccupancyWidth +: OccupancyWidth] =
          OccupancyWidth'(most_used[n*BuffersWidth +: BuffersWidth]);
    end
`include "rtl/as_list.svh"
    assign outputs[c] = {
`include "tdm/tdm_ports.svh"
      cycle, step};
  end

  assign {
`include "tdm/tdm_ports.svh"
    cycle_o, step_o} = outputs[case_i];
  assign flits_o       = Flits[32'(case_i)*8 +: 8];
  assign latency_o     = Latencies[32'(case_i)*8 +: 8];
  assign slot_cycles_o = Slots[32'(case_i)*8 +: 8];
  assign port_model_o  = PortModels[32'(case_i)*8 +: 8];


  logic unused_inputs;  // ports that lead to another node of the row do not use the bench's inputs
  assign unused_inputs = &{1'b0, rx_valid_i, rx_flit_i, rx_credit_i};
endmodule

// One C++ class for all nodes of a row: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "tdm_node"
`verilog
