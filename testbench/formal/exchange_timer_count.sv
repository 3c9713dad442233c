// exchange_timer_count - cycles of the scan are numbered from 1, as many as start_i is high; the numbers stand still until it
// is high again, and go on with the cycles of the exchange, whose slots are numbered from 1 and last slot_cycles_i cycles.
module exchange_timer_count (
  input logic clk_i,
  input logic start_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [31:0] slot_cycles;
  logic        running, slot_open_next;
  logic [31:0] cycle, step;
  exchange_timer u_dut (
    .clk_i, .rst_ni(rst_n), .slot_cycles_i(slot_cycles), .start_i, .running_o(running), .cycle_o(cycle), .step_o(step),
    .slot_open_next_o(slot_open_next)
  );

  logic        scans_q, scanned_q, exchanges_q;  // it scans; the scan is over; the exchange has begun
  logic [31:0] cycle_q, step_q, left_q;          // left_q: cycles of the slot that come after this one
  logic        begins;                           // the exchange begins in the next cycle
  assign begins = scanned_q && !exchanges_q && start_i;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {scans_q, scanned_q, exchanges_q} <= '0;
      {cycle_q, step_q, left_q}         <= '0;
    end else begin
      scans_q   <= start_i && !scanned_q;
      scanned_q <= scanned_q || (scans_q && !start_i);
      if (start_i && !scanned_q) cycle_q <= cycle_q + 32'd1;
      if (begins || exchanges_q) begin
        exchanges_q <= 1'b1;
        cycle_q     <= cycle_q + 32'd1;
        step_q      <= left_q == '0 ? step_q + 32'd1 : step_q;
        left_q      <= left_q == '0 ? slot_cycles - 32'd1 : left_q - 32'd1;
      end
    end
  end
  logic opens;
  assign opens = exchanges_q ? left_q == '0 : scanned_q ? start_i : start_i && !scans_q;

  (* hierconn *) wire [31:0] \u_dut.u_slot_timer.phase_q ;
  (* hierconn *) wire [31:0] \u_dut.u_slot_timer.cycle_q ;
  (* hierconn *) wire [31:0] \u_dut.scan_cycle_q ;
  (* hierconn *) wire        \u_dut.scanned_q ;
  always @(posedge clk_i) begin
    assume (slot_cycles != '0);
    assume (cycle_q != '1);  // a run has fewer than 2^32 - 1 cycles
    if (rst_n) begin
      a_cycles_count_on               : assert (cycle == cycle_q);
      a_the_exchange_comes_after_the_scan : assert (running == exchanges_q);
      a_slots_are_numbered_from_one   : assert (step == step_q);
      a_scan_and_slots_are_announced  : assert (slot_open_next == opens);
      h_phase : assert (!exchanges_q ? \u_dut.u_slot_timer.phase_q == '0 && left_q == '0
                                     : \u_dut.u_slot_timer.phase_q + left_q == slot_cycles - 32'd1 && left_q < slot_cycles);
      h_cycles : assert (\u_dut.scan_cycle_q <= cycle_q && (exchanges_q || \u_dut.u_slot_timer.cycle_q == '0) &&
                         \u_dut.scan_cycle_q + \u_dut.u_slot_timer.cycle_q == cycle_q);
      h_states : assert (\u_dut.scanned_q == scanned_q && (!exchanges_q || scanned_q) && (!scanned_q || !scans_q) &&
                         (scans_q || scanned_q) == (\u_dut.scan_cycle_q != '0));
      c_second_slot : cover (step == 32'd2 && slot_cycles == 32'd3 && cycle == 32'd8 && slot_open_next);
    end
  end
endmodule
