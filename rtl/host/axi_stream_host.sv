// axi_stream_host - the host ports of a router (pifo_node, fifo_node) as AXI4-Stream: packets in with a destination, packets
// out with their source.
//
// In: a packet is its beats up to tlast, at most Flits - 1; tdest, read with the first, chooses {rank, label} from a table.
// It is kept until it is complete, since the header says how long it is, and then injected: the header, and a flit for each
// beat. There is room for two packets, so one is taken while the one before it is injected.
// Out: a router gives packets through a lane for each port, and the host has to take them. Here each lane has room for
// SinkDepth flits, and complete packets leave in turn, the lanes one after the other. What finds no room is lost, and
// overflow_o stays high: SinkDepth has to hold what can arrive while the user does not take it.
// tready of the packets in is a function of registers, and so is everything that leaves.
module axi_stream_host #(
  parameter int Radix       = 4,   // delivery lanes: ports of the router
  parameter int FlitWidth   = 64,
  parameter int Flits       = 2,   // of the longest packet, at least 2: a header, and a flit for each beat
  parameter int LabelWidth  = 6,
  parameter int NodeIdWidth = 8,
  parameter int TagWidth    = 8,
  parameter int RankWidth   = 1,
  parameter int NodeId      = 0,   // of this node
  parameter int DestWidth   = 8,   // bits of tdest
  parameter int SinkDepth   = 8,   // flits kept of each lane, at least Flits
  parameter     RouteFile   = ""   // hexadecimal: 2^DestWidth words {there is one, rank, label}
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // packets in
  input  logic                       s_axis_tvalid_i,
  output logic                       s_axis_tready_o,
  input  logic [FlitWidth-1:0]       s_axis_tdata_i,
  input  logic                       s_axis_tlast_i,
  input  logic [DestWidth-1:0]       s_axis_tdest_i,
  // packets out
  output logic                       m_axis_tvalid_o,
  input  logic                       m_axis_tready_i,
  output logic [FlitWidth-1:0]       m_axis_tdata_o,
  output logic                       m_axis_tlast_o,
  output logic [NodeIdWidth-1:0]     m_axis_tid_o,     // the packet's source
  output logic [NodeIdWidth-1:0]     m_axis_tdest_o,   // this node
  // the router's host ports
  output logic                       inject_valid_o,
  input  logic                       inject_ready_i,
  output logic [FlitWidth-1:0]       inject_flit_o,
  output logic [RankWidth-1:0]       inject_rank_o,
  input  logic [Radix-1:0]           deliver_valid_i,
  input  logic [Radix-1:0]           deliver_last_i,
  input  logic [Radix*FlitWidth-1:0] deliver_flit_i,
  // what went wrong, until reset
  output logic                       unknown_o,        // a packet for a destination without a label was dropped
  output logic                       overflow_o        // a flit found no room
);
  localparam int Beats       = Flits - 1;
  localparam int LengthWidth = $clog2(Flits + 1);
  localparam int LengthShift = LabelWidth + NodeIdWidth + TagWidth;  // header: {0, length, tag, source, label}
  localparam int BeatWidth   = safnet_pkg::index_width(2 * Beats);
  localparam int RouteWidth  = 1 + RankWidth + LabelWidth;

  logic [RouteWidth-1:0] routes [0:(1 << DestWidth)-1];
  if (RouteFile != "") begin : g_file
    initial begin : read_file
      $readmemh(RouteFile, routes);
    end
  end else begin : g_empty
    initial begin : clear
      for (int i = 0; i < (1 << DestWidth); i++) routes[i] = '0;
    end
  end

  // ---- packets in: two places; one is being filled while the other is complete and is injected ----
  logic [FlitWidth-1:0]   beat_q [0:2*Beats-1];
  logic [LengthWidth-1:0] count_q [0:1];           // beats that a place has
  logic [RouteWidth-1:0]  route_q [0:1];
  logic [1:0]             complete_q;
  logic                   fill_q, drain_q;         // places
  logic [LengthWidth-1:0] filled_q, drained_q;     // beats taken; flits injected
  logic [TagWidth-1:0]    tag_q;
  logic                   takes, takes_last, gives, gives_last, known;

  assign s_axis_tready_o = !complete_q[fill_q];
  assign takes           = s_axis_tvalid_i && s_axis_tready_o;
  assign takes_last      = takes && s_axis_tlast_i;
  assign known           = route_q[drain_q][RouteWidth-1];

  logic [LengthWidth-1:0] length;
  logic [FlitWidth-1:0]   header;
  assign length = count_q[drain_q] + LengthWidth'(1);
  always_comb begin
    header = '0;
    header[0 +: LabelWidth]                      = route_q[drain_q][0 +: LabelWidth];
    header[LabelWidth +: NodeIdWidth]            = NodeIdWidth'(NodeId);
    header[LabelWidth + NodeIdWidth +: TagWidth] = tag_q;
    header[LengthShift +: LengthWidth]           = length;
  end
  assign inject_valid_o = complete_q[drain_q] && known;
  assign inject_rank_o  = route_q[drain_q][LabelWidth +: RankWidth];
  assign inject_flit_o  = (drained_q == '0) ? header : beat_q[place(drain_q, drained_q - LengthWidth'(1))];
  assign gives          = complete_q[drain_q] && (inject_ready_i || !known);
  assign gives_last     = gives && (drained_q == count_q[drain_q] || !known);

  // Where beat `number` of a place is kept.
  function logic [BeatWidth-1:0] place(input logic which, input logic [LengthWidth-1:0] number);
    place = BeatWidth'(32'(number) + (which ? Beats : 0));
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      complete_q <= '0;
      fill_q     <= 1'b0;
      drain_q    <= 1'b0;
      filled_q   <= '0;
      drained_q  <= '0;
      tag_q      <= '0;
      unknown_o  <= 1'b0;
    end else begin
      if (takes) filled_q <= takes_last ? '0 : filled_q + LengthWidth'(1);
      if (takes_last) begin
        complete_q[fill_q] <= 1'b1;
        fill_q             <= !fill_q;
      end
      if (gives) drained_q <= gives_last ? '0 : drained_q + LengthWidth'(1);
      if (gives_last) begin
        complete_q[drain_q] <= 1'b0;
        drain_q             <= !drain_q;
        if (known) tag_q     <= tag_q + TagWidth'(1);
        else       unknown_o <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (takes) beat_q[place(fill_q, filled_q)] <= s_axis_tdata_i;
    if (takes && filled_q == '0) route_q[fill_q] <= routes[s_axis_tdest_i];
    if (takes_last) count_q[fill_q] <= filled_q + LengthWidth'(1);
  end

  // ---- packets out: a ring of flits for each lane ----
  localparam int RingWidth  = safnet_pkg::index_width(SinkDepth);
  localparam int LevelWidth = $clog2(SinkDepth + 1);
  localparam int LaneWidth  = safnet_pkg::index_width(Radix);

  logic [Radix-1:0]           lane_complete, lane_overflow, lane_pop, lane_last;
  logic [Radix*FlitWidth-1:0] lane_flit;
  for (genvar l = 0; l < Radix; l++) begin : g_lane
    logic [FlitWidth:0]    ring_q [0:SinkDepth-1];  // {last, flit}
    logic [RingWidth-1:0]  write_q, read_q;
    logic [LevelWidth-1:0] level_q, packets_q;
    logic                  has_room, push;
    assign has_room         = level_q != LevelWidth'(SinkDepth) || lane_pop[l];
    assign push             = deliver_valid_i[l] && has_room;
    assign lane_complete[l] = packets_q != '0;
    assign lane_overflow[l] = deliver_valid_i[l] && !has_room;
    assign {lane_last[l], lane_flit[l*FlitWidth +: FlitWidth]} = ring_q[read_q];
    always_ff @(posedge clk_i) begin
      if (push) ring_q[write_q] <= {deliver_last_i[l], deliver_flit_i[l*FlitWidth +: FlitWidth]};
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        write_q   <= '0;
        read_q    <= '0;
        level_q   <= '0;
        packets_q <= '0;
      end else begin
        if (push)        write_q <= (write_q == RingWidth'(SinkDepth - 1)) ? '0 : write_q + RingWidth'(1);
        if (lane_pop[l]) read_q  <= (read_q == RingWidth'(SinkDepth - 1)) ? '0 : read_q + RingWidth'(1);
        level_q   <= level_q + LevelWidth'(push) - LevelWidth'(lane_pop[l]);
        packets_q <= packets_q + LevelWidth'(push && deliver_last_i[l]) - LevelWidth'(lane_pop[l] && lane_last[l]);
      end
    end
  end

  // The lane whose packet leaves. Its header is taken in a cycle in which nothing leaves; the next lane is the one after it.
  logic                 busy_q, found;
  logic [LaneWidth-1:0] lane_q, next_lane, candidate;
  logic [NodeIdWidth-1:0] source_q;
  logic                 begins, moves;
  always_comb begin
    found     = 1'b0;
    next_lane = lane_q;
    candidate = lane_q;
    for (int k = 0; k < Radix; k++) begin
      candidate = (candidate == LaneWidth'(Radix - 1)) ? '0 : candidate + LaneWidth'(1);
      if (!found && lane_complete[candidate]) begin
        found     = 1'b1;
        next_lane = candidate;
      end
    end
  end
  assign begins          = !busy_q && found;
  assign moves           = busy_q && m_axis_tready_i;
  assign m_axis_tvalid_o = busy_q;
  assign m_axis_tdata_o  = lane_flit[32'(lane_q)*FlitWidth +: FlitWidth];
  assign m_axis_tlast_o  = lane_last[lane_q];
  assign m_axis_tid_o    = source_q;
  assign m_axis_tdest_o  = NodeIdWidth'(NodeId);
  always_comb begin
    lane_pop = '0;
    if (begins)     lane_pop[next_lane] = 1'b1;
    else if (moves) lane_pop[lane_q]    = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      lane_q     <= '0;
      overflow_o <= 1'b0;
    end else begin
      if (begins) lane_q <= next_lane;
      if (begins)                    busy_q <= !lane_last[next_lane];  // a packet that is a header alone has no beats
      else if (moves && m_axis_tlast_o) busy_q <= 1'b0;
      if (lane_overflow != '0) overflow_o <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) source_q <= lane_flit[32'(next_lane)*FlitWidth + LabelWidth +: NodeIdWidth];
  end

  always @(posedge clk_i) begin : a_a_packet_has_at_most_flits_less_one_beats
    if (rst_ni) assert (!takes || 32'(filled_q) < Beats);
  end
  always @(posedge clk_i) begin : a_the_user_takes_packets_in_time
    if (rst_ni) assert (lane_overflow == '0);
  end

  initial begin : check_parameters
    if (Flits < 2) $fatal(1, "axi_stream_host: Flits must be at least 2, for a header and a beat");
    if (SinkDepth < Flits) $fatal(1, "axi_stream_host: SinkDepth must be at least Flits");
    if (LengthShift + LengthWidth > FlitWidth)
      $fatal(1, "axi_stream_host: FlitWidth must be at least %0d bits for the header", LengthShift + LengthWidth);
    if (DestWidth < 1 || DestWidth > 16) $fatal(1, "axi_stream_host: DestWidth must be 1 to 16");
  end
endmodule
