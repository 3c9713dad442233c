// broadcast_way - one direction of a broadcast along a line: whose packet leaves this node in the current slot.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in meshes, Theorem 2 and Lemma 1. A packet that came in
// the slot before and has further to go is passed on. Otherwise, in the first slot of a batch, the node sends the next
// packet of its own: the one whose rank has the digits of this node up to the digit that is broadcast, and the number of
// the batch above. With pass_on_first_i the node does so in any slot in which there is nothing to be passed on.
//
// What leaves is a function of registers; what arrives is registered at the end of the slot.
module broadcast_way #(
`include "scan/way_parameters.svh"
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
`include "common/as_ports.svh"
`include "scan/way_ports.svh"
  // configuration
  input  logic                    pass_on_first_i,
  // where the node is
  input  logic                    has_next_i,       // there is a node further along this way
  // timetable
  input  logic                    broadcasting_i,
  input  logic                    slot_last_i,
  input  logic                    line_last_i,
  // what arrives on this way
  input  logic                    arrived_i,
  input  logic [AddressWidth-1:0] arriving_rank_i,
  // what leaves
  output logic                    sends_o,
  output logic                    sends_own_o,      // and it is a packet of this node's
  output logic [AddressWidth-1:0] rank_o
);
  logic                    pass_q, line_end, odd;
  logic [AddressWidth-1:0] pass_rank_q;
  logic [RankWidth-1:0]    own_batch_q, own_batch_next, own_rank;
  logic [DigitWidth-1:0]   origin, travelled, reach;

  // ---- own packets
  batch_increment #(.Digits(Digits), .DigitWidth(DigitWidth)) u_increment (
    .base_i, .digit_i, .batch_i(own_batch_q), .next_o(own_batch_next));
  assign own_rank    = own_batch_q | own_digits_i;
  assign sends_own_o = broadcasting_i && !pass_q && own_rank < total_i && has_next_i &&
                       (pass_on_first_i || (hop_i == '0 && !finished_i));
  assign sends_o     = broadcasting_i && (pass_q || sends_own_o);
  assign rank_o      = pass_q ? pass_rank_q : own_rank[AddressWidth-1:0];

  // ---- what arrives travels on if it has further to go
  assign origin = arriving_rank_i[digit_i*DigitWidth +: DigitWidth];
  line_distance #(.DigitWidth(DigitWidth)) u_travelled (
    .base_i, .ring_i,
    .from_i     (Plus != 0 ? origin : coordinate_i),
    .to_i       (Plus != 0 ? coordinate_i : origin),
    .distance_o (travelled)
  );
  // Parity of the packet's batch: of the lowest digit of its number.
  always_comb begin
    odd = 1'b0;
    for (int j = 1; j < Digits; j++) begin
      if (j == 32'(digit_i) + 1) odd = arriving_rank_i[j*DigitWidth];
    end
  end
  way_reach #(.DigitWidth(DigitWidth)) u_reach (
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .plus_i(Plus != 0), .odd_i(odd), .reach_o(reach));
  assign line_end = ring_i ? travelled >= reach : !has_next_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !broadcasting_i || line_last_i) own_batch_q <= '0;
    else if (slot_last_i && sends_own_o)           own_batch_q <= own_batch_next;
    if (!rst_ni || line_last_i) pass_q <= 1'b0;
    else if (slot_last_i)       pass_q <= broadcasting_i && arrived_i && !line_end;
    if (slot_last_i) pass_rank_q <= arriving_rank_i;
  end
  logic unused;
  assign unused = &{1'b0, own_rank};

  always @(posedge clk_i) begin : a_broadcast_done_when_its_line_ends
    if (rst_ni && broadcasting_i && line_last_i) assert (!arrived_i || line_end);
  end

  initial begin : check_parameters
    if (Plus < 0 || Plus > 1) $fatal(1, "broadcast_way: Plus must be 0 or 1");
    if (Digits < 1 || DigitWidth < 1) $fatal(1, "broadcast_way: Digits and DigitWidth must be at least 1");
  end
endmodule
