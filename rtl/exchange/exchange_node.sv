// exchange_node - an all-port pifo_node behind a scan: the node learns how many nodes of its row and of its column are
// active, and from that the class of its host's packets.
//
// The scan comes first (exchange_timer): two trees, one of the row's links and one of the column's, which share none. A
// node is of class 1 if its row has more active nodes than its column, else of class 0. The host is told by one flit through
// port 0, {class, column sum, row sum}, the sums SumWidth bits each; only then it injects, and the class goes into bit 0 of
// every label. Ranks, queues and links of the exchange are pifo_node's, without a change.
// The host describes the trees by the last four entries of the label table: towards the root of the row (`deliver` says
// that the host is active), away from it, and the same of the column.
module exchange_node #(
  parameter int Radix       = 4,     // ports, 1 to 64
  parameter int FlitWidth   = 64,    // bits of a flit
  parameter int Flits       = 1,     // flits in the longest packet
  parameter int LinkLatency = 0,     // cycles
  parameter int SlotCycles  = 1,     // cycles in a slot; 1 is free running
  parameter int QueueDepth  = 16,    // packets per input and queue
  parameter int HostDepth   = 16,    // packets of the local host per queue
  parameter int LabelDepth  = 64,    // entries of the label table; the last four are the scan's
  parameter int RankLevels  = 4,     // ranks
  parameter int NodeIdWidth = 8,     // bits of the source field
  parameter int TagWidth    = 8,     // bits of the tag field
  localparam int LabelWidth     = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth      = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int MaxDepth       = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int OccupancyWidth = $clog2(MaxDepth * (Radix + 1) + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // network time, registered elsewhere (exchange_timer)
  input  logic [31:0]                cycle_i,
  input  logic [31:0]                step_i,
  input  logic                       slot_open_next_i,  // registered here before use
  // links, sending ends
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  output logic [Radix-1:0]           tx_credit_o,       // room again for what comes in through this port
  output logic [Radix-1:0]           tx_request_o,
  output logic [Radix-1:0]           tx_grant_o,
  // links, receiving ends
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Radix-1:0]           rx_credit_i,
  input  logic [Radix-1:0]           rx_request_i,
  input  logic [Radix-1:0]           rx_grant_i,
  input  logic [Radix-1:0]           branch_first_i,    // not used
  // host: label table, before the run
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  input  logic [RankWidth-1:0]       table_rank_i,
  input  logic [Radix*PortWidth-1:0] table_order_i,
  input  logic                       table_rest_i,
  input  logic [RankWidth-1:0]       table_rest_rank_i,
  // host: injection
  input  logic                       inject_valid_i,
  output logic                       inject_ready_o,
  input  logic [FlitWidth-1:0]       inject_flit_i,
  input  logic [2*RankWidth-1:0]     inject_rank_i,     // {rank if the class is 1, rank if it is 0}
  // host: deliveries, one stream per input port
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
  output logic [OccupancyWidth-1:0]  occupancy_o,       // packets in the fullest queue
  output logic [OccupancyWidth-1:0]  peak_occupancy_o,
  output logic [OccupancyWidth-1:0]  peak_transit_o,    // without the host's own packets
  output logic [Radix*OccupancyWidth-1:0] peak_stored_o,   // per queue (one-port: one, the lowest): see queue_peaks
  output logic [Radix*OccupancyWidth-1:0] peak_waiting_o,
  output logic [31:0]                violations_o,
  output logic [31:0]                first_violation_cycle_o,
  output logic [Radix-1:0]           wait_credit_o,     // a head wants this output and has no credit
  output logic [Radix-1:0]           wait_grant_o,      // a packet asks for this output and has no grant
  output logic                       idle_o             // registered: nothing happens here unless something arrives
);
  localparam int SumWidth    = 16;
  localparam int LengthShift = LabelWidth + NodeIdWidth + TagWidth;
  localparam int FirstScanLabel = LabelDepth - 4;

  // ---- the trees, as the host has described them ----
  logic [Radix-1:0] row_towards_q, row_away_q, column_towards_q, column_away_q;
  logic             active_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_towards_q    <= '0;
      row_away_q       <= '0;
      column_towards_q <= '0;
      column_away_q    <= '0;
      active_q         <= 1'b0;
    end else if (table_valid_i) begin
      if (32'(table_label_i) == 32'(FirstScanLabel)) begin
        row_towards_q <= table_mask_i;
        active_q      <= table_deliver_i;
      end
      if (32'(table_label_i) == 32'(FirstScanLabel + 1)) row_away_q       <= table_mask_i;
      if (32'(table_label_i) == 32'(FirstScanLabel + 2)) column_towards_q <= table_mask_i;
      if (32'(table_label_i) == 32'(FirstScanLabel + 3)) column_away_q    <= table_mask_i;
    end
  end

  // ---- scan ----
  logic                      scan_begins, scanned, told_q, class_bit;
  logic [Radix-1:0]          row_ports, row_tx_valid, column_tx_valid, scan_rx_valid;
  logic [Radix*SumWidth-1:0] scan_rx_value;
  logic [SumWidth-1:0]       row_tx_value, column_tx_value, row_sum, column_sum;
  logic                      row_done, column_done;
  assign scan_begins   = slot_open_next_i && cycle_i == '0;
  assign scanned       = row_done && column_done;
  assign class_bit     = row_sum > column_sum;
  assign row_ports     = row_towards_q | row_away_q;
  assign scan_rx_valid = scanned ? '0 : rx_valid_i;
  for (genvar p = 0; p < Radix; p++) begin : g_value
    assign scan_rx_value[p*SumWidth +: SumWidth] = rx_flit_i[p*FlitWidth +: SumWidth];
  end

  tree_sum #(.Radix(Radix), .Width(SumWidth)) u_row_sum (
    .clk_i, .rst_ni,
    .start_i    (scan_begins),
    .own_i      (SumWidth'(active_q)),
    .towards_i  (row_towards_q),
    .away_i     (row_away_q),
    .rx_valid_i (scan_rx_valid & row_ports),
    .rx_value_i (scan_rx_value),
    .tx_valid_o (row_tx_valid),
    .tx_value_o (row_tx_value),
    .done_o     (row_done),
    .sum_o      (row_sum)
  );
  tree_sum #(.Radix(Radix), .Width(SumWidth)) u_column_sum (
    .clk_i, .rst_ni,
    .start_i    (scan_begins),
    .own_i      (SumWidth'(active_q)),
    .towards_i  (column_towards_q),
    .away_i     (column_away_q),
    .rx_valid_i (scan_rx_valid & ~row_ports),
    .rx_value_i (scan_rx_value),
    .tx_valid_o (column_tx_valid),
    .tx_value_o (column_tx_value),
    .done_o     (column_done),
    .sum_o      (column_sum)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) told_q <= 1'b0;
    else         told_q <= scanned;
  end

  // ---- exchange ----
  logic [Radix-1:0]           node_tx_valid, node_deliver_valid, node_deliver_last;
  logic [Radix*FlitWidth-1:0] node_tx_flit, node_deliver_flit;
  logic [FlitWidth-1:0]       stamped_flit, told_flit;
  logic [RankWidth-1:0]       stamped_rank;
  logic                       tells, node_idle;

  class_stamp #(.FlitWidth(FlitWidth), .Flits(Flits), .RankWidth(RankWidth), .LengthShift(LengthShift)) u_class_stamp (
    .clk_i, .rst_ni,
    .class_i (class_bit),
    .valid_i (inject_valid_i),
    .ready_i (inject_ready_o),
    .flit_i  (inject_flit_i),
    .ranks_i (inject_rank_i),
    .flit_o  (stamped_flit),
    .rank_o  (stamped_rank)
  );
  pifo_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
    .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(LabelDepth), .RankLevels(RankLevels),
    .PortModel(safnet_pkg::AllPort), .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth)
  ) u_node (
    .clk_i, .rst_ni, .cycle_i, .step_i,
    .slot_open_next_i (slot_open_next_i && cycle_i != '0),
    .tx_valid_o       (node_tx_valid),
    .tx_flit_o        (node_tx_flit),
    .tx_credit_o, .tx_request_o, .tx_grant_o,
    .rx_valid_i       (scanned ? rx_valid_i : '0),
    .rx_flit_i, .rx_credit_i, .rx_request_i, .rx_grant_i,
    .branch_first_i,
    .table_valid_i, .table_label_i, .table_mask_i, .table_deliver_i, .table_rank_i, .table_order_i,
    .table_rest_i, .table_rest_rank_i,
    .inject_valid_i,
    .inject_ready_o,
    .inject_flit_i    (stamped_flit),
    .inject_rank_i    (stamped_rank),
    .deliver_valid_o  (node_deliver_valid),
    .deliver_last_o   (node_deliver_last),
    .deliver_flit_o   (node_deliver_flit),
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .occupancy_o, .peak_occupancy_o, .peak_transit_o, .peak_stored_o, .peak_waiting_o,
    .violations_o, .first_violation_cycle_o,
    .wait_credit_o, .wait_grant_o,
    .idle_o           (node_idle)
  );

  // The scan and the node never drive a link in the same cycle.
  assign tx_valid_o = node_tx_valid | row_tx_valid | column_tx_valid;
  for (genvar p = 0; p < Radix; p++) begin : g_flit
    assign tx_flit_o[p*FlitWidth +: FlitWidth] = row_tx_valid[p]    ? FlitWidth'(row_tx_value)
                                               : column_tx_valid[p] ? FlitWidth'(column_tx_value)
                                                                    : node_tx_flit[p*FlitWidth +: FlitWidth];
  end
  assign tells           = scanned && !told_q;
  assign told_flit       = FlitWidth'({class_bit, column_sum, row_sum});
  assign deliver_valid_o = node_deliver_valid | Radix'(tells);
  assign deliver_last_o  = node_deliver_last | Radix'(tells);
  if (Radix == 1) begin : g_deliver_one
    assign deliver_flit_o = tells ? told_flit : node_deliver_flit;
  end else begin : g_deliver
    assign deliver_flit_o = {node_deliver_flit[Radix*FlitWidth-1:FlitWidth],
                             tells ? told_flit : node_deliver_flit[FlitWidth-1:0]};
  end
  assign idle_o = told_q && node_idle && (row_tx_valid | column_tx_valid) == '0;

  always @(posedge clk_i) begin : a_the_exchange_comes_after_the_scan
    if (rst_ni && slot_open_next_i && cycle_i != '0) assert (told_q);
  end
  always @(posedge clk_i) begin : a_the_host_waits_for_its_class
    if (rst_ni && inject_valid_i) assert (scanned);
  end
  always @(posedge clk_i) begin : a_rows_and_columns_share_no_link
    if (rst_ni && scan_begins) assert ((row_ports & (column_towards_q | column_away_q)) == '0);
  end
  always @(posedge clk_i) begin : a_one_of_two_drives_a_link
    if (rst_ni) assert ((node_tx_valid & (row_tx_valid | column_tx_valid)) == '0 && (row_tx_valid & column_tx_valid) == '0);
  end

  initial begin : check_parameters
    if (LabelDepth < 5)              $fatal(1, "exchange_node: LabelDepth must be at least 5");
    if (FlitWidth < 2 * SumWidth + 1) $fatal(1, "exchange_node: FlitWidth must be at least %0d", 2 * SumWidth + 1);
  end
endmodule
