// class_stamp_header - the class is put into bit 0 of each header, whatever the length of the packet and however long the node
// makes the host wait, and into no other flit; the rank that goes with it is that of the class.
module class_stamp_header #(
  parameter int FlitWidth = 4,
  parameter int Flits     = 3,
  parameter int RankWidth = 2,
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input logic                   clk_i,
  input logic                   class_i, valid_i, ready_i,
  input logic [FlitWidth-1:0]   flit_i,
  input logic [2*RankWidth-1:0] ranks_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [FlitWidth-1:0] flit;
  logic [RankWidth-1:0] rank;
  class_stamp #(.FlitWidth(FlitWidth), .Flits(Flits), .RankWidth(RankWidth), .LengthShift(1)) u_dut (
    .clk_i, .rst_ni(rst_n), .class_i, .valid_i, .ready_i, .flit_i, .ranks_i, .flit_o(flit), .rank_o(rank)
  );

  logic [LengthWidth-1:0] length, taken, latest;
  logic                   header;
  flits_taken #(.Flits(Flits)) u_flits (
    .clk_i, .rst_ni(rst_n), .takes_i(valid_i && ready_i), .field_i(flit_i[1 +: LengthWidth]), .header_o(header), .length_o(length),
    .taken_o(taken), .latest_o(latest)
  );

  always @(posedge clk_i) begin
    if (rst_n && valid_i && header) assume (!flit_i[0] && length != '0 && 32'(length) <= Flits);
    if (rst_n) begin
      if (valid_i) a_headers_alone_are_stamped : assert (flit == {flit_i[FlitWidth-1:1], flit_i[0] || (header && class_i)});
      a_the_rank_is_that_of_the_class : assert (rank == RankWidth'(ranks_i >> (class_i ? RankWidth : 0)));
      c_second_packet : cover (valid_i && header && class_i && 32'(latest) == Flits && length == LengthWidth'(1));
    end
  end
endmodule
