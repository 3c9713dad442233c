// arrival_order - the level of each packet that waits in a queue, and which of every two joined first, for proofs.
//
// A level is {rank, host}. The order_shadow knows as much of two places that the solver chooses; this module knows it of all, so
// that assertions about the registers of a queue can speak of any packet.
module arrival_order #(
  parameter int Inputs     = 3,
  parameter int Places     = 6,
  parameter int RankWidth  = 1,
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int LevelWidth = RankWidth + 1
) (
  input  logic                         clk_i,
  // what happens in this cycle
  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs*PlaceWidth-1:0] push_place_i,
  input  logic [Inputs*RankWidth-1:0]  push_rank_i,
  input  logic                         again_i,
  input  logic [RankWidth-1:0]         again_rank_i,
  input  logic [PlaceWidth-1:0]        head_i,
  // registers of the order_shadow
  input  logic [Places-1:0]            waits_i,
  input  logic [PlaceWidth-1:0]        p_i, q_i,
  input  logic                         p_first_i,
  input  logic [LevelWidth-1:0]        p_level_i, q_level_i,
  output logic [Places*LevelWidth-1:0] level_o,    // by place
  output logic [Places*Places-1:0]     before_o,   // [k*Places + l]: the packet in k joined before the one in l
  output logic                         ordered_o,  // true in every state: of two packets that wait one joined first
  output logic                         shadow_o    // true in every state: the shadow agrees about its two packets
);
  logic [Places*LevelWidth-1:0] level;
  logic [Places*Places-1:0]     before;
  logic                         joins;
  always_comb begin
    level  = level_o;
    before = before_o;
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
    level_o  <= level;
    before_o <= before;
  end

  logic p_waits, q_waits, p_before;
  always_comb begin
    ordered_o = 1'b1;
    p_waits   = 1'b0;
    q_waits   = 1'b0;
    p_before  = 1'b0;
    shadow_o  = 1'b1;
    for (int k = 0; k < Places; k++) begin
      if (waits_i[k] && 32'(p_i) == k) p_waits = 1'b1;
      if (waits_i[k] && 32'(q_i) == k) q_waits = 1'b1;
      if (waits_i[k] && 32'(p_i) == k && level_o[k*LevelWidth +: LevelWidth] != p_level_i) shadow_o = 1'b0;
      if (waits_i[k] && 32'(q_i) == k && level_o[k*LevelWidth +: LevelWidth] != q_level_i) shadow_o = 1'b0;
      for (int l = 0; l < Places; l++) begin
        if (l < k && waits_i[k] && waits_i[l] && before_o[k*Places + l] == before_o[l*Places + k]) ordered_o = 1'b0;
        if (32'(p_i) == k && 32'(q_i) == l) p_before = before_o[k*Places + l];
      end
    end
    if (p_waits && q_waits && p_level_i == q_level_i && p_first_i != p_before) shadow_o = 1'b0;
  end
endmodule
