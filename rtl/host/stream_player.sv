// stream_player - gives streams of words that were written down beforehand: each stream is a stretch of one memory.
//
// The memory is read from a file: for stream 0, then stream 1 and so on Depth words of Width + 1 bits, of which the highest
// says that there is a word; the first word without it ends the stream. valid_o follows enable_i in the same cycle and
// nothing else but registers, so a stream whose enable_i stays high keeps to the rules of valid and ready.
module stream_player #(
  parameter int Streams = 1,
  parameter int Width   = 64,  // bits of a word
  parameter int Depth   = 2,   // words of the longest stream, and the one that ends it
  parameter     File    = ""   // for $readmemh
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Streams-1:0]       enable_i,  // 0: the stream's next word is held back
  output logic [Streams-1:0]       more_o,    // words are left
  output logic [Streams-1:0]       valid_o,
  input  logic [Streams-1:0]       ready_i,
  output logic [Streams*Width-1:0] word_o     // 0 when nothing is left
);
  localparam int AddressWidth = safnet_pkg::index_width(Streams * Depth);

  logic [Width:0] memory [0:Streams*Depth-1];
  if (File != "") begin : g_file
    initial begin : read_file
      $readmemh(File, memory);
    end
  end else begin : g_empty
    initial begin : clear
      for (int i = 0; i < (Streams * Depth); i++) memory[i] = '0;
    end
  end

  for (genvar s = 0; s < Streams; s++) begin : g_stream
    logic [AddressWidth-1:0] at_q;
    logic [Width:0]          entry;
    assign entry                     = memory[at_q];
    assign more_o[s]                 = entry[Width];
    assign valid_o[s]                = entry[Width] && enable_i[s];
    assign word_o[s*Width +: Width]  = entry[Width] ? entry[Width-1:0] : {Width{1'b0}};
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                         at_q <= AddressWidth'(s * Depth);
      else if (valid_o[s] && ready_i[s])   at_q <= at_q + AddressWidth'(1);
    end
  end

  initial begin : check_parameters
    if (Streams < 1 || Width < 1 || Depth < 1) $fatal(1, "stream_player: Streams, Width and Depth must be at least 1");
  end
endmodule
