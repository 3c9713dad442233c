// listed_order - a packet_order of any size: a linked list of places for each rank.
//
// A level is {rank, local}: packets of the host come after those of links at the same rank. A packet joins the end of its
// level's list; the head is the first packet of the lowest level that is not empty. The lists hold the packets of all
// inputs, so that no times of arrival need to be kept: packets that come in one cycle join one after the other, the lowest
// input first.
//
// One memory (next_q) holds the successor of every place in its list, a bitmap in two levels of 64 finds the lowest level
// that is not empty, and the head is kept in registers. The first place of the head's own list is in those registers and
// not in first_q. The work of a cycle does not depend on how many packets wait; the memories have as many write ports as
// there are inputs.
module listed_order #(
`include "pifo/order_parameters.svh"
  parameter int HasAgain    = 0    // 1: the head may be moved
) (
  input logic clk_i,
`include "common/as_ports.svh"
`include "pifo/order_ports.svh"
  input logic rst_ni
);
  localparam int Levels     = 2 * safnet_pkg::larger(RankLevels, 2);
  localparam int LevelWidth = RankWidth + 1;
  localparam int Groups     = (Levels + 63) / 64;  // at most 128
  localparam int GroupBits  = (Levels < 64) ? Levels : 64;
  localparam int GroupWidth = safnet_pkg::index_width(Groups);
  localparam int BitWidth   = safnet_pkg::index_width(GroupBits);

  logic [PlaceWidth-1:0] next_q  [Places];  // successor of a place in its list
  logic [PlaceWidth-1:0] first_q [Levels];  // start of each list but the head's
  logic [PlaceWidth-1:0] last_q  [Levels];  // end of each list
  logic [GroupBits-1:0]  used_q  [Groups];  // levels with a list that is not empty
  logic [Groups-1:0]     group_used_q;

  logic                  head_valid_q;
  logic [LevelWidth-1:0] head_level_q;
  logic [PlaceWidth-1:0] head_q;

  assign head_valid_o = head_valid_q;
  assign head_place_o = head_q;
  assign head_rank_o  = head_level_q[LevelWidth-1:1];

  // Position of the lowest bit that is set; 0 if none is. It is not in safnet_pkg because Icarus runs an always_comb that
  // calls a function again whenever the function's own variables change: two callers of one function would never stop.
  function automatic logic [5:0] first_set(input logic [63:0] word);
    logic [63:0] rest;
    logic [5:0]  index;
    rest  = word;
    index = 6'd0;
    if (rest[31:0] == 32'd0) begin index[5] = 1'b1; rest = rest >> 32; end
    if (rest[15:0] == 16'd0) begin index[4] = 1'b1; rest = rest >> 16; end
    if (rest[7:0]  ==  8'd0) begin index[3] = 1'b1; rest = rest >> 8;  end
    if (rest[3:0]  ==  4'd0) begin index[2] = 1'b1; rest = rest >> 4;  end
    if (rest[1:0]  ==  2'd0) begin index[1] = 1'b1; rest = rest >> 2;  end
    if (rest[0]    ==  1'b0) index[0] = 1'b1;
    first_set = (word == 64'd0) ? 6'd0 : index;
  endfunction

  // The next state is computed inside the clocked process, and only if something is pushed or popped. The memories are
  // assigned with `=`, which nothing outside this process sees. See "Written for speed" in rtl/README.md.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      head_level_q <= '0;
      head_q       <= '0;
      group_used_q = '0;
      for (int g = 0; g < Groups; g++) used_q[g] = '0;
    end else if (push_i != '0 || pop_i || again_i) begin : update
      logic                  valid;        // the head as it becomes
      logic [LevelWidth-1:0] level;
      logic [PlaceWidth-1:0] place;
      logic                  push;         // what joins
      logic [LevelWidth-1:0] push_level;
      logic [PlaceWidth-1:0] push_place;
      logic [GroupWidth-1:0] group;
      logic [BitWidth-1:0]   low_bit;
      logic [GroupBits-1:0]  group_rest;   // the head's group without the head's level, then the next head's group
      logic [127:0]          groups_rest;
      valid = head_valid_q;
      level = head_level_q;
      place = head_q;
      if (pop_i || (HasAgain != 0 && again_i)) begin
        if (last_q[head_level_q] != head_q) begin
          place = next_q[head_q];
        end else begin
          group                  = GroupWidth'(head_level_q >> 6);
          low_bit                = BitWidth'(head_level_q);
          used_q[group][low_bit] = 1'b0;
          group_rest             = used_q[group];
          group_used_q[group]    = group_rest != '0;
          if (group_rest == '0) begin
            groups_rest = 128'(group_used_q);
            group       = (groups_rest[63:0] != '0) ? GroupWidth'(first_set(groups_rest[63:0]))
                                                    : GroupWidth'(7'd64 | 7'(first_set(groups_rest[127:64])));
            group_rest  = used_q[group];
          end
          valid = group_used_q != '0;
          level = LevelWidth'((32'(group) << 6) | 32'(first_set(64'(group_rest))));
          place = first_q[level];
        end
      end
      // -1: what is left of the head, which joins before what arrives
      for (int i = (HasAgain != 0) ? -1 : 0; i < Inputs; i++) begin
        if (i < 0) begin
          push       = again_i;
          push_place = head_q;
          push_level = {again_rank_i, 1'b0};
        end else begin
          push       = push_i[i];
          push_place = push_place_i[i*PlaceWidth +: PlaceWidth];
          push_level = {push_rank_i[i*RankWidth +: RankWidth], 1'(i == Inputs - 1)};
        end
        if (push) begin
          group   = GroupWidth'(push_level >> 6);
          low_bit = BitWidth'(push_level);
          if (!valid || push_level < level) begin  // it becomes the head
            if (valid) first_q[level] = place;
            valid = 1'b1;
            level = push_level;
            place = push_place;
          end else if (used_q[group][low_bit]) begin
            next_q[last_q[push_level]] = push_place;
          end else begin
            first_q[push_level] = push_place;
          end
          used_q[group][low_bit] = 1'b1;
          group_used_q[group]    = 1'b1;
          last_q[push_level]     = push_place;
        end
      end
      head_valid_q <= valid;
      head_level_q <= level;
      head_q       <= place;
    end
  end
endmodule
