// packet_places - the places in which one input's packets lie: which are free, and what the sender is told of them.
//
// A packet lies in one place, however many outputs it leaves through. Its mask says which of them still have to take a
// copy. When the last copy starts to leave the place is free again and a credit goes back to the sender, one credit a
// cycle. A packet that no output takes, because it is for the local host alone, needs no place: its credit returns when
// it has arrived.
//
// The number of the place that the next packet goes into is kept in a register, so that the first flit of a packet can
// be written in the cycle in which it arrives. A place may be freed before its flits have been read: a packet that is
// written into it begins a cycle later at the earliest, and reader and writer both move one flit a cycle, so that the
// writer never overtakes the reader.
//
// Of up to 16 places a bitmap says which are free; of more, those that were used and freed are on a stack.
module packet_places #(
  parameter int Depth      = 16,  // places
  parameter int Ports      = 4,   // outputs
  parameter int Queues     = 4,   // Ports: each output has a queue and takes its copies at their start; or 1 for all
  parameter int HoldsTaken = 0,   // 1: one queue; a place is kept from the taking of the last copy to its start
  parameter int HasSender  = 1,   // 0: nobody is given credits
  localparam int SlotWidth = safnet_pkg::index_width(Depth)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [15:0]                 depth_i,        // packets that the sender may have here, up to Depth
  // arriving packet
  input  logic                        commit_i,       // it is complete, and these outputs are to take it
  input  logic [Ports-1:0]            commit_mask_i,
  input  logic                        pass_i,         // a packet is complete that no output takes
  output logic [SlotWidth-1:0]        write_slot_o,   // registered: the place of the packet that arrives
  output logic                        room_o,         // registered: there is one
  // copies that are taken in this cycle
  input  logic [Ports-1:0]            taken_i,
  input  logic [Queues*SlotWidth-1:0] head_slot_i,
  output logic [Ports-1:0]            head_left_o,    // HoldsTaken: outputs that the head has not been taken to
  input  logic                        release_i,      // HoldsTaken: the last copy of a packet starts to leave
  input  logic [SlotWidth-1:0]        release_slot_i,
  // towards the sender
  output logic                        credit_o,       // registered
  output logic                        owing_o         // registered: credits are still to be returned
);
  localparam bit HasBitmap  = Depth <= 16;
  localparam int CountWidth = $clog2(Depth + 1);

  logic [SlotWidth-1:0]  reserved_q;              // the place of the packet that arrives, or of the next one
  logic                  room_q;
  logic [Depth-1:0]      held_q;                  // bitmap: places with a packet
  logic [SlotWidth-1:0]  free_q [Depth];          // stack: places that were used and freed
  logic [CountWidth-1:0] free_count_q, fresh_q;   // stack: places from fresh_q on have never been used
  logic [Ports-1:0]      left_q [Depth];          // outputs that have not taken their copy
  logic [CountWidth-1:0] owed_q;
  logic                  credit_q, taken_twice_q;

  assign write_slot_o = reserved_q;
  assign room_o       = room_q;
  assign credit_o     = credit_q;
  assign owing_o      = owed_q != '0;

  if (HoldsTaken != 0) begin : g_one_queue
    logic [Ports-1:0] mask_q [Depth];  // as left_q, which then is not used
    assign head_left_o = mask_q[head_slot_i[SlotWidth-1:0]];
    always_ff @(posedge clk_i) begin
      if (commit_i)      mask_q[reserved_q] <= commit_mask_i;
      if (taken_i != '0) mask_q[head_slot_i[SlotWidth-1:0]] <= head_left_o & ~taken_i;
    end
    always @(posedge clk_i) begin : a_each_copy_is_taken_once
      if (rst_ni) assert ((taken_i & ~head_left_o) == '0);
    end
  end else begin : g_own_queues
    assign head_left_o = '1;
  end

  // Nothing outside of the process below reads free_q and left_q: they are assigned with `=` (rtl/README.md, "Written for
  // speed").
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reserved_q    <= '0;
      room_q        <= 1'b1;
      held_q        <= '0;
      free_count_q  <= '0;
      fresh_q       <= CountWidth'(1);
      owed_q        <= '0;
      credit_q      <= 1'b0;
      taken_twice_q <= 1'b0;
    end else if (commit_i || pass_i || taken_i != '0 || release_i || owed_q != '0 || credit_q) begin : update
      logic                  room, frees, taken_twice;
      logic [SlotWidth-1:0]  reserved, slot;
      logic [Depth-1:0]      held;
      logic [CountWidth-1:0] free_count, owed;
      logic [Ports-1:0]      left;
      taken_twice = 1'b0;
      room        = room_q && !commit_i;
      reserved    = reserved_q;
      held        = held_q;
      free_count  = free_count_q;
      owed        = owed_q + CountWidth'(pass_i);
      if (commit_i && HoldsTaken == 0) left_q[reserved_q] = commit_mask_i;
      if (commit_i && HasBitmap)       held[reserved_q]   = 1'b1;
      for (int q = 0; q < Queues; q++) begin
        frees = release_i;
        slot  = release_slot_i;
        if (HoldsTaken == 0) begin
          frees = 1'b0;
          if (taken_i[q]) begin
            slot         = head_slot_i[q*SlotWidth +: SlotWidth];
            left         = left_q[slot];
            taken_twice  = taken_twice | !left[q];
            left[q]      = 1'b0;
            left_q[slot] = left;
            frees        = left == '0;
          end
        end
        if (frees) begin
          owed = owed + CountWidth'(1);
          if (HasBitmap) begin
            held[slot] = 1'b0;
          end else if (!room) begin
            reserved = slot;
            room     = 1'b1;
          end else begin
            free_q[SlotWidth'(free_count)] = slot;
            free_count = free_count + CountWidth'(1);
          end
        end
      end
      if (!room) begin
        if (HasBitmap) begin
          for (int d = Depth - 1; d >= 0; d--) begin
            if (!held[d]) reserved = SlotWidth'(d);
          end
          room = held != '1;
        end else if (free_count != '0) begin
          free_count = free_count - CountWidth'(1);
          reserved   = free_q[SlotWidth'(free_count)];
          room       = 1'b1;
        end else if (fresh_q != CountWidth'(Depth)) begin
          reserved = SlotWidth'(fresh_q);
          fresh_q  <= fresh_q + CountWidth'(1);
          room     = 1'b1;
        end
      end
      taken_twice_q <= taken_twice;
      room_q        <= room;
      reserved_q    <= reserved;
      held_q        <= held;
      free_count_q  <= free_count;
      if (HasSender != 0) begin
        credit_q <= owed != '0;
        owed_q   <= (owed != '0) ? owed - CountWidth'(1) : '0;
      end
    end
  end

  // Own queues: left_q belongs to the process above, which noted in the cycle before what this one asserts.
  always @(posedge clk_i) begin : a_each_queue_takes_its_copy_once
    if (rst_ni) assert (!taken_twice_q);
  end
  if (HasSender != 0) begin : g_sender
    logic [CountWidth-1:0] uncredited_q;  // packets whose credit has not been returned
    always_ff @(posedge clk_i) begin
      if (!rst_ni)
        uncredited_q <= '0;
      else if (commit_i || pass_i || credit_q)
        uncredited_q <= uncredited_q + CountWidth'(commit_i || pass_i) - CountWidth'(credit_q);
    end
    always @(posedge clk_i) begin : a_sender_keeps_to_its_credits
      if (rst_ni && (commit_i || pass_i)) begin
        assert (room_q && 32'(uncredited_q) < 32'(depth_i) + 32'(credit_q));
      end
    end
  end else begin : g_no_sender
    logic unused;
    assign unused = &{1'b0, depth_i};
    always @(posedge clk_i) begin : a_a_packet_finds_a_place
      if (rst_ni && commit_i) assert (room_q);
    end
  end

  initial begin : check_parameters
    if (Depth < 1 || Ports < 1) $fatal(1, "packet_places: Depth and Ports must be at least 1");
    if (Queues != 1 && Queues != Ports) $fatal(1, "packet_places: Queues must be 1 or Ports");
    if (HoldsTaken != 0 && Queues != 1) $fatal(1, "packet_places: Queues must be 1 with HoldsTaken");
    if (HasSender < 0 || HasSender > 1) $fatal(1, "packet_places: HasSender must be 0 or 1");
  end
endmodule
