// exchange_scan - finds out the class of a host's packets before a partial exchange begins, and keeps flits and slots
// from the router until then.
//
// It stands between the links, the host and the router of an all-port pifo_node. First comes the scan (exchange_timer):
// two tree_sums count the active nodes of the row and of the column; their trees share no link. The class is 1 if the row
// has more active nodes than the column, else 0. A value's flit has an odd number of ones, by its highest bit, and 0 in
// the bits between; one that has not is ignored, so that its tree waits for ever. The host is told by one flit through port 0, {class, column sum, row
// sum}. Only then may it inject, and the class goes into bit 0 of every label (class_stamp).
// During the scan the router sees nothing of the links and no slot opens for it. After the scan everything passes
// through unchanged but for the label's bit.
//
// The host describes the trees before the run by the last four entries of the label table; see exchange_pkg.
// Outputs towards links are functions of registers here and in the router.
module exchange_scan #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int LabelDepth  = 64,  // entries of the label table; the last ones are the scan's
  parameter int RankWidth   = 2,
  parameter int LengthShift = 22,  // position of the length field in a header
  localparam int LabelWidth = safnet_pkg::index_width(LabelDepth)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // network time; cycle 0: the scan has not begun
  input  logic [31:0]                cycle_i,
  input  logic                       slot_open_next_i,
  // label table, as the host writes it
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  // links
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  // host
  input  logic                       inject_valid_i,
  input  logic                       inject_ready_i,         // the router's
  input  logic [FlitWidth-1:0]       inject_flit_i,
  input  logic [2*RankWidth-1:0]     inject_ranks_i,         // {rank if the class is 1, rank if it is 0}
  output logic [Radix-1:0]           deliver_valid_o,
  output logic [Radix-1:0]           deliver_last_o,
  output logic [Radix*FlitWidth-1:0] deliver_flit_o,
  // router
  output logic                       router_slot_open_next_o,
  output logic [Radix-1:0]           router_rx_valid_o,
  output logic [Radix*FlitWidth-1:0] router_rx_flit_o,
  input  logic [Radix-1:0]           router_tx_valid_i,
  input  logic [Radix*FlitWidth-1:0] router_tx_flit_i,
  output logic [FlitWidth-1:0]       router_inject_flit_o,
  output logic [RankWidth-1:0]       router_inject_rank_o,
  input  logic [Radix-1:0]           router_deliver_valid_i,
  input  logic [Radix-1:0]           router_deliver_last_i,
  input  logic [Radix*FlitWidth-1:0] router_deliver_flit_i,
  output logic                       idle_o                  // the host has been told and nothing of the scan is leaving
);
  localparam int SumWidth       = exchange_pkg::SumWidth;
  localparam int FirstScanLabel = LabelDepth - exchange_pkg::ScanLabels;

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
      if (32'(table_label_i) == 32'(FirstScanLabel + exchange_pkg::LabelRowTowards)) begin
        row_towards_q <= table_mask_i;
        active_q      <= table_deliver_i;
      end
      if (32'(table_label_i) == 32'(FirstScanLabel + exchange_pkg::LabelRowAway))       row_away_q       <= table_mask_i;
      if (32'(table_label_i) == 32'(FirstScanLabel + exchange_pkg::LabelColumnTowards)) column_towards_q <= table_mask_i;
      if (32'(table_label_i) == 32'(FirstScanLabel + exchange_pkg::LabelColumnAway))    column_away_q    <= table_mask_i;
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
  function automatic logic [FlitWidth-1:0] checked(input logic [SumWidth-1:0] value);
    checked = FlitWidth'(value);
    checked[FlitWidth-1] = ~^value;
  endfunction
  for (genvar p = 0; p < Radix; p++) begin : g_value
    assign scan_rx_value[p*SumWidth +: SumWidth] = rx_flit_i[p*FlitWidth +: SumWidth];
    assign scan_rx_valid[p] = !scanned && rx_valid_i[p] &&
                              rx_flit_i[p*FlitWidth +: FlitWidth] == checked(rx_flit_i[p*FlitWidth +: SumWidth]);
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

  // ---- router: sees slots and flits only when both sums are known ----
  assign router_slot_open_next_o = slot_open_next_i && cycle_i != '0;
  assign router_rx_valid_o       = scanned ? rx_valid_i : '0;
  assign router_rx_flit_o        = rx_flit_i;
  class_stamp #(.FlitWidth(FlitWidth), .Flits(Flits), .RankWidth(RankWidth), .LengthShift(LengthShift)) u_class_stamp (
    .clk_i, .rst_ni,
    .class_i (class_bit),
    .valid_i (inject_valid_i),
    .ready_i (inject_ready_i),
    .flit_i  (inject_flit_i),
    .ranks_i (inject_ranks_i),
    .flit_o  (router_inject_flit_o),
    .rank_o  (router_inject_rank_o)
  );

  // ---- links: the scan and the router never drive one in the same cycle ----
  assign tx_valid_o = router_tx_valid_i | row_tx_valid | column_tx_valid;
  for (genvar p = 0; p < Radix; p++) begin : g_flit
    assign tx_flit_o[p*FlitWidth +: FlitWidth] = row_tx_valid[p]    ? checked(row_tx_value)
                                               : column_tx_valid[p] ? checked(column_tx_value)
                                                                    : router_tx_flit_i[p*FlitWidth +: FlitWidth];
  end

  // ---- host: told once, in the cycle after both sums are known ----
  logic [FlitWidth-1:0] told_flit;
  logic                 tells;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) told_q <= 1'b0;
    else         told_q <= scanned;
  end
  assign tells           = scanned && !told_q;
  assign told_flit       = FlitWidth'({class_bit, column_sum, row_sum});
  assign deliver_valid_o = router_deliver_valid_i | Radix'(tells);
  assign deliver_last_o  = router_deliver_last_i | Radix'(tells);
  if (Radix == 1) begin : g_deliver_one
    assign deliver_flit_o = tells ? told_flit : router_deliver_flit_i;
  end else begin : g_deliver
    assign deliver_flit_o = {router_deliver_flit_i[Radix*FlitWidth-1:FlitWidth],
                             tells ? told_flit : router_deliver_flit_i[FlitWidth-1:0]};
  end
  assign idle_o = told_q && (row_tx_valid | column_tx_valid) == '0;

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
    if (rst_ni) begin
      assert ((router_tx_valid_i & (row_tx_valid | column_tx_valid)) == '0 && (row_tx_valid & column_tx_valid) == '0);
    end
  end

  initial begin : check_parameters
    if (FirstScanLabel < 1)
      $fatal(1, "exchange_scan: LabelDepth must be at least %0d", exchange_pkg::ScanLabels + 1);
    if (FlitWidth < 2 * SumWidth + 1) $fatal(1, "exchange_scan: FlitWidth must be at least %0d", 2 * SumWidth + 1);
  end
endmodule
