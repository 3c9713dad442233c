// order_shadow - which packets wait in a queue, and which of two of them has to leave first, for proofs.
//
// The solver chooses two places. What holds for the packets in these two holds for every pair. The order is that of
// packet_order: the smaller rank, at equal ranks packets of links before those of the host, then the cycle of arrival, then
// the lower input. legal_o says that every push and pop of this cycle keeps to the protocol: a place of the input that
// pushes, in which no packet waits.
module order_shadow #(
  parameter int Inputs    = 3,
  parameter int Depth     = 2,
  parameter int HostDepth = 2,
  parameter int RankWidth = 1,
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs*PlaceWidth-1:0] push_place_i,
  input  logic [Inputs*RankWidth-1:0]  push_rank_i,
  input  logic                         pop_i,
  input  logic                         again_i,
  input  logic [RankWidth-1:0]         again_rank_i,
  input  logic                         head_valid_i,
  input  logic [PlaceWidth-1:0]        head_place_i,
  output logic                         legal_o,
  output logic                         any_o,         // a packet waits
  output logic                         head_waits_o,  // the head is one that waits
  output logic                         overtaken_o,   // the second of the two places is the head, and the first comes before it
  output logic                         watched_o,     // the head is the packet of the first place
  output logic [RankWidth-1:0]         rank_o,        // and should have this rank
  output logic                         both_o         // packets wait in both places
);
  (* anyconst *) logic [PlaceWidth-1:0] p, q;
  logic [Places-1:0]    waits_q, waits;
  logic                 p_waits, q_waits, p_host_q, q_host_q, p_first_q;
  logic [RankWidth-1:0] p_rank_q, q_rank_q;

  logic                 p_comes, q_comes, p_host, q_host, ok, both_first;
  logic [RankWidth-1:0] p_rank, q_rank;
  logic [PlaceWidth-1:0] place;
  always_comb begin
    waits      = waits_q;
    ok         = !pop_i && !again_i || head_valid_i;
    p_comes    = 1'b0;
    q_comes    = 1'b0;
    p_host     = p_host_q;
    q_host     = q_host_q;
    p_rank     = p_rank_q;
    q_rank     = q_rank_q;
    both_first = 1'b0;  // both come in this cycle, p through the lower input
    place      = '0;
    for (int k = 0; k < Places; k++) if (pop_i && 32'(head_place_i) == k) waits[k] = 1'b0;
    for (int i = 0; i < Inputs; i++) begin
      if (push_i[i]) begin
        place = push_place_i[i*PlaceWidth +: PlaceWidth];
        ok    = ok && 32'(place) >= safnet_pkg::first_place(i, Depth) &&
                32'(place) < safnet_pkg::first_place(i, Depth) + (i == Inputs - 1 ? HostDepth : Depth);
        for (int k = 0; k < Places; k++) begin
          if (32'(place) == k) begin
            ok       = ok && !waits_q[k];
            waits[k] = 1'b1;
          end
        end
        if (place == q) begin
          q_comes    = 1'b1;
          q_host     = i == Inputs - 1;
          q_rank     = push_rank_i[i*RankWidth +: RankWidth];
          both_first = p_comes;
        end
        if (place == p) begin
          p_comes = 1'b1;
          p_host  = i == Inputs - 1;
          p_rank  = push_rank_i[i*RankWidth +: RankWidth];
        end
      end
    end
  end
  logic p_moves, q_moves;
  assign p_moves = again_i && head_place_i == p;
  assign q_moves = again_i && head_place_i == q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q <= '0;
    end else begin
      waits_q <= waits;
      if (p_comes)      {p_host_q, p_rank_q} <= {p_host, p_rank};
      else if (p_moves) {p_host_q, p_rank_q} <= {1'b0, again_rank_i};
      if (q_comes)      {q_host_q, q_rank_q} <= {q_host, q_rank};
      else if (q_moves) {q_host_q, q_rank_q} <= {1'b0, again_rank_i};
      // Who comes anew comes after the other one; the moved head comes before those that arrive.
      if (p_comes && q_comes)        p_first_q <= both_first;
      else if (q_comes)              p_first_q <= 1'b1;
      else if (p_comes)              p_first_q <= 1'b0;
      else if (q_moves)              p_first_q <= 1'b1;
      else if (p_moves)              p_first_q <= 1'b0;
    end
  end

  logic [Places-1:0] one_p, one_q, one_head;
  assign one_p    = Places'(1) << p;
  assign one_q    = Places'(1) << q;
  assign one_head = Places'(1) << head_place_i;
  assign p_waits  = (waits_q & one_p) != '0;
  assign q_waits  = (waits_q & one_q) != '0;
  logic p_before_q;
  assign p_before_q = p_rank_q < q_rank_q ||
                      (p_rank_q == q_rank_q && (p_host_q == q_host_q ? p_first_q : !p_host_q));
  assign legal_o      = ok && !(pop_i && again_i);
  assign any_o        = waits_q != '0;
  assign head_waits_o = (waits_q & one_head) != '0;
  assign both_o       = p_waits && q_waits;
  assign overtaken_o  = p_waits && q_waits && head_valid_i && head_place_i == q && p_before_q;
  assign watched_o    = p_waits && head_valid_i && head_place_i == p;
  assign rank_o       = p_rank_q;
  always @(posedge clk_i) assume (p != q && 32'(p) < Places && 32'(q) < Places);
endmodule
