// interval_counters_sums - every counter of a scan_node is what a look at its inputs in every cycle adds up to.
module interval_counters_sums #(
  parameter int Radix = 2,
  parameter int Lanes = 3,
  localparam int Phases = scan_pkg::Phases
) (
  input logic                            clk_i,
  input logic [31:0]                     cycle_i,
  input logic [scan_pkg::PhaseWidth-1:0] phase_i,
  input logic                            interval_last_i, violation_i,
  input logic [Radix-1:0]                tx_valid_i, received_i,
  input logic [Lanes-1:0]                delivers_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [31:0]          intervals, last_cycle, delivered, last_delivery, violations, first_violation;
  logic [Phases*32-1:0] phase_cycles;
  logic [Radix*32-1:0]  sent, received;
  interval_counters #(.Radix(Radix), .Lanes(Lanes)) u_dut (
    .clk_i, .rst_ni(rst_n), .cycle_i, .phase_i, .interval_last_i, .tx_valid_i, .received_i, .violation_i, .delivers_i,
    .intervals_o(intervals), .last_cycle_o(last_cycle), .phase_cycles_o(phase_cycles), .sent_o(sent), .received_o(received),
    .delivered_o(delivered), .last_delivery_cycle_o(last_delivery), .violations_o(violations),
    .first_violation_cycle_o(first_violation)
  );

  // The phase and the port that are watched: any.
  (* anyconst *) logic [scan_pkg::PhaseWidth-1:0] phase;
  (* anyconst *) logic [safnet_pkg::index_width(Radix)-1:0] port;

  // An interval begins with the first cycle of a phase after the last cycle of the interval before.
  logic        between_q, begins;
  logic [31:0] intervals_q, last_cycle_q, in_phase_q, sent_q, received_q, delivered_q, last_delivery_q, violations_q, first_q, before_q;
  assign begins = between_q && phase_i != '0;
  logic [31:0] came;
  always_comb begin
    came = '0;
    for (int l = 0; l < Lanes; l++) came = came + 32'(delivers_i[l]);
  end
  always @(posedge clk_i) begin
    before_q <= rst_n ? cycle_i : '0;
    if (!rst_n) begin
      between_q       <= 1'b0;
      intervals_q     <= '0;
      last_cycle_q    <= '0;
      in_phase_q      <= '0;
      sent_q          <= '0;
      received_q      <= '0;
      delivered_q     <= '0;
      last_delivery_q <= '0;
      violations_q    <= '0;
      first_q         <= '0;
    end else begin
      between_q   <= interval_last_i || (between_q && !begins);
      intervals_q <= intervals_q + 32'(interval_last_i);
      if (interval_last_i) last_cycle_q <= cycle_i;
      in_phase_q <= (begins ? '0 : in_phase_q) + 32'(phase_i == phase);
      sent_q     <= sent_q + 32'(tx_valid_i[port]);
      received_q <= received_q + 32'(received_i[port]);
      delivered_q <= delivered_q + came;
      if (|delivers_i) last_delivery_q <= before_q;  // delivers_i comes a cycle late
      violations_q <= violations_q + 32'(violation_i);
      if (violation_i && violations_q == '0) first_q <= cycle_i;
    end
  end

  (* hierconn *) wire \u_dut.ended_q ;
  (* hierconn *) wire [31:0] \u_dut.cycle_q ;
  always @(posedge clk_i) begin
    assume (phase != '0 && 32'(phase) < Phases && 32'(port) < Radix);
    if (rst_n) begin
      a_intervals  : assert (intervals == intervals_q && last_cycle == last_cycle_q);
      a_phases     : assert (phase_cycles[32'(phase)*32 +: 32] == in_phase_q);
      a_links      : assert (sent[32'(port)*32 +: 32] == sent_q && received[32'(port)*32 +: 32] == received_q);
      a_deliveries : assert (delivered == delivered_q && last_delivery == last_delivery_q);
      a_violations : assert (violations == violations_q && first_violation == first_q);
      h_registers  : assert (\u_dut.ended_q == between_q && \u_dut.cycle_q == before_q);
      c_second_interval : cover (intervals == 32'd1 && begins && in_phase_q == 32'd2 && phase_i == phase);
    end
  end
endmodule
