// line_way_parts - what leaves a line_way is what the part of the phase that goes on wants to send, in the cycles of a packet
// alone, made of what the memory or the host has; and nothing that arrives leaves in the same cycle.
//
// The parts have proofs of their own: here others of the same kind are told what the header of line_way says they are told, and
// the line_way has to agree with them. A second line_way hears something else in one cycle, which the solver chooses: what
// leaves in this cycle has to be the same. At most one phase goes on. As in a class_engine, digit and place on the line change
// between lines alone, packets come whole and end with their slot, what is broadcast ends with its line, and packing sends
// along the line.
module line_way_parts #(
  parameter int Plus         = 1,
  parameter int Digits       = 2,
  parameter int DigitWidth   = 1,
  parameter int LengthWidth  = 2,
  parameter int FlitWidth    = 49,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits),
  localparam int HeaderWidth  = scan_pkg::HeaderWidth
) (
  input logic                    clk_i,
  input logic [AddressWidth-1:0] pack_rank_i,
  input logic [IndexWidth-1:0]   digit_i,
  input logic [DigitWidth-1:0]   hop_i,
  input logic                    finished_i, packing_i, unpacking_i, broadcasting_i, combining_i, first_of_pack_i, in_packet_i,
  input logic                    slot_last_i, line_last_i, pack_sends_i, rx_valid_i, other_valid_i, differs_i,
  input logic [LengthWidth-1:0]  index_i, length_i,
  input logic [RankWidth-1:0]    batch_i, total_i,
  input logic [FlitWidth-1:0]    own_flit_i, rx_flit_i, other_flit_i, stored_i, header_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [DigitWidth:0]     base;
  (* anyconst *) logic                    ring, two_pieces, alternate, pass_on_first, header_flit, wants_sum;
  (* anyconst *) logic [LengthWidth-1:0]  pack_flits, cast_flits;
  (* anyconst *) logic [AddressWidth-1:0] address, wanted_rank;

  logic [DigitWidth-1:0] coordinate;
  logic [RankWidth-1:0]  own_digits;
  logic                  has_next;
  always_comb begin
    coordinate = address[digit_i*DigitWidth +: DigitWidth];
    has_next   = ring || (Plus != 0 ? {1'b0, coordinate} + 1'b1 != base : coordinate != '0);
    own_digits = '0;
    for (int j = 0; j < Digits; j++)
      if (j <= 32'(digit_i)) own_digits[j*DigitWidth +: DigitWidth] = address[j*DigitWidth +: DigitWidth];
  end

  logic                    sends, first, arrived, last, piece, other_sends;
  logic [FlitWidth-1:0]    flit, other_flit;
  logic [LengthWidth-1:0]  index;
  logic [AddressWidth-1:0] rank_of, destination, send_rank, other_rank;
  line_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .base_i(base), .ring_i(ring), .two_pieces_i(two_pieces), .alternate_i(alternate),
    .own_digits_i(own_digits), .coordinate_i(coordinate), .digit_i, .hop_i, .finished_i, .total_i, .pass_on_first_i(pass_on_first),
    .header_flit_i(header_flit), .pack_flits_i(pack_flits), .cast_flits_i(cast_flits), .address_i(address), .has_next_i(has_next),
    .packing_i, .unpacking_i, .broadcasting_i, .combining_i, .first_of_pack_i, .in_packet_i, .index_i, .length_i, .slot_last_i,
    .line_last_i, .batch_i, .own_flit_i, .wants_sum_i(wants_sum), .wanted_rank_i(wanted_rank), .rx_valid_i, .rx_flit_i,
    .tx_valid_o(sends), .tx_flit_o(flit), .first_o(first), .arrived_o(arrived), .last_o(last), .index_o(index), .rank_o(rank_of),
    .destination_o(destination), .pack_sends_i, .pack_rank_i, .piece_o(piece), .send_rank_o(send_rank), .stored_i, .header_i
  );

  // ---- the parts
  logic                    due_first, due_arrived, due_last, cast_sends, cast_own, combine_sends;
  logic [LengthWidth-1:0]  due_index;
  logic [AddressWidth-1:0] due_rank, due_destination, cast_rank, combine_rank;
  packet_arrival #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_arrival (
    .clk_i, .rst_ni(rst_n), .slot_last_i, .length_i, .flit_valid_i(rx_valid_i), .flit_i(rx_flit_i), .first_o(due_first),
    .arrived_o(due_arrived), .last_o(due_last), .index_o(due_index), .rank_o(due_rank), .destination_o(due_destination)
  );
  broadcast_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_broadcast (
    .clk_i, .rst_ni(rst_n), .base_i(base), .ring_i(ring), .two_pieces_i(two_pieces), .alternate_i(alternate),
    .own_digits_i(own_digits), .coordinate_i(coordinate), .digit_i, .hop_i, .finished_i, .total_i, .pass_on_first_i(pass_on_first),
    .has_next_i(has_next), .broadcasting_i, .slot_last_i, .line_last_i, .arrived_i(due_arrived), .arriving_rank_i(due_rank),
    .sends_o(cast_sends), .sends_own_o(cast_own), .rank_o(cast_rank)
  );
  combine_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_combine (
    .base_i(base), .ring_i(ring), .two_pieces_i(two_pieces), .alternate_i(alternate), .own_digits_i(own_digits),
    .coordinate_i(coordinate), .digit_i, .hop_i, .finished_i, .total_i, .combining_i, .batch_i, .sends_o(combine_sends),
    .rank_o(combine_rank)
  );
  // What leaves, and which piece: a broadcast in two has the first one on the way plus, what comes back has it on the way minus.
  logic                    due, due_piece, second, names;
  logic [AddressWidth-1:0] leaving_rank;
  assign due = in_packet_i && ((broadcasting_i && cast_sends) || (combining_i && combine_sends) ||
                               ((packing_i || unpacking_i) && pack_sends_i));
  assign leaving_rank = broadcasting_i ? cast_rank : combining_i ? combine_rank : pack_rank_i;
  assign due_piece    = two_pieces && (broadcasting_i ? Plus == 0 : Plus != 0);
  assign second       = broadcasting_i && cast_own && due_piece;
  assign names        = (combining_i || unpacking_i) && wants_sum && leaving_rank == wanted_rank;
  logic [FlitWidth-1:0] due_flit;
  flit_composer #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_composer (
    .header_flit_i(header_flit), .pack_flits_i(pack_flits), .cast_flits_i(cast_flits), .address_i(address), .index_i,
    .own_packed_i(first_of_pack_i), .second_begins_i(second), .names_home_i(names), .own_flit_i, .stored_i, .header_i,
    .flit_o(due_flit)
  );

  // ---- one that hears something else
  logic differed_q;
  logic unused_first, unused_arrived, unused_last, other_piece;
  logic [LengthWidth-1:0]  unused_index;
  logic [AddressWidth-1:0] unused_rank, unused_destination;
  line_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)) u_other (
    .clk_i, .rst_ni(rst_n), .base_i(base), .ring_i(ring), .two_pieces_i(two_pieces), .alternate_i(alternate),
    .own_digits_i(own_digits), .coordinate_i(coordinate), .digit_i, .hop_i, .finished_i, .total_i, .pass_on_first_i(pass_on_first),
    .header_flit_i(header_flit), .pack_flits_i(pack_flits), .cast_flits_i(cast_flits), .address_i(address), .has_next_i(has_next),
    .packing_i, .unpacking_i, .broadcasting_i(broadcasting_i && !differed_q), .combining_i, .first_of_pack_i, .in_packet_i,
    .index_i, .length_i,
    .slot_last_i(slot_last_i && !differs_i && !differed_q), .line_last_i(line_last_i && !differs_i && !differed_q), .batch_i,
    .own_flit_i, .wants_sum_i(wants_sum), .wanted_rank_i(wanted_rank),
    .rx_valid_i(differs_i ? other_valid_i : rx_valid_i && !differed_q), .rx_flit_i(differs_i ? other_flit_i : rx_flit_i),
    .tx_valid_o(other_sends), .tx_flit_o(other_flit), .first_o(unused_first),
    .arrived_o(unused_arrived), .last_o(unused_last), .index_o(unused_index), .rank_o(unused_rank),
    .destination_o(unused_destination), .pack_sends_i(pack_sends_i && !differed_q), .pack_rank_i, .piece_o(other_piece),
    .send_rank_o(other_rank), .stored_i, .header_i
  );

  logic [31:0]            came_q;  // flits of this slot
  logic [LengthWidth-1:0] length_q;
  logic [IndexWidth-1:0]  digit_q;
  logic [3:0]             phase_q, phase;
  assign phase     = {packing_i, unpacking_i, broadcasting_i, combining_i};
  (* hierconn *) wire \u_dut.u_broadcast.line_end ;
  logic [DigitWidth:0] slots;
  assign slots = (ring && !two_pieces) ? base >> 1 : base - 1'b1;
  logic are_digits;
  always_comb begin
    are_digits = 1'b1;
    for (int j = 0; j < Digits; j++) are_digits = are_digits && {1'b0, address[j*DigitWidth +: DigitWidth]} < base;
  end
  always @(posedge clk_i) begin
    differed_q    <= rst_n && (differed_q || differs_i);
    slot_begins_q <= !rst_n || slot_last_i;
    line_begins_q <= !rst_n || line_last_i;
    length_q      <= length_i;
    digit_q       <= digit_i;
    phase_q       <= phase;
    came_q        <= (!rst_n || slot_last_i) ? '0 : came_q + 32'(rx_valid_i);
    assume (32'(base) >= 2 && 32'(base) <= (1 << DigitWidth) && are_digits && 32'(digit_i) < Digits);
    assume (cast_flits != '0 && pack_flits != '0 && (ring || !two_pieces));
    assume (32'(packing_i) + 32'(unpacking_i) + 32'(broadcasting_i) + 32'(combining_i) <= 1 && (!first_of_pack_i || packing_i));
    assume (!line_last_i || slot_last_i);
    assume (finished_i || !combining_i || {1'b0, hop_i} < slots);
    assume (!pack_sends_i || has_next);
    if (rst_n) begin
      assume (line_begins_q || (digit_i == digit_q && phase == phase_q));
      assume (length_i != '0 && (slot_begins_q || length_i == length_q));
      assume (!rx_valid_i || came_q < 32'(length_i));
      assume (!slot_last_i || (came_q == '0 && !rx_valid_i) || (rx_valid_i && came_q + 32'd1 == 32'(length_i)));
      assume (!(broadcasting_i && line_last_i && arrived) || \u_dut.u_broadcast.line_end );
      assume (!(differs_i && differed_q));
      a_it_leaves_if_the_phases_part_sends : assert (sends == due);
      a_the_memory_is_told_its_rank  : assert (!due || send_rank == leaving_rank);
      a_the_memory_is_told_its_piece : assert (phase == '0 || packing_i || unpacking_i || piece == due_piece);
      a_its_flits_are_composed       : assert (!due || flit == due_flit);
      a_arrivals_are_followed        : assert (arrived == due_arrived &&
        (!arrived || {rank_of, destination} == {due_rank, due_destination}) &&
        (!rx_valid_i || {first, last, index} == {due_first, due_last, due_index}));
      a_nothing_leaves_as_it_arrives : assert (differed_q ||
        (sends == other_sends && (!sends || {flit, send_rank} == {other_flit, other_rank})));
      c_second : cover (sends && second && index_i == '0 && rx_valid_i && differs_i);
      c_passes : cover (sends && broadcasting_i && !cast_own && stored_i != '0);
      c_home   : cover (sends && combining_i && names && index_i == '0);
    end
  end
endmodule
