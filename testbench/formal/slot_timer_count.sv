// slot_timer_count - the slot_timer numbers cycles and slots from 1, and every slot lasts as long as it was told.
module slot_timer_count (
  input logic clk_i,
  input logic start_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [31:0] slot_cycles;
  logic        running, slot_open_next;
  logic [31:0] cycle, step;
  slot_timer u_dut (
    .clk_i, .rst_ni(rst_n), .slot_cycles_i(slot_cycles), .start_i, .running_o(running), .cycle_o(cycle), .step_o(step),
    .slot_open_next_o(slot_open_next)
  );

  logic        started_q;
  logic [31:0] cycle_q, step_q, left_q;  // left_q: cycles of the slot that come after this one
  logic        last;
  assign last = left_q == '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      started_q <= 1'b0;
      cycle_q   <= '0;
      step_q    <= '0;
      left_q    <= '0;
    end else if (started_q || start_i) begin
      started_q <= 1'b1;
      cycle_q   <= cycle_q + 32'd1;
      step_q    <= last ? step_q + 32'd1 : step_q;
      left_q    <= last ? slot_cycles - 32'd1 : left_q - 32'd1;
    end
  end
  (* hierconn *) wire [31:0] \u_dut.phase_q ;
  always @(posedge clk_i) begin
    assume (slot_cycles != '0);
    assume (cycle_q != '1);  // a run has fewer than 2^32 - 1 cycles
    if (rst_n) begin
      a_it_runs_from_the_start_on     : assert (running == started_q);
      a_cycles_are_numbered_from_one  : assert (cycle == cycle_q);
      a_slots_are_numbered_from_one   : assert (step == step_q);
      a_a_slot_opens_after_the_last_cycle : assert (slot_open_next == (started_q ? last : start_i));
      h_phase : assert (!started_q ? \u_dut.phase_q == '0 && last : \u_dut.phase_q + left_q == slot_cycles - 32'd1 &&
                        left_q < slot_cycles);
      c_third_slot : cover (step == 32'd3 && slot_cycles == 32'd4 && slot_open_next);
    end
  end
endmodule
