// tdm_network - a whole network of tdm_nodes, wired as a generated header says (network_wiring).
//
// Hosts are brought out as flat vectors, node 0 lowest and, within a node, lane or output 0. Steps and cycles come from the one slot_timer. The wires between
// the nodes are inside; tx_valid_o and tx_flit_o show observers what enters the links.
module tdm_network #(
  parameter int FlitWidth       = 64,
  parameter int Flits           = 1,
  parameter int LinkLatency     = 0,  // cycles
  parameter int SlotCycles      = 1,
  parameter int Buffers         = 8,
  parameter int ProgramDepth    = 4,
  parameter int Window          = 4,
  parameter int PortModel       = 0,
  parameter int NameWidth       = 24,
  parameter int GenerationWidth = 12,
  parameter int CountWidth      = 4,
  parameter int Combining       = 1,
  localparam int Nodes          = network_topology::Nodes,
  localparam int Radix          = network_topology::Radix,
  localparam int Lanes          = Radix + 1,
  localparam int BufferWidth    = safnet_pkg::index_width(Buffers),
  localparam int ReceiveWidth   = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int SendWidth      = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth,
  localparam int OccupancyWidth = $clog2(Buffers + 1),
  localparam int OperationWidth = tdm_pkg::OperationWidth
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                start_i,
  output logic                                running_o,
  output logic [31:0]                         cycle_o,
  output logic [31:0]                         step_o,
  // what crosses the links, for observers
  output logic [Nodes*Radix-1:0]              tx_valid_o,
  output logic [Nodes*Radix*FlitWidth-1:0]    tx_flit_o,
  output logic [Nodes*Radix-1:0]              tx_credit_o,
  // faults on the link that leads to a node's port
  input  logic [Nodes*Radix-1:0]              fault_drop_i,
  input  logic [Nodes*Radix-1:0]              fault_corrupt_i,
  // hosts
  input  logic [OperationWidth-1:0]            operation_i,   // shared by all nodes
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
  output logic [Nodes*OccupancyWidth-1:0]     occupancy_o,
  output logic [Nodes*OccupancyWidth-1:0]     peak_occupancy_o,
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
  logic slot_open_next;
  slot_timer #(.SlotCycles(SlotCycles)) u_slot_timer (
    .clk_i, .rst_ni, .start_i, .running_o, .cycle_o, .step_o,
    .slot_open_next_o (slot_open_next)
  );

  logic [Nodes*Radix-1:0]           rx_valid, rx_credit, rx_request, rx_grant;
  logic [Nodes*Radix*FlitWidth-1:0] rx_flit;
  network_wiring #(.FlitWidth(FlitWidth)) u_wiring (
    .tx_valid_i   (tx_valid_o),
    .tx_flit_i    (tx_flit_o),
    .tx_credit_i  (tx_credit_o),
    .tx_request_i ({Nodes*Radix{1'b0}}),
    .tx_grant_i   ({Nodes*Radix{1'b0}}),
    .rx_valid_o   (rx_valid),
    .rx_flit_o    (rx_flit),
    .rx_credit_o  (rx_credit),
    .rx_request_o (rx_request),
    .rx_grant_o   (rx_grant)
  );
  logic unused;
  assign unused = &{1'b0, rx_request, rx_grant};  // a tdm_node has neither

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    tdm_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
      .Buffers(Buffers), .ProgramDepth(ProgramDepth), .Window(Window), .PortModel(PortModel), .NameWidth(NameWidth),
      .GenerationWidth(GenerationWidth), .CountWidth(CountWidth), .Combining(Combining)
    ) u_node (
      .clk_i, .rst_ni,
      .cycle_i          (cycle_o),
      .step_i           (step_o),
      .slot_open_next_i (slot_open_next),
      .tx_valid_o       (tx_valid_o[n*Radix +: Radix]),
      .tx_flit_o        (tx_flit_o[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .tx_credit_o      (tx_credit_o[n*Radix +: Radix]),
      .rx_valid_i       (rx_valid[n*Radix +: Radix]),
      .rx_flit_i        (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .rx_credit_i      (rx_credit[n*Radix +: Radix]),
      .fault_drop_i     (fault_drop_i[n*Radix +: Radix]),
      .fault_corrupt_i  (fault_corrupt_i[n*Radix +: Radix]),
      .operation_i,
      .receive_valid_i  (receive_valid_i[n*Lanes +: Lanes]),
      .receive_ready_o  (receive_ready_o[n*Lanes +: Lanes]),
      .receive_i        (receive_i[n*Lanes*ReceiveWidth +: Lanes*ReceiveWidth]),
      .receive_more_i   (receive_more_i[n*Lanes +: Lanes]),
      .send_valid_i     (send_valid_i[n*Radix +: Radix]),
      .send_ready_o     (send_ready_o[n*Radix +: Radix]),
      .send_i           (send_i[n*Radix*SendWidth +: Radix*SendWidth]),
      .send_more_i      (send_more_i[n*Radix +: Radix]),
      .own_valid_i      (own_valid_i[n*Lanes +: Lanes]),
      .own_ready_o      (own_ready_o[n*Lanes +: Lanes]),
      .own_flit_i       (own_flit_i[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
      .deliver_valid_o  (deliver_valid_o[n*Lanes +: Lanes]),
      .deliver_last_o   (deliver_last_o[n*Lanes +: Lanes]),
      .deliver_flit_o   (deliver_flit_o[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
      .sent_o           (sent_o[n*Radix*32 +: Radix*32]),
      .received_o       (received_o[n*Radix*32 +: Radix*32]),
      .delivered_o      (delivered_o[n*32 +: 32]),
      .last_delivery_cycle_o   (last_delivery_cycle_o[n*32 +: 32]),
      .last_delivery_step_o    (last_delivery_step_o[n*32 +: 32]),
      .delay_sum_o             (delay_sum_o[n*64 +: 64]),
      .occupancy_o             (occupancy_o[n*OccupancyWidth +: OccupancyWidth]),
      .peak_occupancy_o        (peak_occupancy_o[n*OccupancyWidth +: OccupancyWidth]),
      .violations_o            (violations_o[n*32 +: 32]),
      .first_violation_cycle_o (first_violation_cycle_o[n*32 +: 32]),
      .dry_o                   (dry_o[n*32 +: 32]),
      .first_dry_cycle_o       (first_dry_cycle_o[n*32 +: 32]),
      .mismatches_o            (mismatches_o[n*32 +: 32]),
      .first_mismatch_cycle_o  (first_mismatch_cycle_o[n*32 +: 32]),
      .late_o                  (late_o[n*Radix +: Radix]),
      .wait_packet_o           (wait_packet_o[n*Radix +: Radix]),
      .wait_credit_o           (wait_credit_o[n*Radix +: Radix]),
      .wait_buffer_o           (wait_buffer_o[n*Lanes +: Lanes]),
      .idle_o                  (idle_o[n])
    );
  end
endmodule
