// rtl_queue_bench - pifo_queues with different parameters; case_i says which of them gets the traffic. Fields of lanes
// keep the same place for all of them; the host's lane is the last that the queue has.
module rtl_queue_bench #(
  parameter int Lanes     = 5,
  parameter int FlitWidth = 32,
  parameter int Cases     = 8
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [2:0]                 case_i,
  output logic [7:0]                 lanes_o,
  output logic [7:0]                 flits_o,
  output logic [7:0]                 depth_o,
  output logic [7:0]                 host_depth_o,
  output logic [7:0]                 ranks_o,
  output logic [7:0]                 mask_width_o,
  input  logic [31:0]                now_i,
  input  logic [Lanes-1:0]           write_valid_i,
  input  logic [Lanes*2-1:0]         write_index_i,
  input  logic [Lanes*FlitWidth-1:0] write_flit_i,
  input  logic [Lanes-1:0]           commit_i,
  input  logic [Lanes*8-1:0]         commit_rank_i,
  input  logic [Lanes*4-1:0]         commit_mask_i,
  output logic                       head_valid_o,
  output logic [2:0]                 head_lane_o,
  output logic [3:0]                 head_slot_o,
  output logic [3:0]                 head_mask_o,
  input  logic [3:0]                 serve_mask_i,
  output logic                       head_done_o,
  input  logic                       rest_i,
  input  logic [7:0]                 rest_rank_i,
  input  logic [2:0]                 read_lane_i,
  input  logic [3:0]                 read_slot_i,
  input  logic [1:0]                 read_index_i,
  output logic [FlitWidth-1:0]       read_flit_o,
  input  logic                       release_i,
  output logic [Lanes*5-1:0]         count_next_o,
  output logic [7:0]                 occupancy_o,
  output logic [7:0]                 transit_o
);
  localparam logic [Cases*8-1:0] LaneCounts = {8'd4,  8'd2,   8'd4,  8'd5,  8'd3,   8'd5,  8'd5, 8'd2};
  localparam logic [Cases*8-1:0] Flits      = {8'd1,  8'd2,   8'd4,  8'd1,  8'd3,   8'd4,  8'd1, 8'd1};
  localparam logic [Cases*8-1:0] Depths     = {8'd5,  8'd1,   8'd3,  8'd16, 8'd3,   8'd16, 8'd3, 8'd1};
  localparam logic [Cases*8-1:0] HostDepths = {8'd3,  8'd2,   8'd3,  8'd4,  8'd5,   8'd16, 8'd3, 8'd1};
  localparam logic [Cases*8-1:0] Ranks      = {8'd4,  8'd200, 8'd64, 8'd4,  8'd200, 8'd64, 8'd4, 8'd1};
  localparam logic [Cases*8-1:0] MaskWidths = {8'd4,  8'd1,   8'd3,  8'd4,  8'd1,   8'd1,  8'd1, 8'd1};

  logic                 valid     [Cases];
  logic [2:0]           lane      [Cases];
  logic [3:0]           slot      [Cases];
  logic [3:0]           mask      [Cases];
  logic                 done      [Cases];
  logic [FlitWidth-1:0] read_flit [Cases];
  logic [Lanes*5-1:0]   counts    [Cases];
  logic [7:0]           occupancy [Cases];
  logic [7:0]           transit   [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int CaseLanes  = 32'(LaneCounts[c*8 +: 8]);
    localparam int CaseFlits  = 32'(Flits[c*8 +: 8]);
    localparam int CaseDepth  = 32'(Depths[c*8 +: 8]);
    localparam int CaseHost   = 32'(HostDepths[c*8 +: 8]);
    localparam int CaseRanks  = 32'(Ranks[c*8 +: 8]);
    localparam int CaseMask   = 32'(MaskWidths[c*8 +: 8]);
    localparam int MaxDepth   = safnet_pkg::larger(CaseDepth, CaseHost);
    localparam int LaneWidth  = safnet_pkg::index_width(CaseLanes);
    localparam int SlotWidth  = safnet_pkg::index_width(MaxDepth);
    localparam int IndexWidth = safnet_pkg::index_width(CaseFlits);
    localparam int RankWidth  = safnet_pkg::index_width(CaseRanks);
    localparam int CountWidth = $clog2(MaxDepth + 1);
    localparam int TotalWidth = $clog2(MaxDepth * CaseLanes + 1);

    logic                            here;
    logic [CaseLanes*IndexWidth-1:0] write_index;
    logic [CaseLanes*RankWidth-1:0]  commit_rank;
    logic [CaseLanes*CaseMask-1:0]   commit_mask;
    logic [CaseLanes*CountWidth-1:0] count_next;
    logic [LaneWidth-1:0]            head_lane;
    logic [SlotWidth-1:0]            head_slot;
    logic [CaseMask-1:0]             head_mask;
    logic [TotalWidth-1:0]           total, total_transit;

    assign here = case_i == 3'(c);
    for (genvar l = 0; l < CaseLanes; l++) begin : g_lane
      assign write_index[l*IndexWidth +: IndexWidth] = IndexWidth'(write_index_i[l*2 +: 2]);
      assign commit_rank[l*RankWidth +: RankWidth]   = RankWidth'(commit_rank_i[l*8 +: 8]);
      assign commit_mask[l*CaseMask +: CaseMask]     = CaseMask'(commit_mask_i[l*4 +: 4]);
      assign counts[c][l*5 +: 5]                     = 5'(count_next[l*CountWidth +: CountWidth]);
    end
    if (CaseLanes < Lanes) begin : g_no_lane
      assign counts[c][Lanes*5-1 : CaseLanes*5] = '0;
    end

    pifo_queue #(
      .Lanes(CaseLanes), .FlitWidth(FlitWidth), .Flits(CaseFlits), .Depth(CaseDepth), .HostDepth(CaseHost),
      .RankLevels(CaseRanks), .MaskWidth(CaseMask), .RestRanks(c == 7 ? 1 : 0)
    ) u_queue (
      .clk_i, .rst_ni, .now_i,
      .write_valid_i (here ? write_valid_i[CaseLanes-1:0] : '0),
      .write_index_i (write_index),
      .write_flit_i  (write_flit_i[CaseLanes*FlitWidth-1:0]),
      .commit_i      (here ? commit_i[CaseLanes-1:0] : '0),
      .commit_rank_i (commit_rank),
      .commit_mask_i (commit_mask),
      .head_valid_o  (valid[c]),
      .head_lane_o   (head_lane),
      .head_slot_o   (head_slot),
      .head_mask_o   (head_mask),
      .serve_mask_i  (here ? CaseMask'(serve_mask_i) : '0),
      .head_done_o   (done[c]),
      .rest_i,
      .rest_rank_i   (RankWidth'(rest_rank_i)),
      .read_lane_i   (LaneWidth'(read_lane_i)),
      .read_slot_i   (SlotWidth'(read_slot_i)),
      .read_index_i  (IndexWidth'(read_index_i)),
      .read_flit_o   (read_flit[c]),
      .release_i     (release_i && here),
      .count_next_o  (count_next),
      .occupancy_o   (total),
      .transit_o     (total_transit)
    );
    assign lane[c]      = 3'(head_lane);
    assign slot[c]      = 4'(head_slot);
    assign mask[c]      = 4'(head_mask);
    assign occupancy[c] = 8'(total);
    assign transit[c]   = 8'(total_transit);
  end

  assign lanes_o      = LaneCounts[32'(case_i)*8 +: 8];
  assign flits_o      = Flits[32'(case_i)*8 +: 8];
  assign depth_o      = Depths[32'(case_i)*8 +: 8];
  assign host_depth_o = HostDepths[32'(case_i)*8 +: 8];
  assign ranks_o      = Ranks[32'(case_i)*8 +: 8];
  assign mask_width_o = MaskWidths[32'(case_i)*8 +: 8];
  assign head_valid_o = valid[case_i];
  assign head_lane_o  = lane[case_i];
  assign head_slot_o  = slot[case_i];
  assign head_mask_o  = mask[case_i];
  assign head_done_o  = done[case_i];
  assign read_flit_o  = read_flit[case_i];
  assign count_next_o = counts[case_i];
  assign occupancy_o  = occupancy[case_i];
  assign transit_o    = transit[case_i];
endmodule
