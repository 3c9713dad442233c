// rtl_tdm_parts_bench - the parts of a tdm_node, each with ports of its own: stream_fifos of depth 1, 2 and 5
// (fifo_case_i says which of them gets the traffic), a combine_unit, a buffer_table, and packet_buffers with and without
// combine units.
module rtl_tdm_parts_bench #(
  parameter int Lanes           = 3,
  parameter int Outputs         = 2,
  parameter int Buffers         = 3,
  parameter int GenerationWidth = 3,
  parameter int CountWidth      = 3,
  parameter int FlitWidth       = 64,
  parameter int Flits           = 3,
  parameter int Inputs          = 5,
  localparam int BufferWidth    = 2,
  localparam int IndexWidth     = 2,
  localparam int Fifos          = 3
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // stream_fifo
  input  logic [1:0]                         fifo_case_i,
  output logic [7:0]                         fifo_depth_o,
  input  logic                               fifo_in_valid_i,
  output logic                               fifo_in_ready_o,
  input  logic [15:0]                        fifo_in_data_i,
  output logic                               fifo_out_valid_o,
  input  logic                               fifo_out_ready_i,
  output logic [15:0]                        fifo_out_data_o,
  // combine_unit
  input  logic [2:0]                         unit_operation_i,
  input  logic [Inputs-1:0]                  unit_valid_i,
  input  logic [Inputs*FlitWidth-1:0]        unit_flit_i,
  output logic [FlitWidth-1:0]               unit_result_o,
  // buffer_table
  input  logic [Lanes*BufferWidth-1:0]       grant_buffer_i,
  output logic [Lanes*GenerationWidth-1:0]   grant_generation_o,
  input  logic [Lanes-1:0]                   grant_i,
  input  logic [Lanes*CountWidth-1:0]        grant_parts_i,
  input  logic [Lanes*CountWidth-1:0]        grant_uses_i,
  output logic [Lanes-1:0]                   grant_is_first_o,
  input  logic [Lanes-1:0]                   first_i,
  input  logic [Lanes-1:0]                   last_i,
  input  logic [Lanes*BufferWidth-1:0]       buffer_i,
  output logic [Lanes-1:0]                   last_part_o,
  input  logic [Outputs*BufferWidth-1:0]     send_buffer_i,
  input  logic [Outputs*GenerationWidth-1:0] send_generation_i,
  output logic [Outputs-1:0]                 send_complete_o,
  input  logic [Outputs-1:0]                 send_i,
  output logic [1:0]                         occupancy_o,
  // packet_buffers
  input  logic [tdm_pkg::OperationWidth-1:0] operation_i,
  input  logic [Lanes-1:0]                   clear_i,
  input  logic [Lanes*BufferWidth-1:0]       clear_buffer_i,
  input  logic [Lanes-1:0]                   write_i,
  input  logic [Lanes-1:0]                   combine_i,
  input  logic [Lanes*BufferWidth-1:0]       write_buffer_i,
  input  logic [Lanes*IndexWidth-1:0]        write_index_i,
  input  logic [Lanes*FlitWidth-1:0]         write_flit_i,
  output logic [Lanes*FlitWidth-1:0]         result_o,
  input  logic [Outputs*BufferWidth-1:0]     read_buffer_i,
  input  logic [Outputs*IndexWidth-1:0]      read_index_i,
  output logic [Outputs*FlitWidth-1:0]       read_flit_o,
  output logic [Outputs*FlitWidth-1:0]       plain_read_flit_o  // of those without combine units
);
  localparam logic [Fifos*8-1:0] Depths = {8'd5, 8'd2, 8'd1};
  logic [Fifos-1:0] in_ready, out_valid;
  logic [15:0]      out_data [Fifos];
  for (genvar c = 0; c < Fifos; c++) begin : g_fifo
    logic here;
    assign here = fifo_case_i == 2'(c);
    stream_fifo #(.Width(16), .Depth(32'(Depths[c*8 +: 8]))) u_fifo (
      .clk_i, .rst_ni,
      .depth_i     (16'(Depths[c*8 +: 8])),
      .in_valid_i  (fifo_in_valid_i && here),
      .in_ready_o  (in_ready[c]),
      .in_data_i   (fifo_in_data_i),
      .out_valid_o (out_valid[c]),
      .out_ready_i (fifo_out_ready_i && here),
      .out_data_o  (out_data[c])
    );
  end
  assign fifo_depth_o     = Depths[32'(fifo_case_i)*8 +: 8];
  assign fifo_in_ready_o  = in_ready[fifo_case_i];
  assign fifo_out_valid_o = out_valid[fifo_case_i];
  assign fifo_out_data_o  = out_data[fifo_case_i];

  combine_unit #(.Inputs(Inputs), .WordWidth(FlitWidth / 2)) u_combine_unit (
    .operation_i (unit_operation_i),
    .valid_i     (unit_valid_i),
    .flit_i      (unit_flit_i),
    .result_o    (unit_result_o)
  );

  buffer_table #(
    .Lanes(Lanes), .Outputs(Outputs), .Buffers(Buffers), .GenerationWidth(GenerationWidth), .CountWidth(CountWidth)
  ) u_buffer_table (
    .clk_i, .rst_ni,
    .grant_buffer_i, .grant_generation_o, .grant_i, .grant_parts_i, .grant_uses_i, .grant_is_first_o,
    .first_i, .last_i, .buffer_i, .last_part_o,
    .send_buffer_i, .send_generation_i, .send_complete_o, .send_i, .occupancy_o
  );

  packet_buffers #(
    .Lanes(Lanes), .Outputs(Outputs), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers), .Combining(1)
  ) u_packet_buffers (
    .clk_i, .operation_i, .clear_i, .clear_buffer_i, .write_i, .combine_i, .write_buffer_i, .write_index_i,
    .write_flit_i, .result_o, .read_buffer_i, .read_index_i, .read_flit_o
  );
  logic [Lanes*FlitWidth-1:0] plain_result;
  logic                       unused;
  packet_buffers #(
    .Lanes(Lanes), .Outputs(Outputs), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers), .Combining(0)
  ) u_plain_buffers (
    .clk_i, .operation_i, .clear_i, .clear_buffer_i, .write_i, .combine_i, .write_buffer_i, .write_index_i,
    .write_flit_i,
    .result_o    (plain_result),
    .read_buffer_i, .read_index_i,
    .read_flit_o (plain_read_flit_o)
  );
  assign unused = &{1'b0, plain_result};
endmodule
