// exchange_timer - the clock of a network that scans before it exchanges packets: first the cycles of the scan, then slots.
//
// The scan is as many cycles as start_i is high: it begins in the cycle after the first of these, cycle 1, in step 0. Then
// time stands still, while hosts fill their queues as before any run, until start_i is high again; the next cycle opens
// slot 1. slot_open_next_o announces the scan as well: then cycle_o is 0.
module exchange_timer #(
  parameter int SlotCycles = 1  // cycles in a slot, >= 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
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

  slot_timer #(.SlotCycles(SlotCycles)) u_slot_timer (
    .clk_i, .rst_ni,
    .start_i          (start_i && scanned_q),
    .running_o        (running_o),
    .cycle_o          (exchange_cycle),
    .step_o           (step_o),
    .slot_open_next_o (slot_open_next)
  );
endmodule
