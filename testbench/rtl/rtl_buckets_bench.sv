// rtl_buckets_bench - rank_buckets of several sizes; case_i says which of them gets the traffic.
module rtl_buckets_bench #(
  parameter int Cases = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  case_i,
  output logic [15:0] depth_o,
  output logic [15:0] ranks_o,
  input  logic        push_i,
  input  logic [5:0]  push_slot_i,
  input  logic [11:0] push_rank_i,
  input  logic [31:0] push_stamp_i,
  input  logic        pop_i,
  output logic        head_valid_o,
  output logic [5:0]  head_slot_o,
  output logic [11:0] head_rank_o,
  output logic [31:0] head_stamp_o
);
  localparam logic [Cases*16-1:0] Depths =
      {16'd3,  16'd16, 16'd64,   16'd3,   16'd16,  16'd16, 16'd3, 16'd1};
  localparam logic [Cases*16-1:0] Ranks  =
      {16'd65, 16'd1,  16'd4096, 16'd200, 16'd200, 16'd64, 16'd4, 16'd1};

  logic        valid [Cases];
  logic [5:0]  slot  [Cases];
  logic [11:0] rank  [Cases];
  logic [31:0] stamp [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int CaseDepth = 32'(Depths[c*16 +: 16]);
    localparam int CaseRanks = 32'(Ranks[c*16 +: 16]);
    localparam int SlotWidth = safnet_pkg::index_width(CaseDepth);
    localparam int RankWidth = safnet_pkg::index_width(CaseRanks);
    logic [SlotWidth-1:0] head_slot;
    logic [RankWidth-1:0] head_rank;
    rank_buckets #(.Depth(CaseDepth), .RankLevels(CaseRanks)) u_buckets (
      .clk_i, .rst_ni,
      .push_i       (push_i && case_i == 3'(c)),
      .push_slot_i  (SlotWidth'(push_slot_i)),
      .push_rank_i  (RankWidth'(push_rank_i)),
      .push_stamp_i,
      .pop_i        (pop_i && case_i == 3'(c)),
      .head_valid_o (valid[c]),
      .head_slot_o  (head_slot),
      .head_rank_o  (head_rank),
      .head_stamp_o (stamp[c])
    );
    assign slot[c] = 6'(head_slot);
    assign rank[c] = 12'(head_rank);
  end

  assign depth_o      = Depths[32'(case_i)*16 +: 16];
  assign ranks_o      = Ranks[32'(case_i)*16 +: 16];
  assign head_valid_o = valid[case_i];
  assign head_slot_o  = slot[case_i];
  assign head_rank_o  = rank[case_i];
  assign head_stamp_o = stamp[case_i];
endmodule
