// ring_window - which words of a ring buffer are in use, and how far each is behind the oldest, for proofs.
module ring_window #(
  parameter int Depth = 4,  // words
  localparam int IndexWidth = safnet_pkg::index_width(Depth),
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic [IndexWidth-1:0] read_i,
  input  logic [IndexWidth-1:0] write_i,
  input  logic [CountWidth-1:0] count_i,
  output logic                  sound_o,  // the pointers are words of the ring, and count_i apart
  output logic [Depth-1:0]      used_o,
  output logic [Depth*8-1:0]    behind_o  // words between the oldest and this one
);
  logic [31:0] after_last, behind;
  assign after_last = 32'(read_i) + 32'(count_i);
  assign sound_o    = 32'(read_i) < Depth && 32'(write_i) < Depth && 32'(count_i) <= Depth &&
                      (32'(write_i) == after_last || 32'(write_i) + Depth == after_last);
  always_comb begin
    behind   = '0;
    used_o   = '0;
    behind_o = '0;
    for (int m = 0; m < Depth; m++) begin
      behind    = 32'(read_i) <= m ? 32'(m) - 32'(read_i) : 32'(m) + Depth - 32'(read_i);
      used_o[m] = behind < 32'(count_i);
      behind_o[m*8 +: 8] = 8'(behind);
    end
  end
endmodule
