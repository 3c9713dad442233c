// listed_order_state - whether the lists of a listed_order hold the packets that wait, in the right order, for proofs.
//
// Each output is true in every state that can be reached, and together with those of arrival_order they prove themselves in one
// step of induction.
module listed_order_state #(
  parameter int Places     = 6,
  parameter int RankLevels = 2,
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
  localparam int LevelWidth = RankWidth + 1,
  localparam int Levels     = 2 * safnet_pkg::larger(RankLevels, 2)
) (
  // registers of the listed_order
  input  logic                         head_valid_i,
  input  logic [PlaceWidth-1:0]        head_i,
  input  logic [LevelWidth-1:0]        head_level_i,
  input  logic                         group_used_i,
  input  logic [Levels-1:0]            used_i,
  input  logic [Places*PlaceWidth-1:0] next_i,   // by place
  input  logic [Levels*PlaceWidth-1:0] first_i,  // by level
  input  logic [Levels*PlaceWidth-1:0] last_i,
  // of the packets that wait
  input  logic [Places-1:0]            waits_i,
  input  logic [Places*LevelWidth-1:0] level_i,   // by place
  input  logic [Places*Places-1:0]     before_i,  // [k*Places + l]: the packet in k joined before the one in l
  output logic                         head_o,     // the head is the first packet of the lowest level
  output logic                         used_o,     // the levels in use are those of packets that wait
  output logic                         first_o,    // every list but the head's starts with its first packet
  output logic                         last_o,     // and every list ends with its last one
  output logic                         next_o      // each packet but the last is followed by the one that joined after it
);
  logic [Levels-1:0] has_packets;
  logic [LevelWidth-1:0] here, there;
  logic follows;
  always_comb begin
    head_o      = !head_valid_i || used_i[head_level_i];
    first_o     = 1'b1;
    last_o      = 1'b1;
    next_o      = 1'b1;
    has_packets = '0;
    here        = '0;
    there       = '0;
    follows     = 1'b0;
    for (int k = 0; k < Places; k++) begin
      here = level_i[k*LevelWidth +: LevelWidth];
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
        there = level_i[l*LevelWidth +: LevelWidth];
        if (waits_i[k] && waits_i[l] && k != l) begin
          if (here == there && before_i[l*Places + k]) begin  // k is not the first of its level
            if (32'(head_i) == k) head_o = 1'b0;
            if (here != head_level_i && 32'(first_i[here*PlaceWidth +: PlaceWidth]) == k) first_o = 1'b0;
          end
          if (here == there && before_i[k*Places + l]) begin  // nor the last
            if (32'(last_i[here*PlaceWidth +: PlaceWidth]) == k) last_o = 1'b0;
            if (32'(next_i[k*PlaceWidth +: PlaceWidth]) == l) begin
              follows = 1'b1;
              for (int m = 0; m < Places; m++) begin
                if (m != k && m != l && waits_i[m] && level_i[m*LevelWidth +: LevelWidth] == here && before_i[k*Places + m] &&
                    !before_i[l*Places + m]) next_o = 1'b0;
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
endmodule
