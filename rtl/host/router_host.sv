// router_host - the host of one router, with what it says written down in memories: first the label table, an entry a
// cycle, then the packets, a flit a cycle through each injection port as the router takes them.
//
// A word of the table's file has the router's inputs table_*_i but the valid, the last of its ports highest; which is for
// the network around it to say. A word of the packets' file is {rank, flit}. Both files are those of a stream_player.
module router_host #(
  parameter int TableWidth  = 8,
  parameter int TableDepth  = 2,
  parameter     TableFile   = "",
  parameter int InjectPorts = 1,
  parameter int FlitWidth   = 64,
  parameter int RankWidth   = 1,   // bits of a rank; routers without ranks leave inject_rank_o open
  parameter int InjectDepth = 2,
  parameter     InjectFile  = ""
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             hold_i,         // packets are held back: for hosts that inject after the start
  output logic                             table_valid_o,
  output logic [TableWidth-1:0]            table_word_o,
  output logic [InjectPorts-1:0]           inject_valid_o,
  input  logic [InjectPorts-1:0]           inject_ready_i,
  output logic [InjectPorts*FlitWidth-1:0] inject_flit_o,
  output logic [InjectPorts*RankWidth-1:0] inject_rank_o,
  output logic                             moves_o,  // the router takes something in this cycle
  output logic                             done_o    // nothing is left
);
  localparam int WordWidth = RankWidth + FlitWidth;

  logic table_more;
  stream_player #(.Streams(1), .Width(TableWidth), .Depth(TableDepth), .File(TableFile)) u_table (
    .clk_i, .rst_ni,
    .enable_i (rst_ni),
    .more_o   (table_more),
    .valid_o  (table_valid_o),
    .ready_i  (1'b1),
    .word_o   (table_word_o)
  );

  logic [InjectPorts-1:0]           inject_more;
  logic [InjectPorts*WordWidth-1:0] inject_word;
  stream_player #(.Streams(InjectPorts), .Width(WordWidth), .Depth(InjectDepth), .File(InjectFile)) u_packets (
    .clk_i, .rst_ni,
    .enable_i ({InjectPorts{rst_ni && !table_more && !hold_i}}),
    .more_o   (inject_more),
    .valid_o  (inject_valid_o),
    .ready_i  (inject_ready_i),
    .word_o   (inject_word)
  );
  for (genvar j = 0; j < InjectPorts; j++) begin : g_port
    assign {inject_rank_o[j*RankWidth +: RankWidth], inject_flit_o[j*FlitWidth +: FlitWidth]} =
      inject_word[j*WordWidth +: WordWidth];
  end

  assign moves_o = table_valid_o || |(inject_valid_o & inject_ready_i);
  assign done_o  = !table_more && inject_more == '0;
endmodule
