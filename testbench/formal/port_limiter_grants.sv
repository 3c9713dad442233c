// port_limiter_grants - one-port with grants, running freely: a node sends one packet at a time and admits one at a time.
//
// As a sender it gets a grant at any time after it asked. As a receiver it has neighbours that ask at any time, keep asking
// until they are granted, and then send a packet of any length. If none takes longer than PacketCycles from its grant to its last
// flit, each is granted a known number of cycles after it asked at the latest.
module port_limiter_grants #(
  parameter int Radix        = 2,
  parameter int GrantCycles  = 2,
  parameter int PacketCycles = 3
) (
  input logic             clk_i,
  input logic [Radix-1:0] want_i,
  input logic             grant_i,   // the neighbour that was asked says yes
  input logic             more_i,    // the packet that leaves has another flit
  input logic [Radix-1:0] ask_i,     // a neighbour begins to ask
  input logic             end_i      // the flit that arrives is the packet's last
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] grant_cycles;
  logic [Radix-1:0] accept, start, request, grant, grant_back, receiving, received, asking_q, waiting;
  logic             sending_q, violation, idle;
  port_limiter #(.Radix(Radix), .GrantCycles(GrantCycles)) u_dut (
    .clk_i, .rst_ni(rst_n), .port_model_i(2'(safnet_pkg::OnePort)), .grant_cycles_i(grant_cycles), .free_running_i(1'b1),
    .slot_open_i(1'b1), .want_i, .sending_i(sending_q), .accept_o(accept), .start_o(start), .request_o(request),
    .grant_i(grant_back), .receiving_i(receiving), .received_i(received), .request_i(asking_q), .grant_o(grant),
    .violation_o(violation), .waiting_o(waiting), .idle_o(idle)
  );

  // The sender's packet: taken from its queue and waiting; granted, it starts in the next cycle.
  logic [Radix-1:0] taken_q;
  logic             granted_q;
  assign grant_back = (grant_i && !granted_q) ? taken_q : '0;
  // Neighbours: who was granted and has not sent all of its packet.
  logic [Radix-1:0] owner_q;
  logic             arrives_q;  // its flits arrive, from the cycle after the grant on
  assign receiving = arrives_q ? owner_q : '0;
  assign received  = end_i ? receiving : '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      taken_q   <= '0;
      granted_q <= 1'b0;
      sending_q <= 1'b0;
      owner_q   <= '0;
      arrives_q <= 1'b0;
      asking_q  <= '0;
    end else begin
      if (accept != '0)     taken_q <= accept;
      else if (start != '0) taken_q <= '0;
      granted_q <= grant_back != '0;
      sending_q <= (start != '0 || sending_q) && more_i;
      if (grant != '0)         owner_q <= grant;
      else if (received != '0) owner_q <= '0;
      arrives_q <= grant != '0 || (arrives_q && received == '0);
      asking_q  <= (asking_q & ~grant) | (ask_i & ~(owner_q & ~received) & ~grant);
    end
  end

  logic [Radix-1:0] one_watched, served;
  others_served #(.Radix(Radix)) u_others (
    .clk_i, .rst_ni(rst_n), .asking_i(asking_q), .grant_i(grant), .one_watched_o(one_watched), .served_o(served)
  );
  // The watched neighbour's wait: in the worst case all others are granted before it. From one grant to the next there are
  // PacketCycles, a cycle in which the reservation ends and one in which the receiver chooses; the first choice takes a cycle.
  localparam int MostWait = 1 + (Radix - 1) * (PacketCycles + 2);
  logic [7:0] since_grant_q, waited_q;
  logic       late, late_q;  // a packet took longer than PacketCycles while the watched neighbour asked
  assign late = owner_q != '0 && 32'(since_grant_q) > PacketCycles;
  always @(posedge clk_i) begin
    if (!rst_n || grant != '0)                        since_grant_q <= 8'd1;
    else if (32'(since_grant_q) <= PacketCycles)      since_grant_q <= since_grant_q + 8'd1;
    if (!rst_n || (asking_q & one_watched) == '0 || (grant & one_watched) != '0) begin
      waited_q <= '0;
      late_q   <= rst_n && late;
    end else begin
      waited_q <= waited_q + 8'd1;
      late_q   <= late_q || late;
    end
  end
  logic could_grant_q;  // the receiver was free, and somebody asked
  always @(posedge clk_i) could_grant_q <= rst_n && owner_q == '0 && grant == '0 && asking_q != '0;

  always @(posedge clk_i) begin
    assume (32'(grant_cycles) >= 2 && 32'(grant_cycles) <= GrantCycles);
    if (rst_n) begin
      a_one_packet_leaves_at_a_time : assert ($onehot0(start) && !(sending_q && start != '0));
      a_one_packet_is_taken_at_a_time : assert ($onehot0(accept) && (accept & ~want_i) == '0 &&
                                                !(accept != '0 && (taken_q != '0 || sending_q)));
      a_every_grant_starts_its_packet : assert (start == (granted_q ? taken_q : '0));
      a_it_asks_until_it_is_granted : assert (request == (granted_q ? '0 : taken_q | accept));
      a_one_neighbour_is_granted_at_a_time : assert ($onehot0(grant) && !(grant != '0 && owner_q != '0));
      a_only_who_asks_is_granted : assert ((grant & ~asking_q) == '0);
      a_a_free_receiver_grants_at_once : assert (!could_grant_q || grant != '0);
      a_the_others_are_served_once_before : assert ((grant & served) == '0);
      a_every_request_is_served_in_time : assert (late || late_q || (asking_q & one_watched) == '0 || 32'(waited_q) <= MostWait);
      a_no_violation_under_grants : assert (!violation);
      a_idle_means_nothing_is_pending : assert (idle == (taken_q == '0 && owner_q == '0 && grant == '0));
      c_last_in_turn  : cover (served == ~one_watched && grant == one_watched && received == '0);
      c_waits_longest : cover (grant == one_watched && 32'(waited_q) == MostWait && !late && !late_q);
      c_starts        : cover (start != '0 && grant != '0);
    end
  end
endmodule
