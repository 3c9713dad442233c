// packet_store_data - what leaves of a packet is what came of it, however soon its place is written again.
//
// The bank of one input: a receive_port that frames what arrives, its packet_places, the packet_memory, and the transmit_ports of
// all outputs, as router_frame joins them. A place is free with the start of the last copy, so that the next packet may
// arrive in it while its flits are still read. The sender keeps to its credits and sends the flits of a packet back to back;
// the queues choose any packet that is there, and the port model starts a packet that was taken when it likes to.
// Without HoldsTaken, all-port: a queue for each output, and a copy starts in the cycle in which it is taken.
//
// One flit of one place is watched, and one output. The memory has two read ports more than in a node: with them the assertions h_...
// say what lies in that place.
module packet_store_data #(
  parameter int Depth      = 2,
  parameter int Flits      = 2,
  parameter int Ports      = 2,
  parameter int HoldsTaken = 0,
  localparam int Queues      = (HoldsTaken != 0) ? 1 : Ports,
  localparam int SlotWidth   = safnet_pkg::index_width(Depth),
  localparam int CountWidth  = $clog2(Depth + 1),
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits),
  localparam int FlitWidth   = 1 + LengthWidth
) (
  input logic                        clk_i,
  input logic                        flit_valid_i,
  input logic [FlitWidth-1:0]        flit_i,
  input logic [Ports-1:0]            mask_i,
  input logic                        deliver_i,
  input logic [Ports-1:0]            take_i,       // the copies that are taken now, one at a time of a shared queue
  input logic [Queues*SlotWidth-1:0] head_slot_i,
  input logic                        start_i       // HoldsTaken: the packet that was taken starts
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  // ---- one flit of the packets in one place, and one output that they leave through
  (* anyconst *) logic [SlotWidth-1:0]  place;
  (* anyconst *) logic [IndexWidth-1:0] number;
  (* anyconst *) logic [safnet_pkg::index_width(Queues)-1:0] output_of;

  // ---- as in router_frame
  (* anyconst *) logic [15:0] depth;
  logic                        label, rank, deliver, last, busy, room, credit, owing;
  logic [Ports-1:0]            mask, head_left;
  logic [IndexWidth-1:0]       index;
  logic [SlotWidth-1:0]        write_slot;
  logic [Queues-1:0]           accept, start, last_copy, released, leaving, sending;
  logic [Queues*SlotWidth-1:0] read_slot;
  logic [Queues*IndexWidth-1:0] read_index;
  logic [Queues*FlitWidth-1:0] read_flit, flit;
  logic [FlitWidth-1:0]        word, header;  // in the memory: the flit that is watched, and the place's first
  receive_port #(.Radix(Ports), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(1), .RankWidth(1), .LengthShift(1)) u_receive (
    .clk_i, .rst_ni(rst_n), .flit_valid_i, .flit_i, .label_o(label), .mask_i, .deliver_i, .rank_i(1'b0), .mask_o(mask),
    .deliver_o(deliver), .rank_o(rank), .index_o(index), .last_o(last), .busy_o(busy)
  );
  packet_places #(.Depth(Depth), .Ports(Ports), .Queues(Queues), .HoldsTaken(HoldsTaken)) u_places (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .commit_i(last && mask != '0), .commit_mask_i(mask), .pass_i(last && mask == '0),
    .write_slot_o(write_slot), .room_o(room), .taken_i(take_i), .head_slot_i, .head_left_o(head_left),
    .release_i(HoldsTaken != 0 && released[0]), .release_slot_i(read_slot[SlotWidth-1:0]), .credit_o(credit), .owing_o(owing)
  );
  packet_memory #(.FlitWidth(FlitWidth), .Flits(Flits), .Inputs(1), .Outputs(Queues + 2), .Places(Depth)) u_dut (
    .clk_i, .write_valid_i(flit_valid_i), .write_place_i(write_slot), .write_index_i(index), .write_flit_i(flit_i),
    .read_place_i({place, place, read_slot}), .read_index_i({IndexWidth'(0), number, read_index}),
    .read_flit_o({header, word, read_flit})
  );
  assign accept    = (HoldsTaken != 0) ? Queues'(take_i != '0) : take_i[Queues-1:0];
  assign start     = (HoldsTaken != 0) ? Queues'(start_i) : accept;
  assign last_copy = (HoldsTaken != 0) ? Queues'((head_left & ~take_i) == '0) : '1;
  transmit_port #(.FlitWidth(FlitWidth), .Flits(Flits), .PlaceWidth(SlotWidth), .LengthShift(1)) u_transmit [Queues-1:0] (
    .clk_i, .rst_ni(rst_n), .accept_i(accept), .start_i(start), .last_copy_i(last_copy), .head_place_i(head_slot_i),
    .read_place_o(read_slot), .read_index_o(read_index), .read_flit_i(read_flit), .release_o(released), .flit_valid_o(leaving),
    .flit_o(flit), .sending_o(sending)
  );

  // ---- the protocol
  logic [Depth-1:0]       kept_q;
  logic [Depth*Ports-1:0] left_q;
  logic                   takes_legal, release_legal;
  place_shadow #(.Depth(Depth), .Ports(Ports), .HoldsTaken(HoldsTaken)) u_shadow (
    .clk_i, .rst_ni(rst_n), .commit_i(last && mask != '0), .release_i(HoldsTaken != 0 && released[0]), .commit_mask_i(mask),
    .taken_i(take_i), .write_slot_i(write_slot), .head_slot_i, .release_slot_i(read_slot[SlotWidth-1:0]), .kept_o(kept_q),
    .left_o(left_q), .takes_legal_o(takes_legal), .release_legal_o(release_legal)
  );
  logic [CountWidth:0] outstanding_q;  // packets that have begun and whose credit has not returned
  logic                begins, taken_q;
  assign begins = flit_valid_i && !busy;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      outstanding_q <= '0;
      taken_q       <= 1'b0;
    end else begin
      outstanding_q <= outstanding_q + (CountWidth+1)'(begins) - (CountWidth+1)'(credit);
      taken_q       <= (taken_q || accept[0]) && !start[0];
    end
  end

  // ---- what came of the packet that arrives, of the one that is stored, and of the one that the output took last
  logic                   arrives, taken, leaves, starts, reads, watched, watched_q, going, going_q;
  logic [FlitWidth-1:0]   came_q, stored_q, copied_q, came, copied;
  logic [LengthWidth-1:0] came_length_q, stored_length_q, copied_length_q, came_length, copied_length, sent_q, sent;
  assign arrives       = flit_valid_i && write_slot == place;
  assign came          = (arrives && index == number) ? flit_i : came_q;
  assign came_length   = (arrives && !busy) ? flit_i[1 +: LengthWidth] : came_length_q;
  assign taken         = accept[output_of] && head_slot_i[output_of*SlotWidth +: SlotWidth] == place;
  assign copied        = taken ? stored_q : copied_q;
  assign copied_length = taken ? stored_length_q : copied_length_q;
  assign watched       = accept[output_of] ? taken : watched_q;  // what was taken last is a packet of the place
  assign starts        = start[output_of];
  assign leaves        = leaving[output_of];
  assign going         = going_q && !accept[output_of];          // its first flit has left, its last has not
  assign sent          = starts ? '0 : sent_q;                   // flits of it that have left
  assign reads         = leaves && read_slot[output_of*SlotWidth +: SlotWidth] == place &&
                         read_index[output_of*IndexWidth +: IndexWidth] == number;
  always @(posedge clk_i) begin
    came_q          <= came;
    came_length_q   <= came_length;
    copied_q        <= copied;
    copied_length_q <= copied_length;
    sent_q          <= sent + LengthWidth'(1);
    watched_q       <= rst_n && watched;
    going_q         <= rst_n && (starts || going) && sent + LengthWidth'(1) != copied_length;
    if (arrives && last) {stored_q, stored_length_q} <= {came, came_length};
  end

  // ---- what the registers look like
  logic [31:0] stored;
  logic        is_kept, writes;  // the place has a packet; one is written into it
  always_comb begin
    stored  = '0;
    is_kept = 1'b0;
    for (int d = 0; d < Depth; d++) begin
      stored = stored + 32'(kept_q[d]);
      if (32'(place) == d) is_kept = kept_q[d];
    end
  end
  assign writes = busy && write_slot == place;
  (* hierconn *) wire [CountWidth-1:0]  \u_places.owed_q ;
  (* hierconn *) wire [Depth-1:0]       \u_places.held_q ;
  (* hierconn *) wire [CountWidth-1:0]  \u_places.g_sender.uncredited_q ;
  (* hierconn *) wire [LengthWidth-1:0] \u_receive.u_flits.g_flits.left_q ;

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    assume (32'(place) < Depth && 32'(number) < Flits && 32'(output_of) < Queues);
    if (rst_n) begin
      assume (takes_legal && (HoldsTaken == 0 || $onehot0(take_i)));
      assume (!begins || (32'(outstanding_q) < 32'(depth) && flit_i[1 +: LengthWidth] != '0 && 32'(flit_i[1 +: LengthWidth]) <= Flits));
      assume (!busy || flit_valid_i);
      assume (!begins || mask_i != '0 || deliver_i);
      assume ((accept & sending) == '0 && (HoldsTaken == 0 || !(accept[0] && taken_q)));
      assume (HoldsTaken == 0 || !start_i || ((accept[0] || taken_q) && !sending[0]));
      a_a_flit_leaves_as_it_came : assert (!(watched && leaves && 32'(sent) == 32'(number)) ||
                                           flit[output_of*FlitWidth +: FlitWidth] == copied);
      a_as_many_flits_leave_as_came : assert (!watched || leaves == (starts || going));
      a_no_flit_is_read_while_it_is_written : assert (!(reads && arrives && index == number));
      a_a_packet_with_a_credit_finds_a_place : assert (!begins || room);
      a_a_place_is_let_go_when_all_copies_are_taken : assert (release_legal);
      h_places : assert (\u_places.held_q == kept_q && room == (stored != Depth) && (!busy || room));
      h_credits : assert (32'(outstanding_q) == 32'(\u_places.g_sender.uncredited_q ) + 32'(busy) &&
                          32'(\u_places.g_sender.uncredited_q ) == stored + 32'(\u_places.owed_q ) + 32'(credit) &&
                          32'(outstanding_q) <= 32'(depth));
      h_free_places_are_written : assert (!room || 32'(write_slot) < Depth && !(is_kept && write_slot == place));
      h_arrival : assert (!writes || (32'(index) + 32'(\u_receive.u_flits.g_flits.left_q ) == 32'(came_length_q) &&
                                      32'(came_length_q) <= Flits && index != '0));
      h_written : assert (!(writes && number < index) || word == came_q);
      h_written_header : assert (!writes || header[1 +: LengthWidth] == came_length_q);
      h_stored : assert (!(is_kept && 32'(number) < 32'(stored_length_q)) || word == stored_q);
      h_stored_header : assert (!is_kept || (header[1 +: LengthWidth] == stored_length_q && stored_length_q != '0 &&
                                             32'(stored_length_q) <= Flits));
      h_waits : assert (!(watched_q && taken_q) || (is_kept && copied_q == stored_q && copied_length_q == stored_length_q));
      h_goes : assert (!(watched_q && going_q) || (sent_q != '0 && sent_q < copied_length_q && 32'(copied_length_q) <= Flits));
      h_is_still_there : assert (!(watched_q && going_q && 32'(number) >= 32'(sent_q) && 32'(number) < 32'(copied_length_q)) ||
                                 word == copied_q);
      h_is_ahead : assert (!(watched_q && going_q && writes) || 32'(index) < 32'(sent_q));
      c_read_and_written : cover (watched && leaves && arrives && sent != '0);
      c_close_behind     : cover (watched && leaves && arrives && 32'(sent) == 32'(index) + 1);
    end
  end
endmodule
