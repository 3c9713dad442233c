// fifo_shadow - what a first-in first-out queue of at most Depth entries has to give out next, for proofs.
//
// The n-th entry that goes in and the n-th that comes out have the same position, n modulo Depth. The shadow keeps the
// entry of one position only, which the solver chooses: what holds for that one holds for all. due_o says that the next
// entry to come out is the one that is kept. Assertions named h_ are helps for the solver and true of the shadow alone.
module fifo_shadow #(
  parameter int Width = 1,
  parameter int Depth = 4,
  localparam int CountWidth = $clog2(Depth + 1),
  localparam int IndexWidth = safnet_pkg::index_width(Depth)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  push_i,
  input  logic [Width-1:0]      data_i,
  input  logic                  pop_i,
  output logic [CountWidth-1:0] count_o,
  output logic                  due_o,
  output logic [Width-1:0]      data_o
);
  (* anyconst *) logic [IndexWidth-1:0] position;
  logic [IndexWidth-1:0] read_q, write_q;
  logic [CountWidth-1:0] count_q;
  logic [Width-1:0]      data_q;
  logic                  known_q;  // something has been written at the position
  assign count_o = count_q;
  assign due_o   = count_q != '0 && read_q == position;
  assign data_o  = data_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
      known_q <= 1'b0;
    end else begin
      if (push_i) begin
        write_q <= (write_q == IndexWidth'(Depth - 1)) ? '0 : write_q + IndexWidth'(1);
        if (write_q == position) begin
          data_q  <= data_i;
          known_q <= 1'b1;
        end
      end
      if (pop_i) read_q <= (read_q == IndexWidth'(Depth - 1)) ? '0 : read_q + IndexWidth'(1);
      count_q <= count_q + CountWidth'(push_i) - CountWidth'(pop_i);
    end
  end

  logic [31:0] end_of_entries, behind_read;
  assign end_of_entries = 32'(read_q) + 32'(count_q);
  assign behind_read    = (position >= read_q) ? 32'(position) - 32'(read_q) : 32'(position) + Depth - 32'(read_q);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      assume (32'(position) < Depth);
      h_range : assert (32'(read_q) < Depth && 32'(count_q) <= Depth);
      h_ring  : assert (32'(write_q) == (end_of_entries >= Depth ? end_of_entries - Depth : end_of_entries));
      h_known : assert (known_q || behind_read >= 32'(count_q));
    end
  end
endmodule
