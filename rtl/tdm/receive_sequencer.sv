// receive_sequencer - one lane of a tdm_node's receiving side: what to do with the next packet, and when it may come.
//
// The host streams instructions in, one per packet, in the order in which packets come through this lane. An
// instruction is granted when its buffer has reached the generation that it names: then the buffer is free for this
// packet, and a credit goes back to the sender. Up to window_i packets are granted ahead. The header of a packet takes
// the next granted instruction; its flits follow back to back. A packet that is neither stored, combined nor delivered
// is dropped.
//
// Instruction, lowest bits first: buffer, generation, parts, uses, actions (tdm_pkg), name (see README.md).
module receive_sequencer #(
  parameter int Flits           = 1,   // flits in the longest packet
  parameter int NameWidth       = 24,
  parameter int BufferWidth     = 4,
  parameter int GenerationWidth = 12,
  parameter int CountWidth      = 4,   // bits of parts and uses
  parameter int ProgramDepth    = 4,   // instructions waiting
  parameter int Window          = 4,   // most packets granted ahead
  localparam int InstructionWidth = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int LengthWidth      = $clog2(Flits + 1),
  localparam int IndexWidth       = safnet_pkg::index_width(Flits)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [15:0]                 window_i,            // packets granted ahead, up to Window; changes in reset only
  // instructions, from the host
  input  logic                        program_valid_i,
  output logic                        program_ready_o,  // registered
  input  logic [InstructionWidth-1:0] program_i,
  // grant: the buffer table is asked for the generation of a buffer, and told when a packet is granted
  output logic [BufferWidth-1:0]      grant_buffer_o,
  input  logic [GenerationWidth-1:0]  grant_generation_i,  // that the buffer is in, combinational
  output logic                        grant_o,             // a packet may come; function of registers
  output logic                        grant_allocates_o,   // and it takes that buffer
  output logic [CountWidth-1:0]       grant_parts_o,
  output logic [CountWidth-1:0]       grant_uses_o,
  // flits
  input  logic                        flit_valid_i,
  input  logic [NameWidth-1:0]        flit_name_i,         // name and length as a header holds them
  input  logic [LengthWidth-1:0]      flit_length_i,
  output logic                        first_o,             // the flit is a header
  output logic                        last_o,              // the packet is complete with it
  output logic [IndexWidth-1:0]       index_o,
  output logic [NameWidth-1:0]        name_o,              // of the packet, or of what it is combined into
  output logic                        store_o,
  output logic                        combine_o,
  output logic                        deliver_o,
  output logic [BufferWidth-1:0]      buffer_o,
  // status
  output logic                        mismatch_o,          // the header names another packet than was programmed
  output logic                        granted_o,           // registered: a granted packet has not begun
  output logic                        busy_o,              // registered: in the middle of a packet
  output logic                        empty_o,             // registered: no instruction waits to be granted
  output logic                        wait_buffer_o        // one waits for its buffer
);
  localparam int ActionWidth = BufferWidth + tdm_pkg::Actions + NameWidth;

  // ---- grant ----
  logic                        head_valid, window_ready;
  logic [InstructionWidth-1:0] head;
  logic [GenerationWidth-1:0]  head_generation;
  logic [tdm_pkg::Actions-1:0] head_actions;
  logic                        has_buffer;
  logic [NameWidth-1:0]        head_name;

  stream_fifo #(.Width(InstructionWidth), .Depth(ProgramDepth)) u_program (
    .clk_i, .rst_ni,
    .depth_i     (16'(ProgramDepth)),
    .in_valid_i  (program_valid_i),
    .in_ready_o  (program_ready_o),
    .in_data_i   (program_i),
    .out_valid_o (head_valid),
    .out_ready_i (grant_o),
    .out_data_o  (head)
  );
  assign {head_name, head_actions, grant_uses_o, grant_parts_o, head_generation, grant_buffer_o} = head;
  assign has_buffer        = head_actions[tdm_pkg::StoreBit] || head_actions[tdm_pkg::CombineBit];
  assign wait_buffer_o     = head_valid && has_buffer && grant_generation_i != head_generation;
  assign grant_o           = head_valid && window_ready && !wait_buffer_o;
  assign grant_allocates_o = grant_o && has_buffer;
  assign empty_o           = !head_valid;

  // ---- granted packets ----
  logic                   next_valid;
  logic [ActionWidth-1:0] next, action;
  logic [tdm_pkg::Actions-1:0] actions;
  stream_fifo #(.Width(ActionWidth), .Depth(Window)) u_granted (
    .clk_i, .rst_ni,
    .depth_i     (window_i),
    .in_valid_i  (grant_o),
    .in_ready_o  (window_ready),
    .in_data_i   ({head_name, head_actions, grant_buffer_o}),
    .out_valid_o (next_valid),
    .out_ready_i (first_o),
    .out_data_o  (next)
  );
  assign granted_o = next_valid;
  assign {name_o, actions, buffer_o} = action;
  assign store_o   = actions[tdm_pkg::StoreBit];
  assign combine_o = actions[tdm_pkg::CombineBit];
  assign deliver_o = actions[tdm_pkg::DeliverBit];
  // The instruction for a part that is combined names the result, not the part, so only other packets can be compared.
  assign mismatch_o = first_o && !combine_o && flit_name_i != name_o;

  packet_flits #(.Flits(Flits)) u_flits (
    .clk_i, .rst_ni, .flit_valid_i, .length_i(flit_length_i), .first_o, .last_o, .index_o, .busy_o
  );
  if (Flits == 1) begin : g_one_flit
    assign action = next;
  end else begin : g_flits
    logic [ActionWidth-1:0] action_q;
    assign action = busy_o ? action_q : next;
    always_ff @(posedge clk_i) begin
      if (flit_valid_i) action_q <= action;
    end
  end

  always @(posedge clk_i) begin : a_packets_come_only_when_granted
    if (rst_ni && first_o) assert (next_valid);
  end
  always @(posedge clk_i) begin : a_an_instruction_does_not_store_and_combine
    if (rst_ni && head_valid) assert (!(head_actions[tdm_pkg::StoreBit] && head_actions[tdm_pkg::CombineBit]));
  end

  initial begin : check_parameters
    if (Window < 1)       $fatal(1, "receive_sequencer: Window must be at least 1");
    if (ProgramDepth < 2) $fatal(1, "receive_sequencer: ProgramDepth must be at least 2");
  end
endmodule
