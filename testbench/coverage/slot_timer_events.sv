// slot_timer_events - the rows of the cycle table of a slot_timer with slots of two cycles (rtl/common/README.md).
module slot_timer_events (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] slot_cycles_i,
  input logic        start_i,
  input logic        slot_open_next_o,
  input logic [31:0] cycle_o,
  input logic [31:0] step_o
);
  logic applies;
  assign applies = rst_ni && slot_cycles_i == 32'd2;

  cycle_of_the_start: cover property (@(posedge clk_i) applies && start_i && cycle_o == 32'd0 && slot_open_next_o);
  first_cycle:        cover property (@(posedge clk_i) applies && cycle_o == 32'd1 && step_o == 32'd1 && !slot_open_next_o);
  second_cycle:       cover property (@(posedge clk_i) applies && cycle_o == 32'd2 && step_o == 32'd1 && slot_open_next_o);
  second_slot:        cover property (@(posedge clk_i) applies && cycle_o == 32'd3 && step_o == 32'd2 && !slot_open_next_o);
  end_of_second_slot: cover property (@(posedge clk_i) applies && cycle_o == 32'd4 && step_o == 32'd2 && slot_open_next_o);
  free_running:       cover property (@(posedge clk_i) rst_ni && slot_cycles_i == 32'd1 && cycle_o > 32'd1 && slot_open_next_o);
endmodule

bind slot_timer slot_timer_events u_events (.clk_i, .rst_ni, .slot_cycles_i, .start_i, .slot_open_next_o, .cycle_o, .step_o);
