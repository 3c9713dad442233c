// packet_order_rank - packets leave a packet_order by rank, then by arrival; none is lost, doubled or given another rank.
//
// IsListed chooses which of the two ways of keeping the order is looked at.
module packet_order_rank #(
  parameter int Inputs     = 3,
  parameter int Depth      = 2,
  parameter int HostDepth  = 2,
  parameter int RankLevels = 2,
  parameter int IsListed   = 0,
  parameter int HasAgain   = 0,
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels)
) (
  input logic                         clk_i,
  input logic [Inputs-1:0]            push_i,
  input logic [Inputs*PlaceWidth-1:0] push_place_i,
  input logic [Inputs*RankWidth-1:0]  push_rank_i,
  input logic                         pop_i,
  input logic                         again_i,
  input logic [RankWidth-1:0]         again_rank_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                  head_valid, legal, any, head_waits, overtaken, watched, both;
  logic [PlaceWidth-1:0] head_place;
  logic [RankWidth-1:0]  head_rank, rank_of;
  if (IsListed != 0) begin : g_listed
    listed_order #(
      .Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels), .HasAgain(HasAgain)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i, .again_rank_i,
      .head_valid_o(head_valid), .head_place_o(head_place), .head_rank_o(head_rank)
    );
  end else begin : g_sorted
    sorted_order #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels)) u_dut (
      .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i, .again_rank_i,
      .head_valid_o(head_valid), .head_place_o(head_place), .head_rank_o(head_rank)
    );
  end
  order_shadow #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankWidth(RankWidth)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i, .again_rank_i,
    .head_valid_i(head_valid), .head_place_i(head_place), .legal_o(legal), .any_o(any), .head_waits_o(head_waits),
    .overtaken_o(overtaken), .watched_o(watched), .rank_o(rank_of), .both_o(both)
  );

  logic ranks_in_range;
  always_comb begin
    ranks_in_range = 32'(again_rank_i) < RankLevels;
    for (int i = 0; i < Inputs; i++)
      ranks_in_range = ranks_in_range && 32'(push_rank_i[i*RankWidth +: RankWidth]) < RankLevels;
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (legal && ranks_in_range);
      assume (HasAgain != 0 || !again_i);
      a_there_is_a_head_while_packets_wait : assert (head_valid == any);
      a_the_head_is_a_packet_that_waits    : assert (!head_valid || head_waits);
      a_no_packet_overtakes                : assert (!overtaken);
      a_the_head_has_its_rank              : assert (!watched || head_rank == rank_of);
      c_two_wait : cover (both && watched && pop_i && push_i == '1);
    end
  end
endmodule
