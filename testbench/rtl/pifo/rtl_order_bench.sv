// rtl_order_bench - packet_orders with different parameters; case_i says which of them gets the traffic. What a set of
// parameters allows stands beside its packet_order and gets the same pushes and pops: the two ways to keep an order,
// sorted_order and listed_order, and, where there is only one rank, the plain router's fifo_queue.
module rtl_order_bench #(
  parameter int Cases = 14,
  localparam int Inputs = 5,  // of the widest
  localparam int Kinds  = 4   // packet_order, sorted_order, listed_order, fifo_queue
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [3:0]           case_i,
  output logic [7:0]           inputs_o,
  output logic [7:0]           depth_o,
  output logic [7:0]           host_depth_o,
  output logic [15:0]          ranks_o,
  output logic                 has_again_o,
  output logic [Kinds-1:0]     kinds_o,       // which of the kinds this set has
  // fields of inputs keep the same place for all sets; the host is the last input that the set has
  input  logic [Inputs-1:0]    push_i,
  input  logic [Inputs*8-1:0]  push_place_i,
  input  logic [Inputs*12-1:0] push_rank_i,
  input  logic                 pop_i,
  input  logic                 again_i,
  input  logic [11:0]          again_rank_i,
  output logic [Kinds-1:0]     head_valid_o,
  output logic [Kinds*8-1:0]   head_place_o,
  output logic [Kinds*12-1:0]  head_rank_o
);
  // case                                          13      12       11      10      9       8      7      6      5
  //                                               4       3        2       1       0
  localparam logic [Cases*16-1:0] InputCounts = {16'd3,  16'd3,   16'd4,  16'd5,  16'd2,  16'd2, 16'd4, 16'd5, 16'd5,
                                                 16'd3,  16'd5,   16'd4,  16'd5,  16'd2};
  localparam logic [Cases*16-1:0] Depths      = {16'd3,  16'd16,  16'd5,  16'd3,  16'd1,  16'd1, 16'd5, 16'd5, 16'd16,
                                                 16'd16, 16'd16,  16'd16, 16'd3,  16'd1};
  localparam logic [Cases*16-1:0] HostDepths  = {16'd5,  16'd1,   16'd16, 16'd3,  16'd17, 16'd2, 16'd3, 16'd16, 16'd4,
                                                 16'd1,  16'd16,  16'd16, 16'd3,  16'd1};
  localparam logic [Cases*16-1:0] Ranks       = {16'd200, 16'd4096, 16'd64, 16'd4, 16'd4, 16'd4096, 16'd4, 16'd200, 16'd64,
                                                 16'd2,   16'd16,   16'd1,  16'd4, 16'd1};
  localparam logic [Cases-1:0] HasAgain = 14'b11_1100_0000_0000;

  logic [Kinds-1:0]    valid [Cases];
  logic [Kinds*8-1:0]  place [Cases];
  logic [Kinds*12-1:0] rank  [Cases];
  logic [Kinds-1:0]    kinds [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int CaseInputs = 32'(InputCounts[c*16 +: 16]);
    localparam int CaseDepth  = 32'(Depths[c*16 +: 16]);
    localparam int CaseHost   = 32'(HostDepths[c*16 +: 16]);
    localparam int CaseRanks  = 32'(Ranks[c*16 +: 16]);
    localparam int CaseAgain  = 32'(HasAgain[c]);
    localparam int PlaceWidth = safnet_pkg::index_width(safnet_pkg::places(CaseInputs - 1, CaseDepth, CaseHost));
    localparam int RankWidth  = safnet_pkg::index_width(CaseRanks);
    localparam bit IsShort    = CaseAgain == 0 && CaseDepth <= 16 && CaseHost <= 16 && CaseRanks <= 16;

    logic [CaseInputs-1:0]            push;
    logic [CaseInputs*PlaceWidth-1:0] push_place;
    logic [CaseInputs*RankWidth-1:0]  push_rank;
    logic                             pop, again;
    logic [PlaceWidth-1:0]            head_place;
    logic [RankWidth-1:0]             head_rank;

    assign push  = (case_i == 4'(c)) ? push_i[CaseInputs-1:0] : '0;
    assign pop   = case_i == 4'(c) && pop_i;
    assign again = case_i == 4'(c) && again_i;
    for (genvar i = 0; i < CaseInputs; i++) begin : g_input
      assign push_place[i*PlaceWidth +: PlaceWidth] = PlaceWidth'(push_place_i[i*8 +: 8]);
      assign push_rank[i*RankWidth +: RankWidth]    = RankWidth'(push_rank_i[i*12 +: 12]);
    end

    packet_order #(
      .Inputs(CaseInputs), .Depth(CaseDepth), .HostDepth(CaseHost), .RankLevels(CaseRanks), .HasAgain(CaseAgain)
    ) u_order (
      .clk_i, .rst_ni,
      .push_i       (push),
      .push_place_i (push_place),
      .push_rank_i  (push_rank),
      .pop_i        (pop),
      .again_i      (again),
      .again_rank_i (RankWidth'(again_rank_i)),
      .head_valid_o (valid[c][0]),
      .head_place_o (head_place),
      .head_rank_o  (head_rank)
    );
    assign place[c][7:0] = 8'(head_place);
    assign rank[c][11:0] = 12'(head_rank);
    assign kinds[c]      = {CaseRanks == 1, IsShort, IsShort, 1'b1};

    if (IsShort) begin : g_both
      logic [PlaceWidth-1:0] sorted_place, listed_place;
      logic [RankWidth-1:0]  sorted_rank, listed_rank;
      sorted_order #(.Inputs(CaseInputs), .Depth(CaseDepth), .HostDepth(CaseHost), .RankLevels(CaseRanks)) u_sorted (
        .clk_i, .rst_ni,
        .push_i       (push),
        .push_place_i (push_place),
        .push_rank_i  (push_rank),
        .pop_i        (pop),
        .again_i      (1'b0),
        .again_rank_i ('0),
        .head_valid_o (valid[c][1]),
        .head_place_o (sorted_place),
        .head_rank_o  (sorted_rank)
      );
      listed_order #(.Inputs(CaseInputs), .Depth(CaseDepth), .HostDepth(CaseHost), .RankLevels(CaseRanks)) u_listed (
        .clk_i, .rst_ni,
        .push_i       (push),
        .push_place_i (push_place),
        .push_rank_i  (push_rank),
        .pop_i        (pop),
        .again_i      (1'b0),
        .again_rank_i ('0),
        .head_valid_o (valid[c][2]),
        .head_place_o (listed_place),
        .head_rank_o  (listed_rank)
      );
      assign place[c][23:8]  = {8'(listed_place), 8'(sorted_place)};
      assign rank[c][35:12]  = {12'(listed_rank), 12'(sorted_rank)};
    end else begin : g_one
      assign valid[c][2:1]   = '0;
      assign place[c][23:8]  = '0;
      assign rank[c][35:12]  = '0;
    end

    assign rank[c][47:36] = '0;
    if (CaseRanks == 1) begin : g_fifo
      logic [PlaceWidth-1:0] fifo_place;
      fifo_queue #(.Inputs(CaseInputs), .Depth(CaseDepth), .HostDepth(CaseHost)) u_fifo (
        .clk_i, .rst_ni,
        .push_i       (push),
        .push_place_i (push_place),
        .pop_i        (pop),
        .head_valid_o (valid[c][3]),
        .head_place_o (fifo_place)
      );
      assign place[c][31:24] = 8'(fifo_place);
    end else begin : g_ranks
      assign valid[c][3]     = 1'b0;
      assign place[c][31:24] = '0;
    end
  end

  assign inputs_o     = 8'(InputCounts[32'(case_i)*16 +: 16]);
  assign depth_o      = 8'(Depths[32'(case_i)*16 +: 16]);
  assign host_depth_o = 8'(HostDepths[32'(case_i)*16 +: 16]);
  assign ranks_o      = Ranks[32'(case_i)*16 +: 16];
  assign has_again_o  = HasAgain[case_i];
  assign kinds_o      = kinds[case_i];
  assign head_valid_o = valid[case_i];
  assign head_place_o = place[case_i];
  assign head_rank_o  = rank[case_i];
endmodule
