// pifo_queue - a push-in first-out queue that accepts a packet from every input in one cycle.
//
// Every input has a lane of its own: a packet_store, and rank_buckets that keep the order of the packets in it. The
// head of the queue is the smallest head of the lanes by (rank, local, time of arrival, lane): smallest rank first; at
// equal rank packets in transit before packets of the local host (the last lane), then in order of arrival, then the
// lower input first. A lane has as many places as its link has credits, so a packet that arrives always finds one.
// Each lane's memory needs one write port only; what the queue costs is Lanes stores of Depth packets and a comparator
// per lane.
//
// MaskWidth > 1 (one-port nodes): packets carry a mask of the ports that they still have to leave through, and leave
// the queue when the mask is empty. RestRanks = 1: when a copy of the head has been taken and other ports are left in
// its mask, it may continue with another rank. It then gives up its place in the order of its lane and is entered into
// a further rank_buckets, shared by all lanes, as if it had arrived in this cycle, before all packets that do arrive
// in it. Its flits stay where they are in its lane's store.
module pifo_queue #(
`include "common/queue_parameters.svh"
  parameter int RankLevels  = 4,
  parameter int RestRanks   = 0,  // 1: a packet sent in part may have another rank; needs MaskWidth > 1
  localparam int StampWidth = 32,
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
`include "common/as_ports.svh"
`include "common/queue_ports.svh"
  input  logic [StampWidth-1:0]      now_i,         // number of the cycle: time of arrival of what is committed
  input  logic [Lanes*RankWidth-1:0] commit_rank_i,
  input  logic                       rest_i,        // when a copy has been taken, the head continues with another rank:
  input  logic [RankWidth-1:0]       rest_rank_i    // this one
);
  // All queues of a node, and of a network, share one piece of code that Verilator generates: it is compiled only once.
  /* verilator no_inline_module */

  localparam int KeyWidth = RankWidth + 1 + StampWidth;

  logic [Lanes-1:0]           lane_valid, lane_pop;
  logic [Lanes*SlotWidth-1:0] lane_slot;
  logic [Lanes*KeyWidth-1:0]  lane_key;
  logic [Lanes*MaskWidth-1:0] lane_mask;
  logic [Lanes*FlitWidth-1:0] lane_flit;
  logic [KeyWidth-1:0]        best_key;
  logic                       rest_valid, head_is_rest;  // rest_*: first of the packets that have taken another rank
  logic [LaneWidth-1:0]       rest_lane;
  logic [SlotWidth-1:0]       rest_slot;
  logic [KeyWidth-1:0]        rest_key;
  logic [MaskWidth-1:0]       rest_mask;
  logic                       served_in_part, moves;
  logic [TotalWidth-1:0]      occupancy_q, transit_q;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int IsHost         = (l == Lanes - 1) ? 1 : 0;
    localparam int LaneDepth      = (IsHost != 0) ? HostDepth : Depth;
    localparam int LaneSlotWidth  = safnet_pkg::index_width(LaneDepth);
    localparam int LaneCountWidth = $clog2(LaneDepth + 1);

    logic [LaneSlotWidth-1:0]  write_slot, head_slot;
    logic [LaneCountWidth-1:0] count_next;
    logic [RankWidth-1:0]      head_rank;
    logic [StampWidth-1:0]     head_stamp;
    logic                      released;

    assign released = release_i && read_lane_i == LaneWidth'(l);

    packet_store #(.FlitWidth(FlitWidth), .Flits(Flits), .Depth(LaneDepth)) u_store (
      .clk_i, .rst_ni,
      .write_valid_i  (write_valid_i[l]),
      .write_index_i  (write_index_i[l*IndexWidth +: IndexWidth]),
      .write_flit_i   (write_flit_i[l*FlitWidth +: FlitWidth]),
      .commit_i       (commit_i[l]),
      .write_slot_o   (write_slot),
      .read_here_i    (read_lane_i == LaneWidth'(l)),
      .read_slot_i    (LaneSlotWidth'(read_slot_i)),
      .read_index_i   (read_index_i),
      .read_flit_o    (lane_flit[l*FlitWidth +: FlitWidth]),
      .release_i      (released),
      .release_slot_i (LaneSlotWidth'(read_slot_i)),
      .count_next_o   (count_next)
    );
    rank_buckets #(.Depth(LaneDepth), .RankLevels(RankLevels), .StampWidth(StampWidth)) u_order (
      .clk_i, .rst_ni,
      .push_i       (commit_i[l]),
      .push_slot_i  (write_slot),
      .push_rank_i  (commit_rank_i[l*RankWidth +: RankWidth]),
      .push_stamp_i (now_i),
      .pop_i        (lane_pop[l]),
      .head_valid_o (lane_valid[l]),
      .head_slot_o  (head_slot),
      .head_rank_o  (head_rank),
      .head_stamp_o (head_stamp)
    );
    assign lane_slot[l*SlotWidth +: SlotWidth]     = SlotWidth'(head_slot);
    assign lane_key[l*KeyWidth +: KeyWidth]        = {head_rank, 1'(IsHost), head_stamp};
    assign count_next_o[l*CountWidth +: CountWidth] = CountWidth'(count_next);

    if (MaskWidth > 1) begin : g_mask
      logic [MaskWidth-1:0] mask_q [LaneDepth];
      logic                 served_here;
      assign served_here = served_in_part && !head_is_rest && head_lane_o == LaneWidth'(l);
      always_ff @(posedge clk_i) begin
        if (commit_i[l]) mask_q[write_slot] <= commit_mask_i[l*MaskWidth +: MaskWidth];
        if (served_here) mask_q[head_slot]  <= head_mask_o & ~serve_mask_i;
      end
      assign lane_mask[l*MaskWidth +: MaskWidth] = mask_q[head_slot];
    end else begin : g_no_mask
      logic unused;
      assign lane_mask[l] = 1'b1;
      assign unused       = commit_mask_i[l];
    end
  end

  if (RestRanks != 0) begin : g_rest
    localparam int Places     = Lanes * (1 << SlotWidth);  // {lane, slot}
    localparam int PlaceWidth = safnet_pkg::index_width(Places);
    logic [PlaceWidth-1:0] head_place, rest_place;
    logic [RankWidth-1:0]  rest_head_rank;
    logic [StampWidth-1:0] rest_stamp;
    logic [MaskWidth-1:0]  rest_mask_q [Places];

    assign moves      = served_in_part && !head_is_rest && rest_i && rest_rank_i != best_key[KeyWidth-1 -: RankWidth];
    assign head_place = PlaceWidth'({head_lane_o, head_slot_o});
    rank_buckets #(.Depth(Places), .RankLevels(RankLevels), .StampWidth(StampWidth)) u_order (
      .clk_i, .rst_ni,
      .push_i       (moves),
      .push_slot_i  (head_place),
      .push_rank_i  (rest_rank_i),
      .push_stamp_i (now_i),
      .pop_i        (head_is_rest && head_done_o),
      .head_valid_o (rest_valid),
      .head_slot_o  (rest_place),
      .head_rank_o  (rest_head_rank),
      .head_stamp_o (rest_stamp)
    );
    always_ff @(posedge clk_i) begin
      if (served_in_part) rest_mask_q[head_place] <= head_mask_o & ~serve_mask_i;
    end
    assign rest_lane = LaneWidth'(rest_place >> SlotWidth);
    assign rest_slot = SlotWidth'(rest_place);
    assign rest_key  = {rest_head_rank, 1'b0, rest_stamp};
    assign rest_mask = rest_mask_q[rest_place];
  end else begin : g_no_rest
    logic unused;
    assign moves      = 1'b0;
    assign rest_valid = 1'b0;
    assign rest_lane  = '0;
    assign rest_slot  = '0;
    assign rest_key   = '0;
    assign rest_mask  = '0;
    assign unused     = &{1'b0, rest_i, rest_rank_i, served_in_part};
  end

  // At equal keys a packet that has taken another rank goes before those of the lanes, and the lower lane before the
  // higher.
  always_comb begin
    head_valid_o = rest_valid;
    head_is_rest = rest_valid;
    head_lane_o  = rest_lane;
    head_slot_o  = rest_slot;
    head_mask_o  = rest_mask;
    best_key     = rest_key;
    if (lane_valid != '0) for (int l = 0; l < Lanes; l++) begin
      if (lane_valid[l] && (!head_valid_o || lane_key[l*KeyWidth +: KeyWidth] < best_key)) begin
        head_valid_o = 1'b1;
        head_is_rest = 1'b0;
        head_lane_o  = LaneWidth'(l);
        head_slot_o  = lane_slot[l*SlotWidth +: SlotWidth];
        head_mask_o  = lane_mask[l*MaskWidth +: MaskWidth];
        best_key     = lane_key[l*KeyWidth +: KeyWidth];
      end
    end
  end

  assign head_done_o    = serve_mask_i != '0 && (head_mask_o & ~serve_mask_i) == '0;
  assign served_in_part = head_valid_o && serve_mask_i != '0 && !head_done_o;
  for (genvar l = 0; l < Lanes; l++) begin : g_pop
    assign lane_pop[l] = head_valid_o && !head_is_rest && (head_done_o || moves) && head_lane_o == LaneWidth'(l);
  end

  always_comb begin
    read_flit_o = '0;
    for (int l = 0; l < Lanes; l++) read_flit_o = read_flit_o | lane_flit[l*FlitWidth +: FlitWidth];
  end
  assign occupancy_o = occupancy_q;
  assign transit_o   = transit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      occupancy_q <= '0;
      transit_q   <= '0;
    end else if (release_i || commit_i != '0) begin : update
      logic [TotalWidth-1:0] commits;  // of packets in transit
      commits = '0;
      for (int l = 0; l < Lanes - 1; l++) commits = commits + TotalWidth'(commit_i[l]);
      occupancy_q <= occupancy_q + commits + TotalWidth'(commit_i[Lanes-1]) - TotalWidth'(release_i);
      transit_q   <= transit_q + commits - TotalWidth'(release_i && read_lane_i != LaneWidth'(Lanes - 1));
    end
  end

  always @(posedge clk_i) begin : a_only_a_head_is_served
    if (rst_ni && serve_mask_i != '0) assert (head_valid_o && (serve_mask_i & ~head_mask_o) == '0);
  end

  initial begin : check_parameters
    if (Lanes < 2)     $fatal(1, "pifo_queue: Lanes must be at least 2");
    if (MaskWidth < 1) $fatal(1, "pifo_queue: MaskWidth must be at least 1");
    if (RestRanks < 0 || RestRanks > 1) $fatal(1, "pifo_queue: RestRanks must be 0 or 1");
  end
endmodule
