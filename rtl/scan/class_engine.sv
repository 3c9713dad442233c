// class_engine - what a scan_node does for one class of packets: algorithm A_c.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in meshes, section 3; Varvarigos, folded cubes,
// section 3. All classes do the same at the same time on digits of their own numbering, so that each has other links.
// The engine decides from what it has received and from the common timetable alone: the scan gives the rank of the
// node's packet, the packet's header says where it is packed to, the number of packets says who sends in which batch.
// Packets are stored by rank, and a packet is sent on in a later slot than the one in which it arrived.
//
// The engine joins its parts, each of which README.md describes: scan_unit finds ranks; packing_unit says where
// packets rest and which way they leave; a line_way for each direction receives and sends; rank_memory keeps the
// packets; class_delivery hands them to the host.
//
// A packet of pack_flits_i flits is broadcast as one piece or, with two_pieces_i, as two of cast_flits_i, each with a
// header. header_flit_i: the first flit is header alone; else it has payload above the header.
//
// Everything that leaves for another node is a function of registers, here and in the timetable. Each direction is a
// module with signals of its own for Icarus' sake, too: it evaluates a process anew when any bit of a vector that the
// process reads changes. Two directions with fields of common vectors would trigger each other without end.
module class_engine #(
  parameter int Digits         = 2,
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 2,
  parameter int FlitWidth      = 64,
  parameter int LengthWidth    = 5,
  parameter int CycleWidth     = 6,
  parameter int Pieces         = 1,  // 2: packets may be broadcast in two pieces
  localparam int CountWidth    = (Digits + 1) * DigitWidth + RemainderWidth,
  localparam int AddressWidth  = Digits * DigitWidth,
  localparam int RankWidth     = (Digits + 1) * DigitWidth,
  localparam int IndexWidth    = safnet_pkg::index_width(Digits),
  localparam int MemoryWidth   = AddressWidth + Pieces - 1 + LengthWidth
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // configuration
  input  logic [DigitWidth:0]              base_i,
  input  logic [RemainderWidth:0]          remainder_base_i,  // of the scan that goes on
  input  logic                             ring_i,
  input  logic                             two_pieces_i,
  input  logic                             alternate_i,
  input  logic                             pass_on_first_i,
  input  logic                             header_flit_i,
  input  logic [LengthWidth-1:0]           pack_flits_i,
  input  logic [LengthWidth-1:0]           cast_flits_i,
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic [AddressWidth-1:0]          coordinates_i,     // of this node, in this class
  input  logic                             known_i,           // no scan: rank and number of packets are these
  input  logic [AddressWidth-1:0]          known_rank_i,
  input  logic [RankWidth-1:0]             known_total_i,
  // timetable
  input  logic [scan_pkg::PhaseWidth-1:0]  phase_i,
  input  logic                             enable_i,          // this class takes part in the phase
  input  logic                             backward_i,
  input  logic [IndexWidth-1:0]            digit_i,
  input  logic [CycleWidth-1:0]            cycle_i,
  input  logic                             slot_last_i,
  input  logic [DigitWidth-1:0]            hop_i,             // slot of the line; of a batch on the way plus
  input  logic [DigitWidth-1:0]            hops_i,            // slots of the line when packing
  input  logic                             line_last_i,
  input  logic                             phase_last_i,
  input  logic [RankWidth-1:0]             plus_batch_i,
  input  logic [RankWidth-1:0]             minus_batch_i,
  input  logic [DigitWidth-1:0]            minus_hop_i,
  input  logic                             minus_finished_i,
  // is the packet of this node in this class?
  input  logic                             active_i,
  output logic [CountWidth-1:0]            before_next_o,     // results of the scan
  output logic [CountWidth-1:0]            total_next_o,
  output logic [CountWidth-1:0]            total_o,
  output logic [AddressWidth-1:0]          rank_o,
  // the line of the current digit; plus: towards larger coordinates
  output logic                             tx_plus_valid_o,
  output logic [FlitWidth-1:0]             tx_plus_flit_o,
  output logic                             tx_minus_valid_o,
  output logic [FlitWidth-1:0]             tx_minus_flit_o,
  input  logic                             rx_plus_valid_i,   // from the neighbour with the larger coordinate
  input  logic [FlitWidth-1:0]             rx_plus_flit_i,
  input  logic                             rx_minus_valid_i,
  input  logic [FlitWidth-1:0]             rx_minus_flit_i,
  // checks of what arrives: flits that count as received; a flit of a scan is missing, or one or a sum's header damaged
  output logic                             plus_received_o,
  output logic                             minus_received_o,
  output logic                             fault_o,
  // host: the node's own packet, read flit by flit; what it has for every rank, written before an accumulation
  output logic [LengthWidth-1:0]           own_index_o,       // the flit that own_flit_i must be
  input  logic [FlitWidth-1:0]             own_flit_i,
  input  logic                             load_valid_i,
  input  logic [MemoryWidth-1:0]           load_address_i,
  input  logic [FlitWidth-1:0]             load_flit_i,
  // deliveries, registered: lane 0 came towards smaller coordinates, 1 towards larger, 2 was here
  output logic                             deliver_whole_o,   // a packet as it is packed, not a piece of a broadcast
  output logic [2:0]                       deliver_valid_o,
  output logic [2:0]                       deliver_last_o,
  output logic [3*FlitWidth-1:0]           deliver_flit_o
);
  /* verilator no_inline_module */  // the code of one engine serves all: builds take a third of the time
  localparam int HeaderWidth = scan_pkg::HeaderWidth;

  // ---- where the phase stands
  logic two_pieces, scanning, packing, unpacking, broadcasting, combining, moving, first_of_pack, first_of_unpack;
  assign two_pieces      = Pieces == 2 && two_pieces_i;
  assign scanning        = phase_i == 3'(scan_pkg::PhaseClassScan) || phase_i == 3'(scan_pkg::PhaseRankScan);
  assign packing         = phase_i == 3'(scan_pkg::PhasePack);
  assign unpacking       = phase_i == 3'(scan_pkg::PhaseUnpack);
  assign broadcasting    = phase_i == 3'(scan_pkg::PhaseBroadcast);
  assign combining       = phase_i == 3'(scan_pkg::PhaseCombine);
  assign moving          = enable_i && !scanning && phase_i != 3'(scan_pkg::PhaseIdle);
  assign first_of_pack   = packing && digit_i == '0 && hop_i == '0;
  assign first_of_unpack = unpacking && digit_i == IndexWidth'(Digits - 1) && hop_i == '0;

  // The flit that leaves in this cycle, if the cycle is not one of the link's latency.
  logic [LengthWidth-1:0] index, length;
  logic                   in_packet, in_whole_packet;
  assign index           = LengthWidth'(cycle_i);
  assign length          = (broadcasting || combining) ? cast_flits_i : pack_flits_i;
  assign in_packet       = moving && cycle_i < CycleWidth'(length);
  assign in_whole_packet = cycle_i < CycleWidth'(pack_flits_i);

  // ---- where the node is on the line of the current digit
  logic [DigitWidth-1:0] coordinate, last;
  logic [RankWidth-1:0]  own_digits;  // its digits up to the current one: those of the ranks that it broadcasts
  logic                  has_plus, has_minus;
  assign last       = DigitWidth'(base_i - (DigitWidth+1)'(1));
  assign coordinate = coordinates_i[digit_i*DigitWidth +: DigitWidth];
  assign has_plus   = ring_i || coordinate != last;
  assign has_minus  = ring_i || coordinate != '0;
  always_comb begin
    own_digits = '0;
    for (int j = 0; j < Digits; j++) begin
      if (IndexWidth'(j) <= digit_i) own_digits[j*DigitWidth +: DigitWidth] = coordinates_i[j*DigitWidth +: DigitWidth];
    end
  end

  // ---- ranks
  logic                    scan_plus_valid, scan_minus_valid, scan_plus_intact, scan_minus_intact, scan_fault;
  logic [FlitWidth-1:0]    scan_flit;
  logic [AddressWidth-1:0] rank_q, rank;
  logic [RankWidth-1:0]    total;
  scan_unit #(
    .Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth), .FlitWidth(FlitWidth)
  ) u_scan (
    .clk_i, .rst_ni, .base_i, .remainder_base_i, .coordinates_i,
    .enable_i         (enable_i && scanning),
    .backward_i, .digit_i, .hop_i,
    .slot_first_i     (cycle_i == '0),
    .slot_last_i, .line_last_i, .active_i,
    .tx_plus_valid_o  (scan_plus_valid),
    .tx_minus_valid_o (scan_minus_valid),
    .tx_flit_o        (scan_flit),
    .rx_minus_valid_i, .rx_minus_flit_i, .rx_plus_valid_i, .rx_plus_flit_i,
    .minus_intact_o   (scan_minus_intact),
    .plus_intact_o    (scan_plus_intact),
    .fault_o          (scan_fault),
    .before_next_o, .total_next_o, .total_o
  );
  // Needs no reset: a rank counts only in the phases after the scan, and only in engines that are enabled.
  always_ff @(posedge clk_i) begin
    if (enable_i && scanning && phase_last_i) rank_q <= before_next_o[RemainderWidth +: AddressWidth];
  end
  assign rank   = known_i ? known_rank_i : rank_q;
  assign total  = known_i ? known_total_i : total_o[RemainderWidth +: RankWidth];
  assign rank_o = rank;

  // ---- own packet: its next flit is fetched from the host one cycle ahead; the header is given its rank
  logic [FlitWidth-1:0] own_flit_q, own_flit;
  assign own_index_o = (first_of_pack && cycle_i < CycleWidth'(pack_flits_i) - 1'b1) ? LengthWidth'(cycle_i) + 1'b1 : '0;
  always_ff @(posedge clk_i) own_flit_q <= own_flit_i;
  assign own_flit = cycle_i != '0 ? own_flit_q
    : {own_flit_q[FlitWidth-1:HeaderWidth],
       scan_pkg::with_rank(own_flit_q[HeaderWidth-1:0], scan_pkg::FieldWidth'(rank))};

  // ---- the two directions of the line
  logic accumulating;
  assign accumulating = operation_i == 3'(scan_pkg::OperationAccumulate);

  logic                    minus_valid, minus_first, minus_arrived, minus_last, minus_home;
  logic                    minus_sends, minus_pack_sends, minus_piece, minus_damaged;
  logic [LengthWidth-1:0]  minus_index;
  logic [AddressWidth-1:0] minus_rank, minus_destination, minus_pack_rank, minus_send_rank;
  logic [FlitWidth-1:0]    minus_flit, minus_arrival, minus_stored, minus_header;
  assign minus_valid = rx_plus_valid_i && moving;
  line_way #(
    .Plus(0), .Digits(Digits), .DigitWidth(DigitWidth), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)
  ) u_minus (
    .clk_i, .rst_ni, .base_i, .ring_i, .two_pieces_i(two_pieces), .alternate_i, .pass_on_first_i, .header_flit_i,
    .pack_flits_i, .cast_flits_i, .address_i(coordinates_i), .own_digits_i(own_digits), .coordinate_i(coordinate),
    .has_next_i(has_minus), .packing_i(packing), .unpacking_i(unpacking), .broadcasting_i(broadcasting),
    .combining_i(combining), .first_of_pack_i(first_of_pack), .in_packet_i(in_packet), .index_i(index), .length_i(length),
    .digit_i, .slot_last_i, .line_last_i, .hop_i(minus_hop_i), .batch_i(minus_batch_i), .finished_i(minus_finished_i),
    .total_i(total), .own_flit_i(own_flit), .wants_sum_i(accumulating && active_i), .wanted_rank_i(rank),
    .rx_valid_i(minus_valid), .rx_flit_i(rx_plus_flit_i), .tx_valid_o(minus_sends), .tx_flit_o(minus_flit),
    .first_o(minus_first), .arrived_o(minus_arrived), .last_o(minus_last), .index_o(minus_index), .rank_o(minus_rank),
    .destination_o(minus_destination), .pack_sends_i(minus_pack_sends), .pack_rank_i(minus_pack_rank),
    .piece_o(minus_piece), .send_rank_o(minus_send_rank), .stored_i(minus_stored), .header_i(minus_header)
  );

  logic                    plus_valid, plus_first, plus_arrived, plus_last, plus_home;
  logic                    plus_sends, plus_pack_sends, plus_piece, plus_damaged;
  logic [LengthWidth-1:0]  plus_index;
  logic [AddressWidth-1:0] plus_rank, plus_destination, plus_pack_rank, plus_send_rank;
  logic [FlitWidth-1:0]    plus_flit, plus_arrival, plus_stored, plus_header;
  assign plus_valid = rx_minus_valid_i && moving;
  line_way #(  // its batches last until the line ends: see scan_timetable
    .Plus(1), .Digits(Digits), .DigitWidth(DigitWidth), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)
  ) u_plus (
    .clk_i, .rst_ni, .base_i, .ring_i, .two_pieces_i(two_pieces), .alternate_i, .pass_on_first_i, .header_flit_i,
    .pack_flits_i, .cast_flits_i, .address_i(coordinates_i), .own_digits_i(own_digits), .coordinate_i(coordinate),
    .has_next_i(has_plus), .packing_i(packing), .unpacking_i(unpacking), .broadcasting_i(broadcasting),
    .combining_i(combining), .first_of_pack_i(first_of_pack), .in_packet_i(in_packet), .index_i(index), .length_i(length),
    .digit_i, .slot_last_i, .line_last_i, .hop_i(hop_i), .batch_i(plus_batch_i), .finished_i(1'b0),
    .total_i(total), .own_flit_i(own_flit), .wants_sum_i(accumulating && active_i), .wanted_rank_i(rank),
    .rx_valid_i(plus_valid), .rx_flit_i(rx_minus_flit_i), .tx_valid_o(plus_sends), .tx_flit_o(plus_flit),
    .first_o(plus_first), .arrived_o(plus_arrived), .last_o(plus_last), .index_o(plus_index), .rank_o(plus_rank),
    .destination_o(plus_destination), .pack_sends_i(plus_pack_sends), .pack_rank_i(plus_pack_rank),
    .piece_o(plus_piece), .send_rank_o(plus_send_rank), .stored_i(plus_stored), .header_i(plus_header)
  );

  // ---- headers of sums
  // Nothing that follows would notice a wrong bit of these, as headers are joined by or. Between nodes the highest bit of
  // the source, which a sum has not, makes the number of ones in the header odd; it is 0 in the memory and for the host.
  logic second_header, sends_header, minus_header_comes, plus_header_comes;
  assign second_header      = unpacking && two_pieces && !header_flit_i;  // a packet has that of its second piece, too
  assign sends_header       = accumulating && (index == '0 || (second_header && index == cast_flits_i));
  assign minus_header_comes = accumulating && (minus_index == '0 || (second_header && minus_index == cast_flits_i));
  assign plus_header_comes  = accumulating && (plus_index == '0 || (second_header && plus_index == cast_flits_i));
  function automatic logic [FlitWidth-1:0] with_check(input logic [FlitWidth-1:0] flit);
    with_check = flit;
    with_check[HeaderWidth-1] = ~^flit[HeaderWidth-2:0];
  endfunction
  function automatic logic [FlitWidth-1:0] without_check(input logic [FlitWidth-1:0] flit);
    without_check = flit;
    without_check[HeaderWidth-1] = 1'b0;
  endfunction
  assign minus_damaged = minus_header_comes && !(^rx_plus_flit_i[HeaderWidth-1:0]);
  assign plus_damaged  = plus_header_comes && !(^rx_minus_flit_i[HeaderWidth-1:0]);
  assign minus_arrival = minus_header_comes ? without_check(rx_plus_flit_i) : rx_plus_flit_i;
  assign plus_arrival  = plus_header_comes ? without_check(rx_minus_flit_i) : rx_minus_flit_i;

  // ---- links
  assign tx_plus_valid_o  = (enable_i && scan_plus_valid) || plus_sends;
  assign tx_minus_valid_o = (enable_i && scan_minus_valid) || minus_sends;
  assign tx_plus_flit_o   = scanning ? scan_flit : sends_header ? with_check(plus_flit) : plus_flit;
  assign tx_minus_flit_o  = scanning ? scan_flit : sends_header ? with_check(minus_flit) : minus_flit;
  assign plus_received_o  = scan_plus_intact || (minus_valid && !minus_damaged);
  assign minus_received_o = scan_minus_intact || (plus_valid && !plus_damaged);
  assign fault_o          = scan_fault || (minus_valid && minus_damaged) || (plus_valid && plus_damaged);

  // ---- packing and unpacking
  logic                    resident_valid;
  logic [AddressWidth-1:0] resident_rank, resident_target, resident_destination;
  logic [FlitWidth-1:0]    resident_stored, resident_header;
  packing_unit #(.Digits(Digits), .DigitWidth(DigitWidth)) u_packing (
    .clk_i, .rst_ni, .base_i, .ring_i, .alternate_i, .accumulating_i(accumulating), .address_i(coordinates_i),
    .enable_i, .packing_i(packing), .unpacking_i(unpacking), .first_of_pack_i(first_of_pack),
    .first_of_unpack_i(first_of_unpack), .digit_i, .hop_i, .hops_i, .slot_last_i, .line_last_i, .phase_last_i,
    .own_valid_i(active_i), .own_rank_i(rank), .total_i(total),
    .stored_destination_i   (resident_header[scan_pkg::DestinationField +: AddressWidth]),
    .minus_arrived_i(minus_arrived), .minus_rank_i(minus_rank), .minus_destination_i(minus_destination),
    .plus_arrived_i(plus_arrived), .plus_rank_i(plus_rank), .plus_destination_i(plus_destination),
    .resident_valid_o(resident_valid), .resident_rank_o(resident_rank), .resident_target_o(resident_target),
    .resident_destination_o (resident_destination),
    .minus_home_o(minus_home), .plus_home_o(plus_home),
    .minus_sends_o(minus_pack_sends), .minus_send_rank_o(minus_pack_rank),
    .plus_sends_o(plus_pack_sends), .plus_send_rank_o(plus_pack_rank)
  );

  // ---- memory
  rank_memory #(
    .FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth), .Pieces(Pieces)
  ) u_memory (
    .clk_i, .two_pieces_i(two_pieces), .header_flit_i, .cast_flits_i,
    .in_pieces_i(broadcasting || combining), .combining_i(combining), .index_i(index),
    .load_valid_i, .load_address_i, .load_flit_i,
    .own_valid_i (enable_i && first_of_pack && active_i && in_whole_packet),
    .own_rank_i(rank), .own_flit_i(own_flit),
    .minus_piece_i(minus_piece), .minus_valid_i(minus_valid), .minus_first_i(minus_first), .minus_rank_i(minus_rank),
    .minus_index_i(minus_index), .minus_flit_i(minus_arrival), .minus_read_rank_i(minus_send_rank),
    .minus_stored_o(minus_stored), .minus_header_o(minus_header),
    .plus_piece_i(plus_piece), .plus_valid_i(plus_valid), .plus_first_i(plus_first), .plus_rank_i(plus_rank),
    .plus_index_i(plus_index), .plus_flit_i(plus_arrival), .plus_read_rank_i(plus_send_rank),
    .plus_stored_o(plus_stored), .plus_header_o(plus_header),
    .resident_rank_i(resident_rank), .resident_stored_o(resident_stored), .resident_header_o(resident_header)
  );

  // ---- deliveries
  class_delivery #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_delivery (
    .clk_i, .rst_ni, .operation_i, .enable_i, .packing_i(packing), .unpacking_i(unpacking), .broadcasting_i(broadcasting),
    .first_of_pack_i(first_of_pack), .first_of_unpack_i(first_of_unpack), .index_i(index), .in_packet_i(in_whole_packet),
    .length_i(length),
    .minus_valid_i(minus_valid), .minus_last_i(minus_last), .minus_home_i(minus_home), .minus_flit_i(minus_arrival),
    .plus_valid_i(plus_valid), .plus_last_i(plus_last), .plus_home_i(plus_home), .plus_flit_i(plus_arrival),
    .resident_home_i        (resident_valid && resident_target == coordinates_i),
    .resident_destination_i (resident_destination),
    .resident_stored_i      (resident_stored),
    .own_flit_i             (own_flit),
    .deliver_whole_o, .deliver_valid_o, .deliver_last_o, .deliver_flit_o
  );
  logic unused;
  assign unused = &{1'b0, resident_header};

  always @(posedge clk_i) begin : a_the_flit_asked_for_is_in_the_packet
    if (rst_ni && own_index_o != '0) assert (own_index_o < pack_flits_i);
  end

  initial begin : check_parameters
    if (AddressWidth > scan_pkg::FieldWidth)
      $fatal(1, "class_engine: an address must fit into %0d bits", scan_pkg::FieldWidth);
    if (FlitWidth <= HeaderWidth) $fatal(1, "class_engine: FlitWidth must be above %0d", HeaderWidth);
    if (Pieces < 1 || Pieces > 2) $fatal(1, "class_engine: Pieces must be 1 or 2");
  end
endmodule
