// rtl_fifo_bench - four fifo_nodes, each linked with every other, with several parameter sets; case_i says which network
// gets the traffic. Port p of node n leads to node n + p + 1, modulo 4.
module rtl_fifo_bench #(
  parameter int Cases     = 5,
  parameter int FlitWidth = 32,
  localparam int Nodes = 4,
  localparam int Radix = 3,
  localparam int Ports = Nodes * Radix
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [2:0]                 case_i,
  output logic [7:0]                 flits_o,
  output logic [7:0]                 port_model_o,
  output logic [7:0]                 grant_cycles_o,
  input  logic                       start_i,
  output logic [31:0]                cycle_o,
  input  logic [Ports-1:0]           fault_drop_i,
  // hosts
  input  logic [Nodes-1:0]           table_valid_i,
  input  logic [3:0]                 table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  input  logic [Nodes-1:0]           inject_valid_i,
  output logic [Nodes-1:0]           inject_ready_o,
  input  logic [Nodes*FlitWidth-1:0] inject_flit_i,
  // the fifo_nodes
  output logic [Ports-1:0]           tx_valid_o,
  output logic [Ports-1:0]           deliver_valid_o,
  output logic [Ports-1:0]           deliver_last_o,
  output logic [Ports*FlitWidth-1:0] deliver_flit_o,
  output logic [Nodes*32-1:0]        delivered_o,
  output logic [Nodes*32-1:0]        last_delivery_cycle_o,
  output logic [Nodes*32-1:0]        last_delivery_step_o,
  output logic [Nodes*32-1:0]        violations_o,
  output logic [Nodes*8-1:0]         occupancy_o,
  output logic [Ports-1:0]           wait_credit_o,
  output logic [Nodes-1:0]           idle_o
);
  // case                                      4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits      = {8'd1, 8'd4, 8'd1, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] Latencies  = {8'd0, 8'd1, 8'd0, 8'd1, 8'd0};
  localparam logic [Cases*8-1:0] Slots      = {8'd1, 8'd1, 8'd1, 8'd5, 8'd1};
  localparam logic [Cases*8-1:0] Depths     = {8'd4, 8'd2, 8'd1, 8'd2, 8'd3};
  localparam logic [Cases*8-1:0] HostDepths = {8'd5, 8'd4, 8'd1, 8'd8, 8'd8};
  localparam logic [Cases*8-1:0] PortModels = {8'd2, 8'd1, 8'd0, 8'd0, 8'd0};
  localparam logic [Cases*8-1:0] Grants     = {8'd0, 8'd4, 8'd0, 8'd0, 8'd0};

  localparam int NodeWidth   = 1 + 2 * Radix + Radix * FlitWidth + 4 * 32 + 8 + Radix + 1;
  localparam int OutputWidth = 32 + Ports + Nodes * NodeWidth;
  logic [OutputWidth-1:0] outputs [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int Depth          = 32'(Depths[c*8 +: 8]);
    localparam int HostDepth      = 32'(HostDepths[c*8 +: 8]);
    localparam int OccupancyWidth = $clog2(safnet_pkg::larger(Depth, HostDepth) * (Radix + 1) + 1);

    logic                   here, running, slot_open_next;
    logic [31:0]            cycle, step;
    logic [Nodes-1:0]       inject_ready, idle;
    logic [Ports-1:0]       tx_valid, deliver_valid, deliver_last, wait_credit;
    logic [Ports*FlitWidth-1:0] deliver_flit;
    logic [Nodes*32-1:0]    delivered, last_cycle, last_step, violations;
    logic [Nodes*8-1:0]     occupancy;
    logic                   unused;
    assign here   = case_i == 3'(c);
    assign unused = running;

    slot_timer #(.SlotCycles(32'(Slots[c*8 +: 8]))) u_timer (
      .clk_i, .rst_ni,
      .start_i          (start_i && here),
      .running_o        (running),
      .cycle_o          (cycle),
      .step_o           (step),
      .slot_open_next_o (slot_open_next)
    );

    logic [Ports-1:0]           valid, credit, request, grant, rx_valid, rx_credit, rx_request, rx_grant;
    logic [Ports*FlitWidth-1:0] flit, rx_flit;
    for (genvar n = 0; n < Nodes; n++) begin : g_node
      for (genvar p = 0; p < Radix; p++) begin : g_wire
        localparam int Here  = n * Radix + p;
        localparam int There = ((n + p + 1) % Nodes) * Radix + 2 - p;
        assign rx_valid[Here]                       = valid[There];
        assign rx_flit[Here*FlitWidth +: FlitWidth] = flit[There*FlitWidth +: FlitWidth];
        assign rx_credit[Here]                      = credit[There];
        assign rx_request[Here]                     = request[There];
        assign rx_grant[Here]                       = grant[There];
      end
      logic                            ready, is_idle;
      logic [Radix-1:0]                has, last, waits, asks;
      logic [Radix*FlitWidth-1:0]      words;
      logic [Radix*32-1:0]             sent, received;
      logic [31:0]                     count, at_cycle, at_step, broken, first_broken;
      logic [63:0]                     delay;
      logic [OccupancyWidth-1:0]       now, peak, peak_transit;
      fifo_node #(
        .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .LinkLatency(32'(Latencies[c*8 +: 8])),
        .SlotCycles(32'(Slots[c*8 +: 8])), .QueueDepth(Depth), .HostDepth(HostDepth), .LabelDepth(16),
        .PortModel(32'(PortModels[c*8 +: 8])), .GrantCycles(32'(Grants[c*8 +: 8])), .NodeIdWidth(4), .TagWidth(16)
      ) u_node (
        .clk_i, .rst_ni,
        .cycle_i          (cycle),
        .step_i           (step),
        .slot_open_next_i (slot_open_next),
        .tx_valid_o       (valid[n*Radix +: Radix]),
        .tx_flit_o        (flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .tx_credit_o      (credit[n*Radix +: Radix]),
        .tx_request_o     (request[n*Radix +: Radix]),
        .tx_grant_o       (grant[n*Radix +: Radix]),
        .rx_valid_i       (rx_valid[n*Radix +: Radix]),
        .rx_flit_i        (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .rx_credit_i      (rx_credit[n*Radix +: Radix]),
        .rx_request_i     (rx_request[n*Radix +: Radix]),
        .rx_grant_i       (rx_grant[n*Radix +: Radix]),
        .fault_drop_i     (fault_drop_i[n*Radix +: Radix]),
        .fault_corrupt_i  ('0),
        .table_valid_i    (table_valid_i[n] && here),
        .table_label_i, .table_mask_i, .table_deliver_i,
        .inject_valid_i   (inject_valid_i[n] && here),
        .inject_ready_o   (ready),
        .inject_flit_i    (inject_flit_i[n*FlitWidth +: FlitWidth]),
        .deliver_valid_o  (has),
        .deliver_last_o   (last),
        .deliver_flit_o   (words),
        .sent_o           (sent),
        .received_o       (received),
        .delivered_o      (count),
        .last_delivery_cycle_o   (at_cycle),
        .last_delivery_step_o    (at_step),
        .delay_sum_o             (delay),
        .occupancy_o             (now),
        .peak_occupancy_o        (peak),
        .peak_transit_o          (peak_transit),
        .violations_o            (broken),
        .first_violation_cycle_o (first_broken),
        .wait_credit_o           (waits),
        .wait_grant_o            (asks),
        .idle_o                  (is_idle)
      );
      assign inject_ready[n]               = ready;
      assign tx_valid[n*Radix +: Radix]    = valid[n*Radix +: Radix];
      assign deliver_valid[n*Radix +: Radix] = has;
      assign deliver_last[n*Radix +: Radix]  = last;
      assign deliver_flit[n*Radix*FlitWidth +: Radix*FlitWidth] = words;
      assign delivered[n*32 +: 32]         = count;
      assign last_cycle[n*32 +: 32]        = at_cycle;
      assign last_step[n*32 +: 32]         = at_step;
      assign violations[n*32 +: 32]        = broken;
      assign occupancy[n*8 +: 8]           = 8'(now);
      assign wait_credit[n*Radix +: Radix] = waits;
      assign idle[n]                       = is_idle;
      logic unused_outputs;
      assign unused_outputs = &{1'b0, asks, sent, received, delay, first_broken, peak, peak_transit};
    end
    assign outputs[c] = {cycle, tx_valid, inject_ready, deliver_valid, deliver_last, deliver_flit, delivered,
                         last_cycle, last_step, violations, occupancy, wait_credit, idle};
  end

  assign {cycle_o, tx_valid_o, inject_ready_o, deliver_valid_o, deliver_last_o, deliver_flit_o, delivered_o,
          last_delivery_cycle_o, last_delivery_step_o, violations_o, occupancy_o, wait_credit_o, idle_o} =
      outputs[case_i];
  assign flits_o        = Flits[32'(case_i)*8 +: 8];
  assign port_model_o   = PortModels[32'(case_i)*8 +: 8];
  assign grant_cycles_o = Grants[32'(case_i)*8 +: 8];
endmodule

// One C++ class for all nodes of a case: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "fifo_node"
`verilog
