// rtl_node_bench - three pifo_nodes in a row under one slot_timer, with several parameter sets; case_i says which row
// gets the traffic. Port 0 leads to the next node, port 1 to the previous one; port 2 and the two ports at the ends
// lead out of the bench, where the test plays the neighbour.
module rtl_node_bench #(
  parameter int Nodes     = 3,
  parameter int Radix     = 3,
  parameter int FlitWidth = 32,
  parameter int Cases     = 11
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [3:0]                       case_i,
  output logic [7:0]                       flits_o,
  output logic [7:0]                       latency_o,
  output logic [7:0]                       slot_cycles_o,
  output logic [7:0]                       queue_depth_o,
  output logic [7:0]                       port_model_o,
  output logic [7:0]                       grant_cycles_o,
  input  logic                             start_i,
  output logic [31:0]                      cycle_o,
  output logic [31:0]                      step_o,
  // all outputs towards neighbours
  output logic [Nodes*Radix-1:0]           tx_valid_o,
  output logic [Nodes*Radix*FlitWidth-1:0] tx_flit_o,
  output logic [Nodes*Radix-1:0]           tx_credit_o,
  output logic [Nodes*Radix-1:0]           tx_request_o,
  output logic [Nodes*Radix-1:0]           tx_grant_o,
  // neighbours played by the test; ignored where a node is connected
  input  logic [Nodes*Radix-1:0]           rx_valid_i,
  input  logic [Nodes*Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Nodes*Radix-1:0]           rx_credit_i,
  input  logic [Nodes*Radix-1:0]           rx_request_i,
  input  logic [Nodes*Radix-1:0]           rx_grant_i,
  input  logic [Nodes*Radix-1:0]           fault_drop_i,
  input  logic [Nodes*Radix-1:0]           fault_corrupt_i,
  input  logic [Radix-1:0]                 branch_first_i,  // of every node
  // hosts
  input  logic [Nodes-1:0]                 table_valid_i,
  input  logic [3:0]                       table_label_i,
  input  logic [Radix-1:0]                 table_mask_i,
  input  logic                             table_deliver_i,
  input  logic [1:0]                       table_rank_i,
  input  logic [Radix*2-1:0]               table_order_i,
  input  logic                             table_rest_i,
  input  logic [1:0]                       table_rest_rank_i,
  input  logic [Nodes-1:0]                 inject_valid_i,
  output logic [Nodes-1:0]                 inject_ready_o,
  input  logic [Nodes*FlitWidth-1:0]       inject_flit_i,
  input  logic [Nodes*2-1:0]               inject_rank_i,
  output logic [Nodes*Radix-1:0]           deliver_valid_o,
  output logic [Nodes*Radix-1:0]           deliver_last_o,
  output logic [Nodes*Radix*FlitWidth-1:0] deliver_flit_o,
  // measurements
  output logic [Nodes*Radix*32-1:0]        sent_o,
  output logic [Nodes*Radix*32-1:0]        received_o,
  output logic [Nodes*32-1:0]              delivered_o,
  output logic [Nodes*32-1:0]              last_delivery_cycle_o,
  output logic [Nodes*32-1:0]              last_delivery_step_o,
  output logic [Nodes*64-1:0]              delay_sum_o,
  output logic [Nodes*8-1:0]               occupancy_o,
  output logic [Nodes*8-1:0]               peak_occupancy_o,
  output logic [Nodes*8-1:0]               peak_transit_o,
  output logic [Nodes*Radix*8-1:0]         peak_stored_o,
  output logic [Nodes*Radix*8-1:0]         peak_waiting_o,
  output logic [Nodes*32-1:0]              violations_o,
  output logic [Nodes*32-1:0]              first_violation_cycle_o,
  output logic [Nodes*Radix-1:0]           wait_credit_o,
  output logic [Nodes*Radix-1:0]           wait_grant_o,
  output logic [Nodes-1:0]                 idle_o
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
  localparam int HostDepth = 8;
  localparam int Ports     = Nodes * Radix;

  localparam int TimeWidth   = 64;
  localparam int WireWidth   = Ports * (4 + FlitWidth);
  localparam int HostWidth   = Nodes + 2 * Ports + Ports * FlitWidth;
  localparam int CountsWidth = Nodes * (5 * 32 + 64 + 3 * 8 + 1) + Ports * (2 * 32 + 2 * 8 + 2);
  localparam int OutputWidth = TimeWidth + WireWidth + HostWidth + CountsWidth;
  logic [OutputWidth-1:0] outputs [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int Depth          = 32'(Depths[c*8 +: 8]);
    localparam int OccupancyWidth = $clog2(safnet_pkg::larger(Depth, HostDepth) * (Radix + 1) + 1);

    logic        here, running, slot_open_next;
    logic [31:0] cycle, step;
    logic [Ports-1:0]           tx_valid, tx_credit, tx_request, tx_grant, rx_valid, rx_credit, rx_request, rx_grant;
    logic [Ports*FlitWidth-1:0] tx_flit, rx_flit;
    logic [Nodes-1:0]           inject_ready, idle;
    logic [Ports-1:0]           deliver_valid, deliver_last, wait_credit, wait_grant;
    logic [Ports*FlitWidth-1:0] deliver_flit;
    logic [Ports*32-1:0]        sent, received;
    logic [Nodes*32-1:0]        delivered, last_cycle, last_step, violations, first_violation;
    logic [Nodes*64-1:0]        delay_sum;
    logic [Nodes*8-1:0]         occupancy, peak_occupancy, peak_transit;
    logic [Ports*8-1:0]         peak_stored, peak_waiting;
    logic                       unused;

    assign here   = case_i == 4'(c);
    assign unused = running;
    slot_timer #(.SlotCycles(32'(Slots[c*8 +: 8]))) u_timer (
      .clk_i, .rst_ni,
      .start_i          (start_i && here),
      .running_o        (running),
      .cycle_o          (cycle),
      .step_o           (step),
      .slot_open_next_o (slot_open_next)
    );

    for (genvar n = 0; n < Nodes; n++) begin : g_node
      for (genvar p = 0; p < Radix; p++) begin : g_wire
        localparam int Here      = n * Radix + p;
        localparam int Peer      = (p == 0 && n < Nodes - 1) ? n + 1 : (p == 1 && n > 0) ? n - 1 : -1;
        localparam int There     = Peer * Radix + 1 - p;
        if (Peer >= 0) begin : g_peer
          assign rx_valid[Here]                       = tx_valid[There];
          assign rx_flit[Here*FlitWidth +: FlitWidth] = tx_flit[There*FlitWidth +: FlitWidth];
          assign rx_credit[Here]                      = tx_credit[There];
          assign rx_request[Here]                     = tx_request[There];
          assign rx_grant[Here]                       = tx_grant[There];
        end else begin : g_test
          assign rx_valid[Here]                       = rx_valid_i[Here] && here;
          assign rx_flit[Here*FlitWidth +: FlitWidth] = rx_flit_i[Here*FlitWidth +: FlitWidth];
          assign rx_credit[Here]                      = rx_credit_i[Here] && here;
          assign rx_request[Here]                     = rx_request_i[Here] && here;
          assign rx_grant[Here]                       = rx_grant_i[Here] && here;
        end
      end

      logic [OccupancyWidth-1:0] node_occupancy, node_peak_occupancy, node_peak_transit;
      logic [Radix*OccupancyWidth-1:0] node_peak_stored, node_peak_waiting;
      pifo_node #(
        .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .LinkLatency(32'(Latencies[c*8 +: 8])),
        .SlotCycles(32'(Slots[c*8 +: 8])), .QueueDepth(Depth), .HostDepth(HostDepth), .LabelDepth(16), .RankLevels(4),
        .PortModel(32'(PortModels[c*8 +: 8])), .GrantCycles(32'(Grants[c*8 +: 8])), .NodeIdWidth(4), .TagWidth(16),
        .DealsLinks(32'(Deals[c])), .RestRanks(32'(Rests[c]))
      ) u_node (
        .clk_i, .rst_ni,
        .cycle_i          (cycle),
        .step_i           (step),
        .slot_open_next_i (slot_open_next),
        .tx_valid_o       (tx_valid[n*Radix +: Radix]),
        .tx_flit_o        (tx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .tx_credit_o      (tx_credit[n*Radix +: Radix]),
        .tx_request_o     (tx_request[n*Radix +: Radix]),
        .tx_grant_o       (tx_grant[n*Radix +: Radix]),
        .rx_valid_i       (rx_valid[n*Radix +: Radix]),
        .rx_flit_i        (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .rx_credit_i      (rx_credit[n*Radix +: Radix]),
        .rx_request_i     (rx_request[n*Radix +: Radix]),
        .rx_grant_i       (rx_grant[n*Radix +: Radix]),
        .fault_drop_i     (fault_drop_i[n*Radix +: Radix]),
        .fault_corrupt_i  (fault_corrupt_i[n*Radix +: Radix]),
        .branch_first_i,
        .table_valid_i    (table_valid_i[n] && here),
        .table_label_i, .table_mask_i, .table_deliver_i, .table_rank_i, .table_order_i, .table_rest_i, .table_rest_rank_i,
        .inject_valid_i   (inject_valid_i[n] && here),
        .inject_ready_o   (inject_ready[n]),
        .inject_flit_i    (inject_flit_i[n*FlitWidth +: FlitWidth]),
        .inject_rank_i    (inject_rank_i[n*2 +: 2]),
        .deliver_valid_o  (deliver_valid[n*Radix +: Radix]),
        .deliver_last_o   (deliver_last[n*Radix +: Radix]),
        .deliver_flit_o   (deliver_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .sent_o           (sent[n*Radix*32 +: Radix*32]),
        .received_o       (received[n*Radix*32 +: Radix*32]),
        .delivered_o      (delivered[n*32 +: 32]),
        .last_delivery_cycle_o   (last_cycle[n*32 +: 32]),
        .last_delivery_step_o    (last_step[n*32 +: 32]),
        .delay_sum_o             (delay_sum[n*64 +: 64]),
        .occupancy_o             (node_occupancy),
        .peak_occupancy_o        (node_peak_occupancy),
        .peak_transit_o          (node_peak_transit),
        .peak_stored_o           (node_peak_stored),
        .peak_waiting_o          (node_peak_waiting),
        .violations_o            (violations[n*32 +: 32]),
        .first_violation_cycle_o (first_violation[n*32 +: 32]),
        .wait_credit_o           (wait_credit[n*Radix +: Radix]),
        .wait_grant_o            (wait_grant[n*Radix +: Radix]),
        .idle_o                  (idle[n])
      );
      assign occupancy[n*8 +: 8]      = 8'(node_occupancy);
      assign peak_occupancy[n*8 +: 8] = 8'(node_peak_occupancy);
      assign peak_transit[n*8 +: 8]   = 8'(node_peak_transit);
      for (genvar p = 0; p < Radix; p++) begin : g_peak
        assign peak_stored[(n*Radix+p)*8 +: 8]  = 8'(node_peak_stored[p*OccupancyWidth +: OccupancyWidth]);
        assign peak_waiting[(n*Radix+p)*8 +: 8] = 8'(node_peak_waiting[p*OccupancyWidth +: OccupancyWidth]);
      end
    end
    assign outputs[c] = {
      cycle, step, tx_valid, tx_flit, tx_credit, tx_request, tx_grant, inject_ready, deliver_valid, deliver_last,
      deliver_flit, sent, received, delivered, last_cycle, last_step, delay_sum, occupancy, peak_occupancy,
      peak_transit, peak_stored, peak_waiting, violations, first_violation, wait_credit, wait_grant, idle};
  end

  assign {
    cycle_o, step_o, tx_valid_o, tx_flit_o, tx_credit_o, tx_request_o, tx_grant_o, inject_ready_o, deliver_valid_o,
    deliver_last_o, deliver_flit_o, sent_o, received_o, delivered_o, last_delivery_cycle_o, last_delivery_step_o,
    delay_sum_o, occupancy_o, peak_occupancy_o, peak_transit_o, peak_stored_o, peak_waiting_o, violations_o,
    first_violation_cycle_o, wait_credit_o, wait_grant_o, idle_o} = outputs[case_i];
  assign flits_o        = Flits[32'(case_i)*8 +: 8];
  assign latency_o      = Latencies[32'(case_i)*8 +: 8];
  assign slot_cycles_o  = Slots[32'(case_i)*8 +: 8];
  assign queue_depth_o  = Depths[32'(case_i)*8 +: 8];
  assign port_model_o   = PortModels[32'(case_i)*8 +: 8];
  assign grant_cycles_o = Grants[32'(case_i)*8 +: 8];

  logic unused_inputs;  // where a node is connected the test's neighbour is not there
  assign unused_inputs = &{1'b0, rx_valid_i, rx_flit_i, rx_credit_i, rx_request_i, rx_grant_i};
endmodule

// One C++ class for all nodes of a row: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "pifo_node"
`verilog
