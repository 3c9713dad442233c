// icarus_axi_lanes_bench - the receiving half of an axi_stream_host with three lanes, by itself: what three ports of a router
// deliver at once leaves complete, in order, lane after lane. Self-checking; the last line is "axi_lanes_bench: PASS", or the
// bench ends with $fatal.
//
// The source in a packet's header is its lane, so the monitor knows by tid which lane's packet leaves. Lanes are filled up to
// SinkDepth and no further, by the bench's own count, while the user takes beats in most cycles and at times not at all. While a
// lane has a complete packet, few packets of the others leave before it.
module icarus_axi_lanes_bench;
  localparam int Radix = 3, FlitWidth = 64, Flits = 3, LabelWidth = 1, NodeIdWidth = 2, SinkDepth = 5, Packets = 200;

  logic                       clk_i, rst_ni;
  logic                       m_valid, m_ready, m_last, s_ready, inject_valid, unused_rank, unknown, overflow;
  logic [FlitWidth-1:0]       m_data, inject_flit;
  logic [NodeIdWidth-1:0]     m_id, m_dest;
  logic [Radix-1:0]           deliver_valid, deliver_last;
  logic [Radix*FlitWidth-1:0] deliver_flit;
  axi_stream_host #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(LabelWidth), .NodeIdWidth(NodeIdWidth), .TagWidth(8),
    .NodeId(2), .DestWidth(1), .SinkDepth(SinkDepth)
  ) u_host (
    .clk_i, .rst_ni,
    .s_axis_tvalid_i(1'b0), .s_axis_tready_o(s_ready), .s_axis_tdata_i(64'd0), .s_axis_tlast_i(1'b0), .s_axis_tdest_i(1'b0),
    .m_axis_tvalid_o(m_valid), .m_axis_tready_i(m_ready), .m_axis_tdata_o(m_data), .m_axis_tlast_o(m_last),
    .m_axis_tid_o(m_id), .m_axis_tdest_o(m_dest),
    .inject_valid_o(inject_valid), .inject_ready_i(1'b1), .inject_flit_o(inject_flit), .inject_rank_o(unused_rank),
    .deliver_valid_i(deliver_valid), .deliver_last_i(deliver_last), .deliver_flit_i(deliver_flit),
    .unknown_o(unknown), .overflow_o(overflow)
  );
  always #5 clk_i = ~clk_i;
  initial begin : time_limit
    #400_000 $fatal(1, "axi_lanes_bench: FAIL, not finished");
  end
  task check(input logic good, input int what);
    if (good !== 1'b1) begin
      $display("axi_lanes_bench: FAIL: check %0d", what);
      $fatal(1, "axi_lanes_bench: FAIL");
    end
  endtask

  // A packet is its header and 0 to 2 beats; that of a header alone leaves as nothing.
  function int beats_of(input int lane, input int packet);
    beats_of = (packet * 7 + lane) % 3;
  endfunction
  function logic [FlitWidth-1:0] flit(input int lane, input int packet, input int index);
    flit = {32'(packet) * 32'h9e37_79b9 ^ 32'(lane), 32'(index) * 32'h7f4a_7c15 ^ 32'(packet)};
    if (index == 0) flit[LabelWidth +: NodeIdWidth] = NodeIdWidth'(lane);
  endfunction

  int   packet [Radix], index [Radix];          // next to be delivered
  int   got_packet [Radix], got_beat [Radix];   // next to leave
  int   stored [Radix], complete [Radix], passed [Radix];
  int   dice, current;
  logic stopped;  // the user takes nothing
  always @(negedge clk_i) begin : ports
    for (int l = 0; l < Radix; l++) begin
      dice = $urandom_range(9);
      deliver_valid[l] = rst_ni === 1'b1 && packet[l] < Packets && stored[l] < SinkDepth && dice < (stopped ? 10 : 6);
      deliver_last[l]  = index[l] == beats_of(l, packet[l]);
      deliver_flit[l*FlitWidth +: FlitWidth] = flit(l, packet[l], index[l]);
    end
    dice    = $urandom_range(3);
    m_ready = rst_ni === 1'b1 && !stopped && dice != 0;
  end

  task delivered(input int lane);
    stored[lane] = stored[lane] + 1;
    if (deliver_last[lane]) begin
      packet[lane]   = packet[lane] + 1;
      index[lane]    = 0;
      complete[lane] = complete[lane] + 1;
    end else begin
      index[lane] = index[lane] + 1;
    end
  endtask
  // What is complete and has no beats leaves with its header, of which nothing is seen: the count allows for it.
  task skip_empty(input int lane);
    while (got_packet[lane] < packet[lane] && beats_of(lane, got_packet[lane]) == 0) begin
      got_packet[lane] = got_packet[lane] + 1;
      stored[lane]     = stored[lane] - 1;
      complete[lane]   = complete[lane] - 1;
    end
  endtask
  always @(posedge clk_i) begin : monitor
    if (rst_ni === 1'b1) begin
      check(overflow === 1'b0 && s_ready === 1'b1 && inject_valid === 1'b0 && unknown === 1'b0, 1);
      for (int l = 0; l < Radix; l++) begin
        if (deliver_valid[l]) delivered(l);
      end
      if (m_valid === 1'b1 && m_ready) begin
        current = 32'(m_id);
        check(m_dest === 2'd2 && current < Radix, 2);
        if (got_beat[current] == 0) begin
          skip_empty(current);
          for (int l = 0; l < Radix; l++) begin
            if (l != current && complete[l] > 0) passed[l] = passed[l] + 1;
          end
          passed[current] = 0;
        end
        check(m_data === flit(current, got_packet[current], got_beat[current] + 1), 10 + current);
        got_beat[current] = got_beat[current] + 1;
        check(m_last === (got_beat[current] == beats_of(current, got_packet[current])), 20 + current);
        if (m_last === 1'b1) begin
          stored[current]     = stored[current] - got_beat[current] - 1;
          complete[current]   = complete[current] - 1;
          got_packet[current] = got_packet[current] + 1;
          got_beat[current]   = 0;
        end
      end
      // Others may have begun one packet before this one was complete, and each has one turn.
      for (int l = 0; l < Radix; l++) check(passed[l] <= 2 * Radix, 30 + l);
    end
  end

  initial begin : run
    clk_i = 1'b0; rst_ni = 1'b0; stopped = 1'b0; m_ready = 1'b0; deliver_valid = '0; deliver_last = '0; deliver_flit = '0;
    for (int l = 0; l < Radix; l++) begin
      packet[l] = 0; index[l] = 0; got_packet[l] = 0; got_beat[l] = 0; stored[l] = 0; complete[l] = 0; passed[l] = 0;
    end
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    for (int turn = 0; turn < 20; turn++) begin
      repeat (60) @(negedge clk_i);
      stopped = 1'b1;
      repeat (20) @(negedge clk_i);
      stopped = 1'b0;
    end
    while (packet[0] < Packets || packet[1] < Packets || packet[2] < Packets) @(negedge clk_i);
    repeat (100) @(negedge clk_i);
    for (int l = 0; l < Radix; l++) begin
      skip_empty(l);
      check(got_packet[l] == Packets && stored[l] == 0, 40 + l);
    end
    check(m_valid === 1'b0, 50);
    $display("axi_lanes_bench: PASS");
    $finish;
  end
endmodule
