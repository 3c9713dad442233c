// packet_buffers_places - a place of packet_buffers holds what was written there last, or what was combined there since its
// buffer was cleared: the sum, minimum, maximum, and or or of all parts, whichever of them come together.
//
// One place is watched, which the solver chooses. As in a tdm_node, a buffer is cleared before its first part comes, and no
// part comes in that cycle; lanes that write to one place in one cycle all combine, and the header of what they combine has one
// name.
module packet_buffers_places #(
  parameter int Lanes     = 2,
  parameter int Outputs   = 2,
  parameter int FlitWidth = 4,
  parameter int Flits     = 2,
  parameter int Buffers   = 2,
  parameter int Combining = 1,
  localparam int BufferWidth = safnet_pkg::index_width(Buffers),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits),
  localparam int W           = FlitWidth / 2
) (
  input logic                               clk_i,
  input logic [tdm_pkg::OperationWidth-1:0] operation_i,
  input logic [Lanes-1:0]                   clear_i, write_i, combine_i,
  input logic [Lanes*BufferWidth-1:0]       clear_buffer_i, write_buffer_i,
  input logic [Lanes*IndexWidth-1:0]        write_index_i,
  input logic [Lanes*FlitWidth-1:0]         write_flit_i,
  input logic [Outputs*BufferWidth-1:0]     read_buffer_i,
  input logic [Outputs*IndexWidth-1:0]      read_index_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [Lanes*FlitWidth-1:0]   result;
  logic [Outputs*FlitWidth-1:0] read_flit;
  packet_buffers #(
    .Lanes(Lanes), .Outputs(Outputs), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers), .Combining(Combining)
  ) u_dut (
    .clk_i, .operation_i, .clear_i, .clear_buffer_i, .write_i, .combine_i, .write_buffer_i, .write_index_i, .write_flit_i,
    .result_o(result), .read_buffer_i, .read_index_i, .read_flit_o(read_flit)
  );

  (* anyconst *) logic [BufferWidth-1:0] buffer;
  (* anyconst *) logic [IndexWidth-1:0]  index;

  function automatic logic [W-1:0] join_words(input logic [W-1:0] a, input logic [W-1:0] b);
    case (32'(operation_i))
      tdm_pkg::CombineMinimum: join_words = a < b ? a : b;
      tdm_pkg::CombineMaximum: join_words = a < b ? b : a;
      tdm_pkg::CombineAnd:     join_words = a & b;
      tdm_pkg::CombineOr:      join_words = a | b;
      default:                 join_words = a + b;
    endcase
  endfunction

  // What the place has in it, and whether its buffer was ever cleared, anything ever written there, and since it was cleared.
  logic                 cleared_q, known_q, part_q, clears, in_range, legal, some, stores, begins;
  logic [FlitWidth-1:0] value_q, value, own;
  logic [Lanes-1:0]     here;
  logic                 right_alone, right_combined, right_name, right_reads;
  always_comb begin
    clears   = 1'b0;
    in_range = 1'b1;
    legal    = 1'b1;
    stores   = 1'b0;
    some     = part_q;
    begins   = 1'b0;
    value    = value_q;
    own      = '0;
    here     = '0;
    for (int l = 0; l < Lanes; l++) begin
      in_range = in_range && (!clear_i[l] || 32'(clear_buffer_i[l*BufferWidth +: BufferWidth]) < Buffers) &&
                 (!write_i[l] || (32'(write_buffer_i[l*BufferWidth +: BufferWidth]) < Buffers &&
                                  32'(write_index_i[l*IndexWidth +: IndexWidth]) < Flits));
      if (clear_i[l] && clear_buffer_i[l*BufferWidth +: BufferWidth] == buffer) clears = 1'b1;
      own = write_flit_i[l*FlitWidth +: FlitWidth];
      if (write_i[l] && write_buffer_i[l*BufferWidth +: BufferWidth] == buffer) begin
        begins = 1'b1;
        if (write_index_i[l*IndexWidth +: IndexWidth] == index) begin
          legal   = legal && !stores && (here == '0 || (combine_i[l] && (index != '0 || value[W-1:0] == own[W-1:0])));
          if (combine_i[l] && some) begin
            value = {join_words(value[FlitWidth-1:W], own[FlitWidth-1:W]),
                     index == '0 ? own[W-1:0] : join_words(value[W-1:0], own[W-1:0])};
          end else begin
            value = own;
          end
          here[l] = 1'b1;
          some    = 1'b1;
          stores  = !combine_i[l];
        end
      end
    end
    right_alone    = 1'b1;
    right_combined = 1'b1;
    right_name     = 1'b1;
    for (int l = 0; l < Lanes; l++) begin
      own = write_flit_i[l*FlitWidth +: FlitWidth];
      if (!combine_i[l]) right_alone = right_alone && result[l*FlitWidth +: FlitWidth] == own;
      if (combine_i[l] && here[l]) begin
        right_combined = right_combined && result[l*FlitWidth+W +: W] == value[FlitWidth-1:W] &&
                         (index == '0 || result[l*FlitWidth +: W] == value[W-1:0]);
        right_name     = right_name && (index != '0 || result[l*FlitWidth +: W] == own[W-1:0]);
      end
    end
    right_reads = 1'b1;
    for (int p = 0; p < Outputs; p++) begin
      if (read_buffer_i[p*BufferWidth +: BufferWidth] == buffer && read_index_i[p*IndexWidth +: IndexWidth] == index && known_q)
        right_reads = right_reads && read_flit[p*FlitWidth +: FlitWidth] == value_q;
    end
  end
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {cleared_q, known_q, part_q} <= '0;
    end else begin
      cleared_q <= cleared_q || clears;
      part_q    <= some && !clears;
      known_q   <= known_q || here != '0;
      value_q   <= value;
    end
    assume (32'(buffer) < Buffers && 32'(index) < Flits && in_range);
    assume (Combining != 0 || combine_i == '0);
    if (rst_n) begin
      assume (legal);
      assume (!(clears && begins));
      assume (cleared_q || (here & combine_i) == '0);
      a_what_is_stored_is_as_given : assert (right_alone);
      a_all_parts_are_combined     : assert (right_combined);
      a_a_header_keeps_its_name    : assert (right_name);
      a_reads_give_what_was_written : assert (right_reads);
      c_combined : cover ((here & combine_i) == '1 && part_q && index == IndexWidth'(Flits - 1) &&
                          32'(operation_i) == tdm_pkg::CombineSum && &value);
      c_again    : cover (known_q && cleared_q && !part_q && here != '0 && value_q != value &&
                          read_buffer_i == {Outputs{buffer}} && read_index_i == {Outputs{index}});
    end
  end
endmodule
