// line_way - one direction of motion along the line of the current digit: what arrives on it, and what leaves on it.
//
// Packets that move plus come from the neighbour with the smaller coordinate and leave for the one with the larger;
// packets that move minus the other way. A packet_arrival follows what comes in. What leaves is chosen by the phase:
// by the packing_unit (outside, since a packet at rest may leave either way), by the broadcast_way or by the
// combine_way; the flit_composer makes its flits. The memory (outside) is told the rank of what leaves and gives the
// stored flits.
//
// Flits that leave are functions of registers, of the timetable and of the memory. What arrives does not reach them in
// the same cycle.
module line_way #(
`include "scan/way_parameters.svh"
  parameter int FlitWidth   = 64,
  parameter int LengthWidth = 5,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
`include "common/as_ports.svh"
`include "scan/way_ports.svh"
  // configuration
  input  logic                    pass_on_first_i,
  input  logic                    header_flit_i,
  input  logic [LengthWidth-1:0]  pack_flits_i,
  input  logic [LengthWidth-1:0]  cast_flits_i,
  // where the node is
  input  logic [AddressWidth-1:0] address_i,
  input  logic                    has_next_i,        // there is a node further along this way
  // timetable
  input  logic                    packing_i,
  input  logic                    unpacking_i,
  input  logic                    broadcasting_i,
  input  logic                    combining_i,
  input  logic                    first_of_pack_i,   // the first slot of packing
  input  logic                    in_packet_i,       // the cycle is one of a packet's flits, and the class takes part
  input  logic [LengthWidth-1:0]  index_i,           // number of the flit that leaves in this cycle
  input  logic [LengthWidth-1:0]  length_i,          // flits of the packets of this phase
  input  logic                    slot_last_i,
  input  logic                    line_last_i,
  input  logic [RankWidth-1:0]    batch_i,
  // the node's own packet; the sum that it wants
  input  logic [FlitWidth-1:0]    own_flit_i,
  input  logic                    wants_sum_i,       // an accumulation, and this node wants the sum for wanted_rank_i
  input  logic [AddressWidth-1:0] wanted_rank_i,
  // link
  input  logic                    rx_valid_i,
  input  logic [FlitWidth-1:0]    rx_flit_i,
  output logic                    tx_valid_o,
  output logic [FlitWidth-1:0]    tx_flit_o,
  // what arrives, for the packing_unit and the memory
  output logic                    first_o,
  output logic                    arrived_o,
  output logic                    last_o,
  output logic [LengthWidth-1:0]  index_o,
  output logic [AddressWidth-1:0] rank_o,
  output logic [AddressWidth-1:0] destination_o,
  // what the packing_unit sends
  input  logic                    pack_sends_i,
  input  logic [AddressWidth-1:0] pack_rank_i,
  // what the memory has of the packet that leaves
  output logic                    piece_o,           // which piece moves this way
  output logic [AddressWidth-1:0] send_rank_o,
  input  logic [FlitWidth-1:0]    stored_i,
  input  logic [FlitWidth-1:0]    header_i
);
  logic                    cast_sends, cast_own, combine_sends, sends;
  logic [AddressWidth-1:0] cast_rank, combine_rank;

  // A broadcast in two pieces: the first moves plus, the second minus. Combining, the other way round.
  assign piece_o = two_pieces_i && (combining_i == (Plus != 0));

  packet_arrival #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_arrival (
    .clk_i, .rst_ni, .slot_last_i, .length_i,
    .flit_valid_i (rx_valid_i),
    .flit_i       (rx_flit_i),
    .first_o, .arrived_o, .last_o, .index_o, .rank_o, .destination_o
  );
  broadcast_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_broadcast (
    .clk_i, .rst_ni, .base_i, .ring_i, .two_pieces_i, .alternate_i, .pass_on_first_i,
    .own_digits_i, .coordinate_i, .has_next_i,
    .broadcasting_i, .digit_i, .hop_i, .finished_i, .slot_last_i, .line_last_i, .total_i,
    .arrived_i       (arrived_o),
    .arriving_rank_i (rank_o),
    .sends_o         (cast_sends),
    .sends_own_o     (cast_own),
    .rank_o          (cast_rank)
  );
  combine_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_combine (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .own_digits_i, .coordinate_i,
    .combining_i, .digit_i, .hop_i, .batch_i, .finished_i, .total_i,
    .sends_o (combine_sends),
    .rank_o  (combine_rank)
  );

  assign sends       = broadcasting_i ? cast_sends : combining_i ? combine_sends
                     : (packing_i || unpacking_i) && pack_sends_i;
  assign send_rank_o = broadcasting_i ? cast_rank : combining_i ? combine_rank : pack_rank_i;
  assign tx_valid_o  = sends && in_packet_i;

  flit_composer #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_composer (
    .header_flit_i, .pack_flits_i, .cast_flits_i, .address_i, .index_i,
    .own_packed_i    (first_of_pack_i),
    .second_begins_i (cast_own && piece_o),
    .names_home_i    ((combining_i || unpacking_i) && wants_sum_i && send_rank_o == wanted_rank_i),
    .own_flit_i, .stored_i, .header_i,
    .flit_o          (tx_flit_o)
  );

  always @(posedge clk_i) begin : a_packets_stay_on_the_line
    if (rst_ni && tx_valid_o) assert (has_next_i);
  end

  initial begin : check_parameters
    if (Plus < 0 || Plus > 1) $fatal(1, "line_way: Plus must be 0 or 1");
    if (Digits < 1 || DigitWidth < 1 || LengthWidth < 1)
      $fatal(1, "line_way: Digits, DigitWidth and LengthWidth must be at least 1");
  end
endmodule
