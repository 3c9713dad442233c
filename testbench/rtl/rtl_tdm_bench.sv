// rtl_tdm_bench - three tdm_nodes in a row under one slot_timer, with several parameter sets; case_i says which
// row gets the traffic. Port 0 leads to the next node, port 1 to the previous one; port 2 and the two ports at the ends
// lead out of the bench, where the test plays the neighbour.
module rtl_tdm_bench #(
  parameter int Nodes     = 3,
  parameter int Radix     = 3,
  parameter int FlitWidth = 64,
  parameter int Cases     = 5,
  localparam int Lanes           = Radix + 1,
  localparam int BufferWidth     = 2,
  localparam int GenerationWidth = 4,
  localparam int CountWidth      = 3,
  localparam int NameWidth       = 8,
  localparam int Window          = 2,
  localparam int ReceiveWidth    = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int SendWidth       = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [2:0]                          case_i,
  output logic [7:0]                          flits_o,
  output logic [7:0]                          latency_o,
  output logic [7:0]                          slot_cycles_o,
  output logic [7:0]                          port_model_o,
  input  logic                                start_i,
  output logic [31:0]                         cycle_o,
  output logic [31:0]                         step_o,
  // all outputs towards neighbours
  output logic [Nodes*Radix-1:0]              tx_valid_o,
  output logic [Nodes*Radix*FlitWidth-1:0]    tx_flit_o,
  output logic [Nodes*Radix-1:0]              tx_credit_o,
  // neighbours played by the test; ignored where a node is connected
  input  logic [Nodes*Radix-1:0]              rx_valid_i,
  input  logic [Nodes*Radix*FlitWidth-1:0]    rx_flit_i,
  input  logic [Nodes*Radix-1:0]              rx_credit_i,
  input  logic [Nodes*Radix-1:0]              fault_drop_i,
  input  logic [Nodes*Radix-1:0]              fault_corrupt_i,
  // hosts
  input  logic [tdm_pkg::OperationWidth-1:0]  operation_i,
  input  logic [Nodes*Lanes-1:0]              receive_valid_i,
  output logic [Nodes*Lanes-1:0]              receive_ready_o,
  input  logic [Nodes*Lanes*ReceiveWidth-1:0] receive_i,
  input  logic [Nodes*Lanes-1:0]              receive_more_i,
  input  logic [Nodes*Radix-1:0]              send_valid_i,
  output logic [Nodes*Radix-1:0]              send_ready_o,
  input  logic [Nodes*Radix*SendWidth-1:0]    send_i,
  input  logic [Nodes*Radix-1:0]              send_more_i,
  input  logic [Nodes*Lanes-1:0]              own_valid_i,
  output logic [Nodes*Lanes-1:0]              own_ready_o,
  input  logic [Nodes*Lanes*FlitWidth-1:0]    own_flit_i,
  output logic [Nodes*Lanes-1:0]              deliver_valid_o,
  output logic [Nodes*Lanes-1:0]              deliver_last_o,
  output logic [Nodes*Lanes*FlitWidth-1:0]    deliver_flit_o,
  // measurements
  output logic [Nodes*Radix*32-1:0]           sent_o,
  output logic [Nodes*Radix*32-1:0]           received_o,
  output logic [Nodes*32-1:0]                 delivered_o,
  output logic [Nodes*32-1:0]                 last_delivery_cycle_o,
  output logic [Nodes*32-1:0]                 last_delivery_step_o,
  output logic [Nodes*64-1:0]                 delay_sum_o,
  output logic [Nodes*8-1:0]                  occupancy_o,
  output logic [Nodes*8-1:0]                  peak_occupancy_o,
  output logic [Nodes*32-1:0]                 violations_o,
  output logic [Nodes*32-1:0]                 first_violation_cycle_o,
  output logic [Nodes*32-1:0]                 dry_o,
  output logic [Nodes*32-1:0]                 first_dry_cycle_o,
  output logic [Nodes*32-1:0]                 mismatches_o,
  output logic [Nodes*32-1:0]                 first_mismatch_cycle_o,
  output logic [Nodes*Radix-1:0]              late_o,
  output logic [Nodes*Radix-1:0]              wait_packet_o,
  output logic [Nodes*Radix-1:0]              wait_credit_o,
  output logic [Nodes*Lanes-1:0]              wait_buffer_o,
  output logic [Nodes-1:0]                    idle_o
);
  // case                                      4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits      = {8'd3, 8'd4, 8'd1, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] Latencies  = {8'd0, 8'd1, 8'd0, 8'd1, 8'd0};
  localparam logic [Cases*8-1:0] Slots      = {8'd1, 8'd5, 8'd1, 8'd1, 8'd1};
  localparam logic [Cases*8-1:0] Buffers    = {8'd4, 8'd3, 8'd4, 8'd4, 8'd4};
  localparam logic [Cases*8-1:0] PortModels = {8'd2, 8'd0, 8'd1, 8'd0, 8'd0};
  localparam logic [Cases*8-1:0] Combining  = {8'd1, 8'd0, 8'd0, 8'd1, 8'd1};
  localparam int Ports   = Nodes * Radix;
  localparam int Streams = Nodes * Lanes;

  localparam int OutputWidth = 64 + Ports * (2 + FlitWidth) + Streams + Ports + Streams
                             + Streams * (2 + FlitWidth) + Ports * 64 + Nodes * (3 * 32 + 64 + 2 * 8 + 6 * 32)
                             + 3 * Ports + Streams + Nodes;
  logic [OutputWidth-1:0] outputs [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int OccupancyWidth = $clog2(32'(Buffers[c*8 +: 8]) + 1);
    logic        here, running, slot_open_next;
    logic [31:0] cycle, step;
    logic [Ports-1:0]             tx_valid, tx_credit, rx_valid, rx_credit;
    logic [Ports*FlitWidth-1:0]   tx_flit, rx_flit;
    logic [Streams-1:0]           receive_ready, own_ready, deliver_valid, deliver_last, wait_buffer;
    logic [Streams*FlitWidth-1:0] deliver_flit;
    logic [Ports-1:0]             send_ready, late, wait_packet, wait_credit;
    logic [Ports*32-1:0]          sent, received;
    logic [Nodes*32-1:0]          delivered, last_cycle, last_step, violations, first_violation, dry, first_dry,
                                  mismatches, first_mismatch;
    logic [Nodes*64-1:0]          delay_sum;
    logic [Nodes*8-1:0]           occupancy, peak_occupancy;
    logic [Nodes-1:0]             idle;
    logic                         unused;

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

    for (genvar n = 0; n < Nodes; n++) begin : g_node
      for (genvar p = 0; p < Radix; p++) begin : g_wire
        localparam int Here  = n * Radix + p;
        localparam int Peer  = (p == 0 && n < Nodes - 1) ? n + 1 : (p == 1 && n > 0) ? n - 1 : -1;
        localparam int There = Peer * Radix + 1 - p;
        if (Peer >= 0) begin : g_peer
          assign rx_valid[Here]                       = tx_valid[There];
          assign rx_flit[Here*FlitWidth +: FlitWidth] = tx_flit[There*FlitWidth +: FlitWidth];
          assign rx_credit[Here]                      = tx_credit[There];
        end else begin : g_test
          assign rx_valid[Here]                       = rx_valid_i[Here] && here;
          assign rx_flit[Here*FlitWidth +: FlitWidth] = rx_flit_i[Here*FlitWidth +: FlitWidth];
          assign rx_credit[Here]                      = rx_credit_i[Here] && here;
        end
      end

      logic [OccupancyWidth-1:0] node_occupancy, node_peak_occupancy;
      tdm_node #(
        .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .LinkLatency(32'(Latencies[c*8 +: 8])),
        .SlotCycles(32'(Slots[c*8 +: 8])), .Buffers(32'(Buffers[c*8 +: 8])), .ProgramDepth(3), .Window(Window),
        .PortModel(32'(PortModels[c*8 +: 8])), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth),
        .CountWidth(CountWidth), .Combining(32'(Combining[c*8 +: 8]))
      ) u_node (
        .clk_i, .rst_ni,
        .cycle_i          (cycle),
        .step_i           (step),
        .slot_open_next_i (slot_open_next),
        .tx_valid_o       (tx_valid[n*Radix +: Radix]),
        .tx_flit_o        (tx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .tx_credit_o      (tx_credit[n*Radix +: Radix]),
        .rx_valid_i       (rx_valid[n*Radix +: Radix]),
        .rx_flit_i        (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
        .rx_credit_i      (rx_credit[n*Radix +: Radix]),
        .fault_drop_i     (fault_drop_i[n*Radix +: Radix]),
        .fault_corrupt_i  (fault_corrupt_i[n*Radix +: Radix]),
        .operation_i,
        .receive_valid_i  (here ? receive_valid_i[n*Lanes +: Lanes] : '0),
        .receive_ready_o  (receive_ready[n*Lanes +: Lanes]),
        .receive_i        (receive_i[n*Lanes*ReceiveWidth +: Lanes*ReceiveWidth]),
        .receive_more_i   (here ? receive_more_i[n*Lanes +: Lanes] : '0),
        .send_valid_i     (here ? send_valid_i[n*Radix +: Radix] : '0),
        .send_ready_o     (send_ready[n*Radix +: Radix]),
        .send_i           (send_i[n*Radix*SendWidth +: Radix*SendWidth]),
        .send_more_i      (here ? send_more_i[n*Radix +: Radix] : '0),
        .own_valid_i      (here ? own_valid_i[n*Lanes +: Lanes] : '0),
        .own_ready_o      (own_ready[n*Lanes +: Lanes]),
        .own_flit_i       (own_flit_i[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
        .deliver_valid_o  (deliver_valid[n*Lanes +: Lanes]),
        .deliver_last_o   (deliver_last[n*Lanes +: Lanes]),
        .deliver_flit_o   (deliver_flit[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
        .sent_o           (sent[n*Radix*32 +: Radix*32]),
        .received_o       (received[n*Radix*32 +: Radix*32]),
        .delivered_o      (delivered[n*32 +: 32]),
        .last_delivery_cycle_o   (last_cycle[n*32 +: 32]),
        .last_delivery_step_o    (last_step[n*32 +: 32]),
        .delay_sum_o             (delay_sum[n*64 +: 64]),
        .occupancy_o             (node_occupancy),
        .peak_occupancy_o        (node_peak_occupancy),
        .violations_o            (violations[n*32 +: 32]),
        .first_violation_cycle_o (first_violation[n*32 +: 32]),
        .dry_o                   (dry[n*32 +: 32]),
        .first_dry_cycle_o       (first_dry[n*32 +: 32]),
        .mismatches_o            (mismatches[n*32 +: 32]),
        .first_mismatch_cycle_o  (first_mismatch[n*32 +: 32]),
        .late_o                  (late[n*Radix +: Radix]),
        .wait_packet_o           (wait_packet[n*Radix +: Radix]),
        .wait_credit_o           (wait_credit[n*Radix +: Radix]),
        .wait_buffer_o           (wait_buffer[n*Lanes +: Lanes]),
        .idle_o                  (idle[n])
      );
      assign occupancy[n*8 +: 8]      = 8'(node_occupancy);
      assign peak_occupancy[n*8 +: 8] = 8'(node_peak_occupancy);
    end
    assign outputs[c] = {
      cycle, step, tx_valid, tx_flit, tx_credit, receive_ready, send_ready, own_ready, deliver_valid, deliver_last,
      deliver_flit, sent, received, delivered, last_cycle, last_step, delay_sum, occupancy, peak_occupancy, violations,
      first_violation, dry, first_dry, mismatches, first_mismatch, late, wait_packet, wait_credit, wait_buffer, idle};
  end

  assign {
    cycle_o, step_o, tx_valid_o, tx_flit_o, tx_credit_o, receive_ready_o, send_ready_o, own_ready_o, deliver_valid_o,
    deliver_last_o, deliver_flit_o, sent_o, received_o, delivered_o, last_delivery_cycle_o, last_delivery_step_o,
    delay_sum_o, occupancy_o, peak_occupancy_o, violations_o, first_violation_cycle_o, dry_o, first_dry_cycle_o,
    mismatches_o, first_mismatch_cycle_o, late_o, wait_packet_o, wait_credit_o, wait_buffer_o, idle_o} = outputs[case_i];
  assign flits_o       = Flits[32'(case_i)*8 +: 8];
  assign latency_o     = Latencies[32'(case_i)*8 +: 8];
  assign slot_cycles_o = Slots[32'(case_i)*8 +: 8];
  assign port_model_o  = PortModels[32'(case_i)*8 +: 8];

  logic unused_inputs;  // where a node is connected the test's neighbour is not there
  assign unused_inputs = &{1'b0, rx_valid_i, rx_flit_i, rx_credit_i};
endmodule

// One C++ class for all nodes of a row: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "tdm_node"
`verilog
