// class_engine - what a scan_node does for one class of packets: algorithm A_c.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in meshes, section 3; Varvarigos, folded cubes, section 3.
// All classes do the same at the same time on digits of their own numbering, so that each has other links. The engine
// decides from what it has received and from the common timetable: the scan gives the rank of the node's packet, the
// packet's header says where it is packed to, the number of packets says who sends in which batch. Packets are stored
// by rank. Payloads pass through the memory: a packet is sent on when it has arrived.
//
// Packets move in slots. Of packing (Theorem 3): a packet leaves in the first slot of a digit and is passed on until its
// digit is right; backwards (Theorem 4) it leaves as late as it may, in slot hops - distance. Of a broadcast: see batch_counter;
// with pass_on_first_i own packets go into any slot in which nothing is to be passed on (Theorem 2). Of combining, a broadcast
// backwards: partial sums leave for the owner of a rank so that those from both sides of the line arrive there in the last slot.
//
// A packet of pack_flits_i flits is broadcast as one piece or, with two_pieces_i, as two of cast_flits_i, each with a header.
// header_flit_i: the first flit is header alone; else it has payload above the header.
//
// What a direction works out in steps it keeps in variables of its own: Icarus wakes up whatever names a bit of a vector or
// a word of an array when any of it changes, and two such processes would wake each other up for ever.
//
// Everything that leaves for another node is a function of registers and of the timetable's registers.
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
  localparam int PieceWidth    = Pieces - 1,
  localparam int MemoryWidth   = AddressWidth + PieceWidth + LengthWidth
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
  input  logic                             known_i,           // the rank is this, the number of packets that
  input  logic [AddressWidth-1:0]          known_rank_i,
  input  logic [RankWidth-1:0]             known_total_i,
  // timetable
  input  logic [scan_pkg::PhaseWidth-1:0]  phase_i,
  input  logic                             enable_i,          // this class takes part in the phase
  input  logic                             backward_i,
  input  logic [IndexWidth-1:0]            digit_i,
  input  logic [CycleWidth-1:0]            cycle_i,
  input  logic                             slot_last_i,
  input  logic [DigitWidth-1:0]            hop_i,             // of packing; of broadcasts, towards larger coordinates
  input  logic [DigitWidth-1:0]            hops_i,
  input  logic                             line_last_i,
  input  logic                             phase_last_i,
  input  logic [RankWidth-1:0]             plus_batch_i,
  input  logic                             plus_finished_i,
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
  localparam int FieldWidth  = scan_pkg::FieldWidth;
  localparam int HeaderWidth = scan_pkg::HeaderWidth;

  // ---- where the phase stands
  logic two_pieces;
  assign two_pieces = Pieces == 2 && two_pieces_i;
  logic packing, unpacking, broadcasting, combining, scanning, first_of_pack, first_of_unpack, unused;
  assign scanning     = phase_i == 3'(scan_pkg::PhaseClassScan) || phase_i == 3'(scan_pkg::PhaseRankScan);
  assign packing      = phase_i == 3'(scan_pkg::PhasePack);
  assign unpacking    = phase_i == 3'(scan_pkg::PhaseUnpack);
  assign broadcasting = phase_i == 3'(scan_pkg::PhaseBroadcast);
  assign combining    = phase_i == 3'(scan_pkg::PhaseCombine);
  assign first_of_pack   = packing && digit_i == '0 && hop_i == '0;
  assign first_of_unpack = unpacking && digit_i == IndexWidth'(Digits - 1) && hop_i == '0;

  logic [DigitWidth-1:0] coordinate, last;
  logic                  has_plus, has_minus;
  assign last       = DigitWidth'(base_i - (DigitWidth+1)'(1));
  assign coordinate = coordinates_i[digit_i*DigitWidth +: DigitWidth];
  assign has_plus   = ring_i || coordinate != last;
  assign has_minus  = ring_i || coordinate != '0;

  // How many nodes further along the line, towards larger or smaller coordinates.
  function automatic logic [DigitWidth-1:0] forward(input logic [DigitWidth-1:0] from, input logic [DigitWidth-1:0] to);
    forward = (to >= from || !ring_i) ? to - from : DigitWidth'({1'b0, to} + base_i - {1'b0, from});
  endfunction
  function automatic logic [DigitWidth-1:0] digit_of(input logic [AddressWidth-1:0] address,
                                                     input logic [IndexWidth-1:0] digit);
    digit_of = address[digit*DigitWidth +: DigitWidth];
  endfunction

  // ---- ranks
  logic                    scan_plus_valid, scan_minus_valid;
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
    .line_last_i, .active_i,
    .tx_plus_valid_o  (scan_plus_valid),
    .tx_minus_valid_o (scan_minus_valid),
    .tx_flit_o        (scan_flit),
    .rx_minus_valid_i, .rx_minus_flit_i, .rx_plus_valid_i, .rx_plus_flit_i,
    .before_next_o, .total_next_o, .total_o
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rank_q <= '0;
    else if (enable_i && scanning && phase_last_i) rank_q <= before_next_o[RemainderWidth +: AddressWidth];
  end
  assign rank   = known_i ? known_rank_i : rank_q;
  assign total  = known_i ? known_total_i : total_o[RemainderWidth +: RankWidth];
  assign rank_o = rank;

  // ---- memory: by rank, piece, flit
  logic [FlitWidth-1:0] memory_q [1 << MemoryWidth];

  function automatic logic [MemoryWidth-1:0] place(input logic [AddressWidth-1:0] of_rank, input logic piece,
                                                   input logic [LengthWidth-1:0] index);
    if (Pieces == 2) place = MemoryWidth'({of_rank, piece, index});
    else             place = MemoryWidth'({of_rank, index});
  endfunction
  // Where a flit of a packet that is packed belongs.
  logic [LengthWidth-1:0] piece_payload;
  assign piece_payload = cast_flits_i - LengthWidth'(header_flit_i);
  function automatic logic [MemoryWidth-1:0] place_packed(input logic [AddressWidth-1:0] of_rank,
                                                          input logic [LengthWidth-1:0] index);
    logic second;
    second = two_pieces && index >= cast_flits_i;
    place_packed = place(of_rank, second, second ? index - piece_payload : index);
  endfunction

  // A flit with another address in a field of its header.
  function automatic logic [FlitWidth-1:0] with_field(input logic [FlitWidth-1:0] flit, input int field,
                                                      input logic [AddressWidth-1:0] address);
    with_field = (flit & ~(FlitWidth'({FieldWidth{1'b1}}) << field)) | (FlitWidth'(address) << field);
  endfunction

  // ---- own packet: its next flit is fetched from the host one cycle ahead
  logic [FlitWidth-1:0] own_flit_q, own_flit;
  assign own_index_o = (first_of_pack && cycle_i < CycleWidth'(pack_flits_i) - 1'b1) ? LengthWidth'(cycle_i) + 1'b1 : '0;
  always_ff @(posedge clk_i) own_flit_q <= own_flit_i;
  assign own_flit = cycle_i == '0 ? with_field(own_flit_q, scan_pkg::RankField, AddressWidth'(rank)) : own_flit_q;

  // ---- what arrives, per direction: 0 from the larger coordinate, 1 from the smaller
  logic [1:0]              rx_valid, rx_first, rx_got;
  logic [FlitWidth-1:0]    rx_flit [2];
  logic [LengthWidth-1:0]  rx_index_q [2];
  logic [AddressWidth-1:0] rx_rank_q [2], rx_rank [2], rx_destination_q [2], rx_destination [2];
  logic                    moving;
  assign moving   = enable_i && !scanning && phase_i != 3'(scan_pkg::PhaseIdle);
  assign rx_valid = {rx_minus_valid_i && moving, rx_plus_valid_i && moving};
  assign rx_flit[0] = rx_plus_flit_i;
  assign rx_flit[1] = rx_minus_flit_i;
  for (genvar i = 0; i < 2; i++) begin : g_receive
    assign rx_first[i]       = rx_index_q[i] == '0;
    assign rx_got[i]         = rx_valid[i] || !rx_first[i];
    assign rx_rank[i]        = rx_first[i] ? rx_flit[i][scan_pkg::RankField +: AddressWidth] : rx_rank_q[i];
    assign rx_destination[i] = rx_first[i] ? rx_flit[i][scan_pkg::DestinationField +: AddressWidth] : rx_destination_q[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || slot_last_i) rx_index_q[i] <= '0;
      else if (rx_valid[i]) rx_index_q[i] <= rx_index_q[i] + 1'b1;
      if (rx_valid[i]) begin
        rx_rank_q[i]        <= rx_rank[i];
        rx_destination_q[i] <= rx_destination[i];
      end
    end
  end

  // ---- packing and its reverse: a packet that rests here, and one that moves each way
  logic                    resident_q, resident_valid, resident_leaves, resident_goes_plus;
  logic [AddressWidth-1:0] resident_rank_q, resident_rank, resident_target_q, resident_target, stored_destination;
  logic [1:0]              transit_q, arrives_to_stay;     // index: 0 moves minus, 1 moves plus
  logic [AddressWidth-1:0] transit_rank_q [2], arriving_target [2];
  logic [DigitWidth-1:0]   target_digit, distance, way_plus, way_minus;

  // At the beginning of packing the node's own packet is here; when unpacking begins after combining, the sum
  // for the rank that is this node's address.
  always_comb begin
    resident_valid = resident_q;
    resident_rank  = resident_rank_q;
    if (first_of_pack) begin
      resident_valid = active_i;
      resident_rank  = rank;
    end else if (first_of_unpack && operation_i == 3'(scan_pkg::OperationAccumulate)) begin
      resident_valid = RankWidth'(coordinates_i) < total;
      resident_rank  = coordinates_i;
    end
  end
  assign resident_target = packing ? resident_rank : first_of_unpack ? stored_destination : resident_target_q;

  assign target_digit = digit_of(resident_target, digit_i);
  assign way_plus     = forward(coordinate, target_digit);
  assign way_minus    = forward(target_digit, coordinate);
  always_comb begin
    // On an array only one of the two ways exists; round a ring the short one, plus if they are equal.
    if (ring_i && alternate_i) resident_goes_plus = {1'b0, way_plus} <= (base_i >> 1);
    else                       resident_goes_plus = target_digit > coordinate;
    if (ring_i && alternate_i) distance = resident_goes_plus ? way_plus : way_minus;
    else                       distance = resident_goes_plus ? target_digit - coordinate : coordinate - target_digit;
    resident_leaves = resident_valid && distance != '0 && (packing || distance == hops_i - hop_i);
  end

  for (genvar i = 0; i < 2; i++) begin : g_arrive
    assign arriving_target[i] = packing ? rx_rank[i] : rx_destination[i];
    assign arrives_to_stay[i] = rx_got[i] && digit_of(arriving_target[i], digit_i) == coordinate;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || phase_last_i) transit_q[i] <= 1'b0;
      else if (slot_last_i) transit_q[i] <= (packing || unpacking) && rx_got[i] && !arrives_to_stay[i];
      if (slot_last_i) transit_rank_q[i] <= rx_rank[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      resident_q <= 1'b0;
    end else if (slot_last_i && (packing || unpacking)) begin
      resident_q        <= (resident_valid && !resident_leaves) || arrives_to_stay != '0;
      resident_rank_q   <= arrives_to_stay[0] ? rx_rank[0] : arrives_to_stay[1] ? rx_rank[1] : resident_rank;
      resident_target_q <= arrives_to_stay[0] ? arriving_target[0]
                         : arrives_to_stay[1] ? arriving_target[1] : resident_target;
    end
  end

  // ---- broadcasts: own packets by batch, and what came in the last slot
  logic [RankWidth-1:0]    own_batch_q [2], own_batch_next [2], own_batch_rank [2], own_digits;
  logic [1:0]              pass_q, own_left, own_allowed, own_sends, line_end, finished;
  logic [AddressWidth-1:0] pass_rank_q [2];
  logic [DigitWidth-1:0]   hop [2], travelled [2], reach [2], combine_reach [2], combine_slots [2];
  logic [RankWidth-1:0]    batch [2];
  assign hop[0]   = minus_hop_i;
  assign hop[1]   = hop_i;
  assign batch[0] = minus_batch_i;
  assign batch[1] = plus_batch_i;
  assign finished = {plus_finished_i, minus_finished_i};

  // Digits of this node up to the current one: those of the ranks that it sends.
  always_comb begin
    own_digits = '0;
    for (int j = 0; j < Digits; j++) begin
      if (IndexWidth'(j) <= digit_i) own_digits[j*DigitWidth +: DigitWidth] = coordinates_i[j*DigitWidth +: DigitWidth];
    end
  end

  // How many nodes a packet of a batch reaches in a direction.
  function automatic logic [DigitWidth-1:0] reach_of(input logic plus, input logic is_odd);
    if (!ring_i || two_pieces)                    reach_of = last;
    else if (plus == !(alternate_i && is_odd))      reach_of = DigitWidth'(base_i >> 1);
    else                                            reach_of = DigitWidth'((base_i - (DigitWidth+1)'(1)) >> 1);
  endfunction
  function automatic logic odd_rank(input logic [AddressWidth-1:0] of_rank, input logic [IndexWidth-1:0] digit);
    odd_rank = 1'b0;
    for (int j = 0; j + 1 < Digits; j++) begin
      if (IndexWidth'(j) == digit) odd_rank = of_rank[(j+1)*DigitWidth];
    end
  endfunction

  for (genvar i = 0; i < 2; i++) begin : g_broadcast
    logic carry;
    logic [DigitWidth+1:0] sum;
    logic [RankWidth-1:0]  next_batch;
    always_comb begin
      next_batch = own_batch_q[i];
      carry = 1'b1;
      sum   = '0;
      for (int j = 1; j <= Digits; j++) begin
        if (j > 32'(digit_i)) begin
          sum   = {2'b0, own_batch_q[i][j*DigitWidth +: DigitWidth]} + (DigitWidth+2)'(carry);
          carry = sum >= {1'b0, base_i};
          next_batch[j*DigitWidth +: DigitWidth] = carry ? '0 : sum[DigitWidth-1:0];
        end
      end
    end
    assign own_batch_next[i] = next_batch;
    assign own_batch_rank[i] = own_batch_q[i] | own_digits;
    assign own_left[i]       = own_batch_rank[i] < total;
    assign own_allowed[i]    = pass_on_first_i || (hop[i] == '0 && !finished[i]);
    assign own_sends[i]      = broadcasting && !pass_q[i] && own_left[i] && own_allowed[i] && (i == 1 ? has_plus : has_minus);
    // What arrives travels on if it has further to go.
    assign travelled[i] = i == 1 ? forward(digit_of(rx_rank[1], digit_i), coordinate) : forward(coordinate, digit_of(rx_rank[0], digit_i));
    assign reach[i]     = reach_of(i == 1, odd_rank(rx_rank[i], digit_i));
    assign line_end[i]  = ring_i ? travelled[i] >= reach[i] : !(i == 1 ? has_plus : has_minus);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !broadcasting || line_last_i) own_batch_q[i] <= '0;
      else if (slot_last_i && own_sends[i]) own_batch_q[i] <= own_batch_next[i];
      if (!rst_ni || line_last_i) pass_q[i] <= 1'b0;
      else if (slot_last_i) pass_q[i] <= broadcasting && rx_got[i] && !line_end[i];
      if (slot_last_i) pass_rank_q[i] <= rx_rank[i];
    end
    // What a broadcast sends minus comes back plus. Slots of a batch: those of the longer way.
    assign combine_reach[i] = reach_of(i == 0, 1'b0);
    assign combine_slots[i] = (ring_i && !two_pieces) ? DigitWidth'(base_i >> 1) : last;
  end

  // ---- combining: which partial sum leaves
  logic [1:0]              combine_sends;
  logic [AddressWidth-1:0] combine_rank [2];
  logic [RankWidth-1:0]    combine_full_rank [2];
  for (genvar i = 0; i < 2; i++) begin : g_combine
    logic [DigitWidth-1:0] far, holder;
    logic [RankWidth-1:0]  full_rank;
    logic                  there;
    assign far = combine_slots[i] - hop[i];
    always_comb begin
      if (i == 1) begin
        holder = coordinate + far;
        there  = {1'b0, coordinate} + {1'b0, far} < base_i;
        if (!there && ring_i) holder = DigitWidth'({1'b0, coordinate} + {1'b0, far} - base_i);
      end else begin
        holder = coordinate - far;
        there  = coordinate >= far;
        if (!there && ring_i) holder = DigitWidth'({1'b0, coordinate} + base_i - {1'b0, far});
      end
      full_rank = batch[i] | own_digits;
      full_rank[digit_i*DigitWidth +: DigitWidth] = holder;
    end
    assign combine_full_rank[i] = full_rank;
    assign combine_rank[i]      = full_rank[AddressWidth-1:0];
    assign combine_sends[i]     = combining && !finished[i] && (there || ring_i) && far <= combine_reach[i] && full_rank < total;
  end

  // ---- what is sent: per direction a rank, and where its flits are
  logic [1:0]              sends;
  logic [AddressWidth-1:0] sent_rank [2];
  logic [FlitWidth-1:0]    sent_flit [2], piece_header [2];
  logic [LengthWidth-1:0]  index, length;
  assign index  = LengthWidth'(cycle_i);
  assign length = (broadcasting || combining) ? cast_flits_i : pack_flits_i;

  for (genvar i = 0; i < 2; i++) begin : g_send
    logic                    moves, is_own, piece, resident_goes_here, is_second_header, is_padding;
    logic [AddressWidth-1:0] of_rank;
    logic                    names_home;
    logic [FlitWidth-1:0]    stored, flit;
    logic [FlitWidth-HeaderWidth-1:0] second_payload;
    assign resident_goes_here = resident_leaves && (resident_goes_plus == (i == 1));
    always_comb begin
      moves   = 1'b0;
      is_own  = 1'b0;
      of_rank = transit_rank_q[i];
      if (packing || unpacking) begin
        moves  = transit_q[i] || resident_goes_here;
        is_own = first_of_pack;
        if (!transit_q[i]) of_rank = resident_rank;
      end else if (broadcasting) begin
        moves   = pass_q[i] || own_sends[i];
        of_rank = pass_q[i] ? pass_rank_q[i] : own_batch_rank[i][AddressWidth-1:0];
      end else if (combining) begin
        moves   = combine_sends[i];
        of_rank = combine_rank[i];
      end
      if (!moving || cycle_i >= CycleWidth'(length)) moves = 1'b0;
    end
    assign sends[i]     = moves;
    assign sent_rank[i] = of_rank;
    // A broadcast in two pieces: the first moves plus, the second minus; combining, the other way round.
    assign piece  = two_pieces && (combining ? i == 1 : i == 0);
    assign stored = memory_q[(broadcasting || combining) ? place(sent_rank[i], piece, index)
                                                         : place_packed(sent_rank[i], index)];
    assign piece_header[i] = memory_q[place(sent_rank[i], 1'b0, '0)];
    assign is_second_header = broadcasting && piece && own_sends[i] && index == '0;
    // Flits of a second piece that a packet is too short for.
    assign is_padding = broadcasting && piece && own_sends[i] && index != '0 && {1'b0, index} + {1'b0, piece_payload} >= {1'b0, pack_flits_i};
    assign names_home = (combining || unpacking) && index == '0 && active_i &&
                        operation_i == 3'(scan_pkg::OperationAccumulate) && of_rank == rank;
    assign second_payload = {1'b0, cast_flits_i} >= {1'b0, pack_flits_i} ? '0 : stored[FlitWidth-1:HeaderWidth];
    always_comb begin
      if (is_own)                flit = own_flit;
      else if (is_second_header) flit = header_flit_i ? piece_header[i] : {second_payload, piece_header[i][HeaderWidth-1:0]};
      else if (is_padding)       flit = '0;
      else                       flit = stored;
    end
    assign sent_flit[i] = names_home ? with_field(flit, scan_pkg::DestinationField, coordinates_i) : flit;
  end

  assign tx_plus_valid_o  = (enable_i && scan_plus_valid) || sends[1];
  assign tx_minus_valid_o = (enable_i && scan_minus_valid) || sends[0];
  assign tx_plus_flit_o   = scanning ? scan_flit : sent_flit[1];
  assign tx_minus_flit_o  = scanning ? scan_flit : sent_flit[0];

  // ---- what is stored
  logic [MemoryWidth-1:0] rx_place [2];
  logic [FlitWidth-1:0]   combined [2];
  logic                   both_here;
  assign both_here = rx_valid == 2'b11 && rx_place[0] == rx_place[1];
  for (genvar i = 0; i < 2; i++) begin : g_store
    // What came from the larger coordinate moves minus: the second piece of a broadcast, the first of combining.
    assign rx_place[i] = (broadcasting || combining)
      ? place(rx_rank[i], two_pieces && (combining ? i == 1 : i == 0), rx_index_q[i])
      : place_packed(rx_rank[i], rx_index_q[i]);
    flit_combiner #(.FlitWidth(FlitWidth)) u_combine (
      .first_i   (rx_first[i]),
      .stored_i  (memory_q[rx_place[i]]),
      .a_valid_i (1'b1),
      .a_i       (rx_flit[i]),
      .b_valid_i (both_here),
      .b_i       (rx_flit[1-i]),
      .sum_o     (combined[i])
    );
  end
  always_ff @(posedge clk_i) begin
    if (load_valid_i) memory_q[load_address_i] <= load_flit_i;
    if (enable_i && first_of_pack && active_i && cycle_i < CycleWidth'(pack_flits_i)) memory_q[place_packed(rank, index)] <= own_flit;
    if (rx_valid[0]) memory_q[rx_place[0]] <= combining ? combined[0] : rx_flit[0];
    if (rx_valid[1]) memory_q[rx_place[1]] <= combining ? combined[1] : rx_flit[1];
  end
  // The sum's destination: named by the node whose rank it is, which may be this one.
  logic [FlitWidth-1:0] own_sum_header;
  assign own_sum_header = memory_q[place(resident_rank, 1'b0, '0)];
  assign stored_destination = own_sum_header[scan_pkg::DestinationField +: AddressWidth] |
    ((operation_i == 3'(scan_pkg::OperationAccumulate) && active_i && resident_rank == rank) ? coordinates_i : '0);

  // ---- deliveries
  logic       final_phase, whole_packet, rests_at_home;
  logic [1:0] delivers;
  logic [FlitWidth-1:0] kept_flit, here_flit;
  assign final_phase  = unpacking || (packing && (operation_i == 3'(scan_pkg::OperationPack) ||
                                                  operation_i == 3'(scan_pkg::OperationBroadcast)));
  assign whole_packet = packing || unpacking;
  assign rests_at_home = enable_i && resident_valid && resident_target == coordinates_i &&
                         ((first_of_pack && operation_i == 3'(scan_pkg::OperationPack)) || first_of_unpack) &&
                         cycle_i < CycleWidth'(pack_flits_i);
  for (genvar i = 0; i < 2; i++) begin : g_deliver
    assign delivers[i] = rx_valid[i] && (broadcasting || (final_phase && arriving_target[i] == coordinates_i));
  end
  assign kept_flit = first_of_pack ? own_flit : memory_q[place_packed(resident_rank, index)];
  assign here_flit = first_of_unpack && index == '0
                   ? with_field(kept_flit, scan_pkg::DestinationField, stored_destination) : kept_flit;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      deliver_valid_o <= '0;
      deliver_last_o  <= '0;
    end else begin
      deliver_valid_o   <= {rests_at_home, delivers};
      deliver_last_o[0] <= rx_index_q[0] == length - 1'b1;
      deliver_last_o[1] <= rx_index_q[1] == length - 1'b1;
      deliver_last_o[2] <= index == length - 1'b1;
    end
    deliver_whole_o <= whole_packet;
    deliver_flit_o[0 +: FlitWidth]           <= rx_flit[0];
    deliver_flit_o[FlitWidth +: FlitWidth]   <= rx_flit[1];
    deliver_flit_o[2*FlitWidth +: FlitWidth] <= here_flit;
  end

  // ---- protocol
  always @(posedge clk_i) begin : a_whole_packets_in_slots
    if (rst_ni && moving && slot_last_i) begin
      for (int i = 0; i < 2; i++) begin
        assert (!rx_got[i] || (rx_valid[i] && rx_index_q[i] == length - 1'b1));
      end
    end
  end
  always @(posedge clk_i) begin : a_one_packet_rests_at_a_node
    if (rst_ni && moving && slot_last_i && (packing || unpacking))
      assert (32'(resident_valid && !resident_leaves) + 32'(arrives_to_stay[0]) + 32'(arrives_to_stay[1]) <= 1);
  end
  always @(posedge clk_i) begin : a_a_link_is_wanted_by_one_packet
    if (rst_ni && moving && (packing || unpacking))
      assert (!(resident_leaves && transit_q[1] && resident_goes_plus) && !(resident_leaves && transit_q[0] && !resident_goes_plus));
  end
  always @(posedge clk_i) begin : a_digits_are_right_when_a_line_ends
    if (rst_ni && moving && line_last_i && (packing || unpacking)) begin
      assert (!resident_valid || resident_leaves || target_digit == coordinate);
      for (int i = 0; i < 2; i++) assert (!rx_got[i] || arrives_to_stay[i]);
    end
  end
  always @(posedge clk_i) begin : a_packets_stay_on_the_line
    if (rst_ni && moving) assert ((!sends[1] || has_plus) && (!sends[0] || has_minus));
  end
  always @(posedge clk_i) begin : a_broadcast_done_when_its_line_ends
    if (rst_ni && moving && broadcasting && line_last_i) begin
      for (int i = 0; i < 2; i++) assert (!rx_got[i] || line_end[i]);
    end
  end
  assign unused = &{1'b0, own_sum_header, combine_full_rank[0], combine_full_rank[1],
                    own_batch_rank[0], own_batch_rank[1], header_flit_i, piece_header[0], piece_header[1]};

  initial begin : check_parameters
    if (AddressWidth > scan_pkg::FieldWidth) $fatal(1, "class_engine: an address must fit into %0d bits", scan_pkg::FieldWidth);
    if (FlitWidth <= HeaderWidth) $fatal(1, "class_engine: FlitWidth must be above %0d", HeaderWidth);
    if (Pieces < 1 || Pieces > 2) $fatal(1, "class_engine: Pieces must be 1 or 2");
  end
endmodule
