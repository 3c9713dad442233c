// queue_peaks_most - the two peaks of each queue are the most that a look in every cycle finds, although the module looks only in
// cycles in which a queue can have reached one.
module queue_peaks_most #(
  parameter int Queues         = 2,
  parameter int OccupancyWidth = 2
) (
  input logic              clk_i, slot_open_i,
  input logic [2*Queues-1:0] joins_i,  // of every queue: packets that join it in this cycle
  input logic [Queues-1:0]   leaving_i
);
  localparam int W = OccupancyWidth;
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [Queues*W-1:0] occupancy_q, peak_stored, peak_waiting;
  queue_peaks #(.Queues(Queues), .OccupancyWidth(W)) u_dut (
    .clk_i, .rst_ni(rst_n), .slot_open_i, .joining_i(joins_i != '0), .occupancy_i(occupancy_q), .leaving_i,
    .peak_stored_o(peak_stored), .peak_waiting_o(peak_waiting)
  );

  logic [Queues*W-1:0] most_stored_q, most_waiting_q, waiting;
  always_comb begin
    for (int q = 0; q < Queues; q++) waiting[q*W +: W] = occupancy_q[q*W +: W] - W'(leaving_i[q]);
  end
  always @(posedge clk_i) begin
    for (int q = 0; q < Queues; q++) begin
      if (!rst_n) begin
        occupancy_q[q*W +: W]    <= '0;
        most_stored_q[q*W +: W]  <= '0;
        most_waiting_q[q*W +: W] <= '0;
      end else begin
        // A packet is in its queue from the cycle after it joins it.
        occupancy_q[q*W +: W] <= waiting[q*W +: W] + W'(joins_i[2*q +: 2]);
        if (occupancy_q[q*W +: W] > most_stored_q[q*W +: W]) most_stored_q[q*W +: W] <= occupancy_q[q*W +: W];
        if (slot_open_i && waiting[q*W +: W] > most_waiting_q[q*W +: W]) most_waiting_q[q*W +: W] <= waiting[q*W +: W];
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_n) begin
      for (int q = 0; q < Queues; q++) begin
        assume (!leaving_i[q] || occupancy_q[q*W +: W] != '0);
        assume (32'(waiting[q*W +: W]) + 32'(joins_i[2*q +: 2]) < (1 << W));
      end
      a_the_most_that_was_stored  : assert (peak_stored == most_stored_q);
      a_the_most_that_was_waiting : assert (peak_waiting == most_waiting_q);
      c_one_left_as_the_slot_opened : cover (peak_stored[W-1:0] == W'(3) && peak_waiting[W-1:0] == W'(2) && occupancy_q == '0);
    end
  end
endmodule
