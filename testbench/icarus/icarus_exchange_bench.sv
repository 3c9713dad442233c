// icarus_exchange_bench - a 2 x 2 array of exchange_nodes (pifo_nodes that scan first) in Icarus Verilog: a scan, then a partial exchange.
// Self-checking; the last line is "exchange_bench: PASS", or the bench ends with $fatal.
//
// Node n is in row n / 2 and column n % 2; port 0 leads along the row, port 1 along the column. Nodes 0 and 1 are active:
// their row has two active nodes and their columns one, so they are of class 1 and their packets go down first.
module icarus_exchange_bench;
  localparam int Nodes      = 4;
  localparam int Radix      = 2;
  localparam int FlitWidth  = 64;
  localparam int LabelDepth = 16;  // labels {destination, class}; the last four are the scan's
  localparam int RankLevels = 4;
  localparam int HostDepth  = 4;
  localparam int LengthShift = 20;  // header: {length, tag (8), source (8), label (4)}
  localparam int OccupancyWidth = $clog2(HostDepth * (Radix + 1) + 1);

  logic        clk, rst_n, start, running, slot_open_next;
  logic [31:0] cycle, step;
  logic [Nodes*Radix-1:0]           tx_valid, tx_credit, tx_request, tx_grant;
  logic [Nodes*Radix*FlitWidth-1:0] tx_flit;
  logic [Nodes-1:0]                 table_valid, inject_valid, inject_ready, idle;
  logic [3:0]                       table_label;
  logic [Radix-1:0]                 table_mask;
  logic                             table_deliver;
  logic [FlitWidth-1:0]             inject_flit;
  logic [Nodes*Radix-1:0]           deliver_valid, deliver_last, wait_credit, wait_grant;
  logic [Nodes*Radix*FlitWidth-1:0] deliver_flit;
  logic [Nodes*Radix*32-1:0]        sent, received;
  logic [Nodes*32-1:0]              delivered, last_cycle, last_step, violations, first_violation;
  logic [Nodes*64-1:0]              delay_sum;
  logic [Nodes*OccupancyWidth-1:0]  occupancy, peak_occupancy, peak_transit;
  logic [Nodes*Radix*OccupancyWidth-1:0] peak_stored, peak_waiting;

  exchange_timer u_timer (
    .clk_i (clk), .rst_ni (rst_n), .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (step),
    .slot_open_next_o (slot_open_next)
  );

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    localparam int Row = n ^ 1, Column = n ^ 2;  // the neighbours
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .QueueDepth(4), .HostDepth(HostDepth), .LabelDepth(LabelDepth),
      .RankLevels(RankLevels), .ScansFirst(1)
    ) u_node (
      .clk_i (clk), .rst_ni (rst_n), .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next),
      .tx_valid_o       (tx_valid[n*Radix +: Radix]),
      .tx_flit_o        (tx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .tx_credit_o      (tx_credit[n*Radix +: Radix]),
      .tx_request_o     (tx_request[n*Radix +: Radix]),
      .tx_grant_o       (tx_grant[n*Radix +: Radix]),
      .rx_valid_i       ({tx_valid[Column*Radix + 1], tx_valid[Row*Radix]}),
      .rx_flit_i        ({tx_flit[(Column*Radix + 1)*FlitWidth +: FlitWidth], tx_flit[Row*Radix*FlitWidth +: FlitWidth]}),
      .rx_credit_i      ({tx_credit[Column*Radix + 1], tx_credit[Row*Radix]}),
      .rx_request_i     (2'b00),
      .rx_grant_i       (2'b00),
      .fault_drop_i     (2'b00),
      .fault_corrupt_i  (2'b00),
      .branch_first_i   (2'b11),
      .table_valid_i    (table_valid[n]),
      .table_label_i    (table_label),
      .table_mask_i     (table_mask),
      .table_deliver_i  (table_deliver),
      .table_rank_i     (2'd1),
      .table_order_i    (2'b10),
      .table_rest_i     (1'b0),
      .table_rest_rank_i (2'd0),
      .inject_valid_i   (inject_valid[n]),
      .inject_ready_o   (inject_ready[n]),
      .inject_flit_i    (inject_flit),
      .inject_rank_i    ({2'd2, 2'd3}),
      .deliver_valid_o  (deliver_valid[n*Radix +: Radix]),
      .deliver_last_o   (deliver_last[n*Radix +: Radix]),
      .deliver_flit_o   (deliver_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .sent_o           (sent[n*Radix*32 +: Radix*32]),
      .received_o       (received[n*Radix*32 +: Radix*32]),
      .delivered_o      (delivered[n*32 +: 32]),
      .last_delivery_cycle_o   (last_cycle[n*32 +: 32]),
      .last_delivery_step_o    (last_step[n*32 +: 32]),
      .delay_sum_o             (delay_sum[n*64 +: 64]),
      .occupancy_o             (occupancy[n*OccupancyWidth +: OccupancyWidth]),
      .peak_occupancy_o        (peak_occupancy[n*OccupancyWidth +: OccupancyWidth]),
      .peak_transit_o          (peak_transit[n*OccupancyWidth +: OccupancyWidth]),
      .peak_stored_o           (peak_stored[n*Radix*OccupancyWidth +: Radix*OccupancyWidth]),
      .peak_waiting_o          (peak_waiting[n*Radix*OccupancyWidth +: Radix*OccupancyWidth]),
      .violations_o            (violations[n*32 +: 32]),
      .first_violation_cycle_o (first_violation[n*32 +: 32]),
      .wait_credit_o           (wait_credit[n*Radix +: Radix]),
      .wait_grant_o            (wait_grant[n*Radix +: Radix]),
      .idle_o                  (idle[n])
    );
  end

  always #5 clk = ~clk;
  initial begin : time_limit
    #100_000 $fatal(1, "exchange_bench: FAIL, not finished");
  end

  task check(input logic good, input int node, input int value);
    if (good !== 1'b1) begin
      $display("exchange_bench: FAIL in cycle %0d at node %0d: %0d", cycle, node, value);
      $fatal(1, "exchange_bench: FAIL");
    end
  endtask

  // What hosts are told of the scan, and after it that every packet is of class 1 and for its host.
  logic [Nodes*FlitWidth-1:0] told;
  int times_told [Nodes];
  always @(posedge clk) begin : monitor
    if (rst_n === 1'b1) begin
      for (int n = 0; n < Nodes; n++) begin
        for (int p = 0; p < Radix; p++) begin
          if (deliver_valid[n*Radix + p] !== 1'b0) begin
            check(deliver_valid[n*Radix + p] === 1'b1 && deliver_last[n*Radix + p] === 1'b1, n, 1);
            if (step == 0) begin
              times_told[n] = times_told[n] + 1;
              told[n*FlitWidth +: FlitWidth] = deliver_flit[(n*Radix + p)*FlitWidth +: FlitWidth];
            end else begin
              check(deliver_flit[(n*Radix + p)*FlitWidth +: 4] === 4'(2 * n + 1), n, 2);
            end
          end
        end
      end
    end
  end

  task write_table(input int node, input int label, input logic [Radix-1:0] mask, input logic deliver);
    table_valid[node] = 1'b1;
    table_label       = 4'(label);
    table_mask        = mask;
    table_deliver     = deliver;
    @(negedge clk);
    table_valid = '0;
  endtask

  int line;
  initial begin : run
    clk = 1'b0; rst_n = 1'b0; start = 1'b0;
    table_valid = '0; table_label = '0; table_mask = '0; table_deliver = 1'b0;
    inject_valid = '0; inject_flit = '0; told = '0;
    for (int n = 0; n < Nodes; n++) times_told[n] = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int n = 0; n < Nodes; n++) begin
      for (int d = 0; d < Nodes; d++) begin
        for (int c = 0; c < 2; c++) begin
          line = (n / 2 == d / 2) ? 0 : (n % 2 == d % 2) ? 1 : c;
          write_table(n, 2 * d + c, (n == d) ? 2'b00 : 2'b01 << line, n == d);
        end
      end
      // the median of a line of two is the second node
      write_table(n, LabelDepth - 4, (n % 2 == 0) ? 2'b01 : 2'b00, n < 2);
      write_table(n, LabelDepth - 3, (n % 2 == 1) ? 2'b01 : 2'b00, 1'b0);
      write_table(n, LabelDepth - 2, (n / 2 == 0) ? 2'b10 : 2'b00, 1'b0);
      write_table(n, LabelDepth - 1, (n / 2 == 1) ? 2'b10 : 2'b00, 1'b0);
    end
    @(negedge clk);
    check(cycle === 0 && step === 0 && idle === 4'b0000, 0, 3);
    start = 1'b1;
    repeat (2) @(negedge clk);
    start = 1'b0;
    repeat (4) @(negedge clk);
    check(cycle === 2 && step === 0 && running === 1'b0 && idle === 4'b1111, 0, 4);
    for (int n = 0; n < Nodes; n++) begin
      check(times_told[n] == 1, n, 5);
      check(told[n*FlitWidth +: FlitWidth] === {31'd0, 1'(n < 2), 16'd1, 16'((n < 2) ? 2 : 0)}, n, 6);
      check(sent[n*Radix*32 +: Radix*32] === '0, n, 7);
    end
    for (int n = 0; n < 2; n++) begin
      for (int d = 0; d < Nodes; d++) begin
        if (d != n) begin
          inject_valid[n] = 1'b1;
          inject_flit     = FlitWidth'(2 * d) | (FlitWidth'(n) << 4) | (FlitWidth'(1) << LengthShift);
          while (inject_ready[n] !== 1'b1) @(negedge clk);
          @(negedge clk);
          inject_valid = '0;
        end
      end
    end
    check(cycle === 2, 0, 8);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    check(cycle === 3 && step === 1 && running === 1'b1, 0, 9);
    while (cycle < 6 || idle !== 4'b1111) begin
      check(cycle < 40, 0, 10);
      @(negedge clk);
    end
    for (int n = 0; n < Nodes; n++) begin
      check(delivered[n*32 +: 32] === ((n < 2) ? 32'd1 : 32'd2), n, 11);
      check(sent[n*Radix*32 +: 32] === 32'd1, n, 12);                            // along the row
      check(sent[(n*Radix + 1)*32 +: 32] === ((n < 2) ? 32'd2 : 32'd0), n, 13);  // along the column
      check(violations[n*32 +: 32] === 0 && occupancy[n*OccupancyWidth +: OccupancyWidth] === 0, n, 14);
    end
    // Two packets go down one column, the one for the far corner second at the latest, and then along the row.
    check(last_step[2*32 +: 32] === 3 || last_step[2*32 +: 32] === 2, 2, 15);
    check(last_cycle[2*32 +: 32] === last_step[2*32 +: 32] + 2, 2, 16);
    $display("exchange_bench: a scan of 2 cycles, 6 packets delivered, the last in cycle %0d, step %0d",
             last_cycle[2*32 +: 32], last_step[2*32 +: 32]);
    $display("exchange_bench: PASS");
    $finish;
  end
endmodule
