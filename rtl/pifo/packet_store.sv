// packet_store - memory for whole packets in slots: written flit by flit, committed, read in any order, released.
//
// The number of the slot that the next packet goes into is kept in a register, so that the first flit of a packet can be
// written in the cycle in which it arrives. A slot may be released in the cycle in which its last transmission starts,
// before its flits have been read: a packet that is written into it then begins a cycle later at the earliest, and reader
// and writer both move one flit a cycle, so the writer never overtakes the reader. The memory has one write port and one
// read port; the list of free slots is a stack.
module packet_store #(
  parameter int FlitWidth = 64,  // bits
  parameter int Flits     = 1,   // flits in the longest packet
  parameter int Depth     = 16,  // slots
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
  output logic [SlotWidth-1:0]  write_slot_o,   // registered: where the arriving packet is
  // departing packet; the flit follows these combinationally, and is 0 unless the packet is in this store
  input  logic                  read_here_i,
  input  logic [SlotWidth-1:0]  read_slot_i,
  input  logic [IndexWidth-1:0] read_index_i,
  output logic [FlitWidth-1:0]  read_flit_o,
  input  logic                  release_i,
  input  logic [SlotWidth-1:0]  release_slot_i,
  output logic [CountWidth-1:0] count_next_o    // packets held after this cycle
);
  localparam int Words     = Depth * Flits;
  localparam int WordWidth = safnet_pkg::index_width(Words);

  logic [FlitWidth-1:0]  flit_q [Words];
  logic [WordWidth-1:0]  write_word, read_word;
  logic [SlotWidth-1:0]  free_q [Depth];  // stack of slots that were used and released
  logic [CountWidth-1:0] free_count_q, fresh_q, count_q;  // fresh_q: slots from this number on have never been used
  logic [SlotWidth-1:0]  reserved_q;      // slot of the packet that arrives, or of the next one
  logic                  reserved_valid_q;

  // Packets of one flit lie at their slots; the index is 0.
  assign write_word  = WordWidth'(reserved_q) * WordWidth'(Flits) + WordWidth'(write_index_i);
  assign read_word   = WordWidth'(read_slot_i) * WordWidth'(Flits) + WordWidth'(read_index_i);
  assign read_flit_o = read_here_i ? flit_q[read_word] : '0;
  always_ff @(posedge clk_i) begin
    if (write_valid_i) flit_q[write_word] <= write_flit_i;
  end

  // Nothing outside the process below reads free_q: it is assigned with `=` (rtl/README.md, "Written for speed").
  assign write_slot_o = reserved_q;
  assign count_next_o = count_q + CountWidth'(commit_i) - CountWidth'(release_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_count_q     <= '0;
      fresh_q          <= CountWidth'(1);
      count_q          <= '0;
      reserved_q       <= '0;
      reserved_valid_q <= 1'b1;
    end else if (commit_i || release_i) begin
      count_q <= count_next_o;
      if (release_i && (commit_i || !reserved_valid_q)) begin
        reserved_q       <= release_slot_i;
        reserved_valid_q <= 1'b1;
      end else if (release_i) begin
        free_q[SlotWidth'(free_count_q)] = release_slot_i;
        free_count_q                     <= free_count_q + CountWidth'(1);
      end else if (free_count_q != '0) begin
        reserved_q   <= free_q[SlotWidth'(free_count_q - CountWidth'(1))];
        free_count_q <= free_count_q - CountWidth'(1);
      end else if (fresh_q != CountWidth'(Depth)) begin
        reserved_q <= SlotWidth'(fresh_q);
        fresh_q    <= fresh_q + CountWidth'(1);
      end else begin
        reserved_valid_q <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin : a_never_written_when_full
    if (rst_ni && (write_valid_i || commit_i)) assert (reserved_valid_q);
  end
  always @(posedge clk_i) begin : a_released_only_if_held
    if (rst_ni && release_i) assert (count_q != '0);
  end

  initial begin : check_parameters
    if (FlitWidth < 1) $fatal(1, "packet_store: FlitWidth must be at least 1");
    if (Flits < 1)     $fatal(1, "packet_store: Flits must be at least 1");
    if (Depth < 1)     $fatal(1, "packet_store: Depth must be at least 1");
  end
endmodule
