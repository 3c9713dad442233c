// stream_fifo - a queue between two streams of one clock: what enters leaves in order, a cycle later at the earliest.
//
// Outputs are functions of registers. in_ready_o does not depend on out_ready_i, so that ready does not run through the
// queue within a cycle: a full queue therefore takes nothing in a cycle in which an entry leaves.
module stream_fifo #(
  parameter int Width = 32,
  parameter int Depth = 4,   // most entries, >= 1
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      depth_i,      // entries, 1 to Depth; changes in reset only
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  localparam int IndexWidth = safnet_pkg::index_width(Depth);

  logic [Width-1:0]      memory_q [Depth];
  logic [IndexWidth-1:0] head_q, tail_q;
  logic [CountWidth-1:0] count_q;
  logic                  push, pop;

  assign in_ready_o  = count_q != CountWidth'(depth_i);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = memory_q[head_q];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == IndexWidth'(Depth - 1)) ? '0 : tail_q + IndexWidth'(1);
      if (pop)  head_q <= (head_q == IndexWidth'(Depth - 1)) ? '0 : head_q + IndexWidth'(1);
      count_q <= count_q + CountWidth'(push) - CountWidth'(pop);
    end
  end
  always_ff @(posedge clk_i) begin
    if (push) memory_q[tail_q] <= in_data_i;
  end

  always @(posedge clk_i) begin : a_count_fits
    if (rst_ni) assert (count_q <= CountWidth'(depth_i));
  end
  always @(posedge clk_i) begin : a_depth_is_built
    if (rst_ni) assert (32'(depth_i) >= 1 && 32'(depth_i) <= Depth);
  end

  initial begin : check_parameters
    if (Depth < 1) $fatal(1, "stream_fifo: Depth must be at least 1");
    if (Width < 1) $fatal(1, "stream_fifo: Width must be at least 1");
  end
endmodule
