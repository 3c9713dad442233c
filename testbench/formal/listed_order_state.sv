// listed_order_state - whether the lists of a listed_order hold the packets that wait, in the right order, for proofs.
//
// It keeps two histories of its own: the level of each place, and for each two places which of their packets joined its list
// first. Each output is true in every state that can be reached, and together they prove themselves in one step of induction.
module listed_order_state #(
  parameter int Inputs     = 3,
  parameter int Places     = 6,
  parameter int RankLevels = 2,
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
  localparam int LevelWidth = RankWidth + 1,
  localparam int Levels     = 2 * safnet_pkg::larger(RankLevels, 2)
) (
  input  logic                         clk_i,
  // what happens in this cycle
  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs*PlaceWidth-1:0] push_place_i,
  input  logic [Inputs*RankWidth-1:0]  push_rank_i,
  input  logic                         again_i,
  input  logic [RankWidth-1:0]         again_rank_i,
  // registers of the listed_order
  input  logic                         head_valid_i,
  input  logic [PlaceWidth-1:0]        head_i,
  input  logic [LevelWidth-1:0]        head_level_i,
  input  logic                         group_used_i,
  input  logic [Levels-1:0]            used_i,
  input  logic [Places*PlaceWidth-1:0] next_i,   // by place
  input  logic [Levels*PlaceWidth-1:0] first_i,  // by level
  input  logic [Levels*PlaceWidth-1:0] last_i,
  // registers of the order_shadow
  input  logic [Places-1:0]            waits_i,
  input  logic [PlaceWidth-1:0]        p_i, q_i,
  input  logic                         p_first_i,
  input  logic [LevelWidth-1:0]        p_level_i, q_level_i,
  output logic                         ordered_o,  // of two packets that wait one joined first
  output logic                         head_o,     // the head is the first packet of the lowest level
  output logic                         used_o,     // the levels in use are those of packets that wait
  output logic                         first_o,    // every list but the head's starts with its first packet
  output logic                         last_o,     // and every list ends with its last one
  output logic                         next_o,     // each packet but the last is followed by the one that joined after it
  output logic                         shadow_o    // the shadow knows levels and order of its two packets
);
  logic [Places*LevelWidth-1:0] level_q, level;
  logic [Places*Places-1:0]     before_q, before;  // [k*Places + l]: the packet in k joined before the one in l
  logic                         joins;
  always_comb begin
    level  = level_q;
    before = before_q;
    joins  = 1'b0;
    for (int i = -1; i < Inputs; i++) begin  // -1: the head that is moved
      for (int k = 0; k < Places; k++) begin
        joins = i < 0 ? again_i && 32'(head_i) == k : push_i[i] && 32'(push_place_i[i*PlaceWidth +: PlaceWidth]) == k;
        if (joins) begin
          level[k*LevelWidth +: LevelWidth] =
            i < 0 ? {again_rank_i, 1'b0} : {push_rank_i[i*RankWidth +: RankWidth], i == Inputs - 1};
          for (int l = 0; l < Places; l++) begin
            before[k*Places + l] = 1'b0;
            before[l*Places + k] = l != k;
          end
        end
      end
    end
  end
  always @(posedge clk_i) begin
    level_q  <= level;
    before_q <= before;
  end

  logic [Levels-1:0] has_packets;
  logic [LevelWidth-1:0] here, there;
  logic follows, p_waits, q_waits, p_before;
  always_comb begin
    ordered_o   = 1'b1;
    head_o      = !head_valid_i || used_i[head_level_i];
    first_o     = 1'b1;
    last_o      = 1'b1;
    next_o      = 1'b1;
    has_packets = '0;
    here        = '0;
    there       = '0;
    follows     = 1'b0;
    for (int k = 0; k < Places; k++) begin
      here = level_q[k*LevelWidth +: LevelWidth];
      if (waits_i[k]) has_packets[here] = 1'b1;
      if (head_valid_i && waits_i[k] && here < head_level_i) head_o = 1'b0;
      if (head_valid_i && 32'(head_i) == k && (!waits_i[k] || here != head_level_i)) head_o = 1'b0;
      for (int v = 0; v < Levels; v++) begin
        if (used_i[v] && 32'(last_i[v*PlaceWidth +: PlaceWidth]) == k && (!waits_i[k] || 32'(here) != v)) last_o = 1'b0;
        if (used_i[v] && 32'(head_level_i) != v && 32'(first_i[v*PlaceWidth +: PlaceWidth]) == k && (!waits_i[k] || 32'(here) != v))
          first_o = 1'b0;
      end
      follows = 1'b0;
      for (int l = 0; l < Places; l++) begin
        there = level_q[l*LevelWidth +: LevelWidth];
        if (waits_i[k] && waits_i[l] && k != l) begin
          if (before_q[k*Places + l] == before_q[l*Places + k]) ordered_o = 1'b0;
          if (here == there && before_q[l*Places + k]) begin  // k is not the first of its level
            if (32'(head_i) == k) head_o = 1'b0;
            if (here != head_level_i && 32'(first_i[here*PlaceWidth +: PlaceWidth]) == k) first_o = 1'b0;
          end
          if (here == there && before_q[k*Places + l]) begin  // nor the last
            if (32'(last_i[here*PlaceWidth +: PlaceWidth]) == k) last_o = 1'b0;
            if (32'(next_i[k*PlaceWidth +: PlaceWidth]) == l) begin
              follows = 1'b1;
              for (int m = 0; m < Places; m++) begin
                if (m != k && m != l && waits_i[m] && level_q[m*LevelWidth +: LevelWidth] == here && before_q[k*Places + m] &&
                    !before_q[l*Places + m]) next_o = 1'b0;
              end
            end
          end
        end
      end
      if (waits_i[k] && 32'(last_i[here*PlaceWidth +: PlaceWidth]) != k && !follows) next_o = 1'b0;
    end
    for (int v = 0; v < Levels; v++) begin
      if (used_i[v] && 32'(last_i[v*PlaceWidth +: PlaceWidth]) >= Places) last_o = 1'b0;
      if (used_i[v] && 32'(head_level_i) != v && 32'(first_i[v*PlaceWidth +: PlaceWidth]) >= Places) first_o = 1'b0;
    end
    used_o = used_i == has_packets && group_used_i == (used_i != '0) && head_valid_i == (used_i != '0) &&
             (!head_valid_i || 32'(head_i) < Places);
  end
  always_comb begin
    p_waits  = 1'b0;
    q_waits  = 1'b0;
    p_before = 1'b0;
    shadow_o = 1'b1;
    for (int k = 0; k < Places; k++) begin
      if (waits_i[k] && 32'(p_i) == k) p_waits = 1'b1;
      if (waits_i[k] && 32'(q_i) == k) q_waits = 1'b1;
      if (waits_i[k] && 32'(p_i) == k && level_q[k*LevelWidth +: LevelWidth] != p_level_i) shadow_o = 1'b0;
      if (waits_i[k] && 32'(q_i) == k && level_q[k*LevelWidth +: LevelWidth] != q_level_i) shadow_o = 1'b0;
      for (int l = 0; l < Places; l++) if (32'(p_i) == k && 32'(q_i) == l) p_before = before_q[k*Places + l];
    end
    if (p_waits && q_waits && p_level_i == q_level_i && p_first_i != p_before) shadow_o = 1'b0;
  end
endmodule
