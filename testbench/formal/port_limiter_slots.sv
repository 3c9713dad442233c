// port_limiter_slots - one-port with grants, in lockstep: in each slot a node asks with at most one packet and admits at most one,
// and what was granted starts in the cycle of the slot that the grant takes.
//
// The links have a latency of the solver's choice, and a grant takes 2 * latency + 2 cycles. In slots that hold the grant, a packet
// of Flits flits and the link, and up to two cycles more, what was asked, granted and sent in a slot is over when the slot is. As
// a sender the node is answered in the last cycle of the grant or, if another was granted, not at all. As a receiver it has
// neighbours that ask from the first cycle of a slot for as long as a grant takes, which it sees a latency later; who is not
// granted asks again in the next slot. A packet may end in the last cycle of the shortest slot.
module port_limiter_slots #(
  parameter int Radix   = 2,
  parameter int Latency = 1,  // of the links, at most
  parameter int Flits   = 2,  // of a packet, at most
  localparam int GrantCycles = 2 * Latency + 2
) (
  input logic             clk_i,
  input logic [Radix-1:0] want_i,
  input logic             grants_i,  // the neighbour that was asked says yes
  input logic             more_i,    // the packet that leaves has another flit
  input logic [Radix-1:0] ask_i,     // a neighbour begins to ask, if the next cycle is the first of a slot
  input logic             end_i      // the flit that arrives is the packet's last
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  // ---- slots
  (* anyconst *) logic [4:0] latency, slot_cycles;
  logic [4:0] grant_cycles, phase_q;
  logic       slot_opens, slot_ends;
  assign grant_cycles = 5'd2 * latency + 5'd2;
  assign slot_opens   = phase_q == '0;
  assign slot_ends    = phase_q + 5'd1 == slot_cycles;
  always @(posedge clk_i) phase_q <= (!rst_n || slot_ends) ? '0 : phase_q + 5'd1;

  logic [Radix-1:0] accept, start, request, grant, granting, receiving, received, requests, waiting;
  logic             sending_q, violation, idle;
  port_limiter #(.Radix(Radix), .GrantCycles(GrantCycles)) u_dut (
    .clk_i, .rst_ni(rst_n), .port_model_i(2'(safnet_pkg::OnePort)), .grant_cycles_i(16'(grant_cycles)), .free_running_i(1'b0),
    .slot_open_i(slot_opens), .want_i, .sending_i(sending_q), .accept_o(accept), .start_o(start), .request_o(request),
    .grant_i(granting), .receiving_i(receiving), .received_i(received), .request_i(requests), .grant_o(grant),
    .violation_o(violation), .waiting_o(waiting), .idle_o(idle)
  );

  // ---- as a sender: the packet that was taken, and whether it was granted in this slot
  logic [Radix-1:0] taken_q;
  logic             granted_q;
  logic [4:0]       sent_q;
  assign granting = (grants_i && phase_q + 5'd1 == grant_cycles) ? taken_q : '0;
  // ---- as a receiver: who asks in this slot, who was granted
  logic [Radix-1:0] asking_q, owner_q;
  logic [4:0]       arrived_q;
  assign requests  = (phase_q >= latency && phase_q < latency + grant_cycles) ? asking_q : '0;
  assign receiving = (phase_q >= grant_cycles + latency) ? owner_q : '0;
  assign received  = (end_i || arrived_q + 5'd1 == 5'(Flits)) ? receiving : '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {taken_q, granted_q, sending_q, sent_q, asking_q, owner_q, arrived_q} <= '0;
    end else begin
      if (accept != '0)     taken_q <= accept;
      else if (start != '0) taken_q <= '0;
      granted_q <= granting != '0;
      sending_q <= (start != '0 || sending_q) && more_i && sent_q + 5'd1 < 5'(Flits);
      sent_q    <= (start != '0 || sending_q) ? sent_q + 5'd1 : '0;
      asking_q <= (asking_q & ~received) | (slot_ends ? ask_i : '0);
      if (grant != '0)         owner_q <= grant;
      else if (received != '0) owner_q <= '0;
      arrived_q <= (receiving != '0 && received == '0) ? arrived_q + 5'd1 : '0;
    end
  end

  logic [Radix-1:0] one_watched, served;
  others_served #(.Radix(Radix)) u_others (
    .clk_i, .rst_ni(rst_n), .asking_i(asking_q), .grant_i(grant), .one_watched_o(one_watched), .served_o(served)
  );
  logic [3:0] slots_q;  // that have ended since the watched neighbour began to ask
  always @(posedge clk_i) begin
    if (!rst_n || (asking_q & ~received & one_watched) == '0) slots_q <= '0;
    else slots_q <= slots_q + 4'(slot_ends);
  end

  always @(posedge clk_i) begin
    assume (32'(latency) <= Latency && 32'(slot_cycles) >= 32'(grant_cycles) + Flits + 32'(latency) &&
            32'(slot_cycles) <= 32'(grant_cycles) + Flits + 32'(latency) + 2);
    if (rst_n) begin
      a_a_packet_is_taken_when_a_slot_opens : assert (accept == '0 || (slot_opens && $onehot(accept) && (accept & ~want_i) == '0 &&
                                                                       taken_q == '0 && !sending_q));
      a_it_asks_for_the_cycles_of_a_grant : assert (request == (phase_q < grant_cycles ? taken_q | accept : '0));
      a_what_is_granted_starts_in_its_cycle : assert (start == (granted_q ? taken_q : '0) &&
                                                      (start == '0 || phase_q == grant_cycles));
      a_a_slot_grants_one_of_those_that_ask : assert (phase_q == latency + 5'd1 ? $onehot0(grant) && (grant & ~asking_q) == '0 &&
                                                      (grant != '0) == (asking_q != '0) : grant == '0);
      a_the_others_are_served_once_before : assert ((grant & served) == '0);
      a_every_request_is_served_within_slots : assert (32'(slots_q) < Radix);
      a_no_violation_under_grants : assert (!violation);
      a_a_slot_ends_what_it_began : assert (!slot_opens || (waiting == taken_q && idle == (taken_q == '0)));
      a_it_says_what_waits : assert (waiting == (granted_q ? '0 : taken_q) &&
                                     idle == (taken_q == '0 && grant == '0 && owner_q == '0));
      c_received_as_the_slot_ends : cover (slot_ends && received != '0 && ask_i == '0 && (asking_q & ~received) == '0);
      c_last_in_turn : cover (served == ~one_watched && grant == one_watched && 32'(slots_q) == Radix - 1);
      c_both_ways    : cover (sending_q && receiving != '0);
      c_asks_again   : cover (slot_opens && taken_q != '0);
    end
  end
endmodule
