// fifo_lane - a ring of whole packets from one input: written flit by flit, taken and released in order of arrival.
//
// A packet is taken (pop_i) when nothing more is to be decided about it, and released when its last copy starts to
// leave; with grants the two are apart. A place may be released before its flits have been read: a packet that is
// written into it begins a cycle later at the earliest, and reader and writer both move one flit a cycle, so the writer
// never overtakes the reader. The memories have one write port and one read port each.
module fifo_lane #(
  parameter int FlitWidth = 64,  // bits
  parameter int Flits     = 1,   // flits in the longest packet
  parameter int Depth     = 16,  // packets
  parameter int MaskWidth = 1,   // more than 1: every packet has a mask of ports beside its flits
  localparam int SlotWidth  = safnet_pkg::index_width(Depth),
  localparam int IndexWidth = safnet_pkg::index_width(Flits),
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // arriving packet
  input  logic                  write_valid_i,
  input  logic [IndexWidth-1:0] write_index_i,  // which flit of the packet
  input  logic [FlitWidth-1:0]  write_flit_i,
  input  logic                  commit_i,       // with the last flit: the packet is complete
  input  logic [MaskWidth-1:0]  commit_mask_i,
  // first of the packets that have not been taken; a function of registers
  output logic                  head_valid_o,
  output logic [SlotWidth-1:0]  head_slot_o,
  output logic [MaskWidth-1:0]  head_mask_o,
  input  logic                  pop_i,
  // departing packet; the flit follows slot and index combinationally
  input  logic [SlotWidth-1:0]  read_slot_i,
  input  logic [IndexWidth-1:0] read_index_i,
  output logic [FlitWidth-1:0]  read_flit_o,
  input  logic                  release_i,      // the oldest packet held: its place is free from the next cycle on
  output logic [CountWidth-1:0] count_next_o    // packets held after this cycle
);
  localparam int Words     = Depth * Flits;
  localparam int WordWidth = safnet_pkg::index_width(Words);

  logic [FlitWidth-1:0]  flit_q [Words];
  logic [WordWidth-1:0]  write_word, read_word;
  logic [SlotWidth-1:0]  write_slot_q, head_slot_q;
  logic [CountWidth-1:0] held_q, waiting_q;  // waiting: held and not taken

  // Packets of one flit lie at their slots; the index is 0.
  assign write_word  = WordWidth'(write_slot_q) * WordWidth'(Flits) + WordWidth'(write_index_i);
  assign read_word   = WordWidth'(read_slot_i) * WordWidth'(Flits) + WordWidth'(read_index_i);
  assign read_flit_o = flit_q[read_word];
  always_ff @(posedge clk_i) begin
    if (write_valid_i) flit_q[write_word] <= write_flit_i;
  end

  if (MaskWidth > 1) begin : g_mask
    logic [MaskWidth-1:0] mask_q [Depth];
    always_ff @(posedge clk_i) begin
      if (commit_i) mask_q[write_slot_q] <= commit_mask_i;
    end
    assign head_mask_o = mask_q[head_slot_q];
  end else begin : g_no_mask
    logic unused;
    assign head_mask_o = '1;
    assign unused      = &{1'b0, commit_mask_i};
  end

  assign head_valid_o = waiting_q != '0;
  assign head_slot_o  = head_slot_q;
  assign count_next_o = held_q + CountWidth'(commit_i) - CountWidth'(release_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_slot_q <= '0;
      head_slot_q  <= '0;
      held_q       <= '0;
      waiting_q    <= '0;
    end else begin
      held_q    <= count_next_o;
      waiting_q <= waiting_q + CountWidth'(commit_i) - CountWidth'(pop_i);
      if (commit_i) write_slot_q <= (write_slot_q == SlotWidth'(Depth - 1)) ? '0 : write_slot_q + SlotWidth'(1);
      if (pop_i)    head_slot_q  <= (head_slot_q == SlotWidth'(Depth - 1)) ? '0 : head_slot_q + SlotWidth'(1);
    end
  end

  always @(posedge clk_i) begin : a_never_written_when_full
    if (rst_ni && (write_valid_i || commit_i)) assert (held_q != CountWidth'(Depth));
  end
  always @(posedge clk_i) begin : a_taken_only_if_waiting
    if (rst_ni && pop_i) assert (waiting_q != '0);
  end
  always @(posedge clk_i) begin : a_released_only_if_taken
    if (rst_ni && release_i) assert (pop_i || held_q != waiting_q);
  end

  initial begin : check_parameters
    if (FlitWidth < 1) $fatal(1, "fifo_lane: FlitWidth must be at least 1");
    if (Flits < 1)     $fatal(1, "fifo_lane: Flits must be at least 1");
    if (Depth < 1)     $fatal(1, "fifo_lane: Depth must be at least 1");
    if (MaskWidth < 1) $fatal(1, "fifo_lane: MaskWidth must be at least 1");
  end
endmodule
