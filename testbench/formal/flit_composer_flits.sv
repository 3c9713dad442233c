// flit_composer_flits - a flit leaves as it is stored, or as the host has it, but for the three that are made up: the header of
// a second piece, what fills the second piece up, and the header of a sum that passes the node that wants it.
//
// A packet of pack_flits_i flits is two pieces of cast_flits_i flits: the first is the packet's first flits. The flits of the
// second are those that follow, after a copy of the header flit if that is header alone.
module flit_composer_flits #(
  parameter int LengthWidth  = 3,
  parameter int AddressWidth = 2,
  parameter int FlitWidth    = 50,
  localparam int HeaderWidth = scan_pkg::HeaderWidth,
  localparam int At          = scan_pkg::DestinationField,
  localparam int FieldWidth  = scan_pkg::FieldWidth
) (
  input logic                    clk_i,
  input logic                    header_flit_i, own_packed_i, second_begins_i, names_home_i,
  input logic [LengthWidth-1:0]  pack_flits_i, cast_flits_i, index_i,
  input logic [AddressWidth-1:0] address_i,
  input logic [FlitWidth-1:0]    own_flit_i, stored_i, header_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [FlitWidth-1:0] flit;
  flit_composer #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_dut (
    .header_flit_i, .pack_flits_i, .cast_flits_i, .address_i, .index_i, .own_packed_i, .second_begins_i, .names_home_i,
    .own_flit_i, .stored_i, .header_i, .flit_o(flit)
  );

  // Which flit of the packet the flit of a second piece is.
  logic signed [31:0] number;
  logic               is_there, begins, named;
  assign number   = 32'(cast_flits_i) + 32'(index_i) - (header_flit_i ? 32'sd1 : 32'sd0);
  assign is_there = number < 32'(pack_flits_i);
  assign begins   = second_begins_i && !own_packed_i;
  assign named    = names_home_i && index_i == '0;

  // All but the destination of a header that is given one.
  logic [FlitWidth-1:0] seen;
  assign seen = named ? ~(FlitWidth'({FieldWidth{1'b1}}) << At) : '1;
  always @(posedge clk_i) begin
    assume (cast_flits_i != '0 && pack_flits_i != '0);
    if (rst_n) begin
      a_own_flits_are_the_hosts : assert (!own_packed_i || (flit & seen) == (own_flit_i & seen));
      a_stored_flits_stay :
        assert (own_packed_i || (begins && (index_i == '0 || !is_there)) || (flit & seen) == (stored_i & seen));
      a_the_second_piece_has_the_header :
        assert (!(begins && index_i == '0) || (flit[HeaderWidth-1:0] & seen[HeaderWidth-1:0]) ==
                                              (header_i[HeaderWidth-1:0] & seen[HeaderWidth-1:0]));
      a_the_first_flit_has_its_payload :
        assert (!(begins && index_i == '0) || flit[FlitWidth-1:HeaderWidth] ==
                (header_flit_i ? header_i[FlitWidth-1:HeaderWidth] : is_there ? stored_i[FlitWidth-1:HeaderWidth] : '0));
      a_flits_beyond_the_end_are_zero : assert (!(begins && index_i != '0 && !is_there) || flit == '0);
      a_a_sum_is_sent_home : assert (!named || flit[At +: FieldWidth] == FieldWidth'(address_i));
      c_padding : cover (begins && index_i == LengthWidth'(2) && !is_there && header_flit_i && stored_i != '0);
      c_second  : cover (begins && index_i == '0 && is_there && !header_flit_i && flit[FlitWidth-1:HeaderWidth] != '0);
      c_named   : cover (named && !begins && !own_packed_i && flit != stored_i);
    end
  end
endmodule
