// fifo_queue_order - packets of links leave a fifo_queue in order of arrival, then those of the host; none is lost or doubled.
//
// The assertions h_... say together what every state that can be reached looks like, for two or three links and the host, so that
// one step of induction proves all. They hold the queue against three histories that this module writes: cell_of_q, the cell of
// its ring that a packet was written to; entry_of_q, the entry of the order in which it arrived; and owner_q, which packet of a
// link arrived in an entry. Cells are numbered as places are: from the first place of their input on.
module fifo_queue_order #(
  parameter int Inputs    = 3,
  parameter int Depth     = 2,
  parameter int HostDepth = 2,
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places)
) (
  input logic                         clk_i,
  input logic [Inputs-1:0]            push_i,
  input logic [Inputs*PlaceWidth-1:0] push_place_i,
  input logic                         pop_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                  head_valid, legal, any, head_waits, overtaken, watched, both, unused_rank;
  logic [PlaceWidth-1:0] head_place;
  fifo_queue #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth)) u_dut (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .pop_i, .head_valid_o(head_valid), .head_place_o(head_place)
  );
  order_shadow #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankWidth(1)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i({Inputs{1'b0}}), .pop_i, .again_i(1'b0),
    .again_rank_i(1'b0), .head_valid_i(head_valid), .head_place_i(head_place), .legal_o(legal), .any_o(any),
    .head_waits_o(head_waits), .overtaken_o(overtaken), .watched_o(watched), .rank_o(unused_rank), .both_o(both)
  );

  // ---- the registers of the queue and of the shadow ----
  localparam int Links      = Inputs - 1;
  localparam int LinkPlaces = safnet_pkg::first_place(Links, Depth);
  localparam int Stride     = safnet_pkg::first_place(1, Depth);  // numbers of places of a link: its depth, rounded up
  localparam int SlotWidth  = safnet_pkg::index_width(Depth);
  localparam int CountWidth = $clog2(Depth + 1);
  localparam int HostWidth  = safnet_pkg::index_width(HostDepth);
  localparam int HostCountWidth = $clog2(HostDepth + 1);
  localparam int Entries    = Links * Depth;
  localparam int EntryWidth = safnet_pkg::index_width(Entries);
  // Input 2 is the host of a queue with two links, input 3 that of one with three.
  localparam int SlotWidth2 = Links == 2 ? HostWidth : SlotWidth, CountWidth2 = Links == 2 ? HostCountWidth : CountWidth;
  `MEMORY(slots_0, 8, SlotWidth, u_dut.g_input[0].u_ring.slot_q)
  `MEMORY(slots_1, 8, SlotWidth, u_dut.g_input[1].u_ring.slot_q)
  `MEMORY(slots_2, 8, SlotWidth2, u_dut.g_input[2].u_ring.slot_q)
  `MEMORY(slots_3, 8, HostWidth, u_dut.g_input[3].u_ring.slot_q)
  `MEMORY(arrived, 24, Links, u_dut.arrived_q)
  (* hierconn *) wire [SlotWidth-1:0]         \u_dut.g_input[0].u_ring.read_q , \u_dut.g_input[0].u_ring.write_q ;
  (* hierconn *) wire [SlotWidth-1:0]         \u_dut.g_input[1].u_ring.read_q , \u_dut.g_input[1].u_ring.write_q ;
  (* hierconn *) wire [SlotWidth2-1:0]        \u_dut.g_input[2].u_ring.read_q , \u_dut.g_input[2].u_ring.write_q ;
  (* hierconn *) wire [HostWidth-1:0]         \u_dut.g_input[3].u_ring.read_q , \u_dut.g_input[3].u_ring.write_q ;
  (* hierconn *) wire [CountWidth-1:0]        \u_dut.g_input[0].u_ring.count_q , \u_dut.g_input[1].u_ring.count_q ;
  (* hierconn *) wire [CountWidth2-1:0]       \u_dut.g_input[2].u_ring.count_q ;
  (* hierconn *) wire [HostCountWidth-1:0]    \u_dut.g_input[3].u_ring.count_q ;
  (* hierconn *) wire [EntryWidth-1:0]        \u_dut.read_q , \u_dut.write_q ;
  (* hierconn *) wire [$clog2(Entries+1)-1:0] \u_dut.entries_q ;
  (* hierconn *) wire [Links-1:0]             \u_dut.taken_q ;
  (* hierconn *) wire [PlaceWidth-1:0]        \u_shadow.p , \u_shadow.q ;
  (* hierconn *) wire [Places-1:0]            \u_shadow.waits_q ;
  (* hierconn *) wire \u_shadow.p_first_q , \u_shadow.p_host_q , \u_shadow.q_host_q , \u_shadow.p_rank_q , \u_shadow.q_rank_q ;

  // The same by input, eight bits each.
  logic [4*8-1:0]   read, write, count;
  logic [4*8*8-1:0] slots;
  always_comb begin
    read  = {8'(\u_dut.g_input[3].u_ring.read_q ), 8'(\u_dut.g_input[2].u_ring.read_q ),
             8'(\u_dut.g_input[1].u_ring.read_q ), 8'(\u_dut.g_input[0].u_ring.read_q )};
    write = {8'(\u_dut.g_input[3].u_ring.write_q ), 8'(\u_dut.g_input[2].u_ring.write_q ),
             8'(\u_dut.g_input[1].u_ring.write_q ), 8'(\u_dut.g_input[0].u_ring.write_q )};
    count = {8'(\u_dut.g_input[3].u_ring.count_q ), 8'(\u_dut.g_input[2].u_ring.count_q ),
             8'(\u_dut.g_input[1].u_ring.count_q ), 8'(\u_dut.g_input[0].u_ring.count_q )};
    for (int m = 0; m < 8; m++) begin
      slots[m*8 +: 8]        = 8'(slots_0[m*SlotWidth +: SlotWidth]);
      slots[(8 + m)*8 +: 8]  = 8'(slots_1[m*SlotWidth +: SlotWidth]);
      slots[(16 + m)*8 +: 8] = 8'(slots_2[m*SlotWidth2 +: SlotWidth2]);
      slots[(24 + m)*8 +: 8] = 8'(slots_3[m*HostWidth +: HostWidth]);
    end
  end

  // ---- which cells of the rings and which entries of the order are in use ----
  logic [Inputs:0]              sound;
  logic [Places-1:0]            is_place, used;         // by cell
  logic [Places*PlaceWidth-1:0] content;                // of a cell, a place
  logic [Places*8-1:0]          cell_behind;            // cells between the oldest of its ring and this one
  logic [Entries-1:0]           in_order;
  logic [Entries*8-1:0]         entry_behind;
  for (genvar i = 0; i < Inputs; i++) begin : g_ring
    localparam int Slots     = i == Links ? HostDepth : Depth;
    localparam int First     = safnet_pkg::first_place(i, Depth);
    localparam int Numbers   = i == Links ? HostDepth : Stride;
    ring_window #(.Depth(Slots)) u_window (
      .read_i(read[i*8 +: safnet_pkg::index_width(Slots)]), .write_i(write[i*8 +: safnet_pkg::index_width(Slots)]),
      .count_i(count[i*8 +: $clog2(Slots+1)]), .sound_o(sound[i]), .used_o(used[First +: Slots]),
      .behind_o(cell_behind[First*8 +: Slots*8])
    );
    for (genvar m = 0; m < Numbers; m++) begin : g_cell
      assign is_place[First + m] = m < Slots;
      if (m < Slots) begin : g_word
        assign content[(First + m)*PlaceWidth +: PlaceWidth] = PlaceWidth'(First) + PlaceWidth'(slots[(i*8 + m)*8 +: 8]);
      end else begin : g_none
        assign used[First + m]                               = 1'b0;
        assign cell_behind[(First + m)*8 +: 8]               = '0;
        assign content[(First + m)*PlaceWidth +: PlaceWidth] = '0;
      end
    end
  end
  ring_window #(.Depth(Entries)) u_order (
    .read_i(\u_dut.read_q ), .write_i(\u_dut.write_q ), .count_i(\u_dut.entries_q ), .sound_o(sound[Inputs]), .used_o(in_order),
    .behind_o(entry_behind)
  );

  // ---- the histories ----
  logic [Places*PlaceWidth-1:0]        cell_of_q;   // of a place
  logic [Places*EntryWidth-1:0]        entry_of_q;  // of a place; means nothing for those of the host
  logic [Links*Entries*PlaceWidth-1:0] owner_q;     // of a link and an entry
  always @(posedge clk_i) begin
    for (int i = 0; i < Inputs; i++) begin
      for (int k = 0; k < Places; k++) begin
        if (push_i[i] && 32'(push_place_i[i*PlaceWidth +: PlaceWidth]) == k) begin
          cell_of_q[k*PlaceWidth +: PlaceWidth]  <= PlaceWidth'(safnet_pkg::first_place(i, Depth)) + PlaceWidth'(write[i*8 +: 8]);
          entry_of_q[k*EntryWidth +: EntryWidth] <= \u_dut.write_q ;
        end
      end
    end
    for (int i = 0; i < Links; i++) begin
      for (int e = 0; e < Entries; e++) begin
        if (push_i[i] && 32'(\u_dut.write_q ) == e)
          owner_q[(i*Entries + e)*PlaceWidth +: PlaceWidth] <= push_place_i[i*PlaceWidth +: PlaceWidth];
      end
    end
  end

  // ---- what is true in every state ----
  logic [Places-1:0] waits;
  assign waits = \u_shadow.waits_q ;

  // A packet waits in a place if and only if one cell in use names the place.
  logic [Places-1:0]   place_right, cell_right;
  logic [Places*8-1:0] behind;  // of a place, that of its cell
  always_comb begin
    place_right = ~waits;
    cell_right  = ~used;
    behind      = '0;
    for (int k = 0; k < Places; k++) begin
      for (int c = 0; c < Places; c++) begin
        if (is_place[k] && is_place[c] && 32'(cell_of_q[k*PlaceWidth +: PlaceWidth]) == c) begin
          behind[k*8 +: 8] = cell_behind[c*8 +: 8];
          if (used[c] && waits[k] && 32'(content[c*PlaceWidth +: PlaceWidth]) == k) begin
            place_right[k] = 1'b1;
            cell_right[c]  = 1'b1;
          end
        end
      end
    end
  end

  // A packet waits in a place of a link if and only if one entry in use names the link, which has not been served.
  logic [Places*8-1:0]      arrival;                // of a place of a link, how far its entry is behind the oldest
  logic [Links*Entries-1:0] live, owner_right;
  logic [LinkPlaces-1:0]    entry_right;
  logic [Entries-1:0]       to_serve;               // entries with a link that has not been served
  logic [Links-1:0]         oldest_links;           // those that the oldest entry names; none if no entry is in use
  always_comb begin
    live         = '0;
    to_serve     = '0;
    oldest_links = '0;
    for (int e = 0; e < Entries; e++) begin
      if (32'(\u_dut.read_q ) == e && in_order[e]) oldest_links = arrived[e*Links +: Links];
      for (int i = 0; i < Links; i++) begin
        live[i*Entries + e] = in_order[e] && arrived[e*Links + i] && !(32'(\u_dut.read_q ) == e && \u_dut.taken_q [i]);
        if (live[i*Entries + e]) to_serve[e] = 1'b1;
      end
    end
    owner_right = ~live;
    entry_right = ~waits[LinkPlaces-1:0];
    arrival     = '0;
    for (int k = 0; k < LinkPlaces; k++) begin
      for (int e = 0; e < Entries; e++) begin
        if (32'(entry_of_q[k*EntryWidth +: EntryWidth]) == e) begin
          arrival[k*8 +: 8] = entry_behind[e*8 +: 8];
          if (waits[k] && live[(k / Stride)*Entries + e] && 32'(owner_q[((k / Stride)*Entries + e)*PlaceWidth +: PlaceWidth]) == k) begin
            entry_right[k]                       = 1'b1;
            owner_right[(k / Stride)*Entries + e] = 1'b1;
          end
        end
      end
    end
  end

  // Which of two packets that wait comes first: in a ring, and for p and q in the order of the shadow.
  logic       rings_agree, p_waits, q_waits, p_host, q_host, p_first;
  logic [7:0] p_behind, q_behind, p_arrival, q_arrival;
  assign p_host  = 32'(\u_shadow.p ) >= LinkPlaces;
  assign q_host  = 32'(\u_shadow.q ) >= LinkPlaces;
  assign p_first = p_host ? p_behind < q_behind :
                   p_arrival < q_arrival || (p_arrival == q_arrival && \u_shadow.p < \u_shadow.q );
  always_comb begin
    rings_agree = 1'b1;
    {p_waits, p_behind, p_arrival} = '0;
    {q_waits, q_behind, q_arrival} = '0;
    for (int k = 0; k < Places; k++) begin
      if (32'(\u_shadow.p ) == k) {p_waits, p_behind, p_arrival} = {waits[k], behind[k*8 +: 8], arrival[k*8 +: 8]};
      if (32'(\u_shadow.q ) == k) {q_waits, q_behind, q_arrival} = {waits[k], behind[k*8 +: 8], arrival[k*8 +: 8]};
      for (int l = 0; l < LinkPlaces; l++) begin
        if (k < LinkPlaces && k / Stride == l / Stride && waits[k] && waits[l] && behind[k*8 +: 8] < behind[l*8 +: 8] &&
            arrival[k*8 +: 8] >= arrival[l*8 +: 8]) rings_agree = 1'b0;
      end
    end
  end

  // As many packets of a link wait as entries name it: then there is room in the order for whatever may arrive.
  logic [Links-1:0] counts_agree;
  logic [7:0]       waiting, to_be_served;
  always_comb begin
    counts_agree = '0;
    waiting      = '0;
    to_be_served = '0;
    for (int i = 0; i < Links; i++) begin
      waiting      = '0;
      to_be_served = '0;
      for (int m = 0; m < Stride; m++) waiting = waiting + 8'(waits[i*Stride + m]);
      for (int e = 0; e < Entries; e++) to_be_served = to_be_served + 8'(live[i*Entries + e]);
      counts_agree[i] = waiting == to_be_served;
    end
  end

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (legal);
      a_there_is_a_head_while_packets_wait : assert (head_valid == any);
      a_the_head_is_a_packet_that_waits    : assert (!head_valid || head_waits);
      a_no_packet_overtakes                : assert (!overtaken);
      h_pointers : assert (sound == '1);
      h_cells    : assert (cell_right == '1 && place_right == '1);
      h_entries  : assert (owner_right == '1 && entry_right == '1 && to_serve == in_order);
      h_taken    : assert ((\u_dut.taken_q & ~oldest_links) == '0);
      h_counts   : assert (counts_agree == '1);
      h_rings    : assert (rings_agree);
      h_hosts    : assert ((!p_waits || (\u_shadow.p_host_q == p_host && !\u_shadow.p_rank_q )) &&
                           (!q_waits || (\u_shadow.q_host_q == q_host && !\u_shadow.q_rank_q )));
      h_first    : assert (!both || p_host != q_host || \u_shadow.p_first_q == p_first);
      c_two_wait : cover (both && watched && pop_i && push_i == '1);
    end
  end
endmodule
