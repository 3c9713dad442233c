// rtl_limiter_bench - port limiters: six alone, one per model, without grants and built for grants that nobody asks for;
// and four groups of three senders and a receiver, with grants. In a group sender s reaches input s of the receiver
// through its own port 0. Groups 0 and 1 have links of latency 0 and 1 and run freely, groups 2 and 3 the same in lockstep
// (packets of at most 3 flits).
module rtl_limiter_bench #(
  parameter int Radix  = 3,
  parameter int Groups = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // alone: all-port, one-port without grants, one-port-send; then the same built for grants
  input  logic                    slot_open_i,
  input  logic [Radix-1:0]        want_i,
  input  logic                    sending_i,
  input  logic [Radix-1:0]        receiving_i,
  output logic [6*Radix-1:0]      accept_o,
  output logic [6*Radix-1:0]      start_o,
  output logic [5:0]              violation_o,
  // groups
  output logic [Groups*8-1:0]     grant_cycles_o,
  output logic [Groups*8-1:0]     slot_cycles_o,
  input  logic [Groups-1:0]       group_slot_open_i,
  input  logic [Groups*Radix-1:0] sender_want_i,     // sender s has a packet
  input  logic [Groups*Radix-1:0] sender_sending_i,
  output logic [Groups*Radix-1:0] sender_accept_o,
  output logic [Groups*Radix-1:0] sender_start_o,
  output logic [Groups*Radix-1:0] sender_waiting_o,
  output logic [Groups*Radix-1:0] sender_idle_o,
  output logic [Groups*Radix-1:0] request_o,         // as it leaves the senders
  output logic [Groups*Radix-1:0] grant_o,           // as it leaves the receiver
  input  logic [Groups*Radix-1:0] receiver_receiving_i,
  input  logic [Groups*Radix-1:0] receiver_received_i,
  output logic [Groups-1:0]       receiver_idle_o,
  output logic [Groups-1:0]       receiver_violation_o
);
  logic [6*Radix-1:0] unused_alone_waiting, unused_alone_request, unused_alone_grant;
  logic [5:0] unused_alone_idle;
  for (genvar m = 0; m < 6; m++) begin : g_alone
    port_limiter #(.Radix(Radix), .GrantCycles((m < 3) ? 0 : 2)) u_limiter (
      .clk_i, .rst_ni, .slot_open_i, .want_i, .sending_i,
      .port_model_i (2'(m % 3)), .grant_cycles_i (16'd0), .free_running_i (1'b0),
      .accept_o    (accept_o[m*Radix +: Radix]),
      .start_o     (start_o[m*Radix +: Radix]),
      .request_o   (unused_alone_request[m*Radix +: Radix]),
      .grant_i     ('0),
      .receiving_i,
      .received_i  (receiving_i),
      .request_i   ('0),
      .grant_o     (unused_alone_grant[m*Radix +: Radix]),
      .violation_o (violation_o[m]),
      .waiting_o   (unused_alone_waiting[m*Radix +: Radix]),
      .idle_o      (unused_alone_idle[m])
    );
  end

  for (genvar g = 0; g < Groups; g++) begin : g_group
    localparam int Latency     = g % 2;
    localparam int GrantCycles = 2 * Latency + 2;
    // Built for latency 1, or as it is used: groups 0 and 3.
    localparam int MostGrantCycles = (g == 0) ? GrantCycles : 4;
    localparam int SlotCycles  = (g < 2) ? 1 : 3 + Latency + GrantCycles;
    assign grant_cycles_o[g*8 +: 8] = 8'(GrantCycles);
    assign slot_cycles_o[g*8 +: 8]  = 8'(SlotCycles);

    logic [Radix-1:0] arriving_request, granted;
    logic [Radix-1:0] unused_receiver_accept, unused_receiver_start, unused_receiver_request, unused_receiver_waiting;

    for (genvar s = 0; s < Radix; s++) begin : g_sender
      logic [Radix-1:0] accept, start, request, waiting, unused_grant;
      logic             arriving_grant, unused_violation;
      logic [3:0]       unused_to_receiver, unused_to_sender;
      logic [3:0]       unused_flits;
      port_limiter #(.Radix(Radix), .GrantCycles(MostGrantCycles)) u_limiter (
        .clk_i, .rst_ni,
        .port_model_i   (2'(safnet_pkg::OnePort)),
        .grant_cycles_i (16'(GrantCycles)),
        .free_running_i (SlotCycles == 1),
        .slot_open_i (group_slot_open_i[g]),
        .want_i      (Radix'(sender_want_i[g*Radix + s])),
        .sending_i   (sender_sending_i[g*Radix + s]),
        .accept_o    (accept),
        .start_o     (start),
        .request_o   (request),
        .grant_i     (Radix'(arriving_grant)),
        .receiving_i ('0),
        .received_i  ('0),
        .request_i   ('0),
        .grant_o     (unused_grant),
        .violation_o (unused_violation),
        .waiting_o   (waiting),
        .idle_o      (sender_idle_o[g*Radix + s])
      );
      assign sender_accept_o[g*Radix + s]  = accept[0];
      assign sender_start_o[g*Radix + s]   = start[0];
      assign sender_waiting_o[g*Radix + s] = waiting[0];
      assign request_o[g*Radix + s]        = request[0];
      link #(.FlitWidth(2), .Latency(Latency)) u_to_receiver (
        .clk_i, .rst_ni, .latency_i (16'(Latency)),
        .flit_valid_i (1'b0), .flit_i ('0), .credit_i (1'b0), .request_i (request[0]), .grant_i (1'b0),
        .flit_valid_o (unused_to_receiver[0]), .flit_o (unused_flits[1:0]), .credit_o (unused_to_receiver[1]),
        .request_o    (arriving_request[s]), .grant_o (unused_to_receiver[2]),
        .fault_drop_i (1'b0), .fault_corrupt_i (1'b0), .in_flight_o (unused_to_receiver[3])
      );
      link #(.FlitWidth(2), .Latency(Latency)) u_to_sender (
        .clk_i, .rst_ni, .latency_i (16'(Latency)),
        .flit_valid_i (1'b0), .flit_i ('0), .credit_i (1'b0), .request_i (1'b0), .grant_i (granted[s]),
        .flit_valid_o (unused_to_sender[0]), .flit_o (unused_flits[3:2]), .credit_o (unused_to_sender[1]),
        .request_o    (unused_to_sender[2]), .grant_o (arriving_grant),
        .fault_drop_i (1'b0), .fault_corrupt_i (1'b0), .in_flight_o (unused_to_sender[3])
      );
      logic unused;
      assign unused = &{1'b0, accept, start, request, waiting, unused_to_receiver, unused_to_sender, unused_flits,
                        unused_grant, unused_violation};
    end

    port_limiter #(.Radix(Radix), .GrantCycles(MostGrantCycles)) u_receiver (
      .clk_i, .rst_ni,
      .port_model_i   (2'(safnet_pkg::OnePort)),
      .grant_cycles_i (16'(GrantCycles)),
      .free_running_i (SlotCycles == 1),
      .slot_open_i (group_slot_open_i[g]),
      .want_i      ('0),
      .sending_i   (1'b0),
      .accept_o    (unused_receiver_accept),
      .start_o     (unused_receiver_start),
      .request_o   (unused_receiver_request),
      .grant_i     ('0),
      .receiving_i (receiver_receiving_i[g*Radix +: Radix]),
      .received_i  (receiver_received_i[g*Radix +: Radix]),
      .request_i   (arriving_request),
      .grant_o     (granted),
      .violation_o (receiver_violation_o[g]),
      .waiting_o   (unused_receiver_waiting),
      .idle_o      (receiver_idle_o[g])
    );
    assign grant_o[g*Radix +: Radix] = granted;
    logic unused;
    assign unused = &{1'b0, unused_receiver_accept, unused_receiver_start, unused_receiver_request,
                      unused_receiver_waiting};
  end
endmodule
