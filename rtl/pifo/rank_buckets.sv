// rank_buckets - push-in first-out order of the packets in one store: a linked list of slots for every rank.
//
// A packet joins the list of its rank; the head is the first packet of the lowest rank that is not empty. One push and
// one pop a cycle, in any combination, at a cost that does not depend on how many packets wait: one memory (next_q) holds
// the successor of every slot in its list, a bitmap in two levels of 64 finds the lowest rank that is not empty, and the
// head is kept in registers. The first entry of the head's own list is in those registers and not in first_q. So first_q
// is written in two cases only, of which one can happen in a cycle: a packet joins an empty rank behind the head, or a
// packet of smaller rank becomes the head and the old head goes back to first_q. One write port is enough.
module rank_buckets #(
  parameter int Depth      = 16,  // slots
  parameter int RankLevels = 4,   // ranks, at most 4096; smaller leaves earlier
  parameter int StampWidth = 32,  // bits of the time stamp that travels with a packet
  localparam int SlotWidth = safnet_pkg::index_width(Depth),
  localparam int RankWidth = safnet_pkg::index_width(RankLevels)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  push_i,
  input  logic [SlotWidth-1:0]  push_slot_i,
  input  logic [RankWidth-1:0]  push_rank_i,
  input  logic [StampWidth-1:0] push_stamp_i,
  input  logic                  pop_i,         // the head leaves
  // all registered
  output logic                  head_valid_o,
  output logic [SlotWidth-1:0]  head_slot_o,
  output logic [RankWidth-1:0]  head_rank_o,
  output logic [StampWidth-1:0] head_stamp_o
);
  localparam int Groups     = (RankLevels + 63) / 64;
  localparam int GroupRanks = (RankLevels < 64) ? RankLevels : 64;
  localparam int GroupWidth = safnet_pkg::index_width(Groups);
  localparam int BitWidth   = safnet_pkg::index_width(GroupRanks);
  localparam int EntryWidth = StampWidth + SlotWidth;

  logic [EntryWidth-1:0] next_q  [Depth];       // successor of a slot in its list: {stamp, slot}
  logic [EntryWidth-1:0] first_q [RankLevels];  // start of each list but the head's
  logic [SlotWidth-1:0]  last_q  [RankLevels];  // end of each list
  logic [GroupRanks-1:0] used_q  [Groups];      // ranks with a list that is not empty
  logic [Groups-1:0]     group_used_q;

  logic                  head_valid_q;
  logic [RankWidth-1:0]  head_rank_q;
  logic [EntryWidth-1:0] head_q;

  assign head_valid_o = head_valid_q;
  assign head_rank_o  = head_rank_q;
  assign {head_stamp_o, head_slot_o} = head_q;

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
      head_rank_q  <= '0;
      head_q       <= '0;
      group_used_q = '0;
      for (int g = 0; g < Groups; g++) used_q[g] = '0;
    end else if (push_i || pop_i) begin : update
      logic [SlotWidth-1:0]  head_slot;
      logic [GroupWidth-1:0] head_group, push_group, after_group;
      logic [BitWidth-1:0]   head_bit, push_bit;
      logic [GroupRanks-1:0] group_rest;   // the head's group without the head's rank, then the next head's group
      logic [Groups-1:0]     groups_rest;  // groups without the head's, if that becomes empty
      logic                  overtakes, joins_empty;
      logic                  after_valid;  // the head once the pop is done, before the push
      logic [RankWidth-1:0]  after_rank;
      logic [EntryWidth-1:0] after;
      head_slot   = head_q[SlotWidth-1:0];
      head_group  = GroupWidth'(head_rank_q >> 6);
      head_bit    = BitWidth'(head_rank_q);
      push_group  = GroupWidth'(push_rank_i >> 6);
      push_bit    = BitWidth'(push_rank_i);
      after_valid = head_valid_q;
      after_rank  = head_rank_q;
      after       = head_q;
      if (pop_i) begin
        if (last_q[head_rank_q] != head_slot) begin
          after = next_q[head_slot];
        end else begin
          after_group              = head_group;
          group_rest               = used_q[head_group];
          group_rest[head_bit]     = 1'b0;
          used_q[head_group][head_bit] = 1'b0;
          groups_rest              = group_used_q;
          groups_rest[head_group]  = group_rest != '0;
          group_used_q[head_group] = group_rest != '0;
          if (group_rest == '0) begin
            after_group = GroupWidth'(first_set(64'(groups_rest)));
            group_rest  = used_q[after_group];
          end
          after_valid = groups_rest != '0;
          after_rank  = RankWidth'((32'(after_group) << 6) | 32'(first_set(64'(group_rest))));
          after       = first_q[after_rank];
        end
      end
      overtakes   = push_i && (!after_valid || push_rank_i < after_rank);
      joins_empty = push_i && !used_q[push_group][push_bit];
      head_valid_q <= after_valid || push_i;
      head_rank_q  <= overtakes ? push_rank_i : after_rank;
      head_q       <= overtakes ? {push_stamp_i, push_slot_i} : after;
      if (overtakes) begin
        if (after_valid) first_q[after_rank] = after;
      end else if (joins_empty) begin
        first_q[push_rank_i] = {push_stamp_i, push_slot_i};
      end
      if (push_i) begin
        used_q[push_group][push_bit] = 1'b1;
        group_used_q[push_group]     = 1'b1;
        if (!overtakes && !joins_empty) next_q[last_q[push_rank_i]] = {push_stamp_i, push_slot_i};
        last_q[push_rank_i] = push_slot_i;
      end
    end
  end

  always @(posedge clk_i) begin : a_pop_needs_a_head
    if (rst_ni && pop_i) assert (head_valid_q);
  end
  always @(posedge clk_i) begin : a_rank_is_in_range
    if (rst_ni && push_i) assert (32'(push_rank_i) < 32'(RankLevels));
  end

  initial begin : check_parameters
    if (Depth < 1) $fatal(1, "rank_buckets: Depth must be at least 1");
    if (RankLevels < 1 || RankLevels > 4096) $fatal(1, "rank_buckets: RankLevels must be 1 to 4096");
    if (StampWidth < 1) $fatal(1, "rank_buckets: StampWidth must be at least 1");
  end
endmodule
