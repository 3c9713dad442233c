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
  input  logic [Queues*OccupancyWidth-1:0] occupancy_i,   // registered: packets in each queue
  input  logic [Queues-1:0]                leaving_i,     // the last copy of a packet starts in this cycle
  output logic [Queues*OccupancyWidth-1:0] peak_stored_o,
  output logic [Queues*OccupancyWidth-1:0] peak_waiting_o
);
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    logic [OccupancyWidth-1:0] stored, waiting, peak_stored_q, peak_waiting_q;
    assign stored  = occupancy_i[q*OccupancyWidth +: OccupancyWidth];
    assign waiting = stored - OccupancyWidth'(leaving_i[q]);
    assign peak_stored_o[q*OccupancyWidth +: OccupancyWidth]  = peak_stored_q;
    assign peak_waiting_o[q*OccupancyWidth +: OccupancyWidth] = peak_waiting_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        peak_stored_q  <= '0;
        peak_waiting_q <= '0;
      end else begin
        if (stored > peak_stored_q)                  peak_stored_q  <= stored;
        if (slot_open_i && waiting > peak_waiting_q) peak_waiting_q <= waiting;
      end
    end
    always @(posedge clk_i) begin : a_only_what_is_stored_leaves
      if (rst_ni && leaving_i[q]) assert (stored != '0);
    end
  end

  initial begin : check_parameters
    if (Queues < 1 || OccupancyWidth < 1) $fatal(1, "queue_peaks: Queues and OccupancyWidth must be at least 1");
  end
endmodule
