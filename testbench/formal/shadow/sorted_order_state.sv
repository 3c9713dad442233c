// sorted_order_state - whether the vectors of a sorted_order hold the packets that wait, in the right order, for proofs.
//
// It keeps histories of its own: of each place of a link, how far the packet's number is behind the next one of its rank, and its
// turn among those of its link and rank, counted from the newest. Each output is true in every state that can be reached, and
// together with those of arrival_order they prove themselves in one step of induction. There are two links and the host. Cells of
// the vectors are numbered as places are: from the first place of their input on.
module sorted_order_state #(
  parameter int Depth      = 2,
  parameter int HostDepth  = 2,
  parameter int RankLevels = 2,
  localparam int Inputs       = 3,
  localparam int Places       = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int LinkPlaces   = safnet_pkg::first_place(Inputs - 1, Depth),
  localparam int LinkStride   = safnet_pkg::first_place(1, Depth),
  localparam int PlaceWidth   = safnet_pkg::index_width(Places),
  localparam int RankWidth    = safnet_pkg::index_width(RankLevels),
  localparam int LevelWidth   = RankWidth + 1,
  localparam int ArrivalWidth = $clog2(2 * Depth) + 1,
  localparam int CountWidth   = ArrivalWidth + 1
) (
  input  logic                               clk_i,
  // what arrives in this cycle
  input  logic [Inputs-1:0]                  push_i,
  input  logic [Inputs*PlaceWidth-1:0]       push_place_i,
  input  logic [Inputs*RankWidth-1:0]        push_rank_i,
  input  logic                               head_valid_i,
  input  logic [PlaceWidth-1:0]              head_i,
  // registers of the sorted_order, by cell
  input  logic [Places-1:0]                  valid_i,
  input  logic [Places*PlaceWidth-1:0]       place_i,
  input  logic [Places*RankWidth-1:0]        rank_i,
  input  logic [LinkPlaces*ArrivalWidth-1:0] age_i,
  input  logic [RankLevels*ArrivalWidth-1:0] arrival_i,  // by rank
  // of the packets that wait
  input  logic [Places-1:0]                  waits_i,
  input  logic [Places*LevelWidth-1:0]       level_i,   // by place
  input  logic [Places*Places-1:0]           before_i,  // [k*Places + l]: the packet in k joined before the one in l
  output logic                               places_o,   // the cells in use are the first of a vector, and have each place once
  output logic                               ranks_o,    // with the rank and the kind of input of the packet there
  output logic [1:0]                         numbers_o,  // and, in the vector of each link, its number
  output logic                               sorted_o,   // a vector is in order of rank, then of arrival
  output logic                               ages_o,     // numbers of arrival say which of two packets of links came first
  output logic                               turns_o,    // a link's packets of one rank are counted from the newest, all in cells
  output logic                               shared_o,   // two packets of one number are less far behind than their turns together
  output logic [LinkPlaces-1:0]              bound_o,    // and no packet of a link, by place, is farther behind than turns of both links
  output logic                               head_o      // the head comes before all other packets
);
  function automatic int input_of(input int place);  // or of a cell
    input_of = place >= LinkPlaces ? 2 : place / LinkStride;
  endfunction

  // ---- histories ----
  logic [Places*RankWidth-1:0]      rank;  // by place
  logic [LinkPlaces*CountWidth-1:0] behind_q, behind, turn_q, turn;
  logic                             numbered, joined;  // a packet of the rank arrives through a link, through this link
  always_comb begin
    for (int k = 0; k < Places; k++) rank[k*RankWidth +: RankWidth] = level_i[k*LevelWidth + 1 +: RankWidth];
  end
  always_comb begin
    behind   = behind_q;
    turn     = turn_q;
    numbered = 1'b0;
    joined   = 1'b0;
    for (int k = 0; k < LinkPlaces; k++) begin
      numbered = 1'b0;
      joined   = 1'b0;
      for (int i = 0; i < 2; i++) begin
        if (push_i[i] && push_rank_i[i*RankWidth +: RankWidth] == rank[k*RankWidth +: RankWidth]) begin
          numbered = 1'b1;
          if (input_of(k) == i) joined = 1'b1;
        end
      end
      if (numbered) behind[k*CountWidth +: CountWidth] = behind_q[k*CountWidth +: CountWidth] + CountWidth'(1);
      if (joined)   turn[k*CountWidth +: CountWidth]   = turn_q[k*CountWidth +: CountWidth] + CountWidth'(1);
    end
    for (int i = 0; i < Inputs; i++) begin
      for (int k = 0; k < LinkPlaces; k++) begin
        if (push_i[i] && 32'(push_place_i[i*PlaceWidth +: PlaceWidth]) == k) begin
          behind[k*CountWidth +: CountWidth] = CountWidth'(1);
          turn[k*CountWidth +: CountWidth]   = CountWidth'(1);
        end
      end
    end
  end
  always @(posedge clk_i) begin
    behind_q <= behind;
    turn_q   <= turn;
  end

  // ---- cells ----
  logic [Places-1:0]   found;
  logic [Places*8-1:0] cell_of;  // of a place
  always_comb begin
    places_o   = 1'b1;
    ranks_o    = 1'b1;
    numbers_o  = '1;
    found      = '0;
    cell_of    = '0;
    for (int c = 0; c < Places; c++) begin
      for (int k = 0; k < Places; k++) begin
        if (valid_i[c] && 32'(place_i[c*PlaceWidth +: PlaceWidth]) == k) begin
          if (!waits_i[k] || found[k] || input_of(k) != input_of(c) || (k < LinkPlaces && k % LinkStride >= Depth)) places_o = 1'b0;
          if (level_i[k*LevelWidth +: LevelWidth] != {rank_i[c*RankWidth +: RankWidth], c >= LinkPlaces}) ranks_o = 1'b0;
          if (c < LinkPlaces && k < LinkPlaces && behind_q[k*CountWidth +: ArrivalWidth] !=
              arrival_i[32'(rank_i[c*RankWidth +: RankWidth])*ArrivalWidth +: ArrivalWidth] - age_i[c*ArrivalWidth +: ArrivalWidth])
            numbers_o[c / LinkStride] = 1'b0;
          found[k]          = 1'b1;
          cell_of[k*8 +: 8] = 8'(c);
        end
      end
      if (valid_i[c] && 32'(place_i[c*PlaceWidth +: PlaceWidth]) >= Places) places_o = 1'b0;
      if (c != 0 && valid_i[c] && input_of(c - 1) == input_of(c) && !valid_i[c - 1]) places_o = 1'b0;
    end
    if (found != waits_i) places_o = 1'b0;
  end
  always_comb begin
    sorted_o = 1'b1;
    for (int k = 0; k < Places; k++) begin
      for (int l = 0; l < Places; l++) begin
        if (k != l && input_of(k) == input_of(l) && waits_i[k] && waits_i[l] && cell_of[k*8 +: 8] < cell_of[l*8 +: 8] &&
            !(rank[k*RankWidth +: RankWidth] < rank[l*RankWidth +: RankWidth] ||
              (rank[k*RankWidth +: RankWidth] == rank[l*RankWidth +: RankWidth] && before_i[k*Places + l]))) sorted_o = 1'b0;
      end
    end
  end

  // ---- numbers of arrival ----
  // A cycle in which packets of a rank arrive takes a number, and each of its packets a turn of its link. So a packet is as far
  // behind as it and the last packet of the other link that is not before it have turns together, one less if both have one number.
  logic follows, covered, in_cells;
  logic [CountWidth-1:0] k_turn, l_turn, k_behind, l_behind;
  always_comb begin
    ages_o   = 1'b1;
    turns_o  = 1'b1;
    bound_o  = '1;
    shared_o = 1'b1;
    follows  = 1'b0;
    covered  = 1'b0;
    in_cells = 1'b0;
    k_turn   = '0;
    l_turn   = '0;
    k_behind = '0;
    l_behind = '0;
    for (int k = 0; k < LinkPlaces; k++) begin
      k_turn   = turn_q[k*CountWidth +: CountWidth];
      k_behind = behind_q[k*CountWidth +: CountWidth];
      follows  = k_turn == CountWidth'(1);
      covered  = k_behind <= k_turn;
      for (int l = 0; l < LinkPlaces; l++) begin
        l_turn   = turn_q[l*CountWidth +: CountWidth];
        l_behind = behind_q[l*CountWidth +: CountWidth];
        if (k != l && waits_i[k] && waits_i[l] && rank[k*RankWidth +: RankWidth] == rank[l*RankWidth +: RankWidth]) begin
          if (before_i[k*Places + l] && k_behind <= l_behind && (k_behind != l_behind || input_of(k) >= input_of(l))) ages_o = 1'b0;
          if (input_of(k) == input_of(l)) begin
            if (before_i[k*Places + l] && k_turn <= l_turn) turns_o = 1'b0;
            if (k_turn == l_turn + CountWidth'(1)) follows = 1'b1;
          end else if (k_behind == l_behind) begin
            if (k_behind < k_turn + l_turn) covered = 1'b1;
            else                            shared_o = 1'b0;
          end else if (k_behind > l_behind && k_behind <= k_turn + l_turn) begin
            covered = 1'b1;
          end
        end
      end
      in_cells = 1'b0;  // the packets of its link and rank that came after it are in the cells after its own
      for (int c = 0; c < LinkPlaces; c++) begin
        if (valid_i[c] && input_of(c) == input_of(k) && 32'(cell_of[k*8 +: 8]) + 32'(k_turn) == c + 1) in_cells = 1'b1;
      end
      if (waits_i[k] && (k_turn == '0 || k_behind == '0 || !follows || !in_cells)) turns_o = 1'b0;
      if (waits_i[k] && !covered) bound_o[k] = 1'b0;
    end
  end

  // ---- the head ----
  logic k_is_host, l_is_host;
  always_comb begin
    head_o    = head_valid_i == (waits_i != '0);
    k_is_host = 1'b0;
    l_is_host = 1'b0;
    for (int k = 0; k < Places; k++) begin
      k_is_host = k >= LinkPlaces;
      if (head_valid_i && 32'(head_i) == k) begin
        if (!waits_i[k]) head_o = 1'b0;
        for (int l = 0; l < Places; l++) begin
          l_is_host = l >= LinkPlaces;
          if (l != k && waits_i[l] && !(rank[k*RankWidth +: RankWidth] < rank[l*RankWidth +: RankWidth] ||
              (rank[k*RankWidth +: RankWidth] == rank[l*RankWidth +: RankWidth] &&
               (k_is_host == l_is_host ? before_i[k*Places + l] : l_is_host)))) head_o = 1'b0;
        end
      end
    end
  end
endmodule
