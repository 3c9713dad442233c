// listed_order_rank - packets leave a listed_order by rank, then by arrival; none is lost, doubled or given another rank.
//
// The assertions h_... say what its lists look like in every state (listed_order_state, arrival_order).
module listed_order_rank #(
  parameter int Inputs     = 3,
  parameter int Depth      = 2,
  parameter int HostDepth  = 2,
  parameter int RankLevels = 2,
  parameter int HasAgain   = 0,
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
  localparam int Levels     = 2 * safnet_pkg::larger(RankLevels, 2)
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
  listed_order #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels), .HasAgain(HasAgain)) u_dut (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i, .again_rank_i,
    .head_valid_o(head_valid), .head_place_o(head_place), .head_rank_o(head_rank)
  );
  order_shadow #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankWidth(RankWidth)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i, .again_rank_i,
    .head_valid_i(head_valid), .head_place_i(head_place), .legal_o(legal), .any_o(any), .head_waits_o(head_waits),
    .overtaken_o(overtaken), .watched_o(watched), .rank_o(rank_of), .both_o(both)
  );

  (* hierconn *) wire [PlaceWidth-1:0] \u_shadow.p , \u_shadow.q ;
  (* hierconn *) wire [Places-1:0]     \u_shadow.waits_q ;
  (* hierconn *) wire                  \u_shadow.p_first_q , \u_shadow.p_host_q , \u_shadow.q_host_q ;
  (* hierconn *) wire [RankWidth-1:0]  \u_shadow.p_rank_q , \u_shadow.q_rank_q ;
  `MEMORY(next, 24, PlaceWidth, u_dut.next_q)
  `MEMORY(first, 4, PlaceWidth, u_dut.first_q)
  `MEMORY(last, 4, PlaceWidth, u_dut.last_q)
  `MEMORY(used, 1, Levels, u_dut.used_q)
  (* hierconn *) wire [RankWidth:0] \u_dut.head_level_q ;
  (* hierconn *) wire               \u_dut.group_used_q ;
  logic [Places*(RankWidth+1)-1:0] level;
  logic [Places*Places-1:0]        before;
  logic                            ordered, shadow_agrees;
  arrival_order #(.Inputs(Inputs), .Places(Places), .RankWidth(RankWidth)) u_arrivals (
    .clk_i, .push_i, .push_place_i, .push_rank_i, .again_i, .again_rank_i, .head_i(head_place), .waits_i(\u_shadow.waits_q ),
    .p_i(\u_shadow.p ), .q_i(\u_shadow.q ), .p_first_i(\u_shadow.p_first_q ),
    .p_level_i({\u_shadow.p_rank_q , \u_shadow.p_host_q }), .q_level_i({\u_shadow.q_rank_q , \u_shadow.q_host_q }),
    .level_o(level), .before_o(before), .ordered_o(ordered), .shadow_o(shadow_agrees)
  );
  logic head_first, levels_used, lists_start, lists_end, lists_go_on;
  listed_order_state #(.Places(Places), .RankLevels(RankLevels)) u_state (
    .head_valid_i(head_valid), .head_i(head_place), .head_level_i(\u_dut.head_level_q ), .group_used_i(\u_dut.group_used_q ),
    .used_i(used), .next_i(next[Places*PlaceWidth-1:0]), .first_i(first), .last_i(last), .waits_i(\u_shadow.waits_q ),
    .level_i(level), .before_i(before), .head_o(head_first), .used_o(levels_used), .first_o(lists_start), .last_o(lists_end),
    .next_o(lists_go_on)
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
      h_one_of_two_was_first     : assert (ordered);
      h_the_head_is_the_first    : assert (head_first);
      h_levels_are_used          : assert (levels_used);
      h_lists_start_with_a_first : assert (lists_start);
      h_lists_end_with_a_last    : assert (lists_end);
      h_lists_go_on_in_order     : assert (lists_go_on);
      h_the_shadow_agrees        : assert (shadow_agrees);
      c_two_wait : cover (both && watched && pop_i && push_i == '1);
    end
  end
endmodule
