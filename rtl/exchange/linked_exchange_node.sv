// linked_exchange_node - an exchange_node with the links that lead to it: the unit that networks are wired from.
//
// Its outputs are registers of the node, its inputs the far ends of wires without delay; the latency of a link is on
// its receiving side. For parameters see exchange_node.
module linked_exchange_node #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,
  parameter int LinkLatency = 0,
  parameter int SlotCycles  = 1,
  parameter int QueueDepth  = 16,
  parameter int HostDepth   = 16,
  parameter int LabelDepth  = 64,
  parameter int RankLevels  = 4,
  parameter int NodeIdWidth = 8,
  parameter int TagWidth    = 8,
  localparam int LabelWidth     = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth      = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int MaxDepth       = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int OccupancyWidth = $clog2(MaxDepth * (Radix + 1) + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [31:0]                cycle_i,
  input  logic [31:0]                step_i,
  input  logic                       slot_open_next_i,
  // wires to and from the neighbours
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  output logic [Radix-1:0]           tx_credit_o,
  output logic [Radix-1:0]           tx_request_o,
  output logic [Radix-1:0]           tx_grant_o,
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Radix-1:0]           rx_credit_i,
  input  logic [Radix-1:0]           rx_request_i,
  input  logic [Radix-1:0]           rx_grant_i,
  // faults on the links that lead here
  input  logic [Radix-1:0]           fault_drop_i,
  input  logic [Radix-1:0]           fault_corrupt_i,
  input  logic [Radix-1:0]           branch_first_i,
  // host
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  input  logic [RankWidth-1:0]       table_rank_i,
  input  logic [Radix*PortWidth-1:0] table_order_i,
  input  logic                       table_rest_i,
  input  logic [RankWidth-1:0]       table_rest_rank_i,
  input  logic                       inject_valid_i,
  output logic                       inject_ready_o,
  input  logic [FlitWidth-1:0]       inject_flit_i,
  input  logic [2*RankWidth-1:0]     inject_rank_i,
  output logic [Radix-1:0]           deliver_valid_o,
  output logic [Radix-1:0]           deliver_last_o,
  output logic [Radix*FlitWidth-1:0] deliver_flit_o,
  // measurements
  output logic [Radix*32-1:0]        sent_o,
  output logic [Radix*32-1:0]        received_o,
  output logic [31:0]                delivered_o,
  output logic [31:0]                last_delivery_cycle_o,
  output logic [31:0]                last_delivery_step_o,
  output logic [63:0]                delay_sum_o,
  output logic [OccupancyWidth-1:0]  occupancy_o,
  output logic [OccupancyWidth-1:0]  peak_occupancy_o,
  output logic [OccupancyWidth-1:0]  peak_transit_o,
  output logic [Radix*OccupancyWidth-1:0] peak_stored_o,
  output logic [Radix*OccupancyWidth-1:0] peak_waiting_o,
  output logic [31:0]                violations_o,
  output logic [31:0]                first_violation_cycle_o,
  output logic [Radix-1:0]           wait_credit_o,
  output logic [Radix-1:0]           wait_grant_o,
  output logic                       idle_o
);
  logic [Radix-1:0]           arriving, credit, request, grant, in_flight;
  logic [Radix*FlitWidth-1:0] arriving_flit;
  logic                       node_idle;

  for (genvar p = 0; p < Radix; p++) begin : g_link
    link #(.FlitWidth(FlitWidth), .Latency(LinkLatency)) u_link (
      .clk_i, .rst_ni,
      .flit_valid_i    (rx_valid_i[p]),
      .flit_i          (rx_flit_i[p*FlitWidth +: FlitWidth]),
      .credit_i        (rx_credit_i[p]),
      .request_i       (rx_request_i[p]),
      .grant_i         (rx_grant_i[p]),
      .flit_valid_o    (arriving[p]),
      .flit_o          (arriving_flit[p*FlitWidth +: FlitWidth]),
      .credit_o        (credit[p]),
      .request_o       (request[p]),
      .grant_o         (grant[p]),
      .fault_drop_i    (fault_drop_i[p]),
      .fault_corrupt_i (fault_corrupt_i[p]),
      .in_flight_o     (in_flight[p])
    );
  end

  exchange_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
    .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(LabelDepth), .RankLevels(RankLevels),
    .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth)
  ) u_node (
    .clk_i, .rst_ni, .cycle_i, .step_i, .slot_open_next_i,
    .tx_valid_o, .tx_flit_o, .tx_credit_o, .tx_request_o, .tx_grant_o,
    .rx_valid_i   (arriving),
    .rx_flit_i    (arriving_flit),
    .rx_credit_i  (credit),
    .rx_request_i (request),
    .rx_grant_i   (grant),
    .branch_first_i,
    .table_valid_i, .table_label_i, .table_mask_i, .table_deliver_i, .table_rank_i, .table_order_i,
    .table_rest_i, .table_rest_rank_i,
    .inject_valid_i, .inject_ready_o, .inject_flit_i, .inject_rank_i,
    .deliver_valid_o, .deliver_last_o, .deliver_flit_o,
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .occupancy_o, .peak_occupancy_o, .peak_transit_o, .peak_stored_o, .peak_waiting_o,
    .violations_o, .first_violation_cycle_o,
    .wait_credit_o, .wait_grant_o,
    .idle_o       (node_idle)
  );
  assign idle_o = node_idle && in_flight == '0;
endmodule
