// icarus_two_node_bench - two pifo_nodes (with FifoNodes = 1: two fifo_nodes) and a slot_timer in Icarus Verilog: a second
// simulator, with X propagation, for the same RTL. Self-checking; the last line is "two_node_bench: PASS", or the bench
// ends with $fatal.
//
// Port 0 of each node leads to the other; port 1 is not connected. Packets have up to 4 flits, links a latency of 1, and
// slots 5 cycles: packet k (from 0) of a node starts in cycle 1 + 5 k and its last flit arrives `length` cycles later.
// Inputs change on the falling edge of the clock; outputs are sampled at the rising edge, before registers change. Tasks
// are static: in Icarus 11 an automatic task with a loop in it disconnects array words from nets (stage_q in link.sv).
module icarus_two_node_bench #(
  parameter int FifoNodes   = 0,
  parameter int InjectPorts = 1  // of pifo_nodes: 1 or 2; all packets come through the first
);
  localparam int Nodes       = 2;  // node 0 is A, node 1 is B
  localparam int Radix       = 2;
  localparam int FlitWidth   = 64;
  localparam int Flits       = 4;
  localparam int LinkLatency = 1;
  localparam int SlotCycles  = Flits + LinkLatency;
  localparam int QueueDepth  = 2;
  localparam int HostDepth   = 8;
  localparam int LabelDepth  = 16;
  localparam int Packets     = 6;  // per node
  // header: {length, tag (8), source (8), label (4)}
  localparam int SourceShift = 4, TagShift = 12, LengthShift = 20;
  localparam int LabelWidth = 4, RankWidth = 2, PortWidth = 1, InjectWidth = RankWidth;
  localparam int OccupancyWidth = $clog2(HostDepth * (Radix + 1) + 1);
  localparam int LimitCycles = 200;
  localparam logic [Packets*4-1:0] LengthsA = {4'd1, 4'd4, 4'd2, 4'd3, 4'd1, 4'd4};  // packet 0 lowest
  localparam logic [Packets*4-1:0] LengthsB = {4'd3, 4'd1, 4'd1, 4'd4, 4'd2, 4'd2};

  logic        clk_i, rst_ni, start, running, slot_open_next;
  logic [31:0] cycle, step;
