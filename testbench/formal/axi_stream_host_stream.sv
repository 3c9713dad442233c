// axi_stream_host_stream - the host's packets keep the rules of AXI4-Stream, and no beat is lost, doubled or altered.
//
// In: the user sends packets of any length to a destination that has a label; the router takes flits when it wants to. Out:
// the router delivers packets through its lanes, whose headers name the lane as the source, so that the proof can tell them
// apart; the user takes beats when he wants to. What is delivered finds room: that is the user's promise.
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
    .s_axis_tdest_i(1'b1), .m_axis_tvalid_o(m_valid), .m_axis_tready_i, .m_axis_tdata_o(m_data), .m_axis_tlast_o(m_last),
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
  fifo_shadow #(.Width(FlitWidth + 1), .Depth(PlaceBeats)) u_in (
    .clk_i, .rst_ni(rst_n), .push_i(takes), .data_i({s_axis_tlast_i, s_axis_tdata_i}), .pop_i(injects && !header),
    .count_o(in_count), .due_o(in_due), .data_o({in_last, in_data})
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
  fifo_shadow #(.Width(FlitWidth + 1), .Depth(SinkDepth)) u_out (
    .clk_i, .rst_ni(rst_n), .push_i(comes && !begins_q), .data_i({deliver_last_i[lane], flit}),
    .pop_i(m_valid && m_axis_tready_i && m_id == lane), .count_o(out_count), .due_o(out_due), .data_o({out_last, out_data})
  );
  logic [Radix-1:0] begin_q;  // of all lanes
  assign begins_q = begin_q[lane];
  logic sources_are_lanes;
  always_comb begin
    sources_are_lanes = 1'b1;
    for (int l = 0; l < Radix; l++)
      if (deliver_valid_i[l] && begin_q[l]) sources_are_lanes = sources_are_lanes && deliver_flit_i[l*FlitWidth + 1] == 1'(l);
  end
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
      assume (sources_are_lanes);
      a_valid_stays_until_ready   : assert (!stalled_q || m_valid);
      a_data_stay_until_ready     : assert (!stalled_q || {m_last, m_id, m_data} == {last_q, id_q, data_q});
      a_beats_leave_as_delivered  : assert (!(m_valid && m_id == lane && out_due) || {m_last, m_data} == {out_last, out_data});
      a_nothing_leaves_that_did_not_come : assert (!(m_valid && m_id == lane) || out_count != '0);
      a_flits_stay_until_they_are_taken  : assert (!inject_stalled_q || (inject_valid && inject_flit == inject_flit_q));
      a_beats_are_injected_in_order : assert (!(inject_valid && !header && in_due) || inject_flit == in_data);
      a_the_header_tells_the_length : assert (!(inject_valid && !header && in_due) || in_last == ends);
      a_the_header_names_label_source_and_tag :
        assert (!(inject_valid && header) || (inject_flit[2:0] == {tag_q, 2'b11} && in_count != '0));
      a_nothing_is_dropped : assert (!unknown && !overflow && m_dest);
      c_out : cover (m_valid && m_last && m_id == lane && out_due && stalled_q);
      c_in  : cover (ends && in_due && injects && 32'(length_q) == Flits && tag_q);
    end
  end
endmodule
