// rtl_timer_bench - slot_timers with 1, 2 and 5 cycles in a slot, started together.
module rtl_timer_bench #(
  parameter int Timers = 3
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  output logic [Timers-1:0]    running_o,
  output logic [Timers*32-1:0] cycle_o,
  output logic [Timers*32-1:0] step_o,
  output logic [Timers-1:0]    slot_open_next_o
);
  for (genvar t = 0; t < Timers; t++) begin : g_timer
    slot_timer u_timer (
      .clk_i, .rst_ni, .start_i,
      .slot_cycles_i    ((t == 0) ? 32'd1 : (t == 1) ? 32'd2 : 32'd5),
      .running_o        (running_o[t]),
      .cycle_o          (cycle_o[t*32 +: 32]),
      .step_o           (step_o[t*32 +: 32]),
      .slot_open_next_o (slot_open_next_o[t])
    );
  end
endmodule
