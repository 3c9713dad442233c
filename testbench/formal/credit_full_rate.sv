// credit_full_rate - a sender that always has packets of Flits flits never waits for a credit, with as many as rtl/pifo/README.md
// promises full rate for: QueueDepth >= 1 + ceil((2 x LinkLatency + 2) / Flits) for nodes that run freely; 2 in lockstep, or 3 if a
// slot is a flit and the link. One less is not enough.
//
// The receiver is the packet_places of a node that passes every packet on as soon as it may: in the cycle after its last flit has
// come or, in lockstep, when the next slot opens. If nodes run freely, packets that are for the host alone are among them, whose
// credits may leave a cycle sooner.
module credit_full_rate #(
  parameter int Flits    = 1,
  parameter int Latency  = 2,  // of the links, at most
  parameter int Depth    = 3,
  parameter int Lockstep = 0,
  parameter int Extra    = 0   // Lockstep: cycles that a slot is longer than flits and link
) (
  input logic clk_i,
  input logic want_i,  // the sender has a packet
  input logic pass_i   // the packet that has come is for the host alone
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] depth, latency;
  logic [15:0] slot_cycles, phase_q;
  logic        opens;
  assign slot_cycles = Lockstep != 0 ? 16'(Flits + Extra) + latency : 16'd1;
  assign opens       = phase_q == '0;
  always @(posedge clk_i) phase_q <= (!rst_n || phase_q + 16'd1 == slot_cycles) ? '0 : phase_q + 16'd1;

  // ---- the sender, and both ways of the link
  localparam int Away   = Flits + 2 * Latency + (Lockstep != 0 ? Extra + 1 : 1);  // cycles that a credit can be away
  localparam int Window = Away > 2 * Flits ? Away : 2 * Flits;                    // two packets are looked at
  logic              available, line_is_free, send, arrives, credit, credit_back;
  logic [Window-1:0] sent_q;  // bit k: a packet began k + 1 cycles ago
  logic unused_forth, unused_back;
  assign line_is_free = ((sent_q << 1) & Window'((1 << Flits) - 1)) == '0;
  assign send         = want_i && available && line_is_free && opens;
  always @(posedge clk_i) sent_q <= rst_n ? Window'({sent_q, send}) : '0;
  credit_counter #(.Links(1), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .spend_i(send), .credit_i(credit_back), .available_o(available)
  );
  two_way_link #(.Latency(Latency)) u_links (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .send_i(send), .arrives_o(arrives), .credit_i(credit), .credit_o(credit_back),
    .forth_in_flight_o(unused_forth), .back_in_flight_o(unused_back)
  );

  // ---- the receiver
  localparam int SlotWidth = safnet_pkg::index_width(Depth);
  logic [Flits-1:0]     arrived_q;  // bit k: the first flit of a packet came k + 1 cycles ago
  logic [Flits:0]       came;       // bit k: k cycles ago
  logic [SlotWidth-1:0] write_slot, head_q;
  logic                 pass, last, commit, waits_q, room, left, owing;
  assign pass   = pass_i && Lockstep == 0;
  assign came   = {arrived_q, arrives};
  assign last   = came[Flits-1];
  assign commit = last && !pass;
  packet_places #(.Depth(Depth), .Ports(1), .Queues(1)) u_places (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .commit_i(commit), .commit_mask_i(1'b1), .pass_i(last && pass),
    .write_slot_o(write_slot), .room_o(room), .taken_i(waits_q && opens), .head_slot_i(head_q), .head_left_o(left),
    .release_i(1'b0), .release_slot_i('0), .credit_o(credit), .owing_o(owing)
  );
  always @(posedge clk_i) begin
    arrived_q <= rst_n ? came[Flits-1:0] : '0;
    waits_q   <= rst_n && (commit || (waits_q && !opens));
    if (commit) head_q <= write_slot;
  end

  // ---- credits that are away, by when their packets began: at most the loop of rtl/pifo/README.md ago; in lockstep those of this
  // slot, and those of the slot before until latency and two registers have brought them back
  (* hierconn *) wire [$clog2(Depth+1)-1:0] \u_dut.credits_q , \u_places.owed_q ;
  (* hierconn *) wire [Depth-1:0]           \u_places.held_q ;
  logic [15:0]          away, slots_phase, back;
  logic [Latency+1:0]   early_q;  // bit k: k + 1 cycles ago a packet for the host alone had its credit sent in the next cycle
  always @(posedge clk_i) early_q <= rst_n ? (Latency+2)'({early_q, last && pass && !waits_q && !owing}) : '0;
  assign slots_phase = opens ? slot_cycles : phase_q;  // the send of this cycle is not in sent_q yet
  assign back        = latency + 16'd2;
  always_comb begin
    away = '0;
    for (int k = 0; k < Latency + 2; k++) if (k == 32'(latency) + 1) away = away - 16'(early_q[k]);
    for (int k = 0; k < Window; k++) begin
      if (Lockstep == 0) begin
        if (k < Flits + 2 * 32'(latency) + 1) away = away + 16'(sent_q[k]);
      end else if (16'(k + 1) == slots_phase || (16'(k + 1) == slots_phase + slot_cycles && slots_phase < back)) begin
        away = away + 16'(sent_q[k]);
      end
    end
  end
  logic promised, nearly_promised;
  assign promised        = Lockstep != 0 ? 32'(depth) >= (Flits + Extra == 1 ? 3 : 2) : Flits * (32'(depth) - 1) >= 2 * 32'(latency) + 2;
  assign nearly_promised = !promised && (Lockstep != 0 ? 32'(depth) + 1 >= (Flits + Extra == 1 ? 3 : 2) :
                                                         Flits * 32'(depth) >= 2 * 32'(latency) + 2);

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    assume (Latency == 0 ? latency == '0 : (latency != '0 && 32'(latency) <= Latency));
    if (rst_n) begin
      a_no_packet_waits_for_a_credit : assert (!promised || !line_is_free || !opens || available);
      a_every_packet_finds_a_place : assert (!last || room);
      h_one_packet_lies_there : assert (\u_places.held_q == (waits_q ? Depth'(1) << head_q : '0));
      h_the_next_has_another_place : assert (room && 32'(write_slot) < Depth && (!waits_q || write_slot != head_q));
      h_one_credit_waits_at_most : assert (32'(\u_places.owed_q ) <= 1);
      h_credits_come_back_in_time : assert (16'(\u_dut.credits_q ) + away == depth);
      // One place less is not enough, and what is promised is used to the full.
      c_it_waits_with_a_place_less : cover (nearly_promised && want_i && line_is_free && opens && !available && 32'(latency) == Latency);
      c_at_full_rate : cover (promised && send && 32'(latency) == Latency && (Lockstep != 0 ? sent_q[slot_cycles - 1] :
                                                                              sent_q[Flits-1] && sent_q[2*Flits-1]));
    end
  end
endmodule
