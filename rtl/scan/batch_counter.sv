// batch_counter - where one direction of a line stands in broadcasting or combining: which batch, which slot of it.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in meshes, Lemma 1. When digit j is broadcast, every
// node of a line holds the packets whose ranks have the digits of the node up to j. It sends one of them per batch, in
// the batch's first slot: the one with the number of the batch in the digits above j. In the other slots of the batch
// nodes pass on what came in the slot before. A batch takes place if it has a packet at all: if its smallest rank, the
// number of the batch above j + 1 zeros, is less than the number of packets.
module batch_counter #(
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [DigitWidth:0]   base_i,
  input  logic [IndexWidth-1:0] digit_i,
  input  logic [RankWidth-1:0]  total_i,        // number of packets, digit by digit
  input  logic [DigitWidth-1:0] even_length_i,  // slots of an even and of an odd batch, less one
  input  logic [DigitWidth-1:0] odd_length_i,
  input  logic                  clear_i,        // a line begins in the next cycle
  input  logic                  advance_i,      // last cycle of a slot; not after that of the last slot
  output logic [RankWidth-1:0]  batch_o,        // digits up to digit_i are zero
  output logic [DigitWidth-1:0] hop_o,          // slot within the batch, from 0
  output logic                  last_o          // the last slot of the last batch of this line in this direction
);
  logic [RankWidth-1:0]  batch_q, next;
  logic [DigitWidth-1:0] hop_q;
  logic                  batch_last, odd;

  batch_increment #(.Digits(Digits), .DigitWidth(DigitWidth)) u_increment (
    .base_i, .digit_i, .batch_i(batch_q), .next_o(next));

  // Parity of the batch's number: that of its lowest digit, since lengths differ only for an even base.
  always_comb begin
    odd = 1'b0;
    for (int j = 0; j < Digits; j++) begin
      if (IndexWidth'(j) == digit_i) odd = batch_q[(j+1)*DigitWidth];
    end
  end

  assign batch_last = hop_q == (odd ? odd_length_i : even_length_i);
  assign batch_o    = batch_q;
  assign hop_o      = hop_q;
  assign last_o     = batch_last && next >= total_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      batch_q <= '0;
      hop_q   <= '0;
    end else if (advance_i) begin
      hop_q <= batch_last ? '0 : hop_q + 1'b1;
      if (batch_last) batch_q <= next;
    end
  end

  initial begin : check_parameters
    if (Digits < 1 || DigitWidth < 1) $fatal(1, "batch_counter: Digits and DigitWidth must be at least 1");
  end
endmodule
