// rtl_timer_bench - slot_timers with 1, 2 and 5 cycles in a slot, and with as many as the test says, started together; and
// an exchange_timer with slots of as many as the test says.
module rtl_timer_bench #(
  parameter int Timers = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [31:0]          slot_cycles_i,
  input  logic                 start_i,
  output logic [Timers-1:0]    running_o,
  output logic [Timers*32-1:0] cycle_o,
  output logic [Timers*32-1:0] step_o,
  output logic [Timers-1:0]    slot_open_next_o,
  input  logic                 exchange_start_i,
  output logic                 exchange_running_o,
  output logic [31:0]          exchange_cycle_o,
  output logic [31:0]          exchange_step_o,
  output logic                 exchange_slot_open_next_o
);
  for (genvar t = 0; t < Timers; t++) begin : g_timer
    slot_timer u_timer (
      .clk_i, .rst_ni, .start_i,
      .slot_cycles_i    ((t == 0) ? 32'd1 : (t == 1) ? 32'd2 : (t == 2) ? 32'd5 : slot_cycles_i),
      .running_o        (running_o[t]),
      .cycle_o          (cycle_o[t*32 +: 32]),
      .step_o           (step_o[t*32 +: 32]),
      .slot_open_next_o (slot_open_next_o[t])
    );
  end
  exchange_timer u_exchange_timer (
    .clk_i, .rst_ni, .slot_cycles_i,
    .start_i          (exchange_start_i),
    .running_o        (exchange_running_o),
    .cycle_o          (exchange_cycle_o),
    .step_o           (exchange_step_o),
    .slot_open_next_o (exchange_slot_open_next_o)
  );
endmodule
