// queue_peaks - the most packets that each queue of a node has held.
//
// stored: packets in the queue. A packet counts from the cycle after its last flit arrived to the cycle in which its
// last copy starts to leave. waiting: the same, but looked at only in cycles in which a slot is open, and without a
// packet whose last copy starts in that very cycle. Since packets start only when a slot is open, those that arrive
// during a slot are all there when the next one opens: in lockstep both peaks are therefore the same as with packets
// of one flit that run freely.
module queue_peaks #(
  parameter int Queues         = 4,
  parameter int OccupancyWidth = 8
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             slot_open_i,   // packets may start in this cycle
  input  logic                             joining_i,     // a packet joins one of the queues
  input  logic [Queues*OccupancyWidth-1:0] occupancy_i,   // registered: packets in each queue
  input  logic [Queues-1:0]                leaving_i,     // the last copy of a packet starts in this cycle
  output logic [Queues*OccupancyWidth-1:0] peak_stored_o,
  output logic [Queues*OccupancyWidth-1:0] peak_waiting_o
);
  // No queue can have reached a new peak before a packet has joined one and a slot has opened after that.
  logic grew_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grew_q         <= 1'b0;
      peak_stored_o  <= '0;
      peak_waiting_o <= '0;
    end else begin
      if (joining_i)        grew_q <= 1'b1;
      else if (slot_open_i) grew_q <= 1'b0;
      if (grew_q) begin : compare
        logic [OccupancyWidth-1:0] stored, waiting;
        for (int q = 0; q < Queues; q++) begin
          stored  = occupancy_i[q*OccupancyWidth +: OccupancyWidth];
          waiting = stored - OccupancyWidth'(leaving_i[q]);
          if (stored > peak_stored_o[q*OccupancyWidth +: OccupancyWidth])
            peak_stored_o[q*OccupancyWidth +: OccupancyWidth] <= stored;
          if (slot_open_i && waiting > peak_waiting_o[q*OccupancyWidth +: OccupancyWidth])
            peak_waiting_o[q*OccupancyWidth +: OccupancyWidth] <= waiting;
        end
      end
    end
  end
  always @(posedge clk_i) begin : a_only_what_is_stored_leaves
    if (rst_ni && leaving_i != '0) begin
      for (int q = 0; q < Queues; q++) begin
        if (leaving_i[q]) assert (occupancy_i[q*OccupancyWidth +: OccupancyWidth] != '0);
      end
    end
  end

  initial begin : check_parameters
    if (Queues < 1 || OccupancyWidth < 1) $fatal(1, "queue_peaks: Queues and OccupancyWidth must be at least 1");
  end
endmodule
