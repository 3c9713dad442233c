// rtl_scan_engine_bench - the parts of a class_engine, each by itself: two digits of two bits, packets of up to seven flits.
// Parts share inputs, some of them under the name that another part has for them; what exists per direction has minus
// at index 0, plus at index 1.
module rtl_scan_engine_bench #(
  parameter int DigitWidth    = 2,
  parameter int LengthWidth   = 3,
  parameter int FlitWidth     = 64,
  localparam int Digits       = 2,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int MemoryWidth  = AddressWidth + 1 + LengthWidth
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // configuration
  input  logic [DigitWidth:0]       base_i,
  input  logic                      ring_i,
  input  logic                      two_pieces_i,
  input  logic                      alternate_i,
  input  logic                      pass_on_first_i,
  input  logic                      header_flit_i,
  input  logic [LengthWidth-1:0]    pack_flits_i,
  input  logic [LengthWidth-1:0]    cast_flits_i,
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic [AddressWidth-1:0]   address_i,
  input  logic [1:0]                has_next_i,
  // timetable
  input  logic                      packing_i,
  input  logic                      unpacking_i,
  input  logic                      broadcasting_i,
  input  logic                      combining_i,
  input  logic                      first_i,           // the first slot of the phase, for packing and unpacking
  input  logic                      digit_i,
  input  logic [DigitWidth-1:0]     hop_i,
  input  logic [DigitWidth-1:0]     hops_i,
  input  logic [RankWidth-1:0]      batch_i,
  input  logic                      finished_i,
  input  logic                      slot_last_i,
  input  logic                      line_last_i,
  input  logic                      phase_last_i,
  input  logic [RankWidth-1:0]      total_i,
  input  logic [LengthWidth-1:0]    length_i,
  input  logic [LengthWidth-1:0]    index_i,
  input  logic                      in_packet_i,
  // the node's own packet
  input  logic                      own_valid_i,
  input  logic [AddressWidth-1:0]   own_rank_i,       // also rank_memory's resident_rank_i
  input  logic [FlitWidth-1:0]      own_flit_i,
  // batch_increment, line_distance, way_reach
  output logic [RankWidth-1:0]      next_batch_o,
  input  logic [DigitWidth-1:0]     from_i,
  input  logic [DigitWidth-1:0]     to_i,
  output logic [DigitWidth-1:0]     distance_o,
  input  logic                      plus_i,
  input  logic                      odd_i,       // also line_way's pack_sends_i
  output logic [DigitWidth-1:0]     reach_o,
  // packet_arrival; the line_way hears the same link
  input  logic                      link_valid_i,
  input  logic [FlitWidth-1:0]      link_flit_i,
  output logic                      arrival_first_o,
  output logic                      arrival_arrived_o,
  output logic                      arrival_last_o,
  output logic [LengthWidth-1:0]    arrival_index_o,
  output logic [AddressWidth-1:0]   arrival_rank_o,
  output logic [AddressWidth-1:0]   arrival_destination_o,
  // what arrives, for broadcast_way and packing_unit
  input  logic [1:0]                arrived_i,
  input  logic [2*AddressWidth-1:0] arriving_rank_i,
  input  logic [2*AddressWidth-1:0] arriving_destination_i,
  // broadcast_way, combine_way
  output logic [1:0]                cast_sends_o,
  output logic [1:0]                cast_own_o,
  output logic [2*AddressWidth-1:0] cast_rank_o,
  output logic [1:0]                combine_sends_o,
  output logic [2*AddressWidth-1:0] combine_rank_o,
  // packing_unit
  input  logic                      accumulating_i,
  input  logic [AddressWidth-1:0]   stored_destination_i,
  output logic                      resident_valid_o,
  output logic [AddressWidth-1:0]   resident_rank_o,
  output logic [AddressWidth-1:0]   resident_target_o,
  output logic [AddressWidth-1:0]   resident_destination_o,
  output logic [1:0]                pack_home_o,
  output logic [1:0]                pack_sends_o,
  output logic [2*AddressWidth-1:0] pack_rank_o,
  // rank_memory
  input  logic                      load_valid_i,
  input  logic [MemoryWidth-1:0]    load_address_i,
  input  logic [1:0]                write_valid_i,
  input  logic [1:0]                write_first_i,
  input  logic [1:0]                piece_i,
  input  logic [2*AddressWidth-1:0] write_rank_i,
  input  logic [2*LengthWidth-1:0]  write_index_i,
  input  logic [2*FlitWidth-1:0]    write_flit_i,
  input  logic [2*AddressWidth-1:0] read_rank_i,  // the lower one: also line_way's pack_rank_i
  output logic [2*FlitWidth-1:0]    stored_o,
  output logic [2*FlitWidth-1:0]    header_o,
  output logic [FlitWidth-1:0]      resident_stored_o,
  output logic [FlitWidth-1:0]      resident_header_o,
  // flit_composer
  input  logic                      second_begins_i,
  input  logic                      names_home_i,
  input  logic [FlitWidth-1:0]      stored_i,         // also rank_memory's load_flit_i
  input  logic [FlitWidth-1:0]      header_i,
  output logic [FlitWidth-1:0]      composed_o,
  // class_delivery: flits are those of write_flit_i
  input  logic [1:0]                give_valid_i,
  input  logic [1:0]                give_last_i,
  input  logic [1:0]                give_home_i,
  input  logic                      resident_home_i,
  input  logic [AddressWidth-1:0]   resident_destination_i,
  output logic                      deliver_whole_o,
  output logic [2:0]                deliver_valid_o,
  output logic [2:0]                deliver_last_o,
  output logic [3*FlitWidth-1:0]    deliver_flit_o,
  // line_way, towards larger coordinates
  output logic                      way_tx_valid_o,
  output logic [FlitWidth-1:0]      way_tx_flit_o,
  output logic                      way_piece_o,
  output logic [AddressWidth-1:0]   way_rank_o
);
  logic [DigitWidth-1:0] coordinate;
  logic [RankWidth-1:0]  own_digits;
  assign coordinate = address_i[digit_i*DigitWidth +: DigitWidth];
  assign own_digits = digit_i ? RankWidth'(address_i) : RankWidth'(address_i[DigitWidth-1:0]);

  batch_increment #(.Digits(Digits), .DigitWidth(DigitWidth)) u_increment (
    .base_i, .digit_i, .batch_i, .next_o(next_batch_o));
  line_distance #(.DigitWidth(DigitWidth)) u_distance (.base_i, .ring_i, .from_i, .to_i, .distance_o);
  way_reach #(.DigitWidth(DigitWidth)) u_reach (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .plus_i, .odd_i, .reach_o);
  packet_arrival #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_arrival (
    .clk_i, .rst_ni, .slot_last_i, .length_i,
    .flit_valid_i  (link_valid_i),
    .flit_i        (link_flit_i),
    .first_o       (arrival_first_o),
    .arrived_o     (arrival_arrived_o),
    .last_o        (arrival_last_o),
    .index_o       (arrival_index_o),
    .rank_o        (arrival_rank_o),
    .destination_o (arrival_destination_o)
  );
  for (genvar w = 0; w < 2; w++) begin : g_way
    broadcast_way #(.Plus(w), .Digits(Digits), .DigitWidth(DigitWidth)) u_broadcast (
      .clk_i, .rst_ni, .base_i, .ring_i, .two_pieces_i, .alternate_i, .pass_on_first_i,
      .own_digits_i    (own_digits),
      .coordinate_i    (coordinate),
      .has_next_i      (has_next_i[w]),
      .broadcasting_i, .digit_i, .hop_i, .finished_i, .slot_last_i, .line_last_i, .total_i,
      .arrived_i       (arrived_i[w]),
      .arriving_rank_i (arriving_rank_i[w*AddressWidth +: AddressWidth]),
      .sends_o         (cast_sends_o[w]),
      .sends_own_o     (cast_own_o[w]),
      .rank_o          (cast_rank_o[w*AddressWidth +: AddressWidth])
    );
    combine_way #(.Plus(w), .Digits(Digits), .DigitWidth(DigitWidth)) u_combine (
      .base_i, .ring_i, .two_pieces_i, .alternate_i,
      .own_digits_i (own_digits),
      .coordinate_i (coordinate),
      .combining_i, .digit_i, .hop_i, .batch_i, .finished_i, .total_i,
      .sends_o      (combine_sends_o[w]),
      .rank_o       (combine_rank_o[w*AddressWidth +: AddressWidth])
    );
  end
  packing_unit #(.Digits(Digits), .DigitWidth(DigitWidth)) u_packing (
    .clk_i, .rst_ni, .base_i, .ring_i, .alternate_i, .accumulating_i, .address_i,
    .enable_i            (1'b1),
    .packing_i, .unpacking_i,
    .first_of_pack_i     (first_i && packing_i),
    .first_of_unpack_i   (first_i && unpacking_i),
    .digit_i, .hop_i, .hops_i, .slot_last_i, .line_last_i, .phase_last_i,
    .own_valid_i, .own_rank_i, .total_i, .stored_destination_i,
    .minus_arrived_i     (arrived_i[0]),
    .minus_rank_i        (arriving_rank_i[AddressWidth-1:0]),
    .minus_destination_i (arriving_destination_i[AddressWidth-1:0]),
    .plus_arrived_i      (arrived_i[1]),
    .plus_rank_i         (arriving_rank_i[2*AddressWidth-1:AddressWidth]),
    .plus_destination_i  (arriving_destination_i[2*AddressWidth-1:AddressWidth]),
    .resident_valid_o, .resident_rank_o, .resident_target_o, .resident_destination_o,
    .minus_home_o        (pack_home_o[0]),
    .plus_home_o         (pack_home_o[1]),
    .minus_sends_o       (pack_sends_o[0]),
    .minus_send_rank_o   (pack_rank_o[AddressWidth-1:0]),
    .plus_sends_o        (pack_sends_o[1]),
    .plus_send_rank_o    (pack_rank_o[2*AddressWidth-1:AddressWidth])
  );
  rank_memory #(
    .FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth), .Pieces(2)
  ) u_memory (
    .clk_i, .two_pieces_i, .header_flit_i, .cast_flits_i,
    .in_pieces_i       (broadcasting_i || combining_i),
    .combining_i, .index_i, .load_valid_i, .load_address_i,
    .load_flit_i       (stored_i),
    .own_valid_i, .own_rank_i, .own_flit_i,
    .minus_piece_i     (piece_i[0]),
    .minus_valid_i     (write_valid_i[0]),
    .minus_first_i     (write_first_i[0]),
    .minus_rank_i      (write_rank_i[AddressWidth-1:0]),
    .minus_index_i     (write_index_i[LengthWidth-1:0]),
    .minus_flit_i      (write_flit_i[FlitWidth-1:0]),
    .minus_read_rank_i (read_rank_i[AddressWidth-1:0]),
    .minus_stored_o    (stored_o[FlitWidth-1:0]),
    .minus_header_o    (header_o[FlitWidth-1:0]),
    .plus_piece_i      (piece_i[1]),
    .plus_valid_i      (write_valid_i[1]),
    .plus_first_i      (write_first_i[1]),
    .plus_rank_i       (write_rank_i[2*AddressWidth-1:AddressWidth]),
    .plus_index_i      (write_index_i[2*LengthWidth-1:LengthWidth]),
    .plus_flit_i       (write_flit_i[2*FlitWidth-1:FlitWidth]),
    .plus_read_rank_i  (read_rank_i[2*AddressWidth-1:AddressWidth]),
    .plus_stored_o     (stored_o[2*FlitWidth-1:FlitWidth]),
    .plus_header_o     (header_o[2*FlitWidth-1:FlitWidth]),
    .resident_rank_i   (own_rank_i),
    .resident_stored_o, .resident_header_o
  );
  flit_composer #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_composer (
    .header_flit_i, .pack_flits_i, .cast_flits_i, .address_i, .index_i,
    .own_packed_i (first_i && packing_i),
    .second_begins_i, .names_home_i, .own_flit_i, .stored_i, .header_i,
    .flit_o       (composed_o)
  );
  class_delivery #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_delivery (
    .clk_i, .rst_ni, .operation_i,
    .enable_i          (1'b1),
    .packing_i, .unpacking_i, .broadcasting_i,
    .first_of_pack_i   (first_i && packing_i),
    .first_of_unpack_i (first_i && unpacking_i),
    .index_i, .in_packet_i, .length_i,
    .minus_valid_i     (give_valid_i[0]),
    .minus_last_i      (give_last_i[0]),
    .minus_home_i      (give_home_i[0]),
    .minus_flit_i      (write_flit_i[FlitWidth-1:0]),
    .plus_valid_i      (give_valid_i[1]),
    .plus_last_i       (give_last_i[1]),
    .plus_home_i       (give_home_i[1]),
    .plus_flit_i       (write_flit_i[2*FlitWidth-1:FlitWidth]),
    .resident_home_i, .resident_destination_i,
    .resident_stored_i (stored_i),
    .own_flit_i,
    .deliver_whole_o, .deliver_valid_o, .deliver_last_o, .deliver_flit_o
  );

  logic                    unused_first, unused_arrived, unused_last, unused;
  logic [LengthWidth-1:0]  unused_index;
  logic [AddressWidth-1:0] unused_rank, unused_destination;
  line_way #(
    .Plus(1), .Digits(Digits), .DigitWidth(DigitWidth), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)
  ) u_way (
    .clk_i, .rst_ni, .base_i, .ring_i, .two_pieces_i, .alternate_i, .pass_on_first_i, .header_flit_i,
    .pack_flits_i, .cast_flits_i, .address_i,
    .own_digits_i    (own_digits),
    .coordinate_i    (coordinate),
    .has_next_i      (has_next_i[1]),
    .packing_i, .unpacking_i, .broadcasting_i, .combining_i,
    .first_of_pack_i (first_i && packing_i),
    .in_packet_i, .index_i, .length_i, .digit_i, .slot_last_i, .line_last_i, .hop_i, .batch_i, .finished_i, .total_i,
    .own_flit_i,
    .wants_sum_i     (accumulating_i && own_valid_i),
    .wanted_rank_i   (own_rank_i),
    .rx_valid_i      (link_valid_i),
    .rx_flit_i       (link_flit_i),
    .tx_valid_o      (way_tx_valid_o),
    .tx_flit_o       (way_tx_flit_o),
    .first_o         (unused_first),
    .arrived_o       (unused_arrived),
    .last_o          (unused_last),
    .index_o         (unused_index),
    .rank_o          (unused_rank),
    .destination_o   (unused_destination),
    .pack_sends_i    (odd_i),
    .pack_rank_i     (read_rank_i[AddressWidth-1:0]),
    .piece_o         (way_piece_o),
    .send_rank_o     (way_rank_o),
    .stored_i, .header_i
  );
  assign unused = &{1'b0, unused_first, unused_arrived, unused_last, unused_index, unused_rank, unused_destination};
endmodule
