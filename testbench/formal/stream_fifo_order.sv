// stream_fifo_order - what a stream_fifo takes comes out once, unaltered, in order; it takes as long as there is room.
module stream_fifo_order #(
  parameter int Width = 1,
  parameter int Depth = 4,
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input logic             clk_i,
  input logic             in_valid_i,
  input logic [Width-1:0] in_data_i,
  input logic             out_ready_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] depth;  // as set, up to what is built
  logic                  in_ready, out_valid, due;
  logic [Width-1:0]      out_data, due_data;
  logic [CountWidth-1:0] count;
  stream_fifo #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .in_valid_i, .in_ready_o(in_ready), .in_data_i,
    .out_valid_o(out_valid), .out_ready_i, .out_data_o(out_data)
  );
  fifo_shadow #(.Width(Width), .Depth(Depth)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i(in_valid_i && in_ready), .data_i(in_data_i), .pop_i(out_valid && out_ready_i),
    .count_o(count), .due_o(due), .data_o(due_data)
  );

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    if (rst_n) begin
      a_it_takes_while_there_is_room    : assert (in_ready == (16'(count) != depth));
      a_it_gives_while_something_waits  : assert (out_valid == (count != '0));
      a_entries_leave_in_order          : assert (!due || out_data == due_data);
      c_full : cover (16'(count) == depth && due && out_ready_i && 32'(depth) == Depth);
    end
  end
endmodule
