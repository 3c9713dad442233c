// flit_combiner - adds what arrived to what is stored, flit by flit. Combinational.
//
// Payloads are added modulo 2^width. That is associative and commutative, as a reduction in a network has to be: in
// which order parts meet depends on the links. Of a first flit only the bits above the header are payload. Headers are
// joined by or: the rank is the same in all of them, and the destination is zero in all but those that have passed the
// node that wants the sum.
module flit_combiner #(
  parameter int FlitWidth = 64
) (
  input  logic                 first_i,  // first flit of a packet
  input  logic [FlitWidth-1:0] stored_i,
  input  logic                 a_valid_i,
  input  logic [FlitWidth-1:0] a_i,
  input  logic                 b_valid_i,
  input  logic [FlitWidth-1:0] b_i,
  output logic [FlitWidth-1:0] sum_o
);
  localparam int HeaderWidth  = scan_pkg::HeaderWidth;
  localparam int PayloadWidth = FlitWidth - HeaderWidth;
  logic [FlitWidth-1:0] a, b;
  assign a = a_valid_i ? a_i : '0;
  assign b = b_valid_i ? b_i : '0;
  assign sum_o = first_i
    ? {stored_i[HeaderWidth +: PayloadWidth] + a[HeaderWidth +: PayloadWidth] + b[HeaderWidth +: PayloadWidth],
       stored_i[HeaderWidth-1:0] | a[HeaderWidth-1:0] | b[HeaderWidth-1:0]}
    : stored_i + a + b;
  initial begin : check_flit_width
    if (FlitWidth <= HeaderWidth) $fatal(1, "flit_combiner: FlitWidth must be above %0d", HeaderWidth);
  end
endmodule
