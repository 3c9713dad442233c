// counters_sums - every counter of a node is what a look at its inputs in every cycle adds up to.
module counters_sums #(
  parameter int Radix           = 2,
  parameter int DeliveryStreams = 3,
  parameter int Queues          = 2,
  parameter int OccupancyWidth  = 3
) (
  input logic                             clk_i,
  input logic [31:0]                      cycle_i, step_i,
  input logic [Radix-1:0]                 sent_i, received_i,
  input logic [DeliveryStreams-1:0]       delivered_i,
  input logic                             violation_i,
  input logic [Queues*OccupancyWidth-1:0] occupancy_i, transit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [Radix*32-1:0]       sent, received;
  logic [31:0]               delivered, last_cycle, last_step, violations, first_violation;
  logic [63:0]               delay_sum;
  logic [OccupancyWidth-1:0] occupancy, peak_occupancy, peak_transit;
  counters #(.Radix(Radix), .DeliveryStreams(DeliveryStreams), .Queues(Queues), .OccupancyWidth(OccupancyWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .cycle_i, .step_i, .sent_i, .received_i, .delivered_i, .violation_i, .occupancy_i, .transit_i,
    .sent_o(sent), .received_o(received), .delivered_o(delivered), .last_delivery_cycle_o(last_cycle),
    .last_delivery_step_o(last_step), .delay_sum_o(delay_sum), .occupancy_o(occupancy), .peak_occupancy_o(peak_occupancy),
    .peak_transit_o(peak_transit), .violations_o(violations), .first_violation_cycle_o(first_violation)
  );

  // The port that is watched: any.
  (* anyconst *) logic [safnet_pkg::index_width(Radix)-1:0] port;

  logic [31:0] came;
  logic [63:0] steps;  // of the deliveries of this cycle, one by one
  always_comb begin
    came  = '0;
    steps = '0;
    for (int s = 0; s < DeliveryStreams; s++) begin
      if (delivered_i[s]) came  = came + 32'd1;
      if (delivered_i[s]) steps = steps + 64'(step_i);
    end
  end
  // Whether no queue has more than occupancy_o says, and whether one has as much.
  logic no_more, one_has;
  logic [OccupancyWidth-1:0] most_transit_q, most_q, most_transit;
  always_comb begin
    no_more = 1'b1;
    one_has = 1'b0;
    most_transit = '0;
    for (int q = 0; q < Queues; q++) begin
      if (occupancy_i[q*OccupancyWidth +: OccupancyWidth] > occupancy)  no_more = 1'b0;
      if (occupancy_i[q*OccupancyWidth +: OccupancyWidth] == occupancy) one_has = 1'b1;
      if (transit_i[q*OccupancyWidth +: OccupancyWidth] > most_transit)
        most_transit = transit_i[q*OccupancyWidth +: OccupancyWidth];
    end
  end
  logic [31:0] sent_q, received_q, delivered_q, last_cycle_q, last_step_q, violations_q, first_q;
  logic [63:0] steps_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      sent_q         <= '0;
      received_q     <= '0;
      delivered_q    <= '0;
      last_cycle_q   <= '0;
      last_step_q    <= '0;
      steps_q        <= '0;
      most_q         <= '0;
      most_transit_q <= '0;
      violations_q   <= '0;
      first_q        <= '0;
    end else begin
      sent_q      <= sent_q + 32'(sent_i[port]);
      received_q  <= received_q + 32'(received_i[port]);
      delivered_q <= delivered_q + came;
      steps_q     <= steps_q + steps;
      if (came != '0) begin
        last_cycle_q <= cycle_i;
        last_step_q  <= step_i;
      end
      if (occupancy > most_q)            most_q         <= occupancy;
      if (most_transit > most_transit_q) most_transit_q <= most_transit;
      violations_q <= violations_q + 32'(violation_i);
      if (violation_i && violations_q == '0) first_q <= cycle_i;
    end
  end

  always @(posedge clk_i) begin
    assume (32'(port) < Radix);
    if (rst_n) begin
      a_links      : assert (sent[32'(port)*32 +: 32] == sent_q && received[32'(port)*32 +: 32] == received_q);
      a_deliveries : assert (delivered == delivered_q && last_cycle == last_cycle_q && last_step == last_step_q);
      a_delays     : assert (delay_sum == steps_q);
      a_fullest    : assert (no_more && one_has);
      a_peaks      : assert (peak_occupancy == most_q && peak_transit == most_transit_q);
      a_violations : assert (violations == violations_q && first_violation == first_q);
      c_all : cover (delivered == 32'd3 && sent_q == 32'd1 && received_q == 32'd2 && violations == 32'd1 && peak_transit != '0 &&
                     peak_transit < peak_occupancy && delay_sum > 64'(last_step));
    end
  end
endmodule
