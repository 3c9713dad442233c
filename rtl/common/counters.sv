// counters - what a node measures of itself: packets per port, deliveries and when they were, peaks of the queues.
//
// An event of a cycle is counted in the next one. All outputs but occupancy_o and delay_sum_o are registers; the latter is
// the sum of two, so that the product of a cycle's deliveries and its step, and its addition, have a cycle each.
module counters #(
  parameter int Radix           = 4,
  parameter int DeliveryStreams = Radix,  // streams through which the host gets packets
  parameter int Queues          = 1,
  parameter int OccupancyWidth  = 8
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [31:0]               cycle_i,       // number of this cycle, from 1; 0 before the start
  input  logic [31:0]               step_i,        // number of this slot, from 1
  input  logic [Radix-1:0]          sent_i,        // a packet starts on this output
  input  logic [Radix-1:0]          received_i,    // the last flit of a packet arrives on this input
  input  logic [DeliveryStreams-1:0] delivered_i,  // the last flit of a packet for the host
  input  logic                      violation_i,
  input  logic [Queues*OccupancyWidth-1:0] occupancy_i,  // packets in each queue
  input  logic [Queues*OccupancyWidth-1:0] transit_i,    // the same without the host's own
  output logic [Radix*32-1:0]       sent_o,        // packets per output port
  output logic [Radix*32-1:0]       received_o,    // packets per input port
  output logic [31:0]               delivered_o,   // packets delivered
  output logic [31:0]               last_delivery_cycle_o,
  output logic [31:0]               last_delivery_step_o,
  output logic [63:0]               delay_sum_o,   // sum over deliveries of the step in which they completed
  output logic [OccupancyWidth-1:0] occupancy_o,   // packets in the fullest queue; follows occupancy_i
  output logic [OccupancyWidth-1:0] peak_occupancy_o,
  output logic [OccupancyWidth-1:0] peak_transit_o,
  output logic [31:0]               violations_o,  // cycles in which the port model was broken
  output logic [31:0]               first_violation_cycle_o
);
  logic [31:0]               delivered_q, last_cycle_q, last_step_q, violations_q, first_violation_q;
  logic [63:0]               delay_sum_q;
  logic [63:0]               delay_q;  // of the deliveries of the cycle before
  logic [OccupancyWidth-1:0] peak_occupancy_q, peak_transit_q;
  logic [OccupancyWidth-1:0] transit;  // in the queue with the most packets in transit

  assign delivered_o             = delivered_q;
  assign last_delivery_cycle_o   = last_cycle_q;
  assign last_delivery_step_o    = last_step_q;
  assign delay_sum_o             = delay_sum_q + delay_q;
  assign peak_occupancy_o        = peak_occupancy_q;
  assign peak_transit_o          = peak_transit_q;
  assign violations_o            = violations_q;
  assign first_violation_cycle_o = first_violation_q;

  always_comb begin
    occupancy_o = occupancy_i[OccupancyWidth-1:0];
    transit     = transit_i[OccupancyWidth-1:0];
    for (int q = 1; q < Queues; q++) begin
      if (occupancy_i[q*OccupancyWidth +: OccupancyWidth] > occupancy_o)
        occupancy_o = occupancy_i[q*OccupancyWidth +: OccupancyWidth];
      if (transit_i[q*OccupancyWidth +: OccupancyWidth] > transit)
        transit = transit_i[q*OccupancyWidth +: OccupancyWidth];
    end
  end

  for (genvar p = 0; p < Radix; p++) begin : g_port
    logic [31:0] sent_q, received_q;  // of their own, for waveforms
    assign sent_o[p*32 +: 32]     = sent_q;
    assign received_o[p*32 +: 32] = received_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        sent_q     <= '0;
        received_q <= '0;
      end else begin
        if (sent_i[p])     sent_q     <= sent_q + 32'd1;
        if (received_i[p]) received_q <= received_q + 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      delivered_q       <= '0;
      last_cycle_q      <= '0;
      last_step_q       <= '0;
      delay_q           <= '0;
      delay_sum_q       <= '0;
      peak_occupancy_q  <= '0;
      peak_transit_q    <= '0;
      violations_q      <= '0;
      first_violation_q <= '0;
    end else begin
      if (delivered_i != '0) begin
        delivered_q  <= delivered_q + 32'($countones(delivered_i));
        last_cycle_q <= cycle_i;
        last_step_q  <= step_i;
      end
      if (delivered_i != '0 || delay_q != '0) begin
        delay_q     <= 64'($countones(delivered_i)) * 64'(step_i);
        delay_sum_q <= delay_sum_q + delay_q;
      end
      if (occupancy_o > peak_occupancy_q) peak_occupancy_q <= occupancy_o;
      if (transit > peak_transit_q)       peak_transit_q   <= transit;
      if (violation_i) begin
        violations_q <= violations_q + 32'd1;
        if (violations_q == '0) first_violation_q <= cycle_i;
      end
    end
  end

  initial begin : check_parameters
    if (Radix < 1 || DeliveryStreams < 1 || Queues < 1 || OccupancyWidth < 1)
      $fatal(1, "counters: Radix, DeliveryStreams, Queues and OccupancyWidth must be at least 1");
  end
endmodule
