// exchange_timer - the clock of a network that scans before it exchanges packets: first the cycles of the scan, then slots.
//
// The first pulse on start_i begins the scan: cycles 1 to ScanCycles, step 0. Then time stands still, while hosts fill
// their queues as before any run, until a second pulse; the next cycle, ScanCycles + 1, opens slot 1. slot_open_next_o
// announces the scan as well: then cycle_o is 0.
module exchange_timer #(
  parameter int SlotCycles = 1,  // cycles in a slot, >= 1
  parameter int ScanCycles = 2   // cycles of the scan, >= 1
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
  logic        slot_open_next, scan_begins, scanned;

  assign scan_begins      = start_i && scan_cycle_q == '0;
  assign scanned          = scan_cycle_q == 32'(ScanCycles);
  assign cycle_o          = scan_cycle_q + exchange_cycle;
  assign slot_open_next_o = slot_open_next || scan_begins;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                           scan_cycle_q <= '0;
    else if (scan_begins || (scan_cycle_q != '0 && !scanned)) scan_cycle_q <= scan_cycle_q + 32'd1;
  end

  slot_timer #(.SlotCycles(SlotCycles)) u_slot_timer (
    .clk_i, .rst_ni,
    .start_i          (start_i && scanned),
    .running_o        (running_o),
    .cycle_o          (exchange_cycle),
    .step_o           (step_o),
    .slot_open_next_o (slot_open_next)
  );

  initial begin : check_parameters
    if (ScanCycles < 1) $fatal(1, "exchange_timer: ScanCycles must be at least 1");
  end
endmodule
