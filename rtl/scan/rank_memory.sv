// rank_memory - the packets of one class that a node keeps: flits, addressed by {rank, piece, number of the flit}.
//
// In the phases of packing a packet has its flits in a row. With two_pieces_i it is broadcast as two: the flits from
// number cast_flits_i on are the second piece, which has a header of its own before them if header_flit_i says that the
// first flit is header alone. So that both phases find the same flit at the same place, a whole packet is stored as its
// two pieces from the beginning.
//
// What arrives is written at the end of the cycle; while combining it is added to what is there. Reading is
// combinational: what leaves in a cycle was written before it.
module rank_memory #(
  parameter int FlitWidth    = 64,
  parameter int LengthWidth  = 5,
  parameter int AddressWidth = 4,
  parameter int Pieces       = 1,  // 2: packets may be broadcast in two pieces
  localparam int MemoryWidth = AddressWidth + Pieces - 1 + LengthWidth
) (
  input  logic                    clk_i,
  // configuration and timetable
  input  logic                    two_pieces_i,
  input  logic                    header_flit_i,
  input  logic [LengthWidth-1:0]  cast_flits_i,
  input  logic                    in_pieces_i,    // broadcasting or combining: *_piece_i and *_index_i are of a piece
  input  logic                    combining_i,
  input  logic [LengthWidth-1:0]  index_i,        // number of the flit that leaves in this cycle
  // the host writes what it has for every rank: {rank, piece, number}
  input  logic                    load_valid_i,
  input  logic [MemoryWidth-1:0]  load_address_i,
  input  logic [FlitWidth-1:0]    load_flit_i,
  // the node's own packet when packing begins: flit index_i
  input  logic                    own_valid_i,
  input  logic [AddressWidth-1:0] own_rank_i,
  input  logic [FlitWidth-1:0]    own_flit_i,
  // the direction minus: what arrives, and what is to leave
  input  logic                    minus_piece_i,
  input  logic                    minus_valid_i,
  input  logic                    minus_first_i,  // first flit of a packet
  input  logic [AddressWidth-1:0] minus_rank_i,
  input  logic [LengthWidth-1:0]  minus_index_i,
  input  logic [FlitWidth-1:0]    minus_flit_i,
  input  logic [AddressWidth-1:0] minus_read_rank_i,
  output logic [FlitWidth-1:0]    minus_stored_o,
  output logic [FlitWidth-1:0]    minus_header_o,  // of the packet's first piece
  // the direction plus
  input  logic                    plus_piece_i,
  input  logic                    plus_valid_i,
  input  logic                    plus_first_i,
  input  logic [AddressWidth-1:0] plus_rank_i,
  input  logic [LengthWidth-1:0]  plus_index_i,
  input  logic [FlitWidth-1:0]    plus_flit_i,
  input  logic [AddressWidth-1:0] plus_read_rank_i,
  output logic [FlitWidth-1:0]    plus_stored_o,
  output logic [FlitWidth-1:0]    plus_header_o,
  // the packet that rests at the node
  input  logic [AddressWidth-1:0] resident_rank_i,
  output logic [FlitWidth-1:0]    resident_stored_o,
  output logic [FlitWidth-1:0]    resident_header_o
);
  logic [FlitWidth-1:0] memory_q [1 << MemoryWidth];

  // ---- where a flit belongs
  function automatic logic [MemoryWidth-1:0] place(input logic [AddressWidth-1:0] of_rank, input logic piece,
                                                   input logic [LengthWidth-1:0] number);
    if (Pieces == 2) place = MemoryWidth'({of_rank, piece, number});
    else             place = MemoryWidth'({of_rank, number});
  endfunction
  function automatic logic [MemoryWidth-1:0] place_of_whole(input logic [AddressWidth-1:0] of_rank,
                                                            input logic [LengthWidth-1:0] number);
    logic second;
    second = two_pieces_i && number >= cast_flits_i;
    place_of_whole = place(of_rank, second, second ? number - (cast_flits_i - LengthWidth'(header_flit_i)) : number);
  endfunction

  // ---- what is written
  logic [MemoryWidth-1:0] minus_place, plus_place, own_place;
  logic [FlitWidth-1:0]   minus_sum, plus_sum;
  logic                   both_here;  // what arrives from both sides belongs to the same place
  assign minus_place = in_pieces_i ? place(minus_rank_i, minus_piece_i, minus_index_i)
                                   : place_of_whole(minus_rank_i, minus_index_i);
  assign plus_place  = in_pieces_i ? place(plus_rank_i, plus_piece_i, plus_index_i)
                                   : place_of_whole(plus_rank_i, plus_index_i);
  assign own_place   = place_of_whole(own_rank_i, index_i);
  assign both_here   = minus_valid_i && plus_valid_i && minus_place == plus_place;
  flit_combiner #(.FlitWidth(FlitWidth)) u_minus_sum (
    .first_i(minus_first_i), .stored_i(memory_q[minus_place]), .a_valid_i(1'b1), .a_i(minus_flit_i),
    .b_valid_i(both_here), .b_i(plus_flit_i), .sum_o(minus_sum));
  flit_combiner #(.FlitWidth(FlitWidth)) u_plus_sum (
    .first_i(plus_first_i), .stored_i(memory_q[plus_place]), .a_valid_i(1'b1), .a_i(plus_flit_i),
    .b_valid_i(both_here), .b_i(minus_flit_i), .sum_o(plus_sum));

  always_ff @(posedge clk_i) begin
    if (load_valid_i)  memory_q[load_address_i] <= load_flit_i;
    if (own_valid_i)   memory_q[own_place]      <= own_flit_i;
    if (minus_valid_i) memory_q[minus_place]    <= combining_i ? minus_sum : minus_flit_i;
    if (plus_valid_i)  memory_q[plus_place]     <= combining_i ? plus_sum : plus_flit_i;
  end

  // ---- what is read
  assign minus_stored_o    = memory_q[in_pieces_i ? place(minus_read_rank_i, minus_piece_i, index_i)
                                                  : place_of_whole(minus_read_rank_i, index_i)];
  assign plus_stored_o     = memory_q[in_pieces_i ? place(plus_read_rank_i, plus_piece_i, index_i)
                                                  : place_of_whole(plus_read_rank_i, index_i)];
  assign minus_header_o    = memory_q[place(minus_read_rank_i, 1'b0, '0)];
  assign plus_header_o     = memory_q[place(plus_read_rank_i, 1'b0, '0)];
  assign resident_stored_o = memory_q[place_of_whole(resident_rank_i, index_i)];
  assign resident_header_o = memory_q[place(resident_rank_i, 1'b0, '0)];

  logic unused;
  assign unused = &{1'b0, minus_piece_i, plus_piece_i};

  initial begin : check_parameters
    if (Pieces < 1 || Pieces > 2) $fatal(1, "rank_memory: Pieces must be 1 or 2");
    if (AddressWidth < 1 || LengthWidth < 1) $fatal(1, "rank_memory: AddressWidth and LengthWidth must be at least 1");
  end
endmodule
