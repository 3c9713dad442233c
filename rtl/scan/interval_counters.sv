// interval_counters - how long the intervals of a scan_node take, phase by phase; what it sent, received and delivered.
module interval_counters #(
  parameter int Radix = 4,
  parameter int Lanes = 6,
  localparam int Phases = scan_pkg::Phases  // phase 0 counts nothing
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     cycle_i,           // of the network
  input  logic [scan_pkg::PhaseWidth-1:0] phase_i,
  input  logic                            interval_last_i,   // last cycle of an interval
  input  logic [Radix-1:0]                tx_valid_i,
  input  logic [Radix-1:0]                received_i,        // flits, but for those that failed a check
  input  logic                            violation_i,       // a check of what arrives failed
  input  logic [Lanes-1:0]                delivers_i,        // last flit of a packet, registered
  output logic [31:0]                     intervals_o,       // completed
  output logic [31:0]                     last_cycle_o,      // in which the last one ended
  output logic [Phases*32-1:0]            phase_cycles_o,    // of the interval that goes on, or of the last one
  output logic [Radix*32-1:0]             sent_o,            // flits
  output logic [Radix*32-1:0]             received_o,
  output logic [31:0]                     delivered_o,       // packets
  output logic [31:0]                     last_delivery_cycle_o,
  output logic [31:0]                     violations_o,      // cycles in which violation_i was high
  output logic [31:0]                     first_violation_cycle_o
);
  logic        ended_q;
  logic [31:0] cycle_q;  // number of the cycle before: delivers_i comes a cycle late

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      intervals_o           <= '0;
      last_cycle_o          <= '0;
      phase_cycles_o        <= '0;
      sent_o                <= '0;
      received_o            <= '0;
      delivered_o           <= '0;
      last_delivery_cycle_o <= '0;
      violations_o          <= '0;
      first_violation_cycle_o <= '0;
      ended_q               <= 1'b0;
      cycle_q               <= '0;
    end else begin
      cycle_q <= cycle_i;
      ended_q <= interval_last_i || (ended_q && phase_i == '0);
      for (int p = 1; p < Phases; p++) begin
        if (phase_i == 3'(p)) phase_cycles_o[p*32 +: 32] <= ended_q ? 32'd1 : phase_cycles_o[p*32 +: 32] + 32'd1;
        else if (ended_q && phase_i != '0) phase_cycles_o[p*32 +: 32] <= '0;
      end
      if (interval_last_i) begin
        intervals_o  <= intervals_o + 32'd1;
        last_cycle_o <= cycle_i;
      end
      for (int q = 0; q < Radix; q++) begin
        if (tx_valid_i[q]) sent_o[q*32 +: 32] <= sent_o[q*32 +: 32] + 32'd1;
        if (received_i[q]) received_o[q*32 +: 32] <= received_o[q*32 +: 32] + 32'd1;
      end
      if (violation_i) begin
        violations_o <= violations_o + 32'd1;
        if (violations_o == '0) first_violation_cycle_o <= cycle_i;
      end
      if (delivers_i != '0) begin
        delivered_o           <= delivered_o + 32'($countones(delivers_i));
        last_delivery_cycle_o <= cycle_q;
      end
    end
  end

  initial begin : check_parameters
    if (Radix < 1 || Lanes < 1) $fatal(1, "interval_counters: Radix and Lanes must be at least 1");
  end
endmodule
