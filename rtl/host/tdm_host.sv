// tdm_host - the host of one tdm_node, with what it says written down in memories: its programs, an instruction a cycle
// for each lane and each output, and the flits of its own packets.
//
// The files are those of stream_players: receive instructions by lane, send instructions by output, own flits by stream,
// each with the slot from which on it may be given before it, {slot, flit}.
module tdm_host #(
  parameter int Lanes        = 3,
  parameter int Outputs      = 2,
  parameter int OwnStreams   = 3,
  parameter int ReceiveWidth = 32,
  parameter int SendWidth    = 48,
  parameter int FlitWidth    = 64,
  parameter int ReceiveDepth = 2,
  parameter     ReceiveFile  = "",
  parameter int SendDepth    = 2,
  parameter     SendFile     = "",
  parameter int OwnDepth     = 2,
  parameter     OwnFile      = ""
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     step_i,           // of the network's slot_timer
  output logic [Lanes-1:0]                receive_valid_o,
  input  logic [Lanes-1:0]                receive_ready_i,
  output logic [Lanes*ReceiveWidth-1:0]   receive_o,
  output logic [Lanes-1:0]                receive_more_o,
  output logic [Outputs-1:0]              send_valid_o,
  input  logic [Outputs-1:0]              send_ready_i,
  output logic [Outputs*SendWidth-1:0]    send_o,
  output logic [Outputs-1:0]              send_more_o,
  output logic [OwnStreams-1:0]           own_valid_o,
  input  logic [OwnStreams-1:0]           own_ready_i,
  output logic [OwnStreams*FlitWidth-1:0] own_flit_o,
  output logic                            moves_o,          // the node takes something in this cycle
  output logic                            done_o            // nothing is left
);
  localparam int OwnWidth = tdm_pkg::SlotWidth + FlitWidth;

  stream_player #(.Streams(Lanes), .Width(ReceiveWidth), .Depth(ReceiveDepth), .File(ReceiveFile)) u_receive (
    .clk_i, .rst_ni,
    .enable_i ({Lanes{rst_ni}}),
    .more_o   (receive_more_o),
    .valid_o  (receive_valid_o),
    .ready_i  (receive_ready_i),
    .word_o   (receive_o)
  );
  stream_player #(.Streams(Outputs), .Width(SendWidth), .Depth(SendDepth), .File(SendFile)) u_send (
    .clk_i, .rst_ni,
    .enable_i ({Outputs{rst_ni}}),
    .more_o   (send_more_o),
    .valid_o  (send_valid_o),
    .ready_i  (send_ready_i),
    .word_o   (send_o)
  );

  logic [OwnStreams-1:0]          own_more, own_due;
  logic [OwnStreams*OwnWidth-1:0] own_word;
  stream_player #(.Streams(OwnStreams), .Width(OwnWidth), .Depth(OwnDepth), .File(OwnFile)) u_own (
    .clk_i, .rst_ni,
    .enable_i (own_due),
    .more_o   (own_more),
    .valid_o  (own_valid_o),
    .ready_i  (own_ready_i),
    .word_o   (own_word)
  );
  for (genvar s = 0; s < OwnStreams; s++) begin : g_own
    assign own_due[s] = rst_ni && step_i >= own_word[s*OwnWidth + FlitWidth +: tdm_pkg::SlotWidth];
    assign own_flit_o[s*FlitWidth +: FlitWidth] = own_word[s*OwnWidth +: FlitWidth];
  end

  assign moves_o = |(receive_valid_o & receive_ready_i) || |(send_valid_o & send_ready_i) || |(own_valid_o & own_ready_i);
  assign done_o  = receive_more_o == '0 && send_more_o == '0 && own_more == '0;
endmodule
