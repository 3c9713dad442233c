// credit_loop - a sender with a credit_counter, a link to a receiver, and a link on which its credits come back.
//
// The receiver here frees a place whenever it wants to. The sender may have any number of credits up to Depth, and the link
// any latency up to Latency. A second link of the same counter spends its credits, and gets them back, at any time. With
// StartsEmpty the receiver has all credits at first and gives them as it gives back those of packets.
module credit_loop #(
  parameter int Depth       = 4,
  parameter int Latency     = 2,
  parameter int StartsEmpty = 0,
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input logic clk_i,
  input logic want_i,          // the sender has a packet
  input logic free_i,          // the receiver frees a place, if one is taken
  input logic other_spends_i,  // of the second link
  input logic other_credit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] depth, latency;
  logic available, send, arrives, credit_back, frees, forth_in_flight, back_in_flight;
  assign send = want_i && available;
  logic other_available;  // a second link of the same counter, and what its sender has
  logic [CountWidth:0] other_q;
  credit_counter #(.Links(2), .Depth(Depth), .StartsEmpty(StartsEmpty)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .spend_i({other_spends_i, send}), .credit_i({other_credit_i, credit_back}),
    .available_o({other_available, available})
  );
  always @(posedge clk_i) other_q <= !rst_n ? (StartsEmpty != 0 ? '0 : (CountWidth+1)'(depth)) :
                                     other_q + (CountWidth+1)'(other_credit_i) - (CountWidth+1)'(other_spends_i);
  two_way_link #(.Latency(Latency)) u_links (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .send_i(send), .arrives_o(arrives), .credit_i(frees), .credit_o(credit_back),
    .forth_in_flight_o(forth_in_flight), .back_in_flight_o(back_in_flight)
  );

  // What is where, counted apart from the design.
  logic [CountWidth:0] stored_q, outstanding_q;  // at the receiver; sent, and not credited yet
  logic [Latency:0]    sent_q, freed_q;          // bit k: k + 1 cycles ago
  assign frees = free_i && stored_q != '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      stored_q      <= StartsEmpty != 0 ? (CountWidth+1)'(depth) : '0;  // places that have not been offered yet
      outstanding_q <= StartsEmpty != 0 ? (CountWidth+1)'(depth) : '0;
      sent_q        <= '0;
      freed_q       <= '0;
    end else begin
      stored_q      <= stored_q + (CountWidth+1)'(arrives) - (CountWidth+1)'(frees);
      outstanding_q <= outstanding_q + (CountWidth+1)'(send) - (CountWidth+1)'(credit_back);
      sent_q        <= (Latency+1)'({sent_q, send});
      freed_q       <= (Latency+1)'({freed_q, frees});
    end
  end
  logic [31:0] under_way, credits_under_way;
  always_comb begin
    under_way         = '0;
    credits_under_way = '0;
    for (int k = 0; k < Latency; k++) begin
      if (k < 32'(latency)) under_way         = under_way + 32'(sent_q[k]);
      if (k < 32'(latency)) credits_under_way = credits_under_way + 32'(freed_q[k]);
    end
  end

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    assume (Latency == 0 ? latency == '0 : (latency != '0 && 32'(latency) <= Latency));
    if (rst_n) begin
      assume (!other_spends_i || other_available);
      assume (!other_credit_i || 32'(other_q) < 32'(depth));
      a_the_other_link_counts_apart : assert (other_available == (other_q != '0));
      a_never_more_packets_than_room : assert (16'(stored_q) <= depth);
      a_a_credit_for_every_free_place : assert (available == (16'(outstanding_q) != depth));
      a_packets_and_credits_are_conserved :
        assert (32'(outstanding_q) == under_way + 32'(stored_q) + credits_under_way);
      a_a_link_says_what_is_on_its_way : assert (forth_in_flight == (under_way != '0) && back_in_flight == (credits_under_way != '0));
      h_outstanding : assert (16'(outstanding_q) <= depth);
      c_full      : cover (16'(stored_q) == depth && 32'(depth) == Depth && 32'(latency) == Latency);
      c_all_again : cover (outstanding_q == '0 && $past(credit_back) && want_i && 32'(latency) == Latency);
    end
  end
endmodule
