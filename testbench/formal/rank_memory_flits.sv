// rank_memory_flits - a rank_memory gives what was written last, or what was added up, for a rank, a piece and a number of a
// flit, whether the flits of a packet are numbered from its beginning or from that of the piece.
//
// One place is watched, which the solver chooses: a flit of a piece of a rank. As in a class_engine the first flit of what
// arrives is the one with number 0, the two directions bring flits of one place in one cycle only to be combined, and what the
// host loads or sends as its own comes alone. How a packet is cut into pieces does not change.
module rank_memory_flits #(
  parameter int LengthWidth  = 2,
  parameter int AddressWidth = 1,
  parameter int Pieces       = 2,
  parameter int Sums         = 0,  // 1: an accumulation, else nothing is combined
  parameter int FlitWidth    = 49,
  localparam int MemoryWidth = AddressWidth + Pieces - 1 + LengthWidth,
  localparam int HeaderWidth = scan_pkg::HeaderWidth
) (
  input logic                    clk_i,
  input logic                    in_pieces_i, load_valid_i, own_valid_i,
  input logic [LengthWidth-1:0]  index_i, minus_index_i, plus_index_i,
  input logic [MemoryWidth-1:0]  load_address_i,
  input logic                    minus_piece_i, minus_valid_i, plus_piece_i, plus_valid_i,
  input logic [AddressWidth-1:0] own_rank_i, minus_rank_i, plus_rank_i, minus_read_rank_i, plus_read_rank_i, resident_rank_i,
  input logic [FlitWidth-1:0]    load_flit_i, own_flit_i, minus_flit_i, plus_flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic                    two_pieces, header_flit;
  (* anyconst *) logic [LengthWidth-1:0]  cast_flits;
  logic [FlitWidth-1:0] minus_stored, plus_stored, resident_stored, minus_header, plus_header, resident_header;
  rank_memory #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth), .Pieces(Pieces)) u_dut (
    .clk_i, .two_pieces_i(two_pieces), .header_flit_i(header_flit), .cast_flits_i(cast_flits), .in_pieces_i,
    .combining_i(in_pieces_i && Sums != 0), .index_i, .load_valid_i, .load_address_i, .load_flit_i,
    .own_valid_i, .own_rank_i, .own_flit_i,
    .minus_piece_i, .minus_valid_i, .minus_first_i(minus_index_i == '0), .minus_rank_i, .minus_index_i,
    .minus_flit_i, .minus_read_rank_i, .minus_stored_o(minus_stored), .minus_header_o(minus_header),
    .plus_piece_i, .plus_valid_i, .plus_first_i(plus_index_i == '0), .plus_rank_i, .plus_index_i,
    .plus_flit_i, .plus_read_rank_i, .plus_stored_o(plus_stored), .plus_header_o(plus_header),
    .resident_rank_i, .resident_stored_o(resident_stored), .resident_header_o(resident_header)
  );

  // The place that is watched. A packet's flits before number cast_flits are the first piece, and the flit with this number is the
  // second flit of the second piece if the first is a copy of the header alone, else the first.
  (* anyconst *) logic [AddressWidth-1:0] rank_of;
  (* anyconst *) logic                    piece;
  (* anyconst *) logic [LengthWidth-1:0]  number;
  logic [31:0] number_of_whole;
  assign number_of_whole = piece ? 32'(number) + 32'(cast_flits) - 32'(header_flit) : 32'(number);

  function automatic logic is_watched(input logic [AddressWidth-1:0] of_rank, input logic of_piece,
                                      input logic [LengthWidth-1:0] of_flit, input logic of_pieces);
    if (of_pieces) is_watched = of_rank == rank_of && of_piece == piece && of_flit == number;
    else           is_watched = of_rank == rank_of && 32'(of_flit) == number_of_whole &&
                                (piece ? of_flit >= cast_flits : !two_pieces || of_flit < cast_flits);
  endfunction
  logic [MemoryWidth:0] load_place;  // with a piece in any case
  logic                 loads, owns, minus_comes, plus_comes, adds;
  assign load_place  = Pieces == 2 ? {1'b0, load_address_i}
                                   : {load_address_i[MemoryWidth-1:LengthWidth], 1'b0, load_address_i[LengthWidth-1:0]};
  assign loads       = load_valid_i && load_place[AddressWidth+LengthWidth:0] == {rank_of, piece, number};
  assign owns        = own_valid_i && is_watched(own_rank_i, 1'b0, index_i, 1'b0);
  assign minus_comes = minus_valid_i && is_watched(minus_rank_i, minus_piece_i, minus_index_i, in_pieces_i);
  assign plus_comes  = plus_valid_i && is_watched(plus_rank_i, plus_piece_i, plus_index_i, in_pieces_i);
  assign adds        = in_pieces_i && Sums != 0;

  // What the place has in it: payloads added up, of a first flit those above the header, and headers joined.
  logic                 known_q;
  logic [FlitWidth-1:0] value_q, came;
  function automatic logic [FlitWidth-1:0] added(input logic [FlitWidth-1:0] a, input logic [FlitWidth-1:0] b);
    if (number == '0) added = {a[FlitWidth-1:HeaderWidth] + b[FlitWidth-1:HeaderWidth], a[HeaderWidth-1:0] | b[HeaderWidth-1:0]};
    else              added = a + b;
  endfunction
  always_comb begin
    came = value_q;
    if (plus_comes)  came = adds ? added(came, plus_flit_i) : plus_flit_i;
    if (minus_comes) came = adds ? added(came, minus_flit_i) : minus_flit_i;
  end

  logic reads_minus, reads_plus, reads_resident, is_header;
  assign reads_minus    = known_q && is_watched(minus_read_rank_i, minus_piece_i, index_i, in_pieces_i);
  assign reads_plus     = known_q && is_watched(plus_read_rank_i, plus_piece_i, index_i, in_pieces_i);
  assign reads_resident = known_q && is_watched(resident_rank_i, 1'b0, index_i, 1'b0);
  assign is_header      = known_q && !piece && number == '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      known_q <= 1'b0;
    end else if (loads || owns) begin
      known_q <= 1'b1;
      value_q <= loads ? load_flit_i : own_flit_i;
    end else if (minus_comes || plus_comes) begin
      known_q <= 1'b1;
      value_q <= came;
    end
    assume (cast_flits != '0);
    assume (Pieces == 2 || !two_pieces);
    assume (two_pieces || (!piece && !minus_piece_i && !plus_piece_i));
    assume (!(piece && header_flit && number == '0 && !in_pieces_i));  // the copy of the header is no flit of the packet
    if (rst_n) begin
      assume (!(loads && owns) && !((loads || owns) && (minus_comes || plus_comes)));
      assume (adds || !(minus_comes && plus_comes));
      assume (known_q || !adds || !(minus_comes || plus_comes));
      a_the_way_minus_reads_it : assert (!reads_minus || minus_stored == value_q);
      a_the_way_plus_reads_it  : assert (!reads_plus || plus_stored == value_q);
      a_what_rests_reads_it    : assert (!reads_resident || resident_stored == value_q);
      a_headers_are_of_the_first_piece :
        assert (!is_header || ((minus_read_rank_i != rank_of || minus_header == value_q) &&
                               (plus_read_rank_i != rank_of || plus_header == value_q) &&
                               (resident_rank_i != rank_of || resident_header == value_q)));
      c_piece : cover (reads_plus && in_pieces_i && piece && header_flit && number == LengthWidth'(1) && value_q == '1);
      c_sums  : cover (adds && minus_comes && plus_comes && number == '0 && value_q != '0 && came == '1);
    end
  end
endmodule
