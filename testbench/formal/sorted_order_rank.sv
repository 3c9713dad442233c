// sorted_order_rank - packets leave a sorted_order by rank, then by arrival; none is lost, doubled or given another rank.
//
// The assertions h_... say what its vectors look like in every state (sorted_order_state, arrival_order), for two links and the host.
module sorted_order_rank #(
  parameter int Depth      = 2,
  parameter int HostDepth  = 2,
  parameter int RankLevels = 2,
  localparam int Inputs       = 3,
  localparam int Places       = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int LinkPlaces   = safnet_pkg::first_place(Inputs - 1, Depth),
  localparam int LinkStride   = safnet_pkg::first_place(1, Depth),
  localparam int PlaceWidth   = safnet_pkg::index_width(Places),
  localparam int SlotWidth    = safnet_pkg::index_width(Depth),
  localparam int HostWidth    = safnet_pkg::index_width(HostDepth),
  localparam int RankWidth    = safnet_pkg::index_width(RankLevels),
  localparam int ArrivalWidth = $clog2(2 * Depth) + 1
) (
  input logic                         clk_i,
  input logic [Inputs-1:0]            push_i,
  input logic [Inputs*PlaceWidth-1:0] push_place_i,
  input logic [Inputs*RankWidth-1:0]  push_rank_i,
  input logic                         pop_i
);
  localparam bit                   again_i      = 1'b0;  // heads are moved in a listed_order alone
  localparam logic [RankWidth-1:0] again_rank_i = '0;
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                  head_valid, legal, any, head_waits, overtaken, watched, both;
  logic [PlaceWidth-1:0] head_place;
  logic [RankWidth-1:0]  head_rank, rank_of;
  sorted_order #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels)) u_dut (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i(again_i), .again_rank_i(again_rank_i),
    .head_valid_o(head_valid), .head_place_o(head_place), .head_rank_o(head_rank)
  );
  order_shadow #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankWidth(RankWidth)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i, .pop_i, .again_i(again_i), .again_rank_i(again_rank_i),
    .head_valid_i(head_valid), .head_place_i(head_place), .legal_o(legal), .any_o(any), .head_waits_o(head_waits),
    .overtaken_o(overtaken), .watched_o(watched), .rank_o(rank_of), .both_o(both)
  );

  (* hierconn *) wire [PlaceWidth-1:0] \u_shadow.p , \u_shadow.q ;
  (* hierconn *) wire [Places-1:0]     \u_shadow.waits_q ;
  (* hierconn *) wire                  \u_shadow.p_first_q , \u_shadow.p_host_q , \u_shadow.q_host_q ;
  (* hierconn *) wire [RankWidth-1:0]  \u_shadow.p_rank_q , \u_shadow.q_rank_q ;
  (* hierconn *) wire [Depth-1:0]               \u_dut.g_input[0].valid_q , \u_dut.g_input[1].valid_q ;
  (* hierconn *) wire [Depth*SlotWidth-1:0]     \u_dut.g_input[0].slot_q , \u_dut.g_input[1].slot_q ;
  (* hierconn *) wire [Depth*RankWidth-1:0]     \u_dut.g_input[0].rank_q , \u_dut.g_input[1].rank_q ;
  (* hierconn *) wire [Depth*ArrivalWidth-1:0]  \u_dut.g_input[0].age_q , \u_dut.g_input[1].age_q ;
  (* hierconn *) wire [HostDepth-1:0]           \u_dut.g_input[2].valid_q ;
  (* hierconn *) wire [HostDepth*HostWidth-1:0] \u_dut.g_input[2].slot_q ;
  (* hierconn *) wire [HostDepth*RankWidth-1:0] \u_dut.g_input[2].rank_q ;
  (* hierconn *) wire [RankLevels*ArrivalWidth-1:0] \u_dut.arrival_q ;

  // The vectors of the three inputs as one, by cell.
  logic [Places-1:0]                  valid;
  logic [Places*PlaceWidth-1:0]       place;
  logic [Places*RankWidth-1:0]        rank;
  logic [LinkPlaces*ArrivalWidth-1:0] age;
  always_comb begin
    valid = '0;
    place = '0;
    rank  = '0;
    age   = '0;
    for (int m = 0; m < Depth; m++) begin
      valid[m]                                         = \u_dut.g_input[0].valid_q [m];
      place[m*PlaceWidth +: PlaceWidth]                = PlaceWidth'(\u_dut.g_input[0].slot_q [m*SlotWidth +: SlotWidth]);
      rank[m*RankWidth +: RankWidth]                   = \u_dut.g_input[0].rank_q [m*RankWidth +: RankWidth];
      age[m*ArrivalWidth +: ArrivalWidth]              = \u_dut.g_input[0].age_q [m*ArrivalWidth +: ArrivalWidth];
      valid[LinkStride + m]                            = \u_dut.g_input[1].valid_q [m];
      place[(LinkStride + m)*PlaceWidth +: PlaceWidth] = PlaceWidth'(LinkStride) +
        PlaceWidth'(\u_dut.g_input[1].slot_q [m*SlotWidth +: SlotWidth]);
      rank[(LinkStride + m)*RankWidth +: RankWidth]    = \u_dut.g_input[1].rank_q [m*RankWidth +: RankWidth];
      age[(LinkStride + m)*ArrivalWidth +: ArrivalWidth] = \u_dut.g_input[1].age_q [m*ArrivalWidth +: ArrivalWidth];
    end
    for (int m = 0; m < HostDepth; m++) begin
      valid[LinkPlaces + m]                            = \u_dut.g_input[2].valid_q [m];
      place[(LinkPlaces + m)*PlaceWidth +: PlaceWidth] = PlaceWidth'(LinkPlaces) +
        PlaceWidth'(\u_dut.g_input[2].slot_q [m*HostWidth +: HostWidth]);
      rank[(LinkPlaces + m)*RankWidth +: RankWidth]    = \u_dut.g_input[2].rank_q [m*RankWidth +: RankWidth];
    end
  end
  logic [Places*(RankWidth+1)-1:0] level;
  logic [Places*Places-1:0]        before;
  logic                            ordered, shadow_agrees;
  arrival_order #(.Inputs(Inputs), .Places(Places), .RankWidth(RankWidth)) u_arrivals (
    .clk_i, .push_i, .push_place_i, .push_rank_i, .again_i(again_i), .again_rank_i(again_rank_i), .head_i(head_place), .waits_i(\u_shadow.waits_q ),
    .p_i(\u_shadow.p ), .q_i(\u_shadow.q ), .p_first_i(\u_shadow.p_first_q ),
    .p_level_i({\u_shadow.p_rank_q , \u_shadow.p_host_q }), .q_level_i({\u_shadow.q_rank_q , \u_shadow.q_host_q }),
    .level_o(level), .before_o(before), .ordered_o(ordered), .shadow_o(shadow_agrees)
  );
  logic       places_right, ranks_right, vectors_sorted, ages_right, turns_right, numbers_shared, head_first;
  logic [1:0] numbers_right;               // of each link
  logic [LinkPlaces-1:0] numbers_bounded;  // of each place
  sorted_order_state #(.Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels)) u_state (
    .clk_i, .push_i, .push_place_i, .push_rank_i, .head_valid_i(head_valid), .head_i(head_place), .valid_i(valid),
    .place_i(place), .rank_i(rank), .age_i(age), .arrival_i(\u_dut.arrival_q ), .waits_i(\u_shadow.waits_q ), .level_i(level),
    .before_i(before), .places_o(places_right), .ranks_o(ranks_right), .numbers_o(numbers_right), .sorted_o(vectors_sorted),
    .ages_o(ages_right), .turns_o(turns_right), .shared_o(numbers_shared), .bound_o(numbers_bounded), .head_o(head_first)
  );

  logic ranks_in_range;
  always_comb begin
    ranks_in_range = 1'b1;
    for (int i = 0; i < Inputs; i++)
      ranks_in_range = ranks_in_range && 32'(push_rank_i[i*RankWidth +: RankWidth]) < RankLevels;
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (legal && ranks_in_range);
      a_there_is_a_head_while_packets_wait : assert (head_valid == any);
      a_the_head_is_a_packet_that_waits    : assert (!head_valid || head_waits);
      a_no_packet_overtakes                : assert (!overtaken);
      a_the_head_has_its_rank              : assert (!watched || head_rank == rank_of);
      h_one_of_two_was_first      : assert (ordered);
      h_cells_have_the_places     : assert (places_right);
      h_cells_have_the_ranks      : assert (ranks_right);
      h_cells_have_the_numbers_0  : assert (numbers_right[0]);
      h_cells_have_the_numbers_1  : assert (numbers_right[1]);
      h_vectors_are_sorted        : assert (vectors_sorted);
      h_ages_are_in_order         : assert (ages_right);
      h_turns_are_counted         : assert (turns_right);
      h_numbers_are_shared_by_two : assert (numbers_shared);
      h_the_head_comes_first      : assert (head_first);
      h_the_shadow_agrees         : assert (shadow_agrees);
      c_two_wait : cover (both && watched && pop_i && push_i == '1);
    end
  end
  // Numbers are bounded. An assertion for each place: together they take the solver several times as long. Yosys allows no label here.
  for (genvar k = 0; k < LinkPlaces; k++) begin : g_place
    always @(posedge clk_i) if (rst_n) assert (numbers_bounded[k]);
  end
endmodule
