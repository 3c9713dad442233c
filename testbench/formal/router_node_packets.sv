// router_node_packets - a whole node that decides by labels: packets of an input and a label leave at most once through every link that the
// table names, and through no other, in the order in which they came, unaltered, and only when the neighbour has room; those that the
// table says go to the host as well. A packet that came over a link has left everywhere within InTime cycles if neighbours return
// credits at once; until then the node is not idle.
//
// A node of two links and a host, whatever its table says. Neighbours and host send packets of any label and length, at any time, as long
// as there is room for them, and the flits of a packet one after the other, as the receive ports assert. Two packets of one input and one
// label are watched, of which the first comes before the second. They are told apart by a mark in the header, which a node does not read;
// any two packets may be these. Of all others nothing is said.
module router_node_packets #(
  parameter int Kind       = 0,  // 0: fifo_node; 1: pifo_node, all ranks equal
  parameter int PortModel  = 0,
  parameter int Flits      = 1,
  parameter int QueueDepth = 1,
  parameter int HostDepth  = 1,
  parameter int InTime     = 16, // cycles after its arrival in which a packet from a link has left
  localparam int Radix       = 2,
  localparam int Inputs      = Radix + 1,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int MarkAt      = 1,                // header: {data, length, tag, source, label}; tag and source are the mark
  localparam int LengthAt    = 3,
  localparam int FlitWidth   = LengthAt + LengthWidth + 1
) (
  input logic                        clk_i,
  input logic [Inputs-1:0]           comes_i,   // a flit of each input, if there may be one
  input logic [Inputs-1:0]           label_i,
  input logic [Inputs*LengthWidth-1:0] length_i,
  input logic [Inputs*FlitWidth-1:0] other_i,   // flits of packets that are not watched
  input logic [1:0]                  mark_i,    // the packet that begins on the watched input is the first, or the second
  input logic [Radix-1:0]            return_i   // a credit of each neighbour
);
  logic [1:0] since_reset = '0;  // 0: reset; 1, 2: the host writes the table; 3: the node runs
  logic       rst_n, runs;
  always @(posedge clk_i) if (since_reset != 2'd3) since_reset <= since_reset + 2'd1;
  assign rst_n = since_reset != '0;
  assign runs  = since_reset == 2'd3;

  (* anyconst *) logic [2*Radix-1:0] mask;       // of each label
  (* anyconst *) logic [1:0]         deliver;
  (* anyconst *) logic [1:0]         watched_input;       // the watched input
  (* anyconst *) logic               watched_label;       // and label
  (* anyconst *) logic [LengthWidth-1:0] watched_flits;  // of the watched packets, and what is in them
  (* anyconst *) logic [2*Flits*FlitWidth-1:0] data;
  (* anyconst *) logic               roomy;      // neighbours return each credit at once
  logic [Radix-1:0] goes;
  assign goes = watched_label ? mask[Radix +: Radix] : mask[0 +: Radix];

  // ---- what comes in
  logic [Inputs-1:0]             valid, ready, begins, ends, in_packet_q;
  logic [Inputs*FlitWidth-1:0]   flit;
  logic [Inputs*LengthWidth-1:0] left_q, left;  // flits of the packet after this one
  logic [Inputs*2-1:0]           room_q;
  logic [Inputs*2-1:0]           marked_q, marked;  // the packet that an input is in
  logic [Inputs*LengthWidth-1:0] at_q;
  logic [Radix-1:0]              credit;
  logic [1:0]                    came_q;            // the watched packets have come as a whole
  logic [1:0]                    began_q;
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    logic [LengthWidth-1:0] length;
    logic [1:0]             mark;
    logic                   watched;
    assign mark   = (32'(watched_input) == i && label_i[i] == watched_label && (i < Radix || goes != '0)) ?
                    (began_q == '0 ? mark_i & 2'b01 : began_q == 2'b01 && came_q[0] ? mark_i & 2'b10 : 2'b00) : 2'b00;
    assign marked[2*i +: 2] = in_packet_q[i] ? marked_q[2*i +: 2] : mark;
    assign watched = marked[2*i +: 2] != '0;
    assign length  = watched ? watched_flits : length_i[i*LengthWidth +: LengthWidth];
    // Flits of a packet come one after the other.
    assign valid[i]  = runs && (in_packet_q[i] || (comes_i[i] && (i == Radix || room_q[2*i +: 2] != '0)));
    assign begins[i] = valid[i] && ready[i] && !in_packet_q[i];
    assign left[i*LengthWidth +: LengthWidth] = in_packet_q[i] ? left_q[i*LengthWidth +: LengthWidth] : length - LengthWidth'(1);
    assign ends[i]   = valid[i] && ready[i] && left[i*LengthWidth +: LengthWidth] == '0;
    always_comb begin
      flit[i*FlitWidth +: FlitWidth] = other_i[i*FlitWidth +: FlitWidth];
      for (int f = 0; f < Flits; f++) begin
        if (watched && 32'(in_packet_q[i] ? at_q[i*LengthWidth +: LengthWidth] : '0) == f)
          flit[i*FlitWidth +: FlitWidth] = data[((marked[2*i] ? 0 : 1) * Flits + f)*FlitWidth +: FlitWidth];
      end
      if (!in_packet_q[i]) begin
        flit[i*FlitWidth]                          = label_i[i];
        flit[i*FlitWidth + MarkAt +: 2]            = mark;
        flit[i*FlitWidth + LengthAt +: LengthWidth] = length;
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
        if (i < Radix) room_q[2*i +: 2] <= room_q[2*i +: 2] + 2'(credit[i < Radix ? i : 0]) - 2'(begins[i]);
      end
      assume (32'(length) >= 1 && 32'(length) <= Flits);
      // The host's packets go somewhere.
      assume (i < Radix || !valid[i] || (label_i[i] ? mask[Radix +: Radix] : mask[0 +: Radix]) != '0);
    end
  end
  assign ready[Radix-1:0] = '1;
  always @(posedge clk_i) begin
    if (!runs) {began_q, came_q} <= '0;
    else begin
      for (int i = 0; i < Inputs; i++) begin
        if (32'(watched_input) == i && begins[i]) began_q <= began_q | marked[2*i +: 2];
        if (32'(watched_input) == i && ends[i])   came_q  <= came_q | marked[2*i +: 2];
      end
    end
    assume (32'(watched_input) < Inputs);
    assume (mask[0 +: Radix] != '0 || deliver[0]);
    assume (mask[Radix +: Radix] != '0 || deliver[1]);
  end

  // ---- the node
  logic [Radix-1:0]           tx_valid, deliver_valid, deliver_last, return_credit;
  logic [Radix*FlitWidth-1:0] tx_flit, deliver_flit;
  logic                       table_valid, idle;
  assign table_valid = since_reset == 2'd1 || since_reset == 2'd2;
  if (Kind == 0) begin : g_fifo
    fifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(2),
      .PortModel(PortModel), .NodeIdWidth(1), .TagWidth(1)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i('0), .slot_open_next_i(runs), .tx_valid_o(tx_valid), .tx_flit_o(tx_flit),
      .tx_credit_o(credit), .tx_request_o(), .tx_grant_o(), .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]),
      .rx_credit_i(return_credit), .rx_request_i('0), .rx_grant_i('0), .fault_drop_i('0), .fault_corrupt_i('0),
      .table_valid_i(table_valid), .table_label_i(since_reset[1]), .table_mask_i(since_reset[1] ? mask[Radix +: Radix] : mask[0 +: Radix]),
      .table_deliver_i(deliver[since_reset[1]]), .inject_valid_i(valid[Radix]), .inject_ready_o(ready[Radix]),
      .inject_flit_i(flit[Radix*FlitWidth +: FlitWidth]), .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last),
      .deliver_flit_o(deliver_flit), .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(),
      .delay_sum_o(), .occupancy_o(), .peak_occupancy_o(), .peak_transit_o(), .violations_o(), .first_violation_cycle_o(),
      .wait_credit_o(), .wait_grant_o(), .idle_o(idle)
    );
  end else begin : g_pifo
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth), .LabelDepth(2), .RankLevels(2),
      .PortModel(PortModel == safnet_pkg::AllPort ? safnet_pkg::AllPort : safnet_pkg::OnePort), .NodeIdWidth(1), .TagWidth(1)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i('0), .slot_open_next_i(runs), .tx_valid_o(tx_valid), .tx_flit_o(tx_flit),
      .tx_credit_o(credit), .tx_request_o(), .tx_grant_o(), .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]),
      .rx_credit_i(return_credit), .rx_request_i('0), .rx_grant_i('0), .fault_drop_i('0), .fault_corrupt_i('0),
      .table_valid_i(table_valid), .table_label_i(since_reset[1]), .table_mask_i(since_reset[1] ? mask[Radix +: Radix] : mask[0 +: Radix]),
      .table_deliver_i(deliver[since_reset[1]]), .table_rank_i('0), .table_order_i(2'b10), .table_rest_i(1'b0), .table_rest_rank_i('0),
      .branch_first_i('1), .inject_rank_i('0), .inject_valid_i(valid[Radix]), .inject_ready_o(ready[Radix]),
      .inject_flit_i(flit[Radix*FlitWidth +: FlitWidth]), .slot_cycles_i(32'd1), .link_latency_i('0), .port_model_i(2'(PortModel)),
      .grant_cycles_i('0), .queue_depth_i(16'(QueueDepth)), .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last),
      .deliver_flit_o(deliver_flit), .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(),
      .delay_sum_o(), .occupancy_o(), .peak_occupancy_o(), .peak_transit_o(), .peak_stored_o(), .peak_waiting_o(), .violations_o(),
      .first_violation_cycle_o(), .wait_credit_o(), .wait_grant_o(), .idle_o(idle)
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
      for (int f = 0; f < Flits; f++) if (32'(at) == f) sent = data[((mark[0] ? 0 : 1) * Flits + f)*FlitWidth +: FlitWidth];
      if (at == '0) begin
        sent[0]                        = watched_label;
        sent[MarkAt +: 2]              = mark;
        sent[LengthAt +: LengthWidth]  = watched_flits;
      end
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
  logic [Radix-1:0]   without_room;
  for (genvar p = 0; p < Radix; p++) begin : g_room
    assign return_credit[p] = owed_q[2*p +: 2] != '0 && (roomy || return_i[p]);
    assign without_room[p]  = out_begins[p] && 32'(owed_q[2*p +: 2]) >= QueueDepth;
    always @(posedge clk_i) owed_q[2*p +: 2] <= !runs ? '0 : owed_q[2*p +: 2] + 2'(out_begins[p]) - 2'(return_credit[p]);
  end

  logic [7:0]         age_q;  // of the first packet, since it has come
  logic [Streams-1:0] first_gone;
  for (genvar s = 0; s < Streams; s++) begin : g_gone
    assign first_gone[s] = gone_q[2*s];
  end
  always @(posedge clk_i) age_q <= !came_q[0] ? '0 : age_q == '1 ? age_q : age_q + 8'd1;

  always @(posedge clk_i) begin
    if (runs) begin
      a_packets_leave_where_the_table_says : assert (misplaced == '0);
      a_packets_are_unaltered              : assert (altered == '0);
      a_packets_leave_once                 : assert (twice == '0);
      a_packets_leave_in_order             : assert (overtakes == '0);
      a_flits_follow_one_another           : assert (misframed == '0);
      a_neighbours_have_room               : assert (without_room == '0);
      a_packets_leave_in_time              : assert (!roomy || 32'(watched_input) == Radix || 32'(age_q) < InTime || first_gone == expected);
      a_one_packet_leaves_at_a_time        : assert (PortModel == safnet_pkg::AllPort || !(&tx_valid));
      a_a_node_with_a_packet_is_not_idle   : assert (!idle || !came_q[0] || first_gone == expected);
      c_both_leave : cover (gone_q[0] && gone_q[1] && gone_q[2] && gone_q[3]);
      c_the_host_gets_both : cover (gone_q[2*Radix+1] && gone_q[0]);
      c_from_the_host : cover (32'(watched_input) == Radix && gone_q[1] && !roomy);
    end
  end
endmodule
