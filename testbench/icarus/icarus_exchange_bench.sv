// icarus_exchange_bench - a 2 x 2 array of exchange_nodes in Icarus Verilog: a scan, then a partial exchange.
// Self-checking; the last line is "exchange_bench: PASS", or the bench ends with $fatal.
//
// Node n is in row n / 2 and column n % 2; port 0 leads along the row, port 1 along the column. Nodes 0 and 1 are active:
// their row has two active nodes and their columns one, so they are of class 1: packets take the column first.
module icarus_exchange_bench;
  localparam int Nodes      = 4;
  localparam int Radix      = 2;
  localparam int FlitWidth  = 64;
  localparam int LabelDepth = 16;  // labels {destination, class}; the last four are the scan's
  localparam int RankLevels = 4;
  localparam int HostDepth  = 4;
  localparam int InjectPorts = 1;
  localparam int LengthShift = 20;  // header: {length, tag (8), source (8), label (4)}
  localparam int LabelWidth = 4, RankWidth = 2, PortWidth = 1, InjectWidth = 2 * RankWidth;
  localparam int OccupancyWidth = $clog2(HostDepth * (Radix + 1) + 1);

  logic                 clk_i, rst_ni, start, running, slot_open_next;
  logic [31:0]          cycle, step;
  logic [FlitWidth-1:0] inject_flit;  // to all nodes
