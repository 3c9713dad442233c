// slot_timer - the network's clock of steps: it numbers cycles and slots from 1 and tells all nodes when a slot opens.
//
// A slot (the papers' step) lasts slot_cycles_i cycles. With 1 a slot opens every cycle and nodes run freely; with flits
// + link latency (+ grant cycles) they run in lockstep. Before start_i no slot opens: in that time hosts fill the queues.
// slot_open_next_o is one cycle early so that every node can register it.
module slot_timer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] slot_cycles_i,     // cycles in a slot, >= 1; quasi-static: changes in reset only
  input  logic        start_i,           // one pulse; cycle 1 is the cycle after it
  output logic        running_o,
  output logic [31:0] cycle_o,           // 0 before the start, then 1, 2, ...
  output logic [31:0] step_o,            // 0 before the start; the slot that this cycle belongs to
  output logic        slot_open_next_o   // the next cycle is the first of a slot; follows start_i combinationally
);
  logic        running_q;
  logic [31:0] cycle_q, step_q;
  logic [31:0] phase_q;          // cycles of the slot that are over
  logic        slot_ends;

  assign slot_ends        = running_q && phase_q == slot_cycles_i - 32'd1;
  assign slot_open_next_o = slot_ends || (start_i && !running_q);
  assign running_o        = running_q;
  assign cycle_o          = cycle_q;
  assign step_o           = step_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      cycle_q   <= '0;
      step_q    <= '0;
      phase_q   <= '0;
    end else if (running_q || start_i) begin
      running_q <= 1'b1;
      cycle_q   <= cycle_q + 32'd1;
      phase_q   <= (slot_open_next_o) ? '0 : phase_q + 32'd1;
      if (slot_open_next_o) step_q <= step_q + 32'd1;
    end
  end

  always @(posedge clk_i) begin : a_cycle_counter_does_not_wrap
    if (rst_ni) assert (cycle_q != 32'hffff_ffff);
  end
  always @(posedge clk_i) begin : a_a_slot_has_a_cycle
    if (!rst_ni) assert (slot_cycles_i != '0);
  end
  always @(posedge clk_i) begin : a_a_slot_ends
    if (rst_ni) assert (phase_q < slot_cycles_i);
  end
endmodule
