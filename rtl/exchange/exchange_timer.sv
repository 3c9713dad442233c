// exchange_timer - the clock of a network that scans before it exchanges packets: first the cycles of the scan, then
// slots.
//
// The scan takes as many cycles as start_i is high. Cycle 1, in step 0, is the cycle after start_i rises. When start_i
// falls cycle_o stands still, while hosts fill their queues as they do before other runs. When start_i is high again
// the next cycle opens slot 1, and cycles count on from those of the scan. slot_open_next_o also announces the scan,
// with cycle_o 0.
module exchange_timer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] slot_cycles_i,     // cycles in a slot, >= 1; quasi-static: changes in reset only
  input  logic        start_i,
  output logic        running_o,         // the exchange has begun
  output logic [31:0] cycle_o,
  output logic [31:0] step_o,            // 0 until the exchange begins
  output logic        slot_open_next_o   // the next cycle begins the scan or a slot; follows start_i combinationally
);
  logic [31:0] scan_cycle_q, exchange_cycle;
  logic        slot_open_next, scan_begins, scanned_q;

  assign scan_begins      = start_i && scan_cycle_q == '0;
  assign cycle_o          = scan_cycle_q + exchange_cycle;
  assign slot_open_next_o = slot_open_next || scan_begins;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      scan_cycle_q <= '0;
      scanned_q    <= 1'b0;
    end else begin
      if (start_i && !scanned_q)           scan_cycle_q <= scan_cycle_q + 32'd1;
      if (!start_i && scan_cycle_q != '0)  scanned_q    <= 1'b1;
    end
  end

  slot_timer u_slot_timer (
    .clk_i, .rst_ni, .slot_cycles_i,
    .start_i          (start_i && scanned_q),
    .running_o        (running_o),
    .cycle_o          (exchange_cycle),
    .step_o           (step_o),
    .slot_open_next_o (slot_open_next)
  );

  always @(posedge clk_i) begin : a_cycle_counter_does_not_wrap
    if (rst_ni) assert (cycle_o != 32'hffff_ffff);
  end
endmodule
