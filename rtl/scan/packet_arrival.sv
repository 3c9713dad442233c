// packet_arrival - follows the one packet that may arrive through a link in a slot: which flit this is, and what the
// packet's header says.
//
// The first flit of a slot is the header. Rank and destination are shown from the cycle in which it arrives until the
// slot ends. Outputs follow the inputs combinationally; nothing here may therefore decide what leaves in the same cycle.
module packet_arrival #(
  parameter int FlitWidth    = 64,
  parameter int LengthWidth  = 5,  // a packet has fewer than 2^LengthWidth flits
  parameter int AddressWidth = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    slot_last_i,   // last cycle of the slot
  input  logic [LengthWidth-1:0]  length_i,      // flits of the packets of this phase
  input  logic                    flit_valid_i,
  input  logic [FlitWidth-1:0]    flit_i,
  output logic                    first_o,       // no flit of this slot's packet has arrived before this cycle
  output logic                    arrived_o,     // one has, or does in this cycle
  output logic                    last_o,        // a flit that arrives now is the last of its packet
  output logic [LengthWidth-1:0]  index_o,       // number of the flit that arrives now
  output logic [AddressWidth-1:0] rank_o,
  output logic [AddressWidth-1:0] destination_o
);
  logic [LengthWidth-1:0]  index_q;
  logic [AddressWidth-1:0] rank_q, destination_q;

  assign first_o       = index_q == '0;
  assign arrived_o     = flit_valid_i || !first_o;
  assign last_o        = index_q == length_i - 1'b1;
  assign index_o       = index_q;
  assign rank_o        = first_o ? flit_i[scan_pkg::RankField +: AddressWidth] : rank_q;
  assign destination_o = first_o ? flit_i[scan_pkg::DestinationField +: AddressWidth] : destination_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || slot_last_i) index_q <= '0;
    else if (flit_valid_i)      index_q <= index_q + 1'b1;
    if (flit_valid_i) begin
      rank_q        <= rank_o;
      destination_q <= destination_o;
    end
  end
  logic unused;
  assign unused = &{1'b0, flit_i};

  always @(posedge clk_i) begin : a_whole_packets_in_slots
    if (rst_ni && slot_last_i) assert (!arrived_o || (flit_valid_i && last_o));
  end

  initial begin : check_parameters
    if (AddressWidth < 1 || AddressWidth > scan_pkg::FieldWidth)
      $fatal(1, "packet_arrival: AddressWidth must be 1 to %0d", scan_pkg::FieldWidth);
    if (FlitWidth < scan_pkg::HeaderWidth) $fatal(1, "packet_arrival: FlitWidth must be at least %0d", scan_pkg::HeaderWidth);
  end
endmodule
