// axi_stream_host_stream - the host's packets keep the rules of AXI4-Stream, and no beat is lost, doubled or altered.
//
// In: the user sends packets of any length to one of two destinations, of rank 0 with label 1 and of rank 1 with label 0
// (axi_routes.hex); the router takes flits when it wants to. Out: the router delivers packets of any source through its lanes;
// the user takes beats when he wants to. What is delivered finds room: that is the user's promise.
module axi_stream_host_stream #(
  parameter int Radix     = 2,
  parameter int Flits     = 3,
  parameter int SinkDepth = 3,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int FlitWidth   = 3 + LengthWidth,
  localparam int Beats       = Flits - 1,
  localparam int PlaceBeats  = 2 * Beats
) (
  input logic                       clk_i,
  input logic                       s_axis_tvalid_i,
  input logic [FlitWidth-1:0]       s_axis_tdata_i,
  input logic                       s_axis_tlast_i,
  input logic                       s_axis_tdest_i,
  input logic                       m_axis_tready_i,
  input logic                       inject_ready_i,
  input logic [Radix-1:0]           deliver_valid_i,
  input logic [Radix-1:0]           deliver_last_i,
  input logic [Radix*FlitWidth-1:0] deliver_flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                 s_ready, m_valid, m_last, m_id, m_dest, inject_valid, inject_rank, unknown, overflow;
  logic [FlitWidth-1:0] m_data, inject_flit;
  axi_stream_host #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(1), .NodeIdWidth(1), .TagWidth(1), .RankWidth(1),
    .NodeId(1), .DestWidth(1), .SinkDepth(SinkDepth), .RouteFile("axi_routes.hex")
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .s_axis_tvalid_i, .s_axis_tready_o(s_ready), .s_axis_tdata_i, .s_axis_tlast_i,
    .s_axis_tdest_i, .m_axis_tvalid_o(m_valid), .m_axis_tready_i, .m_axis_tdata_o(m_data), .m_axis_tlast_o(m_last),
    .m_axis_tid_o(m_id), .m_axis_tdest_o(m_dest), .inject_valid_o(inject_valid), .inject_ready_i,
    .inject_flit_o(inject_flit), .inject_rank_o(inject_rank), .deliver_valid_i, .deliver_last_i, .deliver_flit_i,
    .unknown_o(unknown), .overflow_o(overflow)
  );

  // ---- in ----
  logic [LengthWidth-1:0] filled_q, number_q, length_q;  // beats of the packet that comes; flits of the one that leaves
  logic                   takes, injects, header, in_due, in_last;
  logic [$clog2(PlaceBeats+1)-1:0] in_count;
  logic [FlitWidth-1:0]   in_data;
  logic                   tag_q;
  assign takes   = s_axis_tvalid_i && s_ready;
  assign injects = inject_valid && inject_ready_i;
  assign header  = number_q == '0;
  logic in_dest, dest, dest_q;  // of a packet: that of its first beat
  assign dest = filled_q == '0 ? s_axis_tdest_i : dest_q;
  always @(posedge clk_i) if (takes) dest_q <= dest;
  fifo_shadow #(.Width(FlitWidth + 2), .Depth(PlaceBeats)) u_in (
    .clk_i, .rst_ni(rst_n), .push_i(takes), .data_i({dest, s_axis_tlast_i, s_axis_tdata_i}), .pop_i(injects && !header),
    .count_o(in_count), .due_o(in_due), .data_o({in_dest, in_last, in_data})
  );
  logic ends;
  assign ends = !header && number_q + LengthWidth'(1) == length_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      filled_q <= '0;
      number_q <= '0;
      tag_q    <= 1'b0;
    end else begin
      if (takes) filled_q <= s_axis_tlast_i ? '0 : filled_q + LengthWidth'(1);
      if (injects) begin
        number_q <= ends ? '0 : number_q + LengthWidth'(1);
        if (header) length_q <= inject_flit[3 +: LengthWidth];
        if (ends) tag_q <= !tag_q;
      end
    end
  end

  // ---- out: one of the lanes is watched ----
  (* anyconst *) logic lane;
  logic                           begins_q, comes, out_due, out_last;  // begins_q: the lane's next flit is a header
  logic [$clog2(SinkDepth+1)-1:0] out_count;
  logic [FlitWidth-1:0]           flit, out_data;
  assign comes = deliver_valid_i[lane];
  assign flit  = deliver_flit_i[32'(lane)*FlitWidth +: FlitWidth];
  logic out_source, source_q;  // of the packet that comes through the lane
  logic leaves;                // a beat of this lane
  (* hierconn *) wire \u_dut.lane_q ;
  assign leaves = m_valid && \u_dut.lane_q == lane;
  always @(posedge clk_i) if (comes && begins_q) source_q <= flit[1];
  fifo_shadow #(.Width(FlitWidth + 2), .Depth(SinkDepth)) u_out (
    .clk_i, .rst_ni(rst_n), .push_i(comes && !begins_q), .data_i({source_q, deliver_last_i[lane], flit}),
    .pop_i(leaves && m_axis_tready_i), .count_o(out_count), .due_o(out_due), .data_o({out_source, out_last, out_data})
  );
  // ---- whose turn it is, and what the user is owed
  (* hierconn *) wire [Radix-1:0] \u_dut.lane_complete ;
  (* hierconn *) wire             \u_dut.begins , \u_dut.next_lane ;
  logic [Radix-1:0] one_watched, served, begun;
  assign begun = \u_dut.begins ? Radix'(1) << \u_dut.next_lane : '0;
  others_served #(.Radix(Radix)) u_others (
    .clk_i, .rst_ni(rst_n), .asking_i(\u_dut.lane_complete ), .grant_i(begun), .one_watched_o(one_watched), .served_o(served)
  );
  logic [1:0] kept_q;  // packets that were taken whole and have not been injected whole
  always @(posedge clk_i) kept_q <= !rst_n ? '0 : kept_q + 2'(takes && s_axis_tlast_i) - 2'(injects && ends);
  logic [Radix-1:0] begin_q;  // of all lanes
  assign begins_q = begin_q[lane];

  logic                 stalled_q, last_q, id_q, inject_stalled_q;
  logic [FlitWidth-1:0] data_q, inject_flit_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      begin_q          <= '1;
      stalled_q        <= 1'b0;
      inject_stalled_q <= 1'b0;
    end else begin
      for (int l = 0; l < Radix; l++) if (deliver_valid_i[l]) begin_q[l] <= deliver_last_i[l];
      stalled_q        <= m_valid && !m_axis_tready_i;
      inject_stalled_q <= inject_valid && !inject_ready_i;
    end
    {last_q, id_q, data_q} <= {m_last, m_id, m_data};
    inject_flit_q          <= inject_flit;
  end
  (* hierconn *) wire [Radix-1:0] \u_dut.lane_overflow ;

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (32'(filled_q) < Beats - 1 || s_axis_tlast_i);
      assume (\u_dut.lane_overflow == '0);
      a_valid_stays_until_ready   : assert (!stalled_q || m_valid);
      a_data_stay_until_ready     : assert (!stalled_q || {m_last, m_id, m_data} == {last_q, id_q, data_q});
      a_beats_leave_as_delivered  : assert (!(leaves && out_due) || {m_last, m_data} == {out_last, out_data});
      a_packets_have_their_source : assert (!(leaves && out_due) || m_id == out_source);
      a_nothing_leaves_that_did_not_come : assert (!leaves || out_count != '0);
      a_lanes_take_turns : assert ((begun & served) == '0);
      a_one_packet_comes_while_another_leaves : assert (s_ready == (kept_q != 2'd2));
      a_whole_packets_are_injected : assert (inject_valid == (kept_q != '0));
      a_the_rank_is_that_of_the_table : assert (!(inject_valid && in_due) || inject_rank == in_dest);
      a_flits_stay_until_they_are_taken  : assert (!inject_stalled_q || (inject_valid && inject_flit == inject_flit_q));
      a_beats_are_injected_in_order : assert (!(inject_valid && !header && in_due) || inject_flit == in_data);
      a_the_header_tells_the_length : assert (!(inject_valid && !header && in_due) || in_last == ends);
      a_the_header_names_label_source_and_tag :
        assert (!(inject_valid && header) || (inject_flit[2:1] == {tag_q, 1'b1} && in_count != '0 &&
                                              (!in_due || inject_flit[0] == !in_dest)));
      a_nothing_is_dropped : assert (!unknown && !overflow && m_dest);
      c_out : cover (m_valid && m_last && m_id != lane && leaves && out_due && stalled_q);
      c_in  : cover (ends && in_due && injects && 32'(length_q) == Flits && tag_q);
    end
  end
endmodule
