// router_node_packets - a whole node that decides by labels: packets of an input and a label leave at most once through every link that the
// table names, and through no other, in the order in which they came, unaltered, and only when the neighbour has room; the host gets at once
// those that the table says. When a slot opens no packet waits that could leave. Until it has left the node is not idle.
//
// A node of two links and a host, whatever its table says. Neighbours and host send packets of any label and length, at any time, as long
// as there is room for them, and the flits of a packet one after the other, as the receive ports assert; with grants neighbours ask, and are
// asked, first. Two packets of one input, label and rank are watched, of which the first comes before the second. They are told apart by a
// mark in the header, which a node does not read; any two such packets may be these. Of all others nothing is said.
//
// With InTime it is also asked how long a packet takes that came over a link, if neighbours return credits at once: that is no promise of
// one state, and is looked at for as many cycles as there is time for. What a node is in every state is in router_node_state.svh.
module router_node_packets #(
  parameter int Kind       = 0,  // 0: fifo_node; 1: pifo_node
  parameter int PortModel  = 0,
  parameter int Flits      = 1,
  parameter int QueueDepth = 1,
  parameter int HostDepth  = 1,
  parameter int SlotCycles = 1,  // 1: the node runs freely; otherwise Flits at least, with grants Flits + 2
  parameter int Grants     = 0,  // 1: one-port with grants
  parameter int Rest       = 0,  // 1: one-port: of a pifo_node, labels have a second rank, and the order is a listed_order
  parameter int InTime     = 0,  // cycles after its arrival in which a packet from a link has left; 0: that is not asked
  localparam int Radix       = 2,
  localparam int Inputs      = Radix + 1,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int MarkAt      = 1,                // header: {data, length, tag, source, label}; tag and source are the mark
  localparam int LengthAt    = 3,
  localparam int FlitWidth   = LengthAt + LengthWidth + 1
) (
  input logic                        clk_i,
  input logic                        start_i,   // of network time, once the node runs
  input logic [Inputs-1:0]           comes_i,   // a flit of each input, if there may be one
  input logic [Inputs-1:0]           label_i,
  input logic [Inputs*LengthWidth-1:0] length_i,
  input logic [Inputs*FlitWidth-1:0] other_i,   // flits of packets that are not watched
  input logic                        rank_i,     // of the host's packet, if it is not watched
  input logic [1:0]                  mark_i,    // the packet that begins on the watched input is the first, or the second
  input logic [Radix-1:0]            return_i,  // a credit of each neighbour
  input logic                        grant_i,   // the neighbour that this node asks says yes
  input logic [Radix-1:0]            ask_i      // a neighbour begins to ask, if it may send a packet
);
  logic [1:0] since_reset = '0;  // 0: reset; 1, 2: the host writes the table; 3: the node runs
  logic       rst_n, runs;
  always @(posedge clk_i) if (since_reset != 2'd3) since_reset <= since_reset + 2'd1;
  assign rst_n = since_reset != '0;
  assign runs  = since_reset == 2'd3;

  // ---- network time: no slot opens before the start, then one every SlotCycles cycles
  logic       running_q, opens_next, slot_open;
  logic [2:0] phase_q;  // 0 in the cycle before a slot opens, from which it counts
  assign opens_next = runs && phase_q == '0 && (running_q || start_i);
  assign slot_open  = running_q && 32'(phase_q) == 1 % SlotCycles;
  always @(posedge clk_i) begin
    running_q <= runs && (running_q || start_i);
    phase_q   <= !runs || !(running_q || start_i) || 32'(phase_q) == SlotCycles - 1 ? '0 : phase_q + 3'd1;
  end

  (* anyconst *) logic [2*Radix-1:0]           mask;           // of each label
  (* anyconst *) logic [1:0]                   deliver;
  (* anyconst *) logic [1:0]                   rank;
  (* anyconst *) logic [1:0]                   rest, rest_rank;  // whether a label has a second rank, and which
  (* anyconst *) logic [1:0]                   second_first;   // one-port: of each label, the higher port is served first
  (* anyconst *) logic                         roomy;          // neighbours return each credit at once
  // The watched packets: the input through which they come, their label, their lengths, and what is in them.
  (* anyconst *) logic [1:0]                   watched_input;
  (* anyconst *) logic                         watched_label;
  (* anyconst *) logic [2*LengthWidth-1:0]     watched_flits;
  (* anyconst *) logic [2*Flits*FlitWidth-1:0] data;
  (* anyconst *) logic                         host_rank;      // if they are the host's; otherwise they have that of their label
  logic                         watched_rank;
  logic [Radix-1:0]             goes;    // the links through which they are to leave
  logic [2*Flits*FlitWidth-1:0] packet;  // the packets as they come and leave
  assign goes = watched_label ? mask[Radix +: Radix] : mask[0 +: Radix];
  assign watched_rank = Kind == 0 ? 1'b0 : 32'(watched_input) == Radix ? host_rank : rank[watched_label];
  for (genvar m = 0; m < 2; m++) begin : g_packet
    for (genvar f = 0; f < Flits; f++) begin : g_flit
      localparam int F = (m*Flits + f)*FlitWidth;
      assign packet[F +: FlitWidth] = f > 0 ? data[F +: FlitWidth] :
                                      {data[F + LengthAt + LengthWidth], watched_flits[m*LengthWidth +: LengthWidth],
                                       m == 0 ? 2'b01 : 2'b10, watched_label};
    end
  end

  // ---- what comes in
  logic [Inputs-1:0]             valid, ready, begins, ends, in_packet_q;
  logic [Inputs*FlitWidth-1:0]   flit;
  logic [Inputs*LengthWidth-1:0] left_q, left;  // flits of the packet after this one
  logic [Inputs*2-1:0]           room_q, room;
  logic [Inputs*2-1:0]           marked_q, marked;  // the packet that an input is in
  logic [Inputs*LengthWidth-1:0] at_q;
  logic [Radix-1:0]              credit;
  // With grants: neighbours that ask; that were granted, and have not sent all of their packet.
  logic [Radix-1:0]              asks_q, may_send_q;
  logic [Radix-1:0]              request, grant;
  logic [Inputs-1:0]             may_come, must_come;  // a packet may begin, or has to
  logic [1:0]                    came_q;            // the watched packets have come as a whole
  logic [1:0]                    began_q;           // their first flits have come
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    logic [LengthWidth-1:0] length;
    logic [1:0]             mark;
    logic                   watched;
    assign mark   = (32'(watched_input) == i && label_i[i] == watched_label && (i < Radix || goes != '0)) ?
                    (began_q == '0 ? mark_i & 2'b01 : began_q == 2'b01 && came_q[0] ? mark_i & 2'b10 : 2'b00) : 2'b00;
    assign marked[2*i +: 2] = in_packet_q[i] ? marked_q[2*i +: 2] : mark;
    assign watched = marked[2*i +: 2] != '0;
    assign length  = !watched ? length_i[i*LengthWidth +: LengthWidth] : watched_flits[(marked[2*i] ? 0 : 1)*LengthWidth +: LengthWidth];
    // Flits of a packet come one after the other.
    assign room[2*i +: 2] = room_q[2*i +: 2] + 2'(i < Radix && credit[i < Radix ? i : 0]) - 2'(i < Radix && begins[i]);
    assign valid[i]  = runs && (in_packet_q[i] || ((comes_i[i] || must_come[i]) && may_come[i]));
    assign may_come[i] = i == Radix || (room_q[2*i +: 2] != '0 && (Grants == 0 || may_send_q[i < Radix ? i : 0]));
    assign begins[i] = valid[i] && ready[i] && !in_packet_q[i];
    assign left[i*LengthWidth +: LengthWidth] = in_packet_q[i] ? left_q[i*LengthWidth +: LengthWidth] : length - LengthWidth'(1);
    assign ends[i]   = valid[i] && ready[i] && left[i*LengthWidth +: LengthWidth] == '0;
    always_comb begin
      flit[i*FlitWidth +: FlitWidth] = other_i[i*FlitWidth +: FlitWidth];
      if (!in_packet_q[i]) begin
        flit[i*FlitWidth]                          = label_i[i];
        flit[i*FlitWidth + MarkAt +: 2]            = mark;
        flit[i*FlitWidth + LengthAt +: LengthWidth] = length;
      end
      for (int f = 0; f < Flits; f++) begin
        if (watched && 32'(in_packet_q[i] ? at_q[i*LengthWidth +: LengthWidth] : '0) == f)
          flit[i*FlitWidth +: FlitWidth] = packet[((marked[2*i] ? 0 : 1)*Flits + f)*FlitWidth +: FlitWidth];
      end
    end
    always @(posedge clk_i) begin
      if (!runs) begin
        in_packet_q[i] <= 1'b0;
        room_q[2*i +: 2] <= 2'(QueueDepth);
      end else begin
        if (valid[i] && ready[i]) begin
          in_packet_q[i] <= !ends[i];
          left_q[i*LengthWidth +: LengthWidth] <= left[i*LengthWidth +: LengthWidth] - LengthWidth'(1);
          at_q[i*LengthWidth +: LengthWidth]   <= (in_packet_q[i] ? at_q[i*LengthWidth +: LengthWidth] : '0) + LengthWidth'(1);
          marked_q[2*i +: 2] <= marked[2*i +: 2];
        end
        room_q[2*i +: 2] <= room[2*i +: 2];
      end
      assume (32'(length) >= 1 && 32'(length) <= Flits);
    end
  end
  assign ready[Radix-1:0] = '1;
  // With slots neighbours ask in the first two cycles of one, and a neighbour that was granted sends at once.
  assign must_come = SlotCycles == 1 ? '0 : Inputs'(may_send_q);
  for (genvar p = 0; p < Radix; p++) begin : g_asks
    always @(posedge clk_i) begin
      if (!runs) {asks_q[p], may_send_q[p]} <= '0;
      else begin
        asks_q[p]     <= !grant[p] && ((asks_q[p] && (SlotCycles == 1 || slot_open)) ||
                                       (Grants != 0 && opens_next && ask_i[p] && (!may_send_q[p] || ends[p]) && room[2*p +: 2] != '0));
        may_send_q[p] <= grant[p] || (may_send_q[p] && !ends[p]);
      end
    end
  end
  always @(posedge clk_i) begin
    if (!runs) {began_q, came_q} <= '0;
    else begin
      for (int i = 0; i < Inputs; i++) begin
        if (32'(watched_input) == i && begins[i]) began_q <= began_q | marked[2*i +: 2];
        if (32'(watched_input) == i && ends[i])   came_q  <= came_q | marked[2*i +: 2];
      end
    end
    assume (32'(watched_input) < Inputs);
    assume (InTime == 0 || (start_i && {rank, host_rank, rank_i, rest} == '0));
    for (int m = 0; m < 2; m++)
      assume (watched_flits[m*LengthWidth +: LengthWidth] != '0 && 32'(watched_flits[m*LengthWidth +: LengthWidth]) <= Flits);
    assume (mask[0 +: Radix] != '0 || deliver[0]);
    assume (mask[Radix +: Radix] != '0 || deliver[1]);
  end

  // ---- the node
  logic [Radix-1:0]           asked_q, granted_q, grant_back;  // neighbours that were asked and have said nothing, that have just said yes
  assign grant_back = grant_i && (SlotCycles == 1 || 32'(phase_q) == 2) ? asked_q : '0;  // with slots at once or not at all
  always @(posedge clk_i) begin
    asked_q   <= !runs ? '0 : request & ~grant_back;
    granted_q <= !runs ? '0 : grant_back;
  end
  logic [Radix-1:0]           tx_valid, deliver_valid, deliver_last, return_credit, wait_credit, wait_grant;
  logic [Radix*FlitWidth-1:0] tx_flit, deliver_flit;
  logic                       table_valid, idle;
  assign table_valid = since_reset == 2'd1 || since_reset == 2'd2;
  if (Kind == 0) begin : g_node
    fifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(2),
      .PortModel(PortModel), .GrantCycles(2*Grants), .SlotCycles(SlotCycles), .NodeIdWidth(1), .TagWidth(1)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i('0), .slot_open_next_i(opens_next), .tx_valid_o(tx_valid), .tx_flit_o(tx_flit),
      .tx_credit_o(credit), .tx_request_o(request), .tx_grant_o(grant), .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]),
      .rx_credit_i(return_credit), .rx_request_i(asks_q), .rx_grant_i(grant_back), .fault_drop_i('0), .fault_corrupt_i('0),
      .table_valid_i(table_valid), .table_label_i(since_reset[1]), .table_mask_i(since_reset[1] ? mask[Radix +: Radix] : mask[0 +: Radix]),
      .table_deliver_i(deliver[since_reset[1]]), .inject_valid_i(valid[Radix]), .inject_ready_o(ready[Radix]),
      .inject_flit_i(flit[Radix*FlitWidth +: FlitWidth]), .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last),
      .deliver_flit_o(deliver_flit), .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(),
      .delay_sum_o(), .occupancy_o(), .peak_occupancy_o(), .peak_transit_o(), .violations_o(), .first_violation_cycle_o(),
      .wait_credit_o(wait_credit), .wait_grant_o(wait_grant), .idle_o(idle)
    );
  end else begin : g_node
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(2), .RankLevels(2),
      .PortModel(PortModel == safnet_pkg::AllPort ? safnet_pkg::AllPort : safnet_pkg::OnePort), .GrantCycles(2*Grants), .RestRanks(Rest),
      .NodeIdWidth(1), .TagWidth(1)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i('0), .slot_open_next_i(opens_next), .tx_valid_o(tx_valid), .tx_flit_o(tx_flit),
      .tx_credit_o(credit), .tx_request_o(request), .tx_grant_o(grant), .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]),
      .rx_credit_i(return_credit), .rx_request_i(asks_q), .rx_grant_i(grant_back), .fault_drop_i('0), .fault_corrupt_i('0),
      .table_valid_i(table_valid), .table_label_i(since_reset[1]), .table_mask_i(since_reset[1] ? mask[Radix +: Radix] : mask[0 +: Radix]),
      .table_deliver_i(deliver[since_reset[1]]), .table_rank_i(rank[since_reset[1]]),
      .table_order_i({!second_first[since_reset[1]], second_first[since_reset[1]]}), .table_rest_i(rest[since_reset[1]]),
      .table_rest_rank_i(rest_rank[since_reset[1]]),
      .branch_first_i('1), .inject_rank_i(marked[2*Radix +: 2] != '0 ? host_rank : rank_i), .inject_valid_i(valid[Radix]),
      .inject_ready_o(ready[Radix]),
      .inject_flit_i(flit[Radix*FlitWidth +: FlitWidth]), .slot_cycles_i(32'(SlotCycles)), .link_latency_i('0), .port_model_i(2'(PortModel)),
      .grant_cycles_i(16'(2*Grants)), .queue_depth_i(16'(QueueDepth)), .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last),
      .deliver_flit_o(deliver_flit), .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(),
      .delay_sum_o(), .occupancy_o(), .peak_occupancy_o(), .peak_transit_o(), .peak_stored_o(), .peak_waiting_o(), .violations_o(),
      .first_violation_cycle_o(), .wait_credit_o(wait_credit), .wait_grant_o(wait_grant), .idle_o(idle)
    );
  end

  // ---- what goes out: over the links, then to the host, a stream for each link from which it came
  localparam int Streams = 2 * Radix;
  logic [Streams-1:0]             out_valid, out_begins, out_ends, expected, in_out_q, misplaced, altered, twice, overtakes, misframed;
  logic [Streams*FlitWidth-1:0]   out_flit;
  logic [Streams*LengthWidth-1:0] out_left_q, out_at_q;
  logic [Streams*2-1:0]           out_marked_q, left_began_q, gone_q;
  assign out_valid = {deliver_valid, tx_valid};
  assign out_flit  = {deliver_flit, tx_flit};
  for (genvar s = 0; s < Streams; s++) begin : g_stream
    logic [FlitWidth-1:0]   sent;
    logic [LengthWidth-1:0] at, left_after;
    logic [1:0]             mark;
    assign expected[s]   = s < Radix ? goes[s < Radix ? s : 0] : deliver[watched_label] && 32'(watched_input) == s - Radix;
    assign out_begins[s] = out_valid[s] && !in_out_q[s];
    assign at            = in_out_q[s] ? out_at_q[s*LengthWidth +: LengthWidth] : '0;
    assign mark          = in_out_q[s] ? out_marked_q[2*s +: 2] : out_flit[s*FlitWidth + MarkAt +: 2];
    assign left_after    = (in_out_q[s] ? out_left_q[s*LengthWidth +: LengthWidth] : out_flit[s*FlitWidth + LengthAt +: LengthWidth]) -
                           LengthWidth'(1);
    assign out_ends[s]   = out_valid[s] && left_after == '0;
    always_comb begin
      sent = '0;
      for (int f = 0; f < Flits; f++) if (32'(at) == f) sent = packet[((mark[0] ? 0 : 1)*Flits + f)*FlitWidth +: FlitWidth];
    end
    // A packet leaves over a link when it has come as a whole; the host gets its flits as they come.
    assign misplaced[s] = out_begins[s] && (mark & ~(expected[s] ? (s < Radix ? came_q : began_q) : 2'b00)) != '0;
    assign altered[s]   = out_valid[s] && mark != '0 && (out_flit[s*FlitWidth +: FlitWidth] != sent || mark == 2'b11);
    assign twice[s]     = out_begins[s] && (mark & left_began_q[2*s +: 2]) != '0;
    assign overtakes[s] = out_begins[s] && mark[1] && !left_began_q[2*s];
    assign misframed[s] = (in_out_q[s] && !out_valid[s] && s < Radix) || (s >= Radix && out_valid[s] &&
                          deliver_last[s < Radix ? 0 : s - Radix] != out_ends[s]);
    always @(posedge clk_i) begin
      if (!runs) begin
        in_out_q[s]            <= 1'b0;
        left_began_q[2*s +: 2] <= '0;
        gone_q[2*s +: 2]       <= '0;
      end else if (out_valid[s]) begin
        in_out_q[s] <= !out_ends[s];
        out_left_q[s*LengthWidth +: LengthWidth] <= left_after;
        out_at_q[s*LengthWidth +: LengthWidth]   <= at + LengthWidth'(1);
        out_marked_q[2*s +: 2] <= mark;
        left_began_q[2*s +: 2] <= left_began_q[2*s +: 2] | mark;
        if (out_ends[s]) gone_q[2*s +: 2] <= gone_q[2*s +: 2] | mark;
      end
    end
  end

  // ---- the neighbours' room
  logic [Radix*2-1:0] owed_q;
  logic [Radix-1:0]   without_room, full;
  for (genvar p = 0; p < Radix; p++) begin : g_room
    assign return_credit[p] = owed_q[2*p +: 2] != '0 && (roomy || return_i[p]);
    assign without_room[p]  = out_begins[p] && full[p];
    assign full[p]          = 32'(owed_q[2*p +: 2]) >= QueueDepth;
    always @(posedge clk_i) owed_q[2*p +: 2] <= !runs ? '0 : owed_q[2*p +: 2] + 2'(out_begins[p]) - 2'(return_credit[p]);
  end

  // ---- a packet that waits for a link, on which nothing leaves though a slot opens: it, or one before it, waits for room, and the node says
  // so. A node that sends one packet at a time sends them in order, and waits if the first is for a neighbour without room.
  logic [Radix-1:0] waits, stays, unsaid, out_of_turn;
  for (genvar p = 0; p < Radix; p++) begin : g_waits
    assign waits[p]  = goes[p] && (came_q & ~left_began_q[2*p +: 2]) != '0;
    assign stays[p]  = slot_open && waits[p] && (PortModel == safnet_pkg::AllPort ? !full[p] && !tx_valid[p] :
                                                 {wait_credit, tx_valid, request} == '0);
    assign unsaid[p] = (wait_credit[p] && !full[p]) || (PortModel == safnet_pkg::AllPort && waits[p] && full[p] && !wait_credit[p]);
  end
  // One-port: a packet leaves through one output after the other, the lower first unless its label's order says otherwise.
  logic higher_first;
  assign higher_first = Kind == 1 && second_first[watched_label];
  for (genvar p = 0; p < Radix; p++) begin : g_turn
    assign out_of_turn[p] = PortModel != safnet_pkg::AllPort && goes == '1 && 32'(higher_first) != p &&
                            (left_began_q[2*p +: 2] & ~left_began_q[2*(1-p) +: 2]) != '0;
  end
  // With grants: in the cycle before, neighbours asked and none was sending.
  logic could_grant_q;
  always @(posedge clk_i) could_grant_q <= runs && asks_q != '0 && {may_send_q, grant} == '0 && (SlotCycles == 1 || slot_open);
  // The host gets each flit in the cycle after it has come.
  logic [Radix-1:0] late_for_host;
  for (genvar p = 0; p < Radix; p++) begin : g_for_host
    localparam int S = Radix + p;
    assign late_for_host[p] = (left_began_q[2*S +: 2] | (out_begins[S] ? g_stream[S].mark : 2'b00)) != (expected[S] ? began_q : 2'b00) ||
                              (gone_q[2*S +: 2] | (out_ends[S] ? g_stream[S].mark : 2'b00)) != (expected[S] ? came_q : 2'b00);
  end
  logic something_is_owed;  // to neighbours, or by them
  assign something_is_owed = {in_packet_q, may_send_q, grant, request, tx_valid, credit, deliver_valid} != '0 ||
                             room_q[2*Radix-1:0] != {Radix{2'(QueueDepth)}};

  logic [7:0]         age_q;  // of the first packet, since it has come
  logic [Streams-1:0] first_gone;
  for (genvar s = 0; s < Streams; s++) begin : g_gone
    assign first_gone[s] = gone_q[2*s];
  end
  always @(posedge clk_i) age_q <= !came_q[0] ? '0 : age_q == '1 ? age_q : age_q + 8'd1;

`include "router_node_state.svh"
  always @(posedge clk_i) begin
    if (runs) begin
      a_packets_leave_where_the_table_says : assert (misplaced == '0);
      a_packets_are_unaltered              : assert (altered == '0);
      a_packets_leave_once                 : assert (twice == '0);
      a_packets_leave_in_order             : assert (overtakes == '0);
      a_flits_follow_one_another           : assert (misframed == '0);
      a_neighbours_have_room               : assert (without_room == '0);
      a_packets_leave_in_time              : assert (InTime == 0 || !roomy || 32'(watched_input) == Radix || 32'(age_q) < InTime ||
                                                     first_gone == expected);
      a_a_packet_that_can_leave_does       : assert (stays == '0);
      a_a_node_says_what_it_waits_for      : assert (unsaid == '0 && (SlotCycles != 1 || wait_grant == (Grants == 0 ? '0 : asked_q)));
      a_outputs_are_served_in_turn         : assert (out_of_turn == '0);
      a_packets_begin_as_slots_open        : assert (Grants != 0 || slot_open || out_begins[Radix-1:0] == '0);
      a_the_host_gets_flits_at_once        : assert (late_for_host == '0);
      a_a_free_node_grants                 : assert (Grants == 0 || !could_grant_q || grant != '0);
      a_idle_nodes_and_neighbours_owe_nothing : assert (!idle || !something_is_owed);
      a_granted_packets_leave_at_once      : assert (Grants == 0 || out_begins[Radix-1:0] == granted_q);
      a_one_neighbour_may_send_at_a_time   : assert (Grants == 0 || ($onehot0(grant) && (grant & ~asks_q) == '0 &&
                                                                     !(grant != '0 && may_send_q != '0)));
      a_one_packet_leaves_at_a_time        : assert (PortModel == safnet_pkg::AllPort || !(&tx_valid));
      a_a_node_with_a_packet_is_not_idle   : assert (!idle || !came_q[0] || first_gone == expected);
      c_both_leave : cover (gone_q[0] && gone_q[1] && gone_q[2] && gone_q[3]);
      c_the_host_gets_both : cover (gone_q[2*Radix+1] && gone_q[0]);
      c_idle_again : cover (idle && gone_q[0] && gone_q[2]);
      c_from_the_host : cover (32'(watched_input) == Radix && gone_q[1] && !roomy);
    end
  end
endmodule
