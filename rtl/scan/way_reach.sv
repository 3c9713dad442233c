// way_reach - how many nodes a packet of a broadcast reaches in one of the two directions of its line. Combinational.
//
// On an array, and for a piece that goes all the way round a ring, that is every other node of the line. A whole packet
// goes round a ring both ways at once and so half way each; if the number of nodes is even, one of the two ways is longer
// by one. That is the way plus; with alternate_i packets of odd batches have it minus, so that both directions are
// equally busy.
module way_reach #(
  parameter int DigitWidth = 2
) (
  input  logic [DigitWidth:0]   base_i,
  input  logic                  ring_i,
  input  logic                  two_pieces_i,
  input  logic                  alternate_i,
  input  logic                  plus_i,       // the direction: towards larger coordinates
  input  logic                  odd_i,        // of an odd batch
  output logic [DigitWidth-1:0] reach_o
);
  logic [DigitWidth:0] others;
  assign others = base_i - (DigitWidth+1)'(1);
  always_comb begin
    if (!ring_i || two_pieces_i)                 reach_o = others[DigitWidth-1:0];
    else if (plus_i == !(alternate_i && odd_i))  reach_o = DigitWidth'(base_i >> 1);
    else                                         reach_o = DigitWidth'(others >> 1);
  end
  logic unused;
  assign unused = others[DigitWidth];

  initial begin : check_parameters
    if (DigitWidth < 1) $fatal(1, "way_reach: DigitWidth must be at least 1");
  end
endmodule
