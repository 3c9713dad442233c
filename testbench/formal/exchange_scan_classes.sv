// exchange_scan_classes - before a partial exchange a node's values leave along its row and its column, the host is told both
// sums and the class once, and the router sees nothing of it; after that everything passes.
//
// What comes from the neighbours: one value from each neighbour in a tree, and damaged ones whenever they like. What a node of a
// tree should say is said by tree_shadow.
module exchange_scan_classes #(
  parameter int Radix       = 2,
  parameter int FlitWidth   = 34,
  parameter int Flits       = 1,
  parameter int RankWidth   = 1,
  parameter int LabelDepth  = 6,
  parameter int LengthShift = 5,
  localparam int SumWidth    = exchange_pkg::SumWidth,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int LabelWidth  = safnet_pkg::index_width(LabelDepth)
) (
  input logic                       clk_i,
  input logic [31:0]                cycle_i,
  input logic                       slot_open_next_i,
  input logic                       table_valid_i,
  input logic [LabelWidth-1:0]      table_label_i,
  input logic [Radix-1:0]           table_mask_i,
  input logic                       table_deliver_i,
  input logic [Radix-1:0]           rx_valid_i,
  input logic [Radix*FlitWidth-1:0] rx_flit_i,
  input logic                       inject_valid_i, inject_ready_i,
  input logic [FlitWidth-1:0]       inject_flit_i,
  input logic [2*RankWidth-1:0]     inject_ranks_i,
  input logic [Radix-1:0]           router_tx_valid_i, router_deliver_valid_i, router_deliver_last_i,
  input logic [Radix*FlitWidth-1:0] router_tx_flit_i, router_deliver_flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                       started_q;  // the cycle of the start has been
  logic [Radix-1:0]           tx_valid, deliver_valid, deliver_last, router_rx_valid;
  logic [Radix*FlitWidth-1:0] tx_flit, deliver_flit, router_rx_flit;
  logic                       router_slot_open_next, idle;
  logic [FlitWidth-1:0]       router_inject_flit;
  logic [RankWidth-1:0]       router_inject_rank;
  exchange_scan #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelDepth(LabelDepth), .RankWidth(RankWidth), .LengthShift(LengthShift)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .cycle_i, .slot_open_next_i, .table_valid_i, .table_label_i, .table_mask_i,
    .table_deliver_i, .rx_valid_i, .rx_flit_i, .tx_valid_o(tx_valid), .tx_flit_o(tx_flit), .inject_valid_i, .inject_ready_i,
    .inject_flit_i, .inject_ranks_i, .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last), .deliver_flit_o(deliver_flit),
    .router_slot_open_next_o(router_slot_open_next), .router_rx_valid_o(router_rx_valid), .router_rx_flit_o(router_rx_flit),
    .router_tx_valid_i, .router_tx_flit_i, .router_inject_flit_o(router_inject_flit), .router_inject_rank_o(router_inject_rank),
    .router_deliver_valid_i, .router_deliver_last_i, .router_deliver_flit_i, .idle_o(idle)
  );

  // The ports of each tree, as the host has described them, and whether it has anything to send.
  logic [Radix-1:0] row_towards_q, row_away_q, column_towards_q, column_away_q, row, column;
  logic             active_q;
  assign row    = row_towards_q | row_away_q;
  assign column = column_towards_q | column_away_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      row_towards_q    <= '0;
      row_away_q       <= '0;
      column_towards_q <= '0;
      column_away_q    <= '0;
      active_q         <= 1'b0;
      started_q        <= 1'b0;
    end else begin
      started_q <= started_q || slot_open_next_i;
      if (table_valid_i) begin
        case (32'(table_label_i))
          LabelDepth - 4: begin
            row_towards_q <= table_mask_i;
            active_q      <= table_deliver_i;
          end
          LabelDepth - 3: row_away_q       <= table_mask_i;
          LabelDepth - 2: column_towards_q <= table_mask_i;
          LabelDepth - 1: column_away_q    <= table_mask_i;
          default: ;
        endcase
      end
    end
  end

  // A value is whole if its flit has an odd number of ones, and none between the value and the highest bit.
  logic [Radix-1:0]          whole;
  logic [Radix*SumWidth-1:0] value;
  for (genvar p = 0; p < Radix; p++) begin : g_value
    assign whole[p] = rx_valid_i[p] && ^rx_flit_i[p*FlitWidth +: FlitWidth] &&
                      rx_flit_i[p*FlitWidth+SumWidth +: FlitWidth-1-SumWidth] == '0;
    assign value[p*SumWidth +: SumWidth] = rx_flit_i[p*FlitWidth +: SumWidth];
  end
  logic                scanned, told_q;  // both sums are known; the host was told
  logic [Radix-1:0]    row_came;
  logic [SumWidth-1:0] row_so_far, row_total;
  logic                row_reports, row_passes, row_done, row_complete, row_told, row_keeps_to_protocol;
  tree_shadow #(.Radix(Radix), .Width(SumWidth)) u_row (
    .clk_i, .rst_ni(rst_n), .start_i(slot_open_next_i && !started_q), .own_i(SumWidth'(active_q)), .towards_i(row_towards_q),
    .away_i(row_away_q), .rx_valid_i(scanned ? '0 : whole & row), .rx_value_i(value), .came_o(row_came),
    .complete_o(row_complete), .told_o(row_told), .so_far_o(row_so_far), .total_o(row_total),
    .reports_o(row_reports), .passes_o(row_passes), .done_o(row_done), .keeps_to_protocol_o(row_keeps_to_protocol)
  );
  logic [Radix-1:0]    column_came;
  logic [SumWidth-1:0] column_so_far, column_total;
  logic                column_reports, column_passes, column_done, column_complete, column_told, column_keeps_to_protocol;
  tree_shadow #(.Radix(Radix), .Width(SumWidth)) u_column (
    .clk_i, .rst_ni(rst_n), .start_i(slot_open_next_i && !started_q), .own_i(SumWidth'(active_q)), .towards_i(column_towards_q),
    .away_i(column_away_q), .rx_valid_i(scanned ? '0 : whole & ~row), .rx_value_i(value), .came_o(column_came),
    .complete_o(column_complete), .told_o(column_told), .so_far_o(column_so_far), .total_o(column_total),
    .reports_o(column_reports), .passes_o(column_passes), .done_o(column_done), .keeps_to_protocol_o(column_keeps_to_protocol)
  );
  assign scanned = row_done && column_done;
  always @(posedge clk_i) told_q <= rst_n && scanned;
  logic class_bit, tells;
  assign class_bit = row_total > column_total;
  assign tells     = scanned && !told_q;

  logic [LengthWidth-1:0] length, taken, latest;  // of the host's packet
  logic                   header;
  flits_taken #(.Flits(Flits)) u_flits (
    .clk_i, .rst_ni(rst_n), .takes_i(inject_valid_i && inject_ready_i), .field_i(inject_flit_i[LengthShift +: LengthWidth]),
    .header_o(header), .length_o(length), .taken_o(taken), .latest_o(latest)
  );

  // The port that is watched: any.
  (* anyconst *) logic [safnet_pkg::index_width(Radix)-1:0] port;
  logic                 row_leaves, column_leaves;  // a value of the tree, through this port
  logic [FlitWidth-1:0] flit, router_flit, told_flit;
  logic [SumWidth-1:0]  row_value, column_value, leaving;
  assign row_leaves    = (row_reports && row_towards_q[port]) || (row_passes && row_away_q[port]);
  assign column_leaves = (column_reports && column_towards_q[port]) || (column_passes && column_away_q[port]);
  assign row_value     = row_passes ? row_total : row_so_far;
  assign column_value  = column_passes ? column_total : column_so_far;
  assign leaving       = row_leaves ? row_value : column_value;
  assign flit          = tx_flit[32'(port)*FlitWidth +: FlitWidth];
  assign router_flit   = router_tx_flit_i[32'(port)*FlitWidth +: FlitWidth];
  assign told_flit     = {{FlitWidth-1-2*SumWidth{1'b0}}, class_bit, column_total, row_total};

  (* hierconn *) wire \u_dut.u_row_sum.started_q , \u_dut.u_row_sum.reported_q , \u_dut.u_row_sum.done_q ;
  (* hierconn *) wire \u_dut.u_column_sum.started_q , \u_dut.u_column_sum.reported_q , \u_dut.u_column_sum.done_q ;
  (* hierconn *) wire [Radix-1:0] \u_dut.u_row_sum.heard_q , \u_dut.u_column_sum.heard_q ;
  (* hierconn *) wire [Radix-1:0] \u_dut.u_row_sum.tx_valid_q , \u_dut.u_column_sum.tx_valid_q ;
  (* hierconn *) wire [SumWidth-1:0] \u_dut.u_row_sum.sum_q , \u_dut.u_column_sum.sum_q ;
  (* hierconn *) wire [SumWidth-1:0] \u_dut.u_row_sum.tx_value_q , \u_dut.u_column_sum.tx_value_q ;
  (* hierconn *) wire [Radix-1:0] \u_dut.row_towards_q , \u_dut.row_away_q , \u_dut.column_towards_q , \u_dut.column_away_q ;
  (* hierconn *) wire \u_dut.active_q , \u_dut.told_q ;
  (* hierconn *) wire \u_row.started_q , \u_row.reported_q , \u_row.told_before_q ;
  (* hierconn *) wire \u_column.started_q , \u_column.reported_q , \u_column.told_before_q ;

  logic [Radix-1:0] damaged_q;  // ports through which something else than a value has come during the scan
  always @(posedge clk_i) damaged_q <= !rst_n ? '0 : damaged_q | (scanned ? '0 : rx_valid_i & ~whole);
  (* hierconn *) wire [LengthWidth-1:0] \u_dut.u_class_stamp.g_flits.left_q ;  // where packets have several flits
  logic are_trees;
  assign are_trees = $onehot0(row_towards_q) && $onehot0(column_towards_q) && (row_towards_q & row_away_q) == '0 &&
                     (column_towards_q & column_away_q) == '0 && (row & column) == '0;
  always @(posedge clk_i) begin
    assume (32'(port) < Radix);
    if (rst_n) begin
      assume ((cycle_i == '0) == !started_q);
      // The host describes the trees before the start; they share no link. Entries of the router's table may come later.
      assume (!table_valid_i || 32'(table_label_i) < LabelDepth - 4 || (!started_q && !slot_open_next_i));
      assume (!slot_open_next_i || started_q || are_trees);
      assume (row_keeps_to_protocol && column_keeps_to_protocol);
      // The exchange comes after the scan, and the host waits for its class.
      assume (told_q || (router_tx_valid_i == '0 && router_deliver_valid_i == '0 && (!slot_open_next_i || !started_q)));
      assume (!inject_valid_i || scanned);
      assume (!inject_valid_i || !header || (!inject_flit_i[0] && length != '0 && 32'(length) <= Flits));

      a_values_leave_along_the_trees : assert (tx_valid[port] == (router_tx_valid_i[port] || row_leaves || column_leaves) &&
                                               !(row_leaves && column_leaves));
      a_values_are_checked : assert (flit == (row_leaves || column_leaves ? {~^leaving, {FlitWidth-1-SumWidth{1'b0}}, leaving}
                                                                          : router_flit));
      a_the_router_sees_nothing_of_the_scan : assert (router_rx_valid == (scanned ? rx_valid_i : '0) &&
                                                      router_slot_open_next == (slot_open_next_i && started_q));
      a_what_comes_passes : assert (router_rx_flit == rx_flit_i);
      a_the_host_is_told_once : assert (deliver_valid[port] == (router_deliver_valid_i[port] || (tells && port == '0)) &&
                                        deliver_last[port] == (router_deliver_last_i[port] || (tells && port == '0)));
      a_the_host_is_told_both_sums_and_the_class :
        assert (deliver_flit[32'(port)*FlitWidth +: FlitWidth] ==
                (tells && port == '0 ? told_flit : router_deliver_flit_i[32'(port)*FlitWidth +: FlitWidth]));
      a_packets_have_the_class :
        assert (!inject_valid_i || (router_inject_flit == {inject_flit_i[FlitWidth-1:1], inject_flit_i[0] || (header && class_bit)} &&
                                    router_inject_rank == RankWidth'(inject_ranks_i >> (class_bit ? RankWidth : 0))));
      a_it_is_idle_after_the_scan : assert (idle == told_q);

      h_masks : assert (\u_dut.row_towards_q == row_towards_q && \u_dut.row_away_q == row_away_q && \u_dut.active_q == active_q &&
                        \u_dut.column_towards_q == column_towards_q && \u_dut.column_away_q == column_away_q);
      h_length  : assert (header || (taken < latest && 32'(latest) <= Flits));
      h_left    : assert (Flits == 1 || \u_dut.u_class_stamp.g_flits.left_q == (header ? '0 : latest - taken));
      h_trees   : assert (!started_q || are_trees);
      h_told    : assert (\u_dut.told_q == told_q && (!told_q || (scanned && !row_leaves && !column_leaves)));
      h_row_started  : assert (\u_dut.u_row_sum.started_q == started_q && \u_row.started_q == started_q);
      h_row_came     : assert ((row_came & ~row) == '0 && row_told == ((row_came & row_towards_q) != '0) && (started_q || row_came == '0));
      h_row_complete : assert (row_complete == (started_q && (row_came & row_away_q) == row_away_q) && (!row_told || row_complete));
      h_row_before   : assert ((!\u_row.reported_q || row_complete) && (!\u_row.told_before_q || row_told) &&
                           (!told_q || (\u_row.reported_q && (!row_told || \u_row.told_before_q ))));
      h_row_state    : assert (\u_dut.u_row_sum.reported_q == row_complete && \u_dut.u_row_sum.done_q == row_done &&
                           \u_dut.u_row_sum.heard_q == (row_came & row_away_q));
      h_row_sum      : assert (!started_q || \u_dut.u_row_sum.sum_q == (row_told ? row_total : row_so_far));
      h_row_leaves   : assert (\u_dut.u_row_sum.tx_valid_q == ((row_reports ? row_towards_q : '0) | (row_passes ? row_away_q : '0)) &&
                           ((!row_reports && !row_passes) || \u_dut.u_row_sum.tx_value_q == row_value));
      h_column_started  : assert (\u_dut.u_column_sum.started_q == started_q && \u_column.started_q == started_q);
      h_column_came     : assert ((column_came & ~column) == '0 && column_told == ((column_came & column_towards_q) != '0) &&
                                  (started_q || column_came == '0));
      h_column_complete : assert (column_complete == (started_q && (column_came & column_away_q) == column_away_q) &&
                                  (!column_told || column_complete));
      h_column_before   : assert ((!\u_column.reported_q || column_complete) && (!\u_column.told_before_q || column_told) &&
                           (!told_q || (\u_column.reported_q && (!column_told || \u_column.told_before_q ))));
      h_column_state    : assert (\u_dut.u_column_sum.reported_q == column_complete && \u_dut.u_column_sum.done_q == column_done &&
                           \u_dut.u_column_sum.heard_q == (column_came & column_away_q));
      h_column_sum      : assert (!started_q || \u_dut.u_column_sum.sum_q == (column_told ? column_total : column_so_far));
      h_column_leaves   : assert (\u_dut.u_column_sum.tx_valid_q == ((column_reports ? column_towards_q : '0) |
                                                                          (column_passes ? column_away_q : '0)) &&
                           ((!column_reports && !column_passes) || \u_dut.u_column_sum.tx_value_q == column_value));
      c_class_1  : cover (tells && class_bit && active_q && row_towards_q != '0 && column_towards_q != '0);
      c_class_0  : cover (tells && !class_bit && column_total != '0 && row_away_q != '0 && column_away_q != '0);
      c_damaged  : cover (tells && damaged_q != '0 && row_away_q != '0);
      c_exchange : cover (told_q && inject_valid_i && class_bit && router_rx_valid != '0 && router_slot_open_next);
    end
  end
endmodule
