// fifo_queue_order - packets of links leave a fifo_queue in order of arrival, then those of the host; none is lost or doubled.
module fifo_queue_order #(
  parameter int Inputs    = 3,
  parameter int Depth     = 2,
  parameter int HostDepth = 2,
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places)
) (
  input logic                         clk_i,
  input logic [Inputs-1:0]            push_i,
  input logic [Inputs*PlaceWidth-1:0] push_place_i,
  input logic                         pop_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                  head_valid, legal, any, head_waits, overtaken, watched, both, unused_rank;
  logic [PlaceWidth-1:0] head_place;
  fifo_queue #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth)) u_dut (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .pop_i, .head_valid_o(head_valid), .head_place_o(head_place)
  );
  order_shadow #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankWidth(1)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .push_place_i, .push_rank_i({Inputs{1'b0}}), .pop_i, .again_i(1'b0),
    .again_rank_i(1'b0), .head_valid_i(head_valid), .head_place_i(head_place), .legal_o(legal), .any_o(any),
    .head_waits_o(head_waits), .overtaken_o(overtaken), .watched_o(watched), .rank_o(unused_rank), .both_o(both)
  );

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (legal);
      a_there_is_a_head_while_packets_wait : assert (head_valid == any);
      a_the_head_is_a_packet_that_waits    : assert (!head_valid || head_waits);
      a_no_packet_overtakes                : assert (!overtaken);
      c_two_wait : cover (both && watched && pop_i && push_i == '1);
    end
  end
endmodule
