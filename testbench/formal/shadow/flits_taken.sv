// flits_taken - how many flits of a packet have been taken, and which flit is the header: the one before the first of a packet.
module flits_taken #(
  parameter int Flits = 3,
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   takes_i,   // a flit is taken in this cycle
  input  logic [LengthWidth-1:0] field_i,   // where this flit, if it is a header, has the length
  output logic                   header_o,
  output logic [LengthWidth-1:0] length_o,  // of this flit's packet
  output logic [LengthWidth-1:0] taken_o,   // flits of it before this one
  output logic [LengthWidth-1:0] latest_o   // the length of the packet of which a flit was taken last
);
  logic [LengthWidth-1:0] taken_q, length_q;
  assign header_o = taken_q == '0;
  assign length_o = header_o ? field_i : length_q;
  assign taken_o  = taken_q;
  assign latest_o = length_q;
  always @(posedge clk_i) begin
    if (!rst_ni) taken_q <= '0;
    else if (takes_i) begin
      taken_q  <= (taken_q + LengthWidth'(1) == length_o) ? '0 : taken_q + LengthWidth'(1);
      length_q <= length_o;
    end
  end
endmodule
