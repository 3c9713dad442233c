// combine_way - one direction of combining along a line: which partial sum leaves this node in the current slot.
// Combinational.
//
// Combining is a broadcast run backwards. In a broadcast the packet of the node at coordinate h reaches the node that is
// f hops away in slot f - 1; backwards, that node sends its partial sum for h's rank so that it arrives with all others
// of its way in the last slot. In slot hop_i of a batch of s slots this node therefore sends what belongs to the node
// s - hop_i hops ahead on this way, if there is one and if the broadcast would have come from there.
module combine_way #(
`include "scan/way_parameters.svh"
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
`include "common/as_ports.svh"
`include "scan/way_ports.svh"
  // timetable
  input  logic                    combining_i,
  input  logic [RankWidth-1:0]    batch_i,
  // what leaves
  output logic                    sends_o,
  output logic [AddressWidth-1:0] rank_o
);
  logic [DigitWidth-1:0] slots, reach, ahead, holder;
  logic [RankWidth-1:0]  full_rank;
  logic                  there;

  // Slots of a batch are those of the longer way; no batch is odd, as accumulations do not alternate. What a broadcast
  // sends one way comes back the other way.
  assign slots = (ring_i && !two_pieces_i) ? DigitWidth'(base_i >> 1) : DigitWidth'(base_i - (DigitWidth+1)'(1));
  assign ahead = slots - hop_i;
  way_reach #(.DigitWidth(DigitWidth)) u_reach (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .plus_i(Plus == 0), .odd_i(1'b0), .reach_o(reach));

  always_comb begin
    if (Plus != 0) begin
      holder = coordinate_i + ahead;
      there  = {1'b0, coordinate_i} + {1'b0, ahead} < base_i;
      if (!there && ring_i) holder = DigitWidth'({1'b0, coordinate_i} + {1'b0, ahead} - base_i);
    end else begin
      holder = coordinate_i - ahead;
      there  = coordinate_i >= ahead;
      if (!there && ring_i) holder = DigitWidth'({1'b0, coordinate_i} + base_i - {1'b0, ahead});
    end
    full_rank = batch_i | own_digits_i;
    full_rank[digit_i*DigitWidth +: DigitWidth] = holder;
  end
  assign rank_o  = full_rank[AddressWidth-1:0];
  assign sends_o = combining_i && !finished_i && (there || ring_i) && ahead <= reach && full_rank < total_i;

  initial begin : check_parameters
    if (Plus < 0 || Plus > 1) $fatal(1, "combine_way: Plus must be 0 or 1");
    if (Digits < 1 || DigitWidth < 1) $fatal(1, "combine_way: Digits and DigitWidth must be at least 1");
  end
endmodule