`include "common/as_signals.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
`include "pifo/pifo_settings.svh"

  assign slot_cycles_i  = SlotCycles;
  assign link_latency_i = LinkLatency;
  assign port_model_i   = safnet_pkg::AllPort;
  assign grant_cycles_i = '0;
  assign queue_depth_i  = QueueDepth;
  slot_timer u_timer (
    .slot_cycles_i,
    .clk_i, .rst_ni, .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (step),
    .slot_open_next_o (slot_open_next)
  );

  for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
    if (w % Radix == 0) begin : g_peer
      localparam int There = (1 - w / Radix) * Radix;
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
      assign {rx_valid_i[w], rx_credit_i[w], rx_request_i[w], rx_grant_i[w]} =
          {tx_valid_o[There], tx_credit_o[There], tx_request_o[There], tx_grant_o[There]};
    end else begin : g_no_peer
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = '0;
      assign {rx_valid_i[w], rx_credit_i[w], rx_request_i[w], rx_grant_i[w]} = 4'b0000;
    end
  end
  assign fault_drop_i      = '0;
  assign fault_corrupt_i   = '0;
  assign branch_first_i    = '1;
  assign table_rank_i      = 2'd1;
  assign table_order_i     = 2'b10;
  assign table_rest_i      = 1'b0;
  assign table_rest_rank_i = 2'd0;
  assign inject_rank_i     = {Nodes*InjectPorts{2'd1}};
  if (FifoNodes != 0) begin : g_fifo
    fifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
      .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(LabelDepth), .NodeIdWidth(8), .TagWidth(8)
    ) u_node [Nodes-1:0] (.*, .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next));
  end else begin : g_pifo
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits + 1), .LinkLatency(LinkLatency + 1),
      .QueueDepth(2 * QueueDepth), .HostDepth(HostDepth), .InjectPorts(InjectPorts), .LabelDepth(LabelDepth),
      .RankLevels(4), .NodeIdWidth(8), .TagWidth(8), .DealsLinks(1)
    ) u_node [Nodes-1:0] (.*, .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next));
  end

  // Packets: node n sends its own with label n; the other node delivers label n.
  function logic [3:0] packet_length(input int node, input int packet);
    packet_length = (node == 0) ? LengthsA[packet*4 +: 4] : LengthsB[packet*4 +: 4];
  endfunction
  function logic [FlitWidth-1:0] packet_flit(input int node, input int packet, input int index);
    logic [FlitWidth-1:0] header;
    header = FlitWidth'(node) | (FlitWidth'(node) << SourceShift) | (FlitWidth'(packet) << TagShift)
             | (FlitWidth'(packet_length(node, packet)) << LengthShift) | (64'hc5a3_96e1 << 32);
    packet_flit = (index == 0) ? header
                  : 64'h9e37_79b9_7f4a_7c15 * FlitWidth'(node * 1000 + packet * 10 + index);
  endfunction

  always #5 clk_i = ~clk_i;
  initial begin : time_limit
    #100_000 $fatal(1, "two_node_bench: FAIL, not finished");
  end

  task check(input logic good, input int node, input int value);
    if (good !== 1'b1) begin
      $display("two_node_bench: FAIL in cycle %0d at node %0d: %0d", cycle, node, value);
      $fatal(1, "two_node_bench: FAIL");
    end
  endtask

  // Checks every flit at a host, in the cycle after the one in which it arrived.
  int next_packet [2];
  int next_index  [2];
  always @(posedge clk_i) begin : monitor
    if (rst_ni === 1'b1) begin
      for (int n = 0; n < 2; n++) begin
        check(deliver_valid_o[n*Radix + 1] === 1'b0, n, 1);
        if (deliver_valid_o[n*Radix] !== 1'b0) begin : flit
          int length, first_cycle;
          check(deliver_valid_o[n*Radix] === 1'b1 && next_packet[n] < Packets, n, 2);
          length      = 32'(packet_length(1 - n, next_packet[n]));
          first_cycle = 1 + SlotCycles * next_packet[n];
          check(deliver_flit_o[n*Radix*FlitWidth +: FlitWidth] === packet_flit(1 - n, next_packet[n], next_index[n]), n, 3);
          check(cycle === first_cycle + next_index[n] + LinkLatency + 1, n, 4);
          check(deliver_last_o[n*Radix] === (next_index[n] == length - 1), n, 5);
          if (next_index[n] == length - 1) begin
            next_packet[n] = next_packet[n] + 1;
            next_index[n]  = 0;
          end else begin
            next_index[n] = next_index[n] + 1;
          end
        end
        // links: a flit in exactly the cycles of the table
        begin : link_flit
          int slot, phase;
          logic expected;
          slot     = (cycle == 0) ? Packets : (32'(cycle) - 1) / SlotCycles;
          phase    = (cycle == 0) ? 0 : (32'(cycle) - 1) % SlotCycles;
          expected = 1'b0;
          if (slot < Packets) expected = phase < 32'(packet_length(n, slot));
          check(tx_valid_o[n*Radix] === expected && tx_valid_o[n*Radix + 1] === 1'b0, n, 6);
        end
      end
    end
  end

  task write_table(input logic [1:0] nodes, input logic [3:0] label, input logic [Radix-1:0] mask,
                             input logic deliver);
    table_valid_i   = nodes;
    table_label_i   = label;
    table_mask_i    = mask;
    table_deliver_i = deliver;
    @(negedge clk_i);
    table_valid_i = 2'b00;
  endtask

  task inject_packet(input int node, input int packet);
    for (int k = 0; k < 32'(packet_length(node, packet)); k++) begin
      inject_valid_i[node*InjectPorts]                       = 1'b1;
      inject_flit_i[node*InjectPorts*FlitWidth +: FlitWidth] = packet_flit(node, packet, k);
      while (inject_ready_o[node*InjectPorts] !== 1'b1) @(negedge clk_i);
      @(negedge clk_i);
      inject_valid_i[node*InjectPorts] = 1'b0;
    end
  endtask

  int delay_expected, last_length;
  initial begin : run
    clk_i = 1'b0; rst_ni = 1'b0; start = 1'b0;
    table_valid_i = '0; table_label_i = '0; table_mask_i = '0; table_deliver_i = 1'b0;
    inject_valid_i = '0; inject_flit_i = '0;
    for (int n = 0; n < 2; n++) begin
      next_packet[n] = 0;
      next_index[n]  = 0;
    end
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    for (int n = 0; n < 2; n++) begin
      write_table(2'b01 << n, 4'(n), 2'b01, 1'b0);        // the sender: through port 0
      write_table(2'b01 << (1 - n), 4'(n), 2'b00, 1'b1);  // the receiver: to the host
    end
    @(negedge clk_i);
    for (int k = 0; k < Packets; k++) begin
      for (int n = 0; n < 2; n++) inject_packet(n, k);
    end
    check(cycle === 0 && running === 1'b0, 0, 7);
    start = 1'b1;
    @(negedge clk_i);
    start = 1'b0;
    while (cycle < 2 || idle_o !== 2'b11) begin
      check(cycle < LimitCycles, 0, 8);
      @(negedge clk_i);
    end
    repeat (4) @(negedge clk_i);
    for (int n = 0; n < 2; n++) begin
      delay_expected = 0;
      for (int k = 1; k <= Packets; k++) delay_expected = delay_expected + k;
      last_length = 32'(packet_length(1 - n, Packets - 1));
      check(next_packet[n] == Packets && next_index[n] == 0, n, 9);
      check(delivered_o[n*32 +: 32] === Packets, n, 10);
      check(sent_o[n*Radix*32 +: 2*32] === {32'd0, 32'(Packets)}, n, 11);
      check(received_o[n*Radix*32 +: 2*32] === {32'd0, 32'(Packets)}, n, 12);
      check(last_delivery_cycle_o[n*32 +: 32] === SlotCycles * (Packets - 1) + last_length + LinkLatency, n, 13);
      check(last_delivery_step_o[n*32 +: 32] === Packets, n, 14);
      check(delay_sum_o[n*64 +: 64] === delay_expected, n, 15);
      check(peak_occupancy_o[n*OccupancyWidth +: OccupancyWidth] === Packets, n, 16);
      check(peak_transit_o[n*OccupancyWidth +: OccupancyWidth] === 0, n, 17);
      if (FifoNodes == 0) check(peak_stored_o[n*Radix*OccupancyWidth +: OccupancyWidth] === Packets, n, 21);
      if (FifoNodes == 0) check(peak_waiting_o[n*Radix*OccupancyWidth +: OccupancyWidth] === Packets - 1, n, 22);
      check(violations_o[n*32 +: 32] === 0 && first_violation_cycle_o[n*32 +: 32] === 0, n, 18);
      check(occupancy_o[n*OccupancyWidth +: OccupancyWidth] === 0, n, 19);
    end
    check(wait_credit_o === '0 && wait_grant_o === '0, 0, 20);
    $display("two_node_bench: %0d packets each way, last delivery in cycles %0d and %0d, step %0d", Packets,
             last_delivery_cycle_o[31:0], last_delivery_cycle_o[63:32], last_delivery_step_o[31:0]);
    $display("two_node_bench: PASS");
    $finish;
  end
endmodule
