// packet_buffers - memory for whole packets with a write port per lane and a read port per output, and the combine
// units in front of it.
//
// Every lane may write a flit in each cycle. A lane that combines writes the result of what is there, of its own flit
// and of those that other lanes combine into the same place in this cycle; the first part that comes is stored as it
// is. result_o shows it in the same cycle. The lower word of a header (index 0) is no data: it is written as given.
module packet_buffers #(
  parameter int Lanes     = 5,
  parameter int Outputs   = 4,
  parameter int FlitWidth = 64,
  parameter int Flits     = 1,
  parameter int Buffers   = 8,
  parameter int Combining = 1,  // 0: without combine units
  localparam int BufferWidth = safnet_pkg::index_width(Buffers),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits)
) (
  input  logic                           clk_i,
  input  logic [tdm_pkg::OperationWidth-1:0] operation_i,
  input  logic [Lanes-1:0]               clear_i,         // a buffer starts anew: nothing has been written
  input  logic [Lanes*BufferWidth-1:0]   clear_buffer_i,
  input  logic [Lanes-1:0]               write_i,
  input  logic [Lanes-1:0]               combine_i,       // with write_i
  input  logic [Lanes*BufferWidth-1:0]   write_buffer_i,
  input  logic [Lanes*IndexWidth-1:0]    write_index_i,
  input  logic [Lanes*FlitWidth-1:0]     write_flit_i,
  output logic [Lanes*FlitWidth-1:0]     result_o,
  input  logic [Outputs*BufferWidth-1:0] read_buffer_i,
  input  logic [Outputs*IndexWidth-1:0]  read_index_i,
  output logic [Outputs*FlitWidth-1:0]   read_flit_o
);
  localparam int Words        = Buffers * Flits;
  localparam int AddressWidth = safnet_pkg::index_width(Words);

  logic [FlitWidth-1:0]          memory_q [Words];
  logic [Lanes*AddressWidth-1:0] address;

  for (genvar l = 0; l < Lanes; l++) begin : g_address
    assign address[l*AddressWidth +: AddressWidth] =
      AddressWidth'(32'(write_buffer_i[l*BufferWidth +: BufferWidth]) * 32'(Flits)
                    + 32'(write_index_i[l*IndexWidth +: IndexWidth]));
  end

  if (Combining == 0) begin : g_store
    logic unused;
    assign result_o = write_flit_i;
    assign unused   = &{1'b0, operation_i, clear_i, clear_buffer_i, combine_i};
  end else begin : g_combine
    localparam int WordWidth = FlitWidth / 2;
    logic [Words-1:0] written_q;  // since the buffer started anew

    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      logic [AddressWidth-1:0] here;
      logic [Lanes-1:0]        takes_part;
      logic [FlitWidth-1:0]    total, own;
      assign here = address[l*AddressWidth +: AddressWidth];
      assign own  = write_flit_i[l*FlitWidth +: FlitWidth];
      for (genvar k = 0; k < Lanes; k++) begin : g_part
        assign takes_part[k] = write_i[k] && combine_i[k] && address[k*AddressWidth +: AddressWidth] == here;
      end
      combine_unit #(.Inputs(Lanes + 1), .WordWidth(WordWidth)) u_combine_unit (
        .operation_i,
        .valid_i  ({written_q[here], takes_part}),
        .flit_i   ({memory_q[here], write_flit_i}),
        .result_o (total)
      );
      assign result_o[l*FlitWidth +: FlitWidth] =
        !combine_i[l]                                     ? own :
        write_index_i[l*IndexWidth +: IndexWidth] == '0   ? {total[FlitWidth-1:WordWidth], own[WordWidth-1:0]} : total;
    end

    always_ff @(posedge clk_i) begin
      for (int l = 0; l < Lanes; l++) begin
        if (clear_i[l]) begin
          for (int f = 0; f < Flits; f++)
            written_q[AddressWidth'(32'(clear_buffer_i[l*BufferWidth +: BufferWidth]) * 32'(Flits) + 32'(f))] <= 1'b0;
        end
      end
      for (int l = 0; l < Lanes; l++) begin
        if (write_i[l]) written_q[address[l*AddressWidth +: AddressWidth]] <= 1'b1;
      end
    end
  end

  for (genvar p = 0; p < Outputs; p++) begin : g_read
    assign read_flit_o[p*FlitWidth +: FlitWidth] =
      memory_q[AddressWidth'(32'(read_buffer_i[p*BufferWidth +: BufferWidth]) * 32'(Flits)
                             + 32'(read_index_i[p*IndexWidth +: IndexWidth]))];
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_write
    always @(posedge clk_i) begin
      if (write_i[l]) memory_q[address[l*AddressWidth +: AddressWidth]] <= result_o[l*FlitWidth +: FlitWidth];
    end
  end

  initial begin : check_parameters
    if (FlitWidth % 2 != 0) $fatal(1, "packet_buffers: FlitWidth must be even");
    if (Combining < 0 || Combining > 1) $fatal(1, "packet_buffers: Combining must be 0 or 1");
  end
endmodule