`include "common/as_signals.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
`include "pifo/pifo_settings.svh"

  assign slot_cycles_i  = 32'd1;
  assign link_latency_i = '0;
  assign port_model_i   = 2'(safnet_pkg::AllPort);
  assign grant_cycles_i = '0;
  assign queue_depth_i  = 16'd4;
  exchange_timer u_timer (
    .slot_cycles_i,
    .clk_i, .rst_ni, .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (step),
    .slot_open_next_o (slot_open_next)
  );

  for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
    // Along the row the neighbour is node n ^ 1, along the column n ^ 2, through the port of the same number.
    localparam int There = ((w / Radix) ^ (1 << (w % Radix))) * Radix + w % Radix;
    assign rx_valid_i[w]                       = tx_valid_o[There];
    assign rx_flit_i[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
    assign rx_credit_i[w]                      = tx_credit_o[There];
  end
  assign rx_request_i      = '0;
  assign rx_grant_i        = '0;
  assign fault_drop_i      = '0;
  assign fault_corrupt_i   = '0;
  assign branch_first_i    = '1;
  assign table_rank_i      = 2'd1;
  assign table_order_i     = 2'b10;
  assign table_rest_i      = 1'b0;
  assign table_rest_rank_i = 2'd0;
  assign inject_flit_i     = {Nodes{inject_flit}};
  assign inject_rank_i     = {Nodes{2'd2, 2'd3}};
  pifo_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .QueueDepth(4), .HostDepth(HostDepth), .LabelDepth(LabelDepth),
    .RankLevels(RankLevels), .ScansFirst(1)
  ) u_node [Nodes-1:0] (.*, .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next));

  always #5 clk_i = ~clk_i;
  initial begin : time_limit
    #100_000 $fatal(1, "exchange_bench: FAIL, not finished");
  end

  task check(input logic good, input int node, input int value);
    if (good !== 1'b1) begin
      $display("exchange_bench: FAIL in cycle %0d at node %0d: %0d", cycle, node, value);
      $fatal(1, "exchange_bench: FAIL");
    end
  endtask

  // Records what hosts are told of the scan; after the scan checks that every packet is of class 1 and for its host.
  logic [Nodes*FlitWidth-1:0] told;
  int times_told [Nodes];
  always @(posedge clk_i) begin : monitor
    if (rst_ni === 1'b1) begin
      for (int n = 0; n < Nodes; n++) begin
        for (int p = 0; p < Radix; p++) begin
          if (deliver_valid_o[n*Radix + p] !== 1'b0) begin
            check(deliver_valid_o[n*Radix + p] === 1'b1 && deliver_last_o[n*Radix + p] === 1'b1, n, 1);
            if (step == 0) begin
              times_told[n] = times_told[n] + 1;
              told[n*FlitWidth +: FlitWidth] = deliver_flit_o[(n*Radix + p)*FlitWidth +: FlitWidth];
            end else begin
              check(deliver_flit_o[(n*Radix + p)*FlitWidth +: 4] === 4'(2 * n + 1), n, 2);
            end
          end
        end
      end
    end
  end

  task write_table(input int node, input int label, input logic [Radix-1:0] mask, input logic deliver);
    table_valid_i[node] = 1'b1;
    table_label_i       = 4'(label);
    table_mask_i        = mask;
    table_deliver_i     = deliver;
    @(negedge clk_i);
    table_valid_i = '0;
  endtask

  int line;
  initial begin : run
    clk_i = 1'b0; rst_ni = 1'b0; start = 1'b0;
    table_valid_i = '0; table_label_i = '0; table_mask_i = '0; table_deliver_i = 1'b0;
    inject_valid_i = '0; inject_flit = '0; told = '0;
    for (int n = 0; n < Nodes; n++) times_told[n] = 0;
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
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
    @(negedge clk_i);
    check(cycle === 0 && step === 0 && idle_o === 4'b0000, 0, 3);
    start = 1'b1;
    repeat (2) @(negedge clk_i);
    start = 1'b0;
    repeat (4) @(negedge clk_i);
    check(cycle === 2 && step === 0 && running === 1'b0 && idle_o === 4'b1111, 0, 4);
    for (int n = 0; n < Nodes; n++) begin
      check(times_told[n] == 1, n, 5);
      check(told[n*FlitWidth +: FlitWidth] === {31'd0, 1'(n < 2), 16'd1, 16'((n < 2) ? 2 : 0)}, n, 6);
      check(sent_o[n*Radix*32 +: Radix*32] === '0, n, 7);
    end
    for (int n = 0; n < 2; n++) begin
      for (int d = 0; d < Nodes; d++) begin
        if (d != n) begin
          inject_valid_i[n] = 1'b1;
          inject_flit     = FlitWidth'(2 * d) | (FlitWidth'(n) << 4) | (FlitWidth'(1) << LengthShift);
          while (inject_ready_o[n] !== 1'b1) @(negedge clk_i);
          @(negedge clk_i);
          inject_valid_i = '0;
        end
      end
    end
    check(cycle === 2, 0, 8);
    start = 1'b1;
    @(negedge clk_i);
    start = 1'b0;
    check(cycle === 3 && step === 1 && running === 1'b1, 0, 9);
    while (cycle < 6 || idle_o !== 4'b1111) begin
      check(cycle < 40, 0, 10);
      @(negedge clk_i);
    end
    for (int n = 0; n < Nodes; n++) begin
      check(delivered_o[n*32 +: 32] === ((n < 2) ? 32'd1 : 32'd2), n, 11);
      check(sent_o[n*Radix*32 +: 32] === 32'd1, n, 12);                            // along the row
      check(sent_o[(n*Radix + 1)*32 +: 32] === ((n < 2) ? 32'd2 : 32'd0), n, 13);  // along the column
      check(violations_o[n*32 +: 32] === 0 && occupancy_o[n*OccupancyWidth +: OccupancyWidth] === 0, n, 14);
    end
    // The packet for the far corner leaves along the column in step 1 or 2, and then takes the row.
    check(last_delivery_step_o[2*32 +: 32] === 3 || last_delivery_step_o[2*32 +: 32] === 2, 2, 15);
    check(last_delivery_cycle_o[2*32 +: 32] === last_delivery_step_o[2*32 +: 32] + 2, 2, 16);
    $display("exchange_bench: a scan of 2 cycles, 6 packets delivered, the last in cycle %0d, step %0d",
             last_delivery_cycle_o[2*32 +: 32], last_delivery_step_o[2*32 +: 32]);
    $display("exchange_bench: PASS");
    $finish;
  end
endmodule
