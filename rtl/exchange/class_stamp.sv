// class_stamp - puts a class into what a host injects: bit 0 of every header's label, and the rank of that class.
//
// The host leaves bit 0 of every label at 0 and gives two ranks, one for each class, since it prepares packets before it
// knows the class. Outputs follow the inputs combinationally.
module class_stamp #(
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int RankWidth   = 2,
  parameter int LengthShift = 40,  // position of the length field in a header
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   class_i,
  input  logic                   valid_i,
  input  logic                   ready_i,
  input  logic [FlitWidth-1:0]   flit_i,
  input  logic [2*RankWidth-1:0] ranks_i,  // {of class 1, of class 0}
  output logic [FlitWidth-1:0]   flit_o,
  output logic [RankWidth-1:0]   rank_o
);
  logic header;  // this flit is a header

  if (Flits == 1) begin : g_one_flit
    logic unused;
    assign header = valid_i;
    assign unused = &{1'b0, clk_i, rst_ni, ready_i};
  end else begin : g_flits
    logic [LengthWidth-1:0] left_q;  // flits of the packet still to come
    assign header = valid_i && left_q == '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 left_q <= '0;
      else if (valid_i && ready_i) left_q <= (header ? flit_i[LengthShift +: LengthWidth] : left_q) - LengthWidth'(1);
    end
  end
  assign flit_o = {flit_i[FlitWidth-1:1], flit_i[0] | (header & class_i)};
  assign rank_o = class_i ? ranks_i[RankWidth +: RankWidth] : ranks_i[RankWidth-1:0];

  always @(posedge clk_i) begin : a_the_class_is_left_open
    if (rst_ni && header) assert (!flit_i[0]);
  end

  initial begin : check_parameters
    if (Flits < 1) $fatal(1, "class_stamp: Flits must be at least 1");
    if (LengthShift < 1 || LengthShift + LengthWidth > FlitWidth)
      $fatal(1, "class_stamp: the header does not fit a flit");
  end
endmodule
