// pifo_network - a whole network of pifo_nodes, wired as a generated header says (network_wiring).
//
// Hosts are brought out as flat vectors, node 0 lowest. Steps and cycles come from the one slot_timer. The wires between
// the nodes are inside; tx_valid_o and tx_flit_o show observers what enters the links.
module pifo_network #(
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,
  parameter int LinkLatency = 0,  // cycles
  parameter int SlotCycles  = 1,
  parameter int QueueDepth  = 16,
  parameter int HostDepth   = 16,
  parameter int LabelDepth  = 64,
  parameter int RankLevels  = 4,
  parameter int PortModel   = 0,
  parameter int GrantCycles = 0,
  parameter int NodeIdWidth = 8,
  parameter int TagWidth    = 8,
  parameter int DealsLinks  = 0,
  parameter int RestRanks   = 0,
  localparam int Nodes          = network_topology::Nodes,
  localparam int Radix          = network_topology::Radix,
  localparam int LabelWidth     = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth      = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int MaxDepth       = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int OccupancyWidth = $clog2(MaxDepth * (Radix + 1) + 1)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             start_i,
  output logic                             running_o,
  output logic [31:0]                      cycle_o,
  output logic [31:0]                      step_o,
  // what crosses the links, for observers
  output logic [Nodes*Radix-1:0]           tx_valid_o,
  output logic [Nodes*Radix*FlitWidth-1:0] tx_flit_o,
  // faults on the link that leads to a node's port
  input  logic [Nodes*Radix-1:0]           fault_drop_i,
  input  logic [Nodes*Radix-1:0]           fault_corrupt_i,
  input  logic [Nodes*Radix-1:0]           branch_first_i,
  // hosts
  input  logic [Nodes-1:0]                 table_valid_i,
  input  logic [LabelWidth-1:0]            table_label_i,   // shared by all nodes
  input  logic [Radix-1:0]                 table_mask_i,
  input  logic                             table_deliver_i,
  input  logic [RankWidth-1:0]             table_rank_i,
  input  logic [Radix*PortWidth-1:0]       table_order_i,
  input  logic                             table_rest_i,
  input  logic [RankWidth-1:0]             table_rest_rank_i,
  input  logic [Nodes-1:0]                 inject_valid_i,
  output logic [Nodes-1:0]                 inject_ready_o,
  input  logic [Nodes*FlitWidth-1:0]       inject_flit_i,
  input  logic [Nodes*RankWidth-1:0]       inject_rank_i,
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
  output logic [Nodes*OccupancyWidth-1:0]  occupancy_o,
  output logic [Nodes*OccupancyWidth-1:0]  peak_occupancy_o,
  output logic [Nodes*OccupancyWidth-1:0]  peak_transit_o,
  output logic [Nodes*Radix*OccupancyWidth-1:0] peak_stored_o,
  output logic [Nodes*Radix*OccupancyWidth-1:0] peak_waiting_o,
  output logic [Nodes*32-1:0]              violations_o,
  output logic [Nodes*32-1:0]              first_violation_cycle_o,
  output logic [Nodes*Radix-1:0]           wait_credit_o,
  output logic [Nodes*Radix-1:0]           wait_grant_o,
  output logic [Nodes-1:0]                 idle_o
);
  logic slot_open_next;
  slot_timer #(.SlotCycles(SlotCycles)) u_slot_timer (
    .clk_i, .rst_ni, .start_i, .running_o, .cycle_o, .step_o,
    .slot_open_next_o (slot_open_next)
  );

  logic [Nodes*Radix-1:0] tx_credit, tx_request, tx_grant;

  logic [Nodes*Radix-1:0]           rx_valid, rx_credit, rx_request, rx_grant;
  logic [Nodes*Radix*FlitWidth-1:0] rx_flit;
  network_wiring #(.FlitWidth(FlitWidth)) u_wiring (
    .tx_valid_i   (tx_valid_o),
    .tx_flit_i    (tx_flit_o),
    .tx_credit_i  (tx_credit),
    .tx_request_i (tx_request),
    .tx_grant_i   (tx_grant),
    .rx_valid_o   (rx_valid),
    .rx_flit_o    (rx_flit),
    .rx_credit_o  (rx_credit),
    .rx_request_o (rx_request),
    .rx_grant_o   (rx_grant)
  );

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
      .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(LabelDepth), .RankLevels(RankLevels),
      .PortModel(PortModel), .GrantCycles(GrantCycles), .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth),
      .DealsLinks(DealsLinks), .RestRanks(RestRanks)
    ) u_node (
      .clk_i, .rst_ni,
      .cycle_i          (cycle_o),
      .step_i           (step_o),
      .slot_open_next_i (slot_open_next),
      .tx_valid_o       (tx_valid_o[n*Radix +: Radix]),
      .tx_flit_o        (tx_flit_o[n*Radix*FlitWidth +: Radix*FlitWidth]),
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
      .branch_first_i   (branch_first_i[n*Radix +: Radix]),
      .table_valid_i    (table_valid_i[n]),
      .table_label_i, .table_mask_i, .table_deliver_i, .table_rank_i, .table_order_i,
      .table_rest_i, .table_rest_rank_i,
      .inject_valid_i   (inject_valid_i[n]),
      .inject_ready_o   (inject_ready_o[n]),
      .inject_flit_i    (inject_flit_i[n*FlitWidth +: FlitWidth]),
      .inject_rank_i    (inject_rank_i[n*RankWidth +: RankWidth]),
      .deliver_valid_o  (deliver_valid_o[n*Radix +: Radix]),
      .deliver_last_o   (deliver_last_o[n*Radix +: Radix]),
      .deliver_flit_o   (deliver_flit_o[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .sent_o           (sent_o[n*Radix*32 +: Radix*32]),
      .received_o       (received_o[n*Radix*32 +: Radix*32]),
      .delivered_o      (delivered_o[n*32 +: 32]),
      .last_delivery_cycle_o   (last_delivery_cycle_o[n*32 +: 32]),
      .last_delivery_step_o    (last_delivery_step_o[n*32 +: 32]),
      .delay_sum_o             (delay_sum_o[n*64 +: 64]),
      .occupancy_o             (occupancy_o[n*OccupancyWidth +: OccupancyWidth]),
      .peak_occupancy_o        (peak_occupancy_o[n*OccupancyWidth +: OccupancyWidth]),
      .peak_transit_o          (peak_transit_o[n*OccupancyWidth +: OccupancyWidth]),
      .peak_stored_o           (peak_stored_o[n*Radix*OccupancyWidth +: Radix*OccupancyWidth]),
      .peak_waiting_o          (peak_waiting_o[n*Radix*OccupancyWidth +: Radix*OccupancyWidth]),
      .violations_o            (violations_o[n*32 +: 32]),
      .first_violation_cycle_o (first_violation_cycle_o[n*32 +: 32]),
      .wait_credit_o           (wait_credit_o[n*Radix +: Radix]),
      .wait_grant_o            (wait_grant_o[n*Radix +: Radix]),
      .idle_o                  (idle_o[n])
    );
  end
endmodule
