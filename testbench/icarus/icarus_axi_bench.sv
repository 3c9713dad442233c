// icarus_axi_bench - two fifo_nodes whose hosts are AXI4-Stream ports, in Icarus Verilog. Self-checking; the last line is
// "axi_bench: PASS", or the bench ends with $fatal.
//
// Port 0 of each node leads to the other. First the cycle table of rtl/host/README.md: a packet of two beats through an idle
// network. Then both users send packets of one and two beats as fast as they are taken, and take what comes in two of three
// cycles; every fifth packet is for a destination that has no label. Inputs change on the falling edge of the clock, outputs
// are sampled at the rising edge. Tasks are static, as in icarus_two_node_bench.
module icarus_axi_bench;
  localparam int Nodes = 2, Radix = 1, FlitWidth = 64, Flits = 3, LabelDepth = 2, NodeIdWidth = 1, TagWidth = 8;
  localparam int DestWidth = 2, Packets = 40;

  logic        clk_i, rst_ni, start;
  logic        running, slot_open_next;
  logic [31:0] cycle, step;
  slot_timer u_timer (
    .clk_i, .rst_ni, .slot_cycles_i(32'd1), .start_i(start), .running_o(running), .cycle_o(cycle), .step_o(step),
    .slot_open_next_o(slot_open_next)
  );

  // table
  logic [Nodes-1:0] table_valid;
  logic             table_label, table_deliver;
  // users
  logic [Nodes-1:0]             s_valid, s_ready, s_last, m_valid, m_ready, m_last, m_id, m_dest, unknown, overflow;
  logic [Nodes*FlitWidth-1:0]   s_data, m_data;
  logic [Nodes*DestWidth-1:0]   s_dest;
  // between nodes and hosts, and between nodes
  logic [Nodes-1:0]             inject_valid, inject_ready, deliver_valid, deliver_last;
  logic [Nodes*FlitWidth-1:0]   inject_flit, deliver_flit, tx_flit;
  logic [Nodes-1:0]             tx_valid, tx_credit, idle;

  for (genvar v = 0; v < Nodes; v++) begin : g_node
    localparam int Other = 1 - v;
    logic       unused_rank, unused_request, unused_grant;
    logic [31:0] sent, received, delivered, last_cycle, last_step, violations, first_violation;
    logic [63:0] delays;
    logic [3:0]  occupancy, peak, peak_transit;
    logic        wait_credit, wait_grant;
    fifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(4), .HostDepth(4), .LabelDepth(LabelDepth),
      .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth)
    ) u_node (
      .clk_i, .rst_ni, .cycle_i(cycle), .step_i(step), .slot_open_next_i(slot_open_next),
      .tx_valid_o(tx_valid[v]), .tx_flit_o(tx_flit[v*FlitWidth +: FlitWidth]), .tx_credit_o(tx_credit[v]),
      .tx_request_o(unused_request), .tx_grant_o(unused_grant),
      .rx_valid_i(tx_valid[Other]), .rx_flit_i(tx_flit[Other*FlitWidth +: FlitWidth]), .rx_credit_i(tx_credit[Other]),
      .rx_request_i(1'b0), .rx_grant_i(1'b0), .fault_drop_i(1'b0), .fault_corrupt_i(1'b0),
      .table_valid_i(table_valid[v]), .table_label_i(table_label), .table_mask_i(!table_deliver),
      .table_deliver_i(table_deliver),
      .inject_valid_i(inject_valid[v]), .inject_ready_o(inject_ready[v]),
      .inject_flit_i(inject_flit[v*FlitWidth +: FlitWidth]),
      .deliver_valid_o(deliver_valid[v]), .deliver_last_o(deliver_last[v]),
      .deliver_flit_o(deliver_flit[v*FlitWidth +: FlitWidth]),
      .sent_o(sent), .received_o(received), .delivered_o(delivered), .last_delivery_cycle_o(last_cycle),
      .last_delivery_step_o(last_step), .delay_sum_o(delays), .occupancy_o(occupancy), .peak_occupancy_o(peak),
      .peak_transit_o(peak_transit), .violations_o(violations), .first_violation_cycle_o(first_violation),
      .wait_credit_o(wait_credit), .wait_grant_o(wait_grant), .idle_o(idle[v])
    );
    axi_stream_host #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(1), .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth),
      .RankWidth(1), .NodeId(v), .DestWidth(DestWidth), .SinkDepth(64), .RouteFile("testbench/icarus/axi_routes.hex")
    ) u_host (
      .clk_i, .rst_ni,
      .s_axis_tvalid_i(s_valid[v]), .s_axis_tready_o(s_ready[v]), .s_axis_tdata_i(s_data[v*FlitWidth +: FlitWidth]),
      .s_axis_tlast_i(s_last[v]), .s_axis_tdest_i(s_dest[v*DestWidth +: DestWidth]),
      .m_axis_tvalid_o(m_valid[v]), .m_axis_tready_i(m_ready[v]), .m_axis_tdata_o(m_data[v*FlitWidth +: FlitWidth]),
      .m_axis_tlast_o(m_last[v]), .m_axis_tid_o(m_id[v]), .m_axis_tdest_o(m_dest[v]),
      .inject_valid_o(inject_valid[v]), .inject_ready_i(inject_ready[v]),
      .inject_flit_o(inject_flit[v*FlitWidth +: FlitWidth]), .inject_rank_o(unused_rank),
      .deliver_valid_i(deliver_valid[v]), .deliver_last_i(deliver_last[v]),
      .deliver_flit_i(deliver_flit[v*FlitWidth +: FlitWidth]),
      .unknown_o(unknown[v]), .overflow_o(overflow[v])
    );
  end

  always #5 clk_i = ~clk_i;
  initial begin : time_limit
    #200_000 $fatal(1, "axi_bench: FAIL, not finished");
  end
  task check(input logic good, input int what);
    if (good !== 1'b1) begin
      $display("axi_bench: FAIL in cycle %0d: check %0d", cycle, what);
      $fatal(1, "axi_bench: FAIL");
    end
  endtask

  function logic [FlitWidth-1:0] beat(input int source, input int packet, input int index);
    beat = {32'(packet) * 32'h9e37_79b9 ^ 32'(source), 32'(index) * 32'h7f4a_7c15 ^ 32'(packet)};
  endfunction
  function int beats_of(input int packet);
    beats_of = 1 + packet % 2;
  endfunction
  function logic is_lost(input int packet);
    is_lost = packet % 5 == 4;
  endfunction

  // ---- users ----
  int   sent_packet [Nodes], sent_beat [Nodes], got_packet [Nodes], got_beat [Nodes];
  int   last_packet;  // the users stop before it
  logic hurried;      // users take beats in every cycle
  always @(negedge clk_i) begin : users
    if (rst_ni === 1'b1) begin
      for (int v = 0; v < Nodes; v++) begin
        s_valid[v] = sent_packet[v] < last_packet && (v == 0 || !hurried);
        s_data[v*FlitWidth +: FlitWidth] = beat(v, sent_packet[v], sent_beat[v]);
        s_last[v] = sent_beat[v] == beats_of(sent_packet[v]) - 1;
        s_dest[v*DestWidth +: DestWidth] = is_lost(sent_packet[v]) ? DestWidth'(3) : DestWidth'(1 - v);
        m_ready[v] = hurried || cycle % 3 != 0;
      end
    end
  end
  always @(posedge clk_i) begin : monitor
    if (rst_ni === 1'b1) begin
      for (int v = 0; v < Nodes; v++) begin
        if (s_valid[v] && s_ready[v]) begin
          if (hurried && first < 0) first <= 32'(cycle);
          sent_beat[v]   <= s_last[v] ? 0 : sent_beat[v] + 1;
          sent_packet[v] <= s_last[v] ? sent_packet[v] + 1 : sent_packet[v];
        end
        if (m_valid[v] === 1'b1 && m_ready[v]) begin
          check(m_data[v*FlitWidth +: FlitWidth] === beat(1 - v, got_packet[v], got_beat[v]), 10 + v);
          check(m_last[v] === (got_beat[v] == beats_of(got_packet[v]) - 1), 20 + v);
          check(m_id[v] === 1'(1 - v) && m_dest[v] === 1'(v), 30 + v);
          got_beat[v]   <= m_last[v] ? 0 : got_beat[v] + 1;
          got_packet[v] <= !m_last[v] ? got_packet[v] : is_lost(got_packet[v] + 1) ? got_packet[v] + 2 : got_packet[v] + 1;
        end
        check(overflow[v] === 1'b0, 40 + v);
      end
    end
  end

  // ---- the cycle table: packet 1 of node 0, of two beats ----
  int first;  // cycle in which its first beat is taken
  always @(posedge clk_i) begin : cycle_table
    if (rst_ni === 1'b1 && hurried && first >= 0) begin
      check(s_ready[0] === 1'b1, 50);
      check(inject_valid[0] === (cycle >= first + 2 && cycle <= first + 4), 51);
      check(tx_valid[0] === (cycle >= first + 5 && cycle <= first + 7), 52);
      check(deliver_valid[1] === (cycle >= first + 6 && cycle <= first + 8), 53);
      check(m_valid[1] === (cycle >= first + 10 && cycle <= first + 11), 54);
    end
  end

  task write_label(input int node, input logic label, input logic deliver);
    table_valid        = '0;
    table_valid[node]  = 1'b1;
    table_label        = label;
    table_deliver      = deliver;
    @(negedge clk_i);
    table_valid        = '0;
  endtask

  initial begin : run
    clk_i = 1'b0; rst_ni = 1'b0; start = 1'b0; hurried = 1'b1; first = -1; last_packet = 0;
    s_valid = '0; s_data = '0; s_last = '0; s_dest = '0; m_ready = '0;
    table_valid = '0; table_label = 1'b0; table_deliver = 1'b0;
    for (int v = 0; v < Nodes; v++) begin
      sent_packet[v] = 1; sent_beat[v] = 0; got_packet[v] = 1; got_beat[v] = 0;
    end
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    for (int v = 0; v < Nodes; v++) begin
      write_label(v, 1'(v), 1'b1);
      write_label(v, 1'(1 - v), 1'b0);
    end
    start = 1'b1;
    @(negedge clk_i);
    start = 1'b0;
    repeat (8) @(negedge clk_i);
    last_packet = 2;
    repeat (20) @(negedge clk_i);
    check(got_packet[1] == 2 && first > 0, 60);
    hurried = 1'b0; last_packet = Packets;
    while (sent_packet[0] < Packets || sent_packet[1] < Packets) @(negedge clk_i);
    repeat (200) @(negedge clk_i);
    for (int v = 0; v < Nodes; v++) begin
      check(got_packet[v] == Packets && unknown[v] === 1'b1, 70 + v);
      check(idle[v] === 1'b1, 80 + v);
    end
    $display("axi_bench: PASS");
    $finish;
  end
endmodule
