// link_pace_busy - a packet keeps a slow line busy for its length times the cycles of a flit, the first cycle included.
module link_pace_busy #(
  parameter int Flits = 3,
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input logic                   clk_i,
  input logic                   start_i,
  input logic [LengthWidth-1:0] length_i,
  input logic [7:0]             interval_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [7:0] interval_q;
  always @(posedge clk_i) interval_q <= interval_i;
  logic busy;
  link_pace #(.Flits(Flits)) u_dut (.clk_i, .rst_ni(rst_n), .start_i, .length_i, .interval_i, .busy_o(busy));

  // Flits that are still to cross, and cycles of the one that crosses: no product.
  logic [LengthWidth-1:0] flits_q;
  logic [7:0]             cycles_q;
  logic                   crosses;
  assign crosses = flits_q != '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      flits_q  <= '0;
      cycles_q <= '0;
    end else if (start_i) begin  // its first cycle is this one
      flits_q  <= (interval_i == 8'd1) ? length_i - LengthWidth'(1) : length_i;
      cycles_q <= (interval_i == 8'd1) ? '0 : 8'd1;
    end else if (crosses) begin
      cycles_q <= (cycles_q == interval_i - 8'd1) ? '0 : cycles_q + 8'd1;
      if (cycles_q == interval_i - 8'd1) flits_q <= flits_q - LengthWidth'(1);
    end
  end
  (* hierconn *) wire [LengthWidth+7:0] \u_dut.left_q ;
  always @(posedge clk_i) begin
    assume (interval_i != '0);
    if (rst_n) begin
      // The setting changes only while no packet crosses.
      assume (!crosses || interval_i == interval_q);
      assume (!start_i || (!crosses && length_i != '0 && 32'(length_i) <= Flits));
      a_busy_until_the_last_flit_has_crossed : assert (busy == crosses);
      h_left : assert (32'(\u_dut.left_q ) == 32'(flits_q) * 32'(interval_i) - 32'(cycles_q));
      h_cycles : assert (cycles_q < (crosses ? interval_q : 8'd1) && 32'(flits_q) <= Flits && (crosses || cycles_q == '0));
      c_slow : cover (!busy && $past(busy) && interval_i == 8'd3);
    end
  end
endmodule
