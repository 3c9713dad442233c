// sorted_order - a short packet_order: each input's packets are kept sorted, and their heads are compared.
//
// An input's packets are a vector in order of rank; a packet that comes in goes behind those of its rank and before those
// of greater ranks, which move up. So the first of each vector is the input's head. Between heads of one rank their
// arrival decides. The times of arrival need not be kept for that: packets of one rank leave in the order in which they
// came, so it is enough to number, for each rank, the cycles in which packets of links arrived. The numbers of those that
// still wait lie next to each other, no more than there are places, and a number with one bit more than that takes says
// which of two is the earlier, however long both wait. The host's packets come after all others of their rank and need no
// number. Heads are compared two by two, in a tree.
module sorted_order #(
`include "pifo/order_parameters.svh"
  localparam int Links      = Inputs - 1
) (
  input logic clk_i,
`include "common/as_ports.svh"
`include "pifo/order_ports.svh"
  input logic rst_ni
);
  localparam int ArrivalWidth  = $clog2(Links * Depth) + 1;
  localparam int InputWidth    = safnet_pkg::index_width(Inputs);

  // ---- per rank: the number of the next cycle in which packets of links arrive ----
  logic [RankLevels*ArrivalWidth-1:0] arrival_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrival_q <= '0;
    end else if (push_i[Links-1:0] != '0) begin : count
      logic came;
      for (int r = 0; r < RankLevels; r++) begin
        came = 1'b0;
        for (int i = 0; i < Links; i++) came = came | (push_i[i] && 32'(push_rank_i[i*RankWidth +: RankWidth]) == r);
        if (came) arrival_q[r*ArrivalWidth +: ArrivalWidth] <= arrival_q[r*ArrivalWidth +: ArrivalWidth] + ArrivalWidth'(1);
      end
    end
  end

  // ---- per input: its packets, sorted ----
  logic [Inputs-1:0]              valid, pop;
  logic [Inputs*PlaceWidth-1:0]   place;
  logic [Inputs*RankWidth-1:0]    rank_of;
  logic [Inputs*ArrivalWidth-1:0] arrival;
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    localparam bit IsHost     = i == Links;
    localparam int Slots      = IsHost ? HostDepth : Depth;
    localparam int SlotWidth  = safnet_pkg::index_width(Slots);
    localparam int FirstPlace = safnet_pkg::first_place(i, Depth);
    localparam int AgeWidth   = IsHost ? 1 : ArrivalWidth;
    logic [Slots-1:0]           valid_q;
    logic [Slots*SlotWidth-1:0] slot_q;
    logic [Slots*RankWidth-1:0] rank_q;
    logic [Slots*AgeWidth-1:0]  age_q;
    logic [RankWidth-1:0]       push_rank;
    assign push_rank = push_rank_i[i*RankWidth +: RankWidth];
    assign valid[i]                               = valid_q[0];
    assign place[i*PlaceWidth +: PlaceWidth]      = PlaceWidth'(slot_q[SlotWidth-1:0]) + PlaceWidth'(FirstPlace);
    assign rank_of[i*RankWidth +: RankWidth]      = rank_q[RankWidth-1:0];
    assign arrival[i*ArrivalWidth +: ArrivalWidth] = ArrivalWidth'(age_q[AgeWidth-1:0]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else if (push_i[i] || pop[i]) begin : update
        logic [Slots-1:0]           v, stays;  // stays: packets that go before the one that comes in
        logic [Slots*SlotWidth-1:0] s;
        logic [Slots*RankWidth-1:0] r;
        logic [Slots*AgeWidth-1:0]  a;
        logic [SlotWidth-1:0]       push_slot;
        logic [AgeWidth-1:0]        push_age;
        v = pop[i] ? valid_q >> 1        : valid_q;
        s = pop[i] ? slot_q >> SlotWidth : slot_q;
        r = pop[i] ? rank_q >> RankWidth : rank_q;
        a = pop[i] ? age_q >> AgeWidth   : age_q;
        if (push_i[i]) begin
          push_slot = SlotWidth'(push_place_i[i*PlaceWidth +: PlaceWidth] - PlaceWidth'(FirstPlace));
          push_age  = IsHost ? '0 : AgeWidth'(arrival_q[32'(push_rank)*ArrivalWidth +: ArrivalWidth]);
          for (int k = 0; k < Slots; k++) stays[k] = v[k] && r[k*RankWidth +: RankWidth] <= push_rank;
          for (int k = Slots - 1; k >= 0; k--) begin
            if (!stays[k]) begin
              if (k == 0 || stays[(k + Slots - 1) % Slots]) begin
                v[k]                         = 1'b1;
                s[k*SlotWidth +: SlotWidth]  = push_slot;
                r[k*RankWidth +: RankWidth]  = push_rank;
                a[k*AgeWidth +: AgeWidth]    = push_age;
              end else begin
                v[k]                         = v[(k + Slots - 1) % Slots];
                s[k*SlotWidth +: SlotWidth]  = s[((k + Slots - 1) % Slots)*SlotWidth +: SlotWidth];
                r[k*RankWidth +: RankWidth]  = r[((k + Slots - 1) % Slots)*RankWidth +: RankWidth];
                a[k*AgeWidth +: AgeWidth]    = a[((k + Slots - 1) % Slots)*AgeWidth +: AgeWidth];
              end
            end
          end
        end
        valid_q <= v;
        slot_q  <= s;
        rank_q  <= r;
        age_q   <= a;
      end
    end
    always @(posedge clk_i) begin : a_there_is_room
      if (rst_ni && push_i[i]) assert (!valid_q[Slots-1] || pop[i]);
    end
  end

  // ---- the first of the heads: of two that are 1, 2, 4, ... apart, round by round, the one that goes first stays ----
  logic [Inputs*PlaceWidth-1:0]   best_place;
  logic [Inputs*RankWidth-1:0]    best_rank;
  logic [Inputs*ArrivalWidth-1:0] best_arrival;
  logic [Inputs*InputWidth-1:0]   best_input;
  logic [Inputs-1:0]              best_valid;
  logic [ArrivalWidth-1:0]        age;
  logic                           later_first;
  int                             other;
  always_comb begin
    best_valid   = valid;
    best_place   = place;
    best_rank    = rank_of;
    best_arrival = arrival;
    age          = '0;
    later_first  = 1'b0;
    other        = 0;
    for (int i = 0; i < Inputs; i++) best_input[i*InputWidth +: InputWidth] = InputWidth'(i);
    if (valid != '0) begin
      for (int round = 0; round < $clog2(Inputs); round++) begin
        for (int i = 0; i < Inputs; i++) begin
          if (i % (2 << round) == 0 && i + (1 << round) < Inputs) begin
            other = i + (1 << round);
            // What input i stands for goes first unless it is none, or of a greater rank, or of the same rank and later.
            age = best_arrival[other*ArrivalWidth +: ArrivalWidth] - best_arrival[i*ArrivalWidth +: ArrivalWidth];
            later_first = best_valid[other] &&
                (!best_valid[i] || best_rank[other*RankWidth +: RankWidth] < best_rank[i*RankWidth +: RankWidth] ||
                 (best_rank[other*RankWidth +: RankWidth] == best_rank[i*RankWidth +: RankWidth] &&
                  age[ArrivalWidth-1] && best_input[other*InputWidth +: InputWidth] != InputWidth'(Links)));
            if (later_first) begin
              best_valid[i]                                = 1'b1;
              best_place[i*PlaceWidth +: PlaceWidth]       = best_place[other*PlaceWidth +: PlaceWidth];
              best_rank[i*RankWidth +: RankWidth]          = best_rank[other*RankWidth +: RankWidth];
              best_arrival[i*ArrivalWidth +: ArrivalWidth] = best_arrival[other*ArrivalWidth +: ArrivalWidth];
              best_input[i*InputWidth +: InputWidth]       = best_input[other*InputWidth +: InputWidth];
            end
          end
        end
      end
    end
  end
  assign head_valid_o = best_valid[0];
  assign head_place_o = best_place[PlaceWidth-1:0];
  assign head_rank_o  = best_rank[RankWidth-1:0];
  for (genvar i = 0; i < Inputs; i++) begin : g_pop
    assign pop[i] = pop_i && best_input[InputWidth-1:0] == InputWidth'(i);
  end

  logic unused;
  assign unused = &{1'b0, again_i, again_rank_i};  // heads are moved in listed_order alone
endmodule
