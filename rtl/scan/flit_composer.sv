// flit_composer - the flit that leaves in one direction, made of what the memory or the host has. Combinational.
//
// Mostly it is the flit as it is stored, or in the first slot of packing the node's own. Three are made up:
//   - The header of a second piece, when its broadcast begins: that of the first piece. Payload above it, if there is
//     any, is the second piece's own, or zero if the packet is too short to have any.
//   - Flits of a second piece beyond the end of the packet are zero, so that all pieces have the same length.
//   - In an accumulation the header of a partial sum on its way to the owner of the rank, or of the sum back from there,
//     names the node that wants it as destination, as soon as it passes that node.
module flit_composer #(
  parameter int FlitWidth    = 64,
  parameter int LengthWidth  = 5,
  parameter int AddressWidth = 4
) (
  input  logic                    header_flit_i,   // the first flit is header alone
  input  logic [LengthWidth-1:0]  pack_flits_i,
  input  logic [LengthWidth-1:0]  cast_flits_i,
  input  logic [AddressWidth-1:0] address_i,       // of this node
  input  logic [LengthWidth-1:0]  index_i,         // number of the flit
  input  logic                    own_packed_i,    // the node's own packet, in the first slot of packing
  input  logic                    second_begins_i, // a second piece, and its broadcast begins here
  input  logic                    names_home_i,    // this node wants the sum to which the packet belongs
  input  logic [FlitWidth-1:0]    own_flit_i,
  input  logic [FlitWidth-1:0]    stored_i,
  input  logic [FlitWidth-1:0]    header_i,        // as stored, of the packet's first piece
  output logic [FlitWidth-1:0]    flit_o
);
  localparam int HeaderWidth  = scan_pkg::HeaderWidth;
  localparam int PayloadWidth = FlitWidth - HeaderWidth;
  logic [LengthWidth-1:0]  before_second;  // flits of the packet that the first piece has, the header not counted twice
  logic [PayloadWidth-1:0] second_payload;
  logic [FlitWidth-1:0]    flit;
  logic                    padding;

  assign before_second  = cast_flits_i - LengthWidth'(header_flit_i);
  assign padding        = {1'b0, index_i} + {1'b0, before_second} >= {1'b0, pack_flits_i};
  assign second_payload = cast_flits_i >= pack_flits_i ? '0 : stored_i[FlitWidth-1:HeaderWidth];
  always_comb begin
    if (own_packed_i)                            flit = own_flit_i;
    else if (second_begins_i && index_i == '0)
      flit = header_flit_i ? header_i : {second_payload, header_i[HeaderWidth-1:0]};
    else if (second_begins_i && padding)         flit = '0;
    else                                         flit = stored_i;
  end
  assign flit_o = (names_home_i && index_i == '0)
    ? {flit[FlitWidth-1:HeaderWidth], scan_pkg::with_destination(flit[HeaderWidth-1:0], scan_pkg::FieldWidth'(address_i))}
    : flit;

  initial begin : check_parameters
    if (FlitWidth <= HeaderWidth) $fatal(1, "flit_composer: FlitWidth must be above %0d", HeaderWidth);
    if (AddressWidth > scan_pkg::FieldWidth)
      $fatal(1, "flit_composer: an address must fit into %0d bits", scan_pkg::FieldWidth);
  end
endmodule
