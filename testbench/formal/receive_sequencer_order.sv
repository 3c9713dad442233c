// receive_sequencer_order - packets are granted in the order of the program, each once its buffer has its generation, at
// most window_i ahead; and every packet that comes is treated as the instruction says that was granted for it.
module receive_sequencer_order #(
  parameter int Flits        = 2,
  parameter int ProgramDepth = 2,
  parameter int Window       = 2,
  localparam int NameWidth        = 1,
  localparam int BufferWidth      = 1,
  localparam int GenerationWidth  = 1,
  localparam int CountWidth       = 1,
  localparam int InstructionWidth = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int ActionWidth      = BufferWidth + tdm_pkg::Actions + NameWidth,
  localparam int LengthWidth      = $clog2(Flits + 1),
  localparam int IndexWidth       = safnet_pkg::index_width(Flits)
) (
  input logic                        clk_i,
  input logic                        program_valid_i,
  input logic [InstructionWidth-1:0] program_i,
  input logic [GenerationWidth-1:0]  grant_generation_i,
  input logic                        begins_i,   // a granted packet begins to arrive
  input logic [NameWidth-1:0]        flit_name_i,
  input logic [LengthWidth-1:0]      flit_length_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] window;
  logic program_ready, grant, allocates, flit_valid, first, last, store, combine, deliver, mismatch, granted, busy, empty, waits;
  logic [BufferWidth-1:0] grant_buffer, buffer_of;
  logic [CountWidth-1:0]  parts, uses;
  logic [IndexWidth-1:0]  index;
  logic [NameWidth-1:0]   name;
  receive_sequencer #(
    .Flits(Flits), .NameWidth(NameWidth), .BufferWidth(BufferWidth), .GenerationWidth(GenerationWidth),
    .CountWidth(CountWidth), .ProgramDepth(ProgramDepth), .Window(Window)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .window_i(window), .program_valid_i, .program_ready_o(program_ready), .program_i,
    .grant_buffer_o(grant_buffer), .grant_generation_i, .grant_o(grant), .grant_allocates_o(allocates),
    .grant_parts_o(parts), .grant_uses_o(uses), .flit_valid_i(flit_valid), .flit_name_i, .flit_length_i, .first_o(first),
    .last_o(last), .index_o(index), .name_o(name), .store_o(store), .combine_o(combine), .deliver_o(deliver),
    .buffer_o(buffer_of), .mismatch_o(mismatch), .granted_o(granted), .busy_o(busy), .empty_o(empty), .wait_buffer_o(waits)
  );

  // Instructions that wait, and what was granted and has not begun.
  logic [$clog2(ProgramDepth+1)-1:0] waiting;
  logic [$clog2(Window+1)-1:0]       ahead;
  logic                              head_due, next_due;
  logic [InstructionWidth-1:0]       head;
  logic [ActionWidth-1:0]            next, action_q, action;
  logic [LengthWidth-1:0]            left_q;  // flits of the packet that are still to come
  fifo_shadow #(.Width(InstructionWidth), .Depth(ProgramDepth)) u_program (
    .clk_i, .rst_ni(rst_n), .push_i(program_valid_i && program_ready), .data_i(program_i), .pop_i(grant),
    .count_o(waiting), .due_o(head_due), .data_o(head)
  );
  logic [tdm_pkg::Actions-1:0] head_actions;
  logic [GenerationWidth-1:0]  head_generation;
  logic [BufferWidth-1:0]      head_buffer;
  logic [CountWidth-1:0]       head_uses, head_parts;
  logic [NameWidth-1:0]        head_name;
  logic                        head_needs_buffer, head_has_buffer;
  assign {head_name, head_actions, head_uses, head_parts, head_generation, head_buffer} = head;
  assign head_needs_buffer = head_actions[tdm_pkg::StoreBit] || head_actions[tdm_pkg::CombineBit];
  assign head_has_buffer   = !head_needs_buffer || grant_generation_i == head_generation;
  // What is granted is told by the design for any instruction; the shadow above holds it to the one that is watched.
  (* hierconn *) wire [NameWidth-1:0]        \u_dut.head_name ;
  (* hierconn *) wire [tdm_pkg::Actions-1:0] \u_dut.head_actions ;
  fifo_shadow #(.Width(ActionWidth), .Depth(Window)) u_granted (
    .clk_i, .rst_ni(rst_n), .push_i(grant), .data_i({\u_dut.head_name , \u_dut.head_actions , grant_buffer}),
    .pop_i(flit_valid && left_q == '0), .count_o(ahead), .due_o(next_due), .data_o(next)
  );
  assign flit_valid = left_q != '0 || (begins_i && ahead != '0);
  logic [LengthWidth-1:0] number_q;  // of the flit that comes
  logic known_q;  // the packet that arrives is the one that is watched
  assign action = (left_q != '0) ? action_q : next;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      left_q  <= '0;
      number_q <= '0;
      known_q <= 1'b0;
    end else if (flit_valid) begin
      left_q <= (left_q != '0 ? left_q : flit_length_i) - LengthWidth'(1);
      number_q <= (left_q != '0 ? left_q : flit_length_i) == LengthWidth'(1) ? '0 : number_q + LengthWidth'(1);
      if (left_q == '0) {known_q, action_q} <= {next_due, next};
    end
  end
  logic watched;
  assign watched = flit_valid && (left_q != '0 ? known_q : next_due);

  always @(posedge clk_i) begin
    assume (32'(window) >= 1 && 32'(window) <= Window);
    if (rst_n) begin
      assume (!(program_valid_i && program_i[BufferWidth + GenerationWidth + 2*CountWidth + tdm_pkg::StoreBit] &&
                program_i[BufferWidth + GenerationWidth + 2*CountWidth + tdm_pkg::CombineBit]));
      assume (!(flit_valid && left_q == '0) || (flit_length_i != '0 && 32'(flit_length_i) <= Flits));
      a_it_grants_when_buffer_and_window_allow :
        assert (!head_due || grant == (head_has_buffer && 16'(ahead) != window));
      a_it_grants_what_the_program_says :
        assert (!head_due || ({grant_buffer, parts, uses} == {head_buffer, head_parts, head_uses} &&
                              {\u_dut.head_name , \u_dut.head_actions } == {head_name, head_actions}));
      a_a_buffer_is_taken_only_if_needed : assert (!head_due || allocates == (grant && head_needs_buffer));
      a_never_more_ahead_than_the_window : assert (16'(ahead) <= window && granted == (ahead != '0));
      a_packets_are_treated_as_granted :
        assert (!watched || {name, deliver, combine, store, buffer_of} == action);
      a_another_packet_is_noticed :
        assert (!watched || mismatch == (left_q == '0 && !combine && flit_name_i != action[ActionWidth-1 -: NameWidth]));
      a_it_says_who_waits_for_a_buffer : assert ((!head_due || waits == !head_has_buffer) && (waiting != '0 || !waits));
      a_flits_are_counted :
        assert (busy == (left_q != '0) && first == (flit_valid && left_q == '0) && (!flit_valid || 32'(index) == 32'(number_q)) &&
                last == (flit_valid && (left_q != '0 ? left_q : flit_length_i) == LengthWidth'(1)));
      a_it_takes_while_there_is_room : assert (program_ready == (32'(waiting) != ProgramDepth) && empty == (waiting == '0));
      c_window : cover (16'(ahead) == window && 32'(window) == Window && watched && last && deliver);
      c_waits  : cover (waits && head_due && 32'(waiting) == ProgramDepth && head_uses != '0);
    end
  end
endmodule
