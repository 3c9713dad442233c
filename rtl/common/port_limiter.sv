// port_limiter - the port model of a node: which of the outputs that want to send may do so, and who may send here.
//
// All-port: every output may send whenever it wants to. One-port and one-port-send: one packet at a time leaves; of
// several outputs that want to send, the lowest may.
// One-port also admits one packet at a time:
//   grant_cycles_i = 0  nobody asks; two packets arriving at once are counted as a violation (for conflict-free schedules)
//   grant_cycles_i > 0  a sender asks the receiver, which grants one of those that ask, in rotation. Request and grant
//                       cross the link and are registered at both ends: 2 * link latency + 2 cycles.
// A packet that asks has left the order of its queue, so that no other can overtake it, and asks until it is granted.
// If slots are longer than a cycle it asks at the start of each slot only. accept_o, start_o, request_o and grant_o are
// functions of registers: want_i, sending_i and slot_open_i, on which they depend, are functions of the node's registers.
module port_limiter #(
  parameter int Radix       = 4,
  parameter int GrantCycles = 0   // one-port: most cycles from request to start; 0: no grants
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // registers of the node that change in reset only
  input  logic [1:0]       port_model_i,   // safnet_pkg::AllPort, OnePort or OnePortSend
  input  logic [15:0]      grant_cycles_i, // cycles from request to start, up to GrantCycles; 0: nobody asks
  input  logic             free_running_i, // a slot opens in every cycle
  input  logic             slot_open_i,   // packets may be chosen in this cycle
  // this node as a sender
  input  logic [Radix-1:0] want_i,        // outputs with a packet and a credit
  input  logic             sending_i,     // one-port: a packet is still leaving
  output logic [Radix-1:0] accept_o,      // the packet for this output is taken from its queue
  output logic [Radix-1:0] start_o,       // its first flit leaves; without grants at once
  output logic [Radix-1:0] request_o,
  input  logic [Radix-1:0] grant_i,
  // this node as a receiver
  input  logic [Radix-1:0] receiving_i,   // a flit is arriving
  input  logic [Radix-1:0] received_i,    // the last flit of a packet is arriving
  input  logic [Radix-1:0] request_i,
  output logic [Radix-1:0] grant_o,
  output logic             violation_o,   // two packets are arriving at a one-port node
  output logic [Radix-1:0] waiting_o,     // registered: for this output a packet has asked and has no grant yet
  output logic             idle_o         // registered: no request and no grant is pending
);
  logic [Radix-1:0] lowest;   // one-hot: the lowest port that wants to send
  assign lowest = want_i & (~want_i + Radix'(1));

  logic all_port, asks, two_arrive;
  assign all_port   = port_model_i == 2'(safnet_pkg::AllPort);
  assign asks       = GrantCycles != 0 && grant_cycles_i != '0;
  assign two_arrive = (receiving_i & (receiving_i - Radix'(1))) != '0;

  if (GrantCycles == 0) begin : g_no_grants
    logic unused;
    assign accept_o    = !slot_open_i ? '0 : all_port ? want_i : sending_i ? '0 : lowest;
    assign start_o     = accept_o;
    assign request_o   = '0;
    assign grant_o     = '0;
    assign waiting_o   = '0;
    assign idle_o      = 1'b1;
    assign violation_o = port_model_i == 2'(safnet_pkg::OnePort) && two_arrive;
    assign unused      = &{1'b0, clk_i, rst_ni, asks, free_running_i, grant_i, request_i, received_i};
  end else begin : g_grants
    localparam int AskWidth  = safnet_pkg::index_width(GrantCycles);
    localparam int PortWidth = safnet_pkg::index_width(Radix);

    // sender
    logic [Radix-1:0]    committed_q;  // one-hot: the port of the packet that waits for a grant
    logic                asking_q, granted_q, ask;
    logic [AskWidth-1:0] ask_left_q;   // lockstep: cycles for which the request stays up

    assign accept_o  = !slot_open_i ? '0 : all_port ? want_i : (sending_i || committed_q != '0) ? '0 : lowest;
    assign ask       = asks && slot_open_i && !granted_q && (committed_q != '0 || accept_o != '0) && !asking_q;
    assign request_o = (asking_q || ask) ? committed_q | accept_o : '0;
    assign start_o   = !asks ? accept_o : granted_q ? committed_q : '0;
    assign waiting_o = granted_q ? '0 : committed_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        committed_q <= '0;
        asking_q    <= 1'b0;
        granted_q   <= 1'b0;
        ask_left_q  <= '0;
      end else if (asks) begin
        if (granted_q)                committed_q <= '0;
        else if (accept_o != '0)      committed_q <= accept_o;
        granted_q <= |(grant_i & (committed_q | accept_o));
        if (granted_q || |grant_i)    asking_q <= 1'b0;
        else if (ask)                 asking_q <= 1'b1;
        else if (!free_running_i && ask_left_q == '0) asking_q <= 1'b0;
        if (ask)                      ask_left_q <= AskWidth'(grant_cycles_i - 16'd2);
        else if (ask_left_q != '0)    ask_left_q <= ask_left_q - AskWidth'(1);
      end
    end

    // receiver
    logic [Radix-1:0]     grant_q, reserved_q, choice;
    logic [PortWidth-1:0] next_q;      // the port that is granted first if several ask
    logic [2*Radix-1:0]   rotated, rotated_lowest;

    assign grant_o        = grant_q;
    assign idle_o         = committed_q == '0 && reserved_q == '0 && grant_q == '0;
    assign violation_o    = asks ? (receiving_i & ~reserved_q) != '0
                                 : port_model_i == 2'(safnet_pkg::OnePort) && two_arrive;
    assign rotated        = {request_i, request_i} & ~((2*Radix)'((65'd1 << next_q) - 65'd1));
    assign rotated_lowest = rotated & (~rotated + (2*Radix)'(1));
    assign choice         = rotated_lowest[Radix-1:0] | rotated_lowest[2*Radix-1:Radix];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        grant_q    <= '0;
        reserved_q <= '0;
        next_q     <= '0;
      end else if (asks) begin
        grant_q <= '0;
        if (reserved_q == '0 && choice != '0) begin
          grant_q    <= choice;
          reserved_q <= choice;
          for (int p = 0; p < Radix; p++) begin
            if (choice[p]) next_q <= (p == Radix - 1) ? '0 : PortWidth'(p + 1);
          end
        end else if ((received_i & reserved_q) != '0) begin
          reserved_q <= '0;
        end
      end
    end
    always @(posedge clk_i) begin : a_a_grant_is_awaited
      if (rst_ni && grant_i != '0) assert (grant_i == committed_q && !granted_q);
    end
    always @(posedge clk_i) begin : a_arrivals_are_granted
      if (rst_ni && asks) assert (!violation_o);
    end
  end

  always @(posedge clk_i) begin : a_one_packet_leaves
    if (rst_ni && !all_port) assert ((start_o & (start_o - Radix'(1))) == '0 && !(sending_i && start_o != '0));
  end
  always @(posedge clk_i) begin : a_only_one_port_has_grants
    if (rst_ni && grant_cycles_i != '0)
      assert (32'(grant_cycles_i) <= GrantCycles && grant_cycles_i != 16'd1 && port_model_i == 2'(safnet_pkg::OnePort));
  end

  initial begin : check_parameters
    if (GrantCycles == 1 || GrantCycles < 0) $fatal(1, "port_limiter: GrantCycles must be 0 or at least 2");
  end
endmodule
