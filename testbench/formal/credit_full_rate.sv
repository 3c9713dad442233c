// credit_full_rate - a sender that always has packets of Flits flits never waits for a credit, with as many as rtl/pifo/README.md
// promises full rate for: QueueDepth >= 1 + ceil((2 x LinkLatency + 2) / Flits), nodes that run freely.
//
// The receiver is a node that passes every packet on at once: it has the last flit after Flits cycles, begins to send in the
// next one, and its credit leaves in the cycle after that, for it is registered.
module credit_full_rate #(
  parameter int Flits   = 1,
  parameter int Latency = 2,
  parameter int Depth   = 3
) (
  input logic clk_i,
  input logic want_i  // the sender has a packet
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  localparam int Away   = Flits + 2 * Latency + 1;  // cycles that a credit can be away
  localparam int Window = Away > 2 * Flits ? Away : 2 * Flits;
  (* anyconst *) logic [15:0] depth, latency;
  logic available, send, arrives, credit, credit_back;
  logic unused_flit_valid, unused_a, unused_b, unused_c, unused_d, unused_e, unused_f, unused_g;
  logic [1:0] unused_flit, unused_back;
  logic [Window-1:0] sent_q;     // bit k: a packet began k + 1 cycles ago
  logic [Flits:0]    arrived_q;  // bit k: one arrived k + 1 cycles ago
  logic line_is_free;
  assign line_is_free = ((sent_q << 1) & Window'((1 << Flits) - 1)) == '0;
  assign send         = want_i && available && line_is_free;
  assign credit       = arrived_q[Flits];
  credit_counter #(.Links(1), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .spend_i(send), .credit_i(credit_back), .available_o(available)
  );
  link #(.FlitWidth(2), .Latency(Latency)) u_forth (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .flit_valid_i(send), .flit_i(2'b01), .credit_i(1'b0), .request_i(1'b0),
    .grant_i(1'b0), .flit_valid_o(arrives), .flit_o(unused_flit), .credit_o(unused_a), .request_o(unused_b),
    .grant_o(unused_c), .fault_drop_i(1'b0), .fault_corrupt_i(1'b0), .in_flight_o(unused_d)
  );
  link #(.FlitWidth(2), .Latency(Latency)) u_back (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .flit_valid_i(1'b0), .flit_i(2'b00), .credit_i(credit), .request_i(1'b0),
    .grant_i(1'b0), .flit_valid_o(unused_flit_valid), .flit_o(unused_back), .credit_o(credit_back), .request_o(unused_e),
    .grant_o(unused_f), .fault_drop_i(1'b0), .fault_corrupt_i(1'b0), .in_flight_o(unused_g)
  );
  always @(posedge clk_i) begin
    sent_q    <= rst_n ? Window'({sent_q, send}) : '0;
    arrived_q <= rst_n ? (Flits+1)'({arrived_q, arrives}) : '0;
  end

  (* hierconn *) wire [$clog2(Depth+1)-1:0] \u_dut.credits_q ;
  // Credits that are away, by when their packets began.
  logic [31:0] away;
  always_comb begin
    away = '0;
    for (int k = 0; k < Window; k++)
      if (k < Flits + 2 * 32'(latency) + 1) away = away + 32'(sent_q[k]);
  end
  logic promised, nearly_promised;
  assign promised        = Flits * (32'(depth) - 1) >= 2 * 32'(latency) + 2;
  assign nearly_promised = !promised && Flits * 32'(depth) >= 2 * 32'(latency) + 2;

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    assume (Latency == 0 ? latency == '0 : (latency != '0 && 32'(latency) <= Latency));
    if (rst_n) begin
      a_no_packet_waits_for_a_credit : assert (!promised || !line_is_free || available);
      h_credits_come_back_in_time : assert (32'(\u_dut.credits_q ) + away == 32'(depth));
      // One place less is not enough, and what is promised is used to the full.
      c_it_waits_with_a_place_less : cover (nearly_promised && want_i && line_is_free && !available && 32'(latency) == Latency);
      c_at_full_rate : cover (promised && send && sent_q[Flits-1] && sent_q[2*Flits-1] && 32'(latency) == Latency);
    end
  end
endmodule
