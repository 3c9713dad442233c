// icarus_scan_bench - three scan_nodes in a row in Icarus Verilog: a partial multinode broadcast of nodes 1 and 2.
// Self-checking; the last line is "scan_bench: PASS", or the bench ends with $fatal.
//
// Packets have two flits, links no latency. The scan takes 2 steps each way, packing 2 slots of two cycles, the broadcast
// one batch of 2 slots: cycles 1 to 4, 5 to 8 and 9 to 12. Node 1's packet has rank 0 and is packed to node 0, node 2's
// has rank 1 and is packed to node 1. Ports: 0 to the previous node, 1 to the next.
// Inputs change on the falling edge of the clock; outputs are sampled at the rising edge, before registers change.
module icarus_scan_bench;
  localparam int Nodes       = 3;
  localparam int Radix       = 2;
  localparam int FlitWidth   = 64;
  localparam int DigitWidth  = 2;
  localparam int LengthWidth = 2;
  localparam int MemoryWidth = DigitWidth + LengthWidth;
  localparam int EndCycle    = 12;

  logic        clk, rst_n, start, running, slot_open_next;
  logic [31:0] cycle, unused_step;
  slot_timer u_timer (
    .slot_cycles_i (32'd1),
    .clk_i (clk), .rst_ni (rst_n), .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (unused_step),
    .slot_open_next_o (slot_open_next)
  );

  logic [Nodes*Radix-1:0]           tx_valid;
  logic [Nodes*Radix*FlitWidth-1:0] tx_flit;
  logic [Nodes-1:0]                 idle, active, first, whole, class_number;
  logic [Nodes*LengthWidth-1:0]     own_index;
  logic [Nodes*3-1:0]               deliver_valid, deliver_last;
  logic [Nodes*3*FlitWidth-1:0]     deliver_flit;
  logic [Nodes*3-1:0]               phase;
  logic [Nodes*DigitWidth-1:0]      rank;
  logic [Nodes*2*DigitWidth-1:0]    total, group_total;
  logic [Nodes*32-1:0]              intervals, last_cycle, delivered, last_delivery;
  logic [Nodes*7*32-1:0]            phase_cycles;
  logic [Nodes*Radix*32-1:0]        sent, received;
  logic [Nodes*32-1:0]              violations, first_violation;

  // Flit `index` of the packet of node n: the header's fields are rank, destination and source.
  function automatic logic [FlitWidth-1:0] flit_of(input int n, input int index, input int of_rank);
    flit_of = index == 0 ? {16'(16'hA000 + n), 16'(n), 16'd0, 16'(of_rank)} : {32'hFEED_0000 + 32'(n), 32'(index)};
  endfunction

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    logic [Radix-1:0]           rx_valid;
    logic [Radix*FlitWidth-1:0] rx_flit;
    logic [FlitWidth-1:0]       own_flit;
    assign own_flit = own_index[n*LengthWidth +: LengthWidth] == 0 ? flit_of(n, 0, 0) : flit_of(n, 1, 0);
    if (n > 0) begin : g_previous
      assign rx_valid[0] = tx_valid[(n-1)*Radix + 1];
      assign rx_flit[0 +: FlitWidth] = tx_flit[((n-1)*Radix + 1)*FlitWidth +: FlitWidth];
    end else begin : g_first
      assign rx_valid[0] = 1'b0;
      assign rx_flit[0 +: FlitWidth] = '0;
    end
    if (n < Nodes - 1) begin : g_next
      assign rx_valid[1] = tx_valid[(n+1)*Radix];
      assign rx_flit[FlitWidth +: FlitWidth] = tx_flit[(n+1)*Radix*FlitWidth +: FlitWidth];
    end else begin : g_last
      assign rx_valid[1] = 1'b0;
      assign rx_flit[FlitWidth +: FlitWidth] = '0;
    end
    scan_node #(
      .Radix(Radix), .Digits(1), .DigitWidth(DigitWidth), .Classes(1), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth),
      .LinkLatency(0), .Pieces(1)
    ) u_node (
      .clk_i (clk), .rst_ni (rst_n), .cycle_i (cycle), .slot_open_next_i (slot_open_next),
      .operation_i      (3'(scan_pkg::OperationBroadcast)),
      .repeat_i (1'b0), .known_i (1'b0), .classed_i (1'b0), .class_count_i (2'd1), .base_i (3'd3), .ring_i (1'b0),
      .two_pieces_i (1'b0), .alternate_i (1'b0), .pass_on_first_i (1'b0), .header_flit_i (1'b0), .pack_flits_i (2'd2),
      .cast_flits_i (2'd2), .coordinates_i (2'(n)), .plus_port_i (1'b1), .minus_port_i (1'b0), .known_rank_i (2'd0),
      .known_total_i (4'd0), .known_group_i (4'd0), .known_class_i (1'd0),
      .tx_valid_o       (tx_valid[n*Radix +: Radix]),
      .tx_flit_o        (tx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .rx_valid_i       (rx_valid),
      .rx_flit_i        (rx_flit),
      .fault_drop_i (2'b00), .fault_corrupt_i (2'b00),
      .pending_i        (1'(n != 0)),
      .active_o         (active[n]),
      .interval_first_o (first[n]),
      .own_index_o      (own_index[n*LengthWidth +: LengthWidth]),
      .own_flit_i       (own_flit),
      .load_valid_i (1'b0), .load_class_i (1'b0), .load_address_i (MemoryWidth'(0)), .load_flit_i (64'd0),
      .deliver_whole_o  (whole[n]),
      .deliver_valid_o  (deliver_valid[n*3 +: 3]),
      .deliver_last_o   (deliver_last[n*3 +: 3]),
      .deliver_flit_o   (deliver_flit[n*3*FlitWidth +: 3*FlitWidth]),
      .phase_o          (phase[n*3 +: 3]),
      .rank_o           (rank[n*DigitWidth +: DigitWidth]),
      .total_o          (total[n*2*DigitWidth +: 2*DigitWidth]),
      .group_total_o    (group_total[n*2*DigitWidth +: 2*DigitWidth]),
      .class_o          (class_number[n]),
      .intervals_o      (intervals[n*32 +: 32]),
      .last_cycle_o     (last_cycle[n*32 +: 32]),
      .phase_cycles_o   (phase_cycles[n*7*32 +: 7*32]),
      .sent_o           (sent[n*Radix*32 +: Radix*32]),
      .received_o       (received[n*Radix*32 +: Radix*32]),
      .delivered_o      (delivered[n*32 +: 32]),
      .last_delivery_cycle_o (last_delivery[n*32 +: 32]),
      .violations_o     (violations[n*32 +: 32]),
      .first_violation_cycle_o (first_violation[n*32 +: 32]),
      .idle_o           (idle[n])
    );
  end

  always #5 clk = ~clk;
  initial begin : time_limit
    #100_000 $fatal(1, "scan_bench: FAIL, not finished");
  end

  task check(input logic good, input int node, input int value);
    if (good !== 1'b1) begin
      $display("scan_bench: FAIL in cycle %0d at node %0d: %0d", cycle, node, value);
      $fatal(1, "scan_bench: FAIL");
    end
  endtask

  // Flits delivered, per node, source and flit of the packet: each must be right. Of a packet only the first flit names
  // its source; the second does here, too.
  int got [Nodes*Nodes*2];
  logic [FlitWidth-1:0] flit;
  int source, index;
  always @(posedge clk) begin : monitor
    if (rst_n === 1'b1) begin
      for (int n = 0; n < Nodes; n++) begin
        for (int lane = 0; lane < 3; lane++) begin
          check(deliver_valid[n*3 + lane] === 1'b0 || deliver_valid[n*3 + lane] === 1'b1, n, 1);
          if (deliver_valid[n*3 + lane] === 1'b1) begin
            flit   = deliver_flit[(n*3 + lane)*FlitWidth +: FlitWidth];
            index  = flit[63:48] === 16'hFEED ? 1 : 0;
            source = int'(flit[47:32]);
            check(source == 1 || source == 2, n, 2);
            check(flit === flit_of(source, index, source - 1), n, 3);
            check(deliver_last[n*3 + lane] === 1'(index), n, 4);
            got[(n*Nodes + source)*2 + index] = got[(n*Nodes + source)*2 + index] + 1;
          end
        end
      end
    end
  end

  initial begin : run
    clk = 1'b0; rst_n = 1'b0; start = 1'b0;
    for (int i = 0; i < Nodes*Nodes*2; i++) got[i] = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    repeat (2) @(negedge clk);
    check(tx_valid === '0, 0, 5);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    while (cycle < EndCycle + 3 || idle !== '1) begin
      check(cycle < 40, 0, 6);
      @(negedge clk);
    end
    for (int n = 0; n < Nodes; n++) begin
      check(intervals[n*32 +: 32] === 1 && last_cycle[n*32 +: 32] === EndCycle, n, 7);
      check(phase_cycles[(n*7 + scan_pkg::PhaseRankScan)*32 +: 32] === 4, n, 8);
      check(phase_cycles[(n*7 + scan_pkg::PhasePack)*32 +: 32] === 4, n, 9);
      check(phase_cycles[(n*7 + scan_pkg::PhaseBroadcast)*32 +: 32] === 4, n, 10);
      check(total[n*2*DigitWidth +: 2*DigitWidth] === 4'd2, n, 11);
      check(active[n] === 1'(n != 0), n, 12);
      check(violations[n*32 +: 32] === 0 && first_violation[n*32 +: 32] === 0, n, 14);
      if (n != 0) begin
        check(received[n*Radix*32 +: 32] === sent[((n-1)*Radix + 1)*32 +: 32], n, 15);
        check(sent[n*Radix*32 +: 32] === received[((n-1)*Radix + 1)*32 +: 32], n, 16);
      end
      if (n != 0) check(rank[n*DigitWidth +: DigitWidth] === 2'(n - 1), n, 13);
      for (int s = 1; s < Nodes; s++) begin
        for (int k = 0; k < 2; k++) if (n != s) check(got[(n*Nodes + s)*2 + k] == 1, n, 100*s + k);
      end
    end
    $display("scan_bench: 2 of 3 nodes active, ranks found, 4 deliveries, the end in cycle %0d", last_cycle[0 +: 32]);
    $display("scan_bench: PASS");
    $finish;
  end
endmodule
