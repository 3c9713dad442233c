// rtl_interval_bench - the interval_counters of a node of two ports whose host has three lanes.
module rtl_interval_bench #(
  parameter int Radix = 2,
  parameter int Lanes = 3
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     cycle_i,
  input  logic [scan_pkg::PhaseWidth-1:0] phase_i,
  input  logic                            interval_last_i,
  input  logic [Radix-1:0]                tx_valid_i,
  input  logic [Radix-1:0]                received_i,
  input  logic                            violation_i,
  input  logic [Lanes-1:0]                delivers_i,
  output logic [31:0]                     intervals_o,
  output logic [31:0]                     last_cycle_o,
  output logic [scan_pkg::Phases*32-1:0]  phase_cycles_o,
  output logic [Radix*32-1:0]             sent_o,
  output logic [Radix*32-1:0]             received_o,
  output logic [31:0]                     delivered_o,
  output logic [31:0]                     last_delivery_cycle_o,
  output logic [31:0]                     violations_o,
  output logic [31:0]                     first_violation_cycle_o
);
  interval_counters #(.Radix(Radix), .Lanes(Lanes)) u_counters (.*);
endmodule
