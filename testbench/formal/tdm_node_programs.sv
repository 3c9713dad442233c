// tdm_node_programs - a whole node that obeys programs: whatever they say, a send that names a buffer and a generation sends the packet that
// was received for them, or the sum of all its parts, unaltered, once it is complete, its slot has come and the neighbour has room; it
// starts in the first cycle in which all of that holds. Sends leave in the order of their program. The host gets what it is to get, once.
//
// A node of two links and a host. Each lane and each output has a program of up to two instructions, any ones with which receive
// instructions agree on a packet (what the host must do, rtl/tdm/README.md); sends may name any buffer, generation and slot, so that a
// schedule may be wrong. The packets that come through each lane have any contents and names. Host and neighbours give instructions,
// packets and credits at any time, the flits of a packet one after the other. Of the buffers in their generations one, any one, is
// watched.
module tdm_node_programs #(
  parameter int Flits      = 1,
  parameter int PortModel  = 0,
  parameter int Combining  = 0,
  parameter int SlotCycles = 1,
  parameter int Window     = 1,
  localparam int Radix           = 2,
  localparam int Lanes           = Radix + 1,
  localparam int Each            = 2,  // instructions of a program, and packets of the host for a link
  localparam int All             = Lanes * Each,
  localparam int AllSends        = Radix * Each,
  localparam int Buffers         = 2,
  localparam int BufferWidth     = 1,
  localparam int NameWidth       = 1,
  localparam int GenerationWidth = 3,  // enough that none comes again: a generation has an instruction of its own, of All
  localparam int CountWidth      = 2,
  localparam int SlotBits        = 3,  // of the number of a slot that are not 0
  localparam int LengthWidth     = $clog2(Flits + 1),
  localparam int WordWidth       = NameWidth + LengthWidth,  // header: {data, length, name}
  localparam int FlitWidth       = 2 * WordWidth,
  localparam int PacketWidth     = Flits * FlitWidth,
  localparam int PlaceWidth      = GenerationWidth + BufferWidth,  // a buffer in a generation
  localparam int ActionsAt       = PlaceWidth + 2 * CountWidth,
  localparam int StoreAt         = ActionsAt + tdm_pkg::StoreBit,
  localparam int CombineAt       = ActionsAt + tdm_pkg::CombineBit,
  localparam int DeliverAt       = ActionsAt + tdm_pkg::DeliverBit,
  localparam int NameAt          = ActionsAt + tdm_pkg::Actions,
  localparam int ReceiveWidth    = NameAt + NameWidth,
  localparam int ActionWidth     = ReceiveWidth - ActionsAt + BufferWidth,
  localparam int SendWidth       = PlaceWidth + 1 + tdm_pkg::SlotWidth,
  localparam int SendBits        = PlaceWidth + 1 + SlotBits,
  localparam int AheadWidth      = $clog2(Window + 1)
) (
  input logic             clk_i,
  input logic             start_i,
  input logic [Lanes-1:0] receive_i,  // the host gives the next instruction of the lane
  input logic [Radix-1:0] send_i,     // or of the output
  input logic [Lanes-1:0] comes_i,    // a packet begins on the lane, if there may be one
  input logic [Radix-1:0] own_i,      // the host begins to give its next packet for the output
  input logic [Radix-1:0] return_i    // a credit of the neighbour, if it has room
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [All*ReceiveWidth-1:0]      receive;  // instructions, lane by lane
  (* anyconst *) logic [AllSends*SendBits-1:0]     send;
  (* anyconst *) logic [All*PacketWidth-1:0]       packet;   // packets that come, lane by lane
  (* anyconst *) logic [AllSends*PacketWidth-1:0]  own;      // packets of the host for the links
  (* anyconst *) logic [PlaceWidth-1:0]            watched;

  // ---- network time. No program names a slot after the seventh; those after the fifteenth have its number.
  logic       running_q, open_q, open_next;
  logic [3:0] step_q, step;
  logic [1:0] phase_q;
  assign open_next = running_q ? 32'(phase_q) == SlotCycles - 1 : start_i;
  assign step      = step_q + 4'(open_next && step_q != '1);
  always @(posedge clk_i) begin
    if (!rst_n) {running_q, open_q, step_q, phase_q} <= '0;
    else begin
      running_q <= running_q || start_i;
      open_q    <= open_next;
      step_q    <= step;
      phase_q   <= open_next ? '0 : phase_q + 2'(running_q);
    end
  end

  // ---- what the programs say of each packet that comes, and of the one that is watched
  logic [All-1:0]             has_buffer, combines, delivers, names;  // it is, or goes into, the one that is watched
  logic [All*PlaceWidth-1:0]  place;
  logic [All*CountWidth-1:0]  parts, uses;
  logic [All*LengthWidth-1:0] length;
  logic [PacketWidth-1:0]     expected;
  logic [LengthWidth-1:0]     expected_length;
  logic [NameWidth-1:0]       expected_name;
  logic [CountWidth-1:0]      expected_parts, expected_uses;
  logic                       expected_delivers, is_sum;
  for (genvar i = 0; i < All; i++) begin : g_instruction
    localparam int R = i * ReceiveWidth;
    logic [3:0]     same;
    logic [All-1:0] meets, agrees;
    assign combines[i]   = receive[R + CombineAt];
    assign delivers[i]   = receive[R + DeliverAt];
    assign has_buffer[i] = receive[R + StoreAt] || combines[i];
    assign place[i*PlaceWidth +: PlaceWidth]    = receive[R +: PlaceWidth];
    assign parts[i*CountWidth +: CountWidth]    = receive[R + PlaceWidth +: CountWidth];
    assign uses[i*CountWidth +: CountWidth]     = receive[R + PlaceWidth + CountWidth +: CountWidth];
    assign length[i*LengthWidth +: LengthWidth] = packet[i*PacketWidth + NameWidth +: LengthWidth];
    assign names[i]      = has_buffer[i] && receive[R +: PlaceWidth] == watched;
    for (genvar k = 0; k < All; k++) begin : g_other
      assign meets[k]  = has_buffer[i] && has_buffer[k] && receive[R +: PlaceWidth] == receive[k*ReceiveWidth +: PlaceWidth];
      assign agrees[k] = i == k || !meets[k] || (combines[i] && receive[R +: ReceiveWidth] == receive[k*ReceiveWidth +: ReceiveWidth] &&
                         packet[i*PacketWidth + NameWidth +: LengthWidth] == packet[k*PacketWidth + NameWidth +: LengthWidth]);
    end
    assign same = 4'(meets[0]) + 4'(meets[1]) + 4'(meets[2]) + 4'(meets[3]) + 4'(meets[4]) + 4'(meets[5]);
    always @(posedge clk_i) begin
      assume (agrees == '1);  // instructions for one packet differ in nothing, and its parts have one length
      assume (!(receive[R + StoreAt] && combines[i]) && (Combining != 0 || !combines[i]));
      assume (!has_buffer[i] || (4'(receive[R + PlaceWidth +: CountWidth]) >= same &&
                                 (combines[i] || receive[R + PlaceWidth +: CountWidth] == CountWidth'(1))));
      assume (length[i*LengthWidth +: LengthWidth] != '0 && 32'(length[i*LengthWidth +: LengthWidth]) <= Flits);
    end
  end
  // The sum of those parts of which takes_part says so.
  logic [Flits*All-1:0]   wrote;   // flit by flit: the parts of the watched packet whose flit has come
  logic [PacketWidth-1:0] so_far;
  for (genvar w = 0; w < 2 * Flits; w++) begin : g_word
    logic [All*WordWidth-1:0] all_parts, some_parts;
    for (genvar i = 0; i < All; i++) begin : g_part
      assign all_parts[i*WordWidth +: WordWidth]  = names[i] ? packet[i*PacketWidth + w*WordWidth +: WordWidth] : '0;
      assign some_parts[i*WordWidth +: WordWidth] = wrote[(w/2)*All + i] ? packet[i*PacketWidth + w*WordWidth +: WordWidth] : '0;
    end
    if (w == 0) begin : g_name
      assign expected[WordWidth-1:0] = {expected_length, expected_name};
      assign so_far[WordWidth-1:0]   = {expected_length, expected_name};
    end else if (Combining == 0) begin : g_one
      assign expected[w*WordWidth +: WordWidth] = all_parts[0 +: WordWidth] | all_parts[WordWidth +: WordWidth] |
        all_parts[2*WordWidth +: WordWidth] | all_parts[3*WordWidth +: WordWidth] | all_parts[4*WordWidth +: WordWidth] |
        all_parts[5*WordWidth +: WordWidth];
      assign so_far[w*WordWidth +: WordWidth] = expected[w*WordWidth +: WordWidth];
    end else begin : g_several
      assign expected[w*WordWidth +: WordWidth] = all_parts[0 +: WordWidth] + all_parts[WordWidth +: WordWidth] +
        all_parts[2*WordWidth +: WordWidth] + all_parts[3*WordWidth +: WordWidth] + all_parts[4*WordWidth +: WordWidth] +
        all_parts[5*WordWidth +: WordWidth];
      assign so_far[w*WordWidth +: WordWidth] = some_parts[0 +: WordWidth] + some_parts[WordWidth +: WordWidth] +
        some_parts[2*WordWidth +: WordWidth] + some_parts[3*WordWidth +: WordWidth] + some_parts[4*WordWidth +: WordWidth] +
        some_parts[5*WordWidth +: WordWidth];
    end
  end
  always_comb begin
    {expected_name, expected_length, expected_parts, expected_uses, expected_delivers, is_sum} = '0;
    for (int i = 0; i < All; i++) begin
      if (names[i]) begin
        expected_length   = length[i*LengthWidth +: LengthWidth];
        expected_name     = combines[i] ? receive[i*ReceiveWidth + NameAt +: NameWidth] : packet[i*PacketWidth +: NameWidth];
        expected_parts    = parts[i*CountWidth +: CountWidth];
        expected_uses     = uses[i*CountWidth +: CountWidth];
        expected_delivers = delivers[i];
        is_sum            = combines[i];
      end
    end
  end

  // ---- what comes in. Counts are of instructions and packets of a lane.
  logic [Lanes-1:0]              receive_valid, receive_ready, valid, ready, begins, ends, in_packet_q, which;
  logic [Lanes*2-1:0]            given_q, begun_q, ended;
  logic [Lanes*ReceiveWidth-1:0] offered, instruction;  // that the host gives next; of the packet that is on the lane
  logic [Lanes*FlitWidth-1:0]    flit;
  logic [Radix*2-1:0]            credits_q;  // that the neighbour has been given
  logic [Radix-1:0]              credit, too_many;
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [PacketWidth-1:0] content;
    logic [LengthWidth-1:0] of_it;
    assign receive_valid[l] = receive_i[l] && 32'(given_q[2*l +: 2]) < Each;
    assign offered[l*ReceiveWidth +: ReceiveWidth] = receive[(l*Each + 32'(given_q[2*l]))*ReceiveWidth +: ReceiveWidth];
    assign which[l]        = begun_q[2*l] ^ in_packet_q[l];  // one that has begun is counted
    assign ended[2*l +: 2] = begun_q[2*l +: 2] - 2'(in_packet_q[l]);
    assign content         = which[l] ? packet[(l*Each + 1)*PacketWidth +: PacketWidth] : packet[l*Each*PacketWidth +: PacketWidth];
    assign of_it           = content[NameWidth +: LengthWidth];
    assign instruction[l*ReceiveWidth +: ReceiveWidth] = which[l] ? receive[(l*Each + 1)*ReceiveWidth +: ReceiveWidth] :
                                                                    receive[l*Each*ReceiveWidth +: ReceiveWidth];
    // A neighbour needs a credit for a packet; the host's lane says when it is ready.
    if (l < Radix) begin : g_link
      assign ready[l]    = 1'b1;
      assign valid[l]    = rst_n && (in_packet_q[l] || (comes_i[l] && credits_q[2*l +: 2] != begun_q[2*l +: 2]));
      assign too_many[l] = credits_q[2*l +: 2] < begun_q[2*l +: 2] || 32'(2'(credits_q[2*l +: 2] - begun_q[2*l +: 2])) > Window ||
                           credits_q[2*l +: 2] > given_q[2*l +: 2];
      always @(posedge clk_i) credits_q[2*l +: 2] <= !rst_n ? '0 : credits_q[2*l +: 2] + 2'(credit[l]);
    end else begin : g_host
      assign valid[l] = rst_n && (in_packet_q[l] || (comes_i[l] && 32'(begun_q[2*l +: 2]) < Each));
    end
    assign begins[l] = valid[l] && ready[l] && !in_packet_q[l];
    assign ends[l]   = valid[l] && ready[l] && (in_packet_q[l] || of_it == LengthWidth'(1));
    if (Flits == 1) begin : g_one
      assign flit[l*FlitWidth +: FlitWidth] = content;
    end else begin : g_two
      assign flit[l*FlitWidth +: FlitWidth] = in_packet_q[l] ? content[FlitWidth +: FlitWidth] : content[0 +: FlitWidth];
    end
    always @(posedge clk_i) begin
      if (!rst_n) {in_packet_q[l], given_q[2*l +: 2], begun_q[2*l +: 2]} <= '0;
      else begin
        given_q[2*l +: 2] <= given_q[2*l +: 2] + 2'(receive_valid[l] && receive_ready[l]);
        begun_q[2*l +: 2] <= begun_q[2*l +: 2] + 2'(begins[l]);
        if (valid[l] && ready[l]) in_packet_q[l] <= !ends[l];
      end
    end
  end
  logic [All-1:0] has_begun, has_ended;
  logic [3:0]     watched_begun, watched_ended;
  logic           complete;  // all parts of the watched packet have come
  for (genvar i = 0; i < All; i++) begin : g_part
    localparam int L = i / Each;
    assign has_begun[i] = 32'(begun_q[2*L +: 2]) > i % Each;
    assign has_ended[i] = 32'(ended[2*L +: 2]) > i % Each;
    for (genvar f = 0; f < Flits; f++) begin : g_flit
      assign wrote[f*All + i] = names[i] && (f == 0 ? has_begun[i] : has_ended[i] && 32'(length[i*LengthWidth +: LengthWidth]) > f);
    end
  end
  assign watched_begun = 4'($countones(names & has_begun));
  assign watched_ended = 4'($countones(names & has_ended));
  assign complete      = watched_ended != '0 && watched_ended == 4'(expected_parts);

  // ---- the node
  logic [Radix-1:0]           send_valid, send_ready, own_valid, own_ready, tx_valid, return_credit;
  logic [Radix*SendWidth-1:0] send_now;
  logic [Radix*FlitWidth-1:0] own_flit, tx_flit;
  logic [Lanes-1:0]           deliver_valid, deliver_last;
  logic [Lanes*FlitWidth-1:0] deliver_flit;
  logic                       idle;
  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers), .ProgramDepth(2), .Window(Window), .NameWidth(NameWidth),
    .GenerationWidth(GenerationWidth), .CountWidth(CountWidth), .Combining(Combining)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i(open_next ? 32'(step) - 32'd1 : 32'(step_q)), .slot_open_next_i(open_next),
    .tx_valid_o(tx_valid), .tx_flit_o(tx_flit),
    .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]), .rx_credit_i(return_credit), .fault_drop_i('0),
    .fault_corrupt_i('0), .rx_latency_i('0), .rx_interval_i('0), .credit_latency_i('0), .tx_interval_i('0), .tx_credit_o(credit),
    .operation_i(tdm_pkg::OperationWidth'(tdm_pkg::CombineSum)), .receive_valid_i(receive_valid), .receive_ready_o(receive_ready),
    .receive_i(offered), .receive_more_i('0), .send_valid_i(send_valid), .send_ready_o(send_ready), .send_i(send_now),
    .send_more_i('0), .own_valid_i({valid[Radix], own_valid}), .own_ready_o({ready[Radix], own_ready}),
    .own_flit_i({flit[Radix*FlitWidth +: FlitWidth], own_flit}), .deliver_valid_o(deliver_valid), .deliver_last_o(deliver_last),
    .deliver_flit_o(deliver_flit), .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(),
    .delay_sum_o(), .occupancy_o(), .peak_occupancy_o(), .violations_o(), .first_violation_cycle_o(), .dry_o(), .first_dry_cycle_o(),
    .mismatches_o(), .first_mismatch_cycle_o(), .late_o(), .wait_packet_o(), .wait_credit_o(), .wait_buffer_o(), .idle_o(idle),
    .slot_cycles_i(32'(SlotCycles)), .link_latency_i('0), .port_model_i(2'(PortModel)), .window_i(16'(Window))
  );

  // ---- what leaves. Of the host's packets for a link all flits are numbered.
  logic [Radix-1:0]    out_begins, out_ends, in_out_q, is_own, is_watched, must_start, unprogrammed, too_early, without_room, altered, misframed;
  logic [Radix-1:0]    in_own, out_which;
  logic [Radix*2-1:0]  send_given_q, started_q, room_q;
  logic [Radix*3-1:0]  own_in_q, own_out_q;      // flits
  logic [Radix*(Each*Flits)*FlitWidth-1:0] own_flits;
  logic [Radix*SendBits-1:0]               now;  // the send that begins next, or whose packet leaves
  logic [AllSends-1:0] has_started, sends_watched;
  logic [CountWidth-1:0] watched_sent;
  for (genvar p = 0; p < Radix; p++) begin : g_output
    logic [2:0]             own_all, own_first;  // flits of both packets, and of the first
    logic [PacketWidth-1:0] own_0, own_1;
    logic [FlitWidth-1:0]   wanted, own_wanted;
    // the program
    assign send_valid[p] = send_i[p] && 32'(send_given_q[2*p +: 2]) < Each;
    assign send_now[p*SendWidth +: SendWidth] = SendWidth'(send_given_q[2*p] ? send[(p*Each + 1)*SendBits +: SendBits] :
                                                                               send[p*Each*SendBits +: SendBits]);
    assign out_which[p]  = started_q[2*p] ^ in_out_q[p];
    assign now[p*SendBits +: SendBits] = out_which[p] ? send[(p*Each + 1)*SendBits +: SendBits] : send[p*Each*SendBits +: SendBits];
    assign is_own[p]     = now[p*SendBits + PlaceWidth];
    assign is_watched[p] = !is_own[p] && now[p*SendBits +: PlaceWidth] == watched;
    // the host's packets
    assign own_0     = own[p*Each*PacketWidth +: PacketWidth];
    assign own_1     = own[(p*Each + 1)*PacketWidth +: PacketWidth];
    assign own_first = 3'(own_0[NameWidth +: LengthWidth]);
    assign own_all   = own_first + 3'(own_1[NameWidth +: LengthWidth]);
    if (Flits == 1) begin : g_own_one
      assign own_flits[p*2*FlitWidth +: 2*FlitWidth] = {own_1, own_0};
      assign own_flit[p*FlitWidth +: FlitWidth]      = own_in_q[3*p] ? own_1 : own_0;
      assign own_wanted = own_out_q[3*p] ? own_1 : own_0;
      assign wanted     = is_own[p] ? own_wanted : expected;
    end else begin : g_own_two
      assign own_flits[p*4*FlitWidth +: 4*FlitWidth] = own_first[1] ? {own_1, own_0} : {own_1[FlitWidth +: FlitWidth], own_1, own_0[0 +: FlitWidth]};
      assign own_flit[p*FlitWidth +: FlitWidth]      = own_flits[(p*4 + 32'(own_in_q[3*p +: 2]))*FlitWidth +: FlitWidth];
      assign own_wanted = own_flits[(p*4 + 32'(own_out_q[3*p +: 2]))*FlitWidth +: FlitWidth];
      assign wanted     = is_own[p] ? own_wanted : in_out_q[p] ? expected[FlitWidth +: FlitWidth] : expected[0 +: FlitWidth];
    end
    assign in_own[p]    = own_in_q[3*p +: 3] != '0 && own_in_q[3*p +: 3] != own_first && own_in_q[3*p +: 3] < own_all;
    assign own_valid[p] = rst_n && (in_own[p] || (own_i[p] && own_in_q[3*p +: 3] < own_all));
    // the packet that leaves
    assign out_begins[p]    = tx_valid[p] && !in_out_q[p];
    assign out_ends[p]      = tx_valid[p] && (in_out_q[p] || tx_flit[p*FlitWidth + NameWidth +: LengthWidth] == LengthWidth'(1));
    assign altered[p]       = tx_valid[p] && (is_own[p] || is_watched[p]) && tx_flit[p*FlitWidth +: FlitWidth] != wanted;
    assign return_credit[p] = rst_n && return_i[p] && 32'(room_q[2*p +: 2]) < Window;
    assign unprogrammed[p]  = out_begins[p] && send_given_q[2*p +: 2] == started_q[2*p +: 2];
    assign too_early[p]     = out_begins[p] && (!open_q || step_q < 4'(now[p*SendBits + PlaceWidth + 1 +: SlotBits]) ||
                              (is_watched[p] && (!complete || watched_sent == expected_uses)) ||
                              (is_own[p] && own_in_q[3*p +: 3] == own_out_q[3*p +: 3]));
    assign without_room[p]  = out_begins[p] && room_q[2*p +: 2] == '0;
    assign misframed[p]     = in_out_q[p] && !tx_valid[p];
    assign must_start[p]    = open_q && !in_out_q[p] && send_given_q[2*p +: 2] != started_q[2*p +: 2] && room_q[2*p +: 2] != '0 &&
                              step_q >= 4'(now[p*SendBits + PlaceWidth + 1 +: SlotBits]) &&
                              (is_own[p] ? own_in_q[3*p +: 3] != own_out_q[3*p +: 3] :
                                           is_watched[p] && complete && watched_sent != expected_uses);
    always @(posedge clk_i) begin
      if (!rst_n) {in_out_q[p], send_given_q[2*p +: 2], started_q[2*p +: 2], room_q[2*p +: 2], own_in_q[3*p +: 3], own_out_q[3*p +: 3]} <= '0;
      else begin
        send_given_q[2*p +: 2] <= send_given_q[2*p +: 2] + 2'(send_valid[p] && send_ready[p]);
        started_q[2*p +: 2]    <= started_q[2*p +: 2] + 2'(out_begins[p]);
        room_q[2*p +: 2]       <= room_q[2*p +: 2] + 2'(return_credit[p]) - 2'(out_begins[p]);
        own_in_q[3*p +: 3]     <= own_in_q[3*p +: 3] + 3'(own_valid[p] && own_ready[p]);
        own_out_q[3*p +: 3]    <= own_out_q[3*p +: 3] + 3'(tx_valid[p] && is_own[p]);
        if (tx_valid[p]) in_out_q[p] <= !out_ends[p];
      end
    end
    for (genvar j = 0; j < Each; j++) begin : g_send
      assign has_started[p*Each + j]   = 32'(started_q[2*p +: 2]) > j;
      assign sends_watched[p*Each + j] = !send[(p*Each + j)*SendBits + PlaceWidth] && send[(p*Each + j)*SendBits +: PlaceWidth] == watched;
      always @(posedge clk_i) assume (own[(p*Each + j)*PacketWidth + NameWidth +: LengthWidth] != '0 &&
                                      32'(own[(p*Each + j)*PacketWidth + NameWidth +: LengthWidth]) <= Flits);
    end
  end
  assign watched_sent = CountWidth'($countones(sends_watched & has_started));

  // ---- what the host gets, a cycle after it has come
  logic [Lanes-1:0]           came_q, came_last_q, came_first_q, came_alone_q, came_watched_q, misdelivered, result_ends;
  logic [Lanes*FlitWidth-1:0] came_flit_q;
  logic [1:0]                 results_q;  // deliveries of the watched sum
  for (genvar l = 0; l < Lanes; l++) begin : g_delivery
    logic [FlitWidth-1:0] wanted;
    always @(posedge clk_i) begin
      came_q[l]         <= rst_n && valid[l] && ready[l] && instruction[l*ReceiveWidth + DeliverAt];
      came_last_q[l]    <= ends[l];
      came_first_q[l]   <= begins[l];
      came_alone_q[l]   <= !instruction[l*ReceiveWidth + CombineAt];
      came_watched_q[l] <= instruction[l*ReceiveWidth + CombineAt] && instruction[l*ReceiveWidth +: PlaceWidth] == watched;
      came_flit_q[l*FlitWidth +: FlitWidth] <= flit[l*FlitWidth +: FlitWidth];
    end
    assign wanted = came_alone_q[l] ? came_flit_q[l*FlitWidth +: FlitWidth] : came_first_q[l] ? expected[0 +: FlitWidth] :
                                                                              expected[PacketWidth-FlitWidth +: FlitWidth];
    assign misdelivered[l] = (deliver_valid[l] && !came_q[l]) || (came_q[l] && came_alone_q[l] && !deliver_valid[l]) ||
      (deliver_valid[l] && (came_alone_q[l] || came_watched_q[l]) &&
       (deliver_flit[l*FlitWidth +: FlitWidth] != wanted || deliver_last[l] != came_last_q[l]));
    assign result_ends[l] = deliver_valid[l] && came_last_q[l] && came_watched_q[l];
  end
  always @(posedge clk_i) results_q <= !rst_n ? '0 : results_q + 2'($countones(result_ends));

  // ---- what the registers of the node are, in every state. Queues of instructions do not turn round, as a program has two.
  `MEMORY(stored, 4, FlitWidth, u_dut.u_packet_buffers.memory_q)
  `MEMORY(table_generation, 2, GenerationWidth, u_dut.u_buffer_table.generation_q)
  `MEMORY(table_parts, 2, CountWidth, u_dut.u_buffer_table.parts_q)
  `MEMORY(table_uses, 2, CountWidth, u_dut.u_buffer_table.uses_q)
  `MEMORY(table_started, 2, CountWidth, u_dut.u_buffer_table.started_q)
  `MEMORY(table_finished, 2, CountWidth, u_dut.u_buffer_table.finished_q)
  `MEMORY(table_sent, 2, CountWidth, u_dut.u_buffer_table.sent_q)
  `REGISTERS(program_count, 3, 2, u_dut.g_lane[%].u_receive_sequencer.u_program.count_q)
  `REGISTERS(program_head, 3, 1, u_dut.g_lane[%].u_receive_sequencer.u_program.head_q)
  `REGISTERS(program_tail, 3, 1, u_dut.g_lane[%].u_receive_sequencer.u_program.tail_q)
  `REGISTERS(program_0, 3, ReceiveWidth, u_dut.g_lane[%].u_receive_sequencer.u_program.memory_q[0])
  `REGISTERS(program_1, 3, ReceiveWidth, u_dut.g_lane[%].u_receive_sequencer.u_program.memory_q[1])
  `REGISTERS(granted_count, 3, AheadWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.count_q)
  `REGISTERS(granted_head, 3, 1, u_dut.g_lane[%].u_receive_sequencer.u_granted.head_q)
  `REGISTERS(granted_tail, 3, 1, u_dut.g_lane[%].u_receive_sequencer.u_granted.tail_q)
  `REGISTERS(granted_0, 3, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.memory_q[0])
  `REGISTERS(granted_1, 3, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.memory_q[1])
  `REGISTERS(flits_left, 3, LengthWidth, u_dut.g_lane[%].u_receive_sequencer.u_flits.g_flits.left_q)
  `REGISTERS(flits_index, 3, 1, u_dut.g_lane[%].u_receive_sequencer.u_flits.g_flits.index_q)
  `REGISTERS(flits_action, 3, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.g_flits.action_q)
  `REGISTERS(sends_count, 2, 2, u_dut.g_output[%].u_program.count_q)
  `REGISTERS(sends_head, 2, 1, u_dut.g_output[%].u_program.head_q)
  `REGISTERS(sends_tail, 2, 1, u_dut.g_output[%].u_program.tail_q)
  `REGISTERS(sends_0, 2, SendWidth, u_dut.g_output[%].u_program.memory_q[0])
  `REGISTERS(sends_1, 2, SendWidth, u_dut.g_output[%].u_program.memory_q[1])
  `REGISTERS(own_count, 2, 2, u_dut.g_output[%].g_link.u_own.count_q)
  `REGISTERS(own_head, 2, 1, u_dut.g_output[%].g_link.u_own.head_q)
  `REGISTERS(own_tail, 2, 1, u_dut.g_output[%].g_link.u_own.tail_q)
  `REGISTERS(own_stored_0, 2, FlitWidth, u_dut.g_output[%].g_link.u_own.memory_q[0])
  `REGISTERS(own_stored_1, 2, FlitWidth, u_dut.g_output[%].g_link.u_own.memory_q[1])
  `REGISTERS(sending_held, 2, 1, u_dut.g_output[%].u_transmit_port.held_q)
  `REGISTERS(sending_left, 2, LengthWidth, u_dut.g_output[%].u_transmit_port.g_flits.left_q)
  `REGISTERS(sending_index, 2, 1, u_dut.g_output[%].u_transmit_port.g_flits.index_q)
  `REGISTERS(sending_place, 2, 1 + BufferWidth, u_dut.g_output[%].u_transmit_port.place_q)
  `REGISTERS(credits, 2, AheadWidth, u_dut.g_output[%].u_credit_counter.credits_q)
  (* hierconn *) wire [Buffers-1:0] \u_dut.u_buffer_table.granted_q , \u_dut.u_buffer_table.complete_q , \u_dut.u_buffer_table.first_q ;
  (* hierconn *) wire [1:0]         \u_dut.u_buffer_table.occupancy_q , \u_dut.port_model_q ;
  (* hierconn *) wire [Buffers*Flits-1:0] \u_dut.u_packet_buffers.g_combine.written_q ;
  (* hierconn *) wire [Lanes-1:0]   \u_dut.grant , \u_dut.credit_q , \u_dut.deliver_held_q ;
  (* hierconn *) wire               \u_dut.slot_open_q ;
  (* hierconn *) wire [31:0]        \u_dut.slot_q ;
  (* hierconn *) wire [15:0]        \u_dut.window_q ;


  logic [Lanes*2-1:0] granted_q;
  logic [All-1:0]     is_granted;
  logic [Lanes-1:0]   right_counts, right_programs, right_granted, right_flits, right_held;
  for (genvar l = 0; l < Lanes; l++) begin : g_lane_state
    logic [1:0]              granted;
    logic [ActionWidth-1:0]  action_0, action_1;
    logic [ReceiveWidth-1:0] first, second;
    assign granted  = granted_q[2*l +: 2];
    assign first    = receive[l*Each*ReceiveWidth +: ReceiveWidth];
    assign second   = receive[(l*Each + 1)*ReceiveWidth +: ReceiveWidth];
    assign action_0 = {first[ReceiveWidth-1:ActionsAt], first[BufferWidth-1:0]};
    assign action_1 = {second[ReceiveWidth-1:ActionsAt], second[BufferWidth-1:0]};
    always @(posedge clk_i) granted_q[2*l +: 2] <= !rst_n ? '0 : granted + 2'(\u_dut.grant [l]);
    assign right_counts[l] = begun_q[2*l +: 2] <= granted && granted <= given_q[2*l +: 2] && 32'(given_q[2*l +: 2]) <= Each &&
      !(in_packet_q[l] && (begun_q[2*l +: 2] == '0 || Flits == 1 || 32'(length[(l*Each + 32'(which[l]))*LengthWidth +: LengthWidth]) != 2)) &&
      (l < Radix ? 2'(granted - credits_q[2*(l < Radix ? l : 0) +: 2]) == 2'(\u_dut.credit_q [l]) &&
                   credits_q[2*(l < Radix ? l : 0) +: 2] >= begun_q[2*l +: 2] : !\u_dut.credit_q [l]);
    assign right_programs[l] = program_count[2*l +: 2] == 2'(given_q[2*l +: 2] - granted) && program_head[l] == granted[0] &&
      program_tail[l] == given_q[2*l] && (given_q[2*l +: 2] == '0 || program_0[l*ReceiveWidth +: ReceiveWidth] == first) &&
      (32'(given_q[2*l +: 2]) < 2 || program_1[l*ReceiveWidth +: ReceiveWidth] == second);
    if (Window == 1) begin : g_one
      assign right_granted[l] = 2'(granted_count[l]) == 2'(granted - begun_q[2*l +: 2]) && !granted_head[l] && !granted_tail[l] &&
        (granted_count[l] == '0 || granted_0[l*ActionWidth +: ActionWidth] == (begun_q[2*l] ? action_1 : action_0));
    end else begin : g_more
      assign right_granted[l] = granted_count[2*l +: 2] == 2'(granted - begun_q[2*l +: 2]) && granted_head[l] == begun_q[2*l] &&
        granted_tail[l] == granted[0] && (granted == '0 || granted_0[l*ActionWidth +: ActionWidth] == action_0) &&
        (32'(granted) < 2 || granted_1[l*ActionWidth +: ActionWidth] == action_1);
    end
    assign right_flits[l] = Flits == 1 || (flits_left[l*LengthWidth +: LengthWidth] == LengthWidth'(in_packet_q[l]) &&
      (!in_packet_q[l] || (flits_index[l] && flits_action[l*ActionWidth +: ActionWidth] == (which[l] ? action_1 : action_0))));
    // Who passes a packet on to the host: of a sum the part that began last, with which all others are, or have been, in step.
    assign right_held[l] = Flits == 1 || !in_packet_q[l] ||
      (!instruction[l*ReceiveWidth + CombineAt] ? \u_dut.deliver_held_q [l] == instruction[l*ReceiveWidth + DeliverAt] :
       !\u_dut.deliver_held_q [l] || (instruction[l*ReceiveWidth + DeliverAt] &&
         (instruction[l*ReceiveWidth +: PlaceWidth] != watched || watched_begun == 4'(expected_parts))));
  end
  logic [Radix-1:0] right_sends, right_own, right_sending, right_room;
  for (genvar p = 0; p < Radix; p++) begin : g_output_state
    localparam int S = p * Each * SendBits;
    logic [1:0]                own_started;
    logic [2:0]                own_first, own_all, boundary, own_waits;
    logic [Each*Flits-1:0]     right_flit;
    assign own_started = 2'(has_started[p*Each] && send[S + PlaceWidth]) + 2'(has_started[p*Each + 1] && send[S + SendBits + PlaceWidth]);
    assign own_first   = 3'(own[p*Each*PacketWidth + NameWidth +: LengthWidth]);
    assign own_all     = own_first + 3'(own[(p*Each + 1)*PacketWidth + NameWidth +: LengthWidth]);
    assign boundary    = own_started == '0 ? '0 : own_started == 2'd1 ? own_first : own_all;
    assign own_waits   = own_in_q[3*p +: 3] - own_out_q[3*p +: 3];
    assign right_sends[p] = started_q[2*p +: 2] <= send_given_q[2*p +: 2] && 32'(send_given_q[2*p +: 2]) <= Each &&
      !(in_out_q[p] && (started_q[2*p +: 2] == '0 || Flits == 1)) &&
      sends_count[2*p +: 2] == 2'(send_given_q[2*p +: 2] - started_q[2*p +: 2]) && sends_head[p] == started_q[2*p] &&
      sends_tail[p] == send_given_q[2*p] && (send_given_q[2*p +: 2] == '0 || sends_0[p*SendWidth +: SendWidth] == SendWidth'(send[S +: SendBits])) &&
      (32'(send_given_q[2*p +: 2]) < 2 || sends_1[p*SendWidth +: SendWidth] == SendWidth'(send[S + SendBits +: SendBits]));
    for (genvar j = 0; j < Each * Flits; j++) begin : g_flit
      assign right_flit[j] = !(32'(own_out_q[3*p +: 3]) <= j && j < 32'(own_in_q[3*p +: 3])) ||
        (j % 2 == 0 ? own_stored_0[p*FlitWidth +: FlitWidth] : own_stored_1[p*FlitWidth +: FlitWidth]) ==
        own_flits[(p*Each*Flits + j)*FlitWidth +: FlitWidth];
    end
    assign right_own[p] = own_in_q[3*p +: 3] <= own_all && own_out_q[3*p +: 3] <= own_in_q[3*p +: 3] && own_waits <= 3'd2 &&
      3'(own_count[2*p +: 2]) == own_waits && own_head[p] == own_out_q[3*p] && own_tail[p] == own_in_q[3*p] && right_flit == '1 &&
      own_out_q[3*p +: 3] == boundary - 3'(in_out_q[p] && is_own[p]) && !(in_out_q[p] && is_own[p] && own_waits == '0);
    assign right_sending[p] = Flits == 1 ? !sending_held[p] :
      sending_held[p] == in_out_q[p] && sending_left[p*LengthWidth +: LengthWidth] == LengthWidth'(in_out_q[p]) &&
      (!in_out_q[p] || (sending_index[p] && sending_place[p*(1 + BufferWidth) +: 1 + BufferWidth] ==
                                            {is_own[p], now[p*SendBits +: BufferWidth]}));
    assign right_room[p] = 32'(room_q[2*p +: 2]) <= Window && 2'(credits[p*AheadWidth +: AheadWidth]) == room_q[2*p +: 2];
  end

  // ---- the life of a buffer in its generation: what the instructions say that name both
  logic [Buffers-1:0]                 right_generation, right_table, right_uses, right_header;
  logic [Buffers*GenerationWidth-1:0] generation;
  for (genvar i = 0; i < All; i++) begin : g_is_granted
    assign is_granted[i] = 32'(granted_q[2*(i/Each) +: 2]) > i % Each;
  end
  for (genvar b = 0; b < Buffers; b++) begin : g_buffer
    logic [GenerationWidth-1:0] g;
    logic [All-1:0]             here, right_instruction, right_fields, right_length;
    logic [AllSends-1:0]        sent_here, right_send;
    logic [All-1:0]             right_before;
    logic                       granted, complete_here;
    logic [LengthWidth-1:0]     stored_length;
    assign g             = \u_dut.u_buffer_table.first_q [b] ? '0 : table_generation[b*GenerationWidth +: GenerationWidth];
    assign generation[b*GenerationWidth +: GenerationWidth] = g;
    assign granted       = \u_dut.u_buffer_table.granted_q [b];
    assign complete_here = \u_dut.u_buffer_table.complete_q [b];
    assign stored_length = stored[b*Flits*FlitWidth + NameWidth +: LengthWidth];
    for (genvar i = 0; i < All; i++) begin : g_of_instruction
      logic                       of_it;
      logic [GenerationWidth-1:0] its;
      assign of_it   = has_buffer[i] && 32'(place[i*PlaceWidth +: BufferWidth]) == b;
      assign its     = place[i*PlaceWidth + BufferWidth +: GenerationWidth];
      assign here[i] = of_it && its == g;
      assign right_instruction[i] = !of_it || !((is_granted[i] && its > g) || (its < g && !has_ended[i]));
      assign right_fields[i] = !here[i] || !granted || (table_parts[b*CountWidth +: CountWidth] == parts[i*CountWidth +: CountWidth] &&
                                                        table_uses[b*CountWidth +: CountWidth] == uses[i*CountWidth +: CountWidth]);
      assign right_length[i] = !here[i] || !has_begun[i] || stored_length == length[i*LengthWidth +: LengthWidth];
    end
    // Every generation before this one had an instruction, of which there are All.
    for (genvar k = 0; k < All; k++) begin : g_before
      logic [All-1:0] had;
      for (genvar i = 0; i < All; i++) begin : g_had
        assign had[i] = has_buffer[i] && 32'(place[i*PlaceWidth +: BufferWidth]) == b &&
                        32'(place[i*PlaceWidth + BufferWidth +: GenerationWidth]) == k;
      end
      assign right_before[k] = 32'(g) <= k || had != '0;
    end
    for (genvar j = 0; j < AllSends; j++) begin : g_of_send
      logic of_it;
      assign of_it         = !send[j*SendBits + PlaceWidth] && 32'(send[j*SendBits +: BufferWidth]) == b;
      assign sent_here[j]  = of_it && has_started[j] && send[j*SendBits + BufferWidth +: GenerationWidth] == g;
      assign right_send[j] = !of_it || !has_started[j] || send[j*SendBits + BufferWidth +: GenerationWidth] <= g;
    end
    assign right_generation[b] = right_instruction == '1 && right_send == '1 && right_before == '1 && 32'(g) <= All;
    assign right_table[b] = granted == ((here & is_granted) != '0) && (!granted || (right_fields == '1 &&
      4'(table_started[b*CountWidth +: CountWidth]) == 4'($countones(here & has_begun)) &&
      4'(table_finished[b*CountWidth +: CountWidth]) == 4'($countones(here & has_ended)) &&
      complete_here == (table_finished[b*CountWidth +: CountWidth] == table_parts[b*CountWidth +: CountWidth]))) &&
      !(complete_here && !granted);
    assign right_uses[b]   = complete_here ? table_sent[b*CountWidth +: CountWidth] == CountWidth'($countones(sent_here)) &&
                                             table_sent[b*CountWidth +: CountWidth] != table_uses[b*CountWidth +: CountWidth] :
                                             sent_here == '0 && (!granted || table_sent[b*CountWidth +: CountWidth] == '0);
    assign right_header[b] = right_length == '1;
  end

  // ---- what is stored of the watched packet
  logic                       current;  // its buffer has been granted to it and is not yet free
  logic [GenerationWidth-1:0] watched_generation;
  logic                       right_past, right_results;
  logic [Flits-1:0]           right_stored;
  logic [Lanes-1:0]           passes_on;
  assign watched_generation = generation[32'(watched[BufferWidth-1:0])*GenerationWidth +: GenerationWidth];
  assign current    = \u_dut.u_buffer_table.granted_q [watched[BufferWidth-1:0]] && watched_generation == watched[PlaceWidth-1:BufferWidth];
  assign right_past = watched_generation <= watched[PlaceWidth-1:BufferWidth] || (complete && watched_sent == expected_uses);
  for (genvar f = 0; f < Flits; f++) begin : g_stored
    logic [FlitWidth-1:0] it;
    logic                 some_wrote;
    assign it         = stored[(32'(watched[BufferWidth-1:0])*Flits + f)*FlitWidth +: FlitWidth];
    assign some_wrote = wrote[f*All +: All] != '0;
    assign right_stored[f] = !current || ((!some_wrote || it == so_far[f*FlitWidth +: FlitWidth]) &&
      (Combining == 0 || \u_dut.u_packet_buffers.g_combine.written_q [32'(watched[BufferWidth-1:0])*Flits + f] == some_wrote));
  end
  // While the second flit of the watched packet leaves, nothing has come yet of the next in its buffer.
  logic [Radix-1:0] right_leaving;
  for (genvar p = 0; p < Radix; p++) begin : g_leaving
    assign right_leaving[p] = Flits == 1 || !(in_out_q[p] && is_watched[p]) ||
      stored[(32'(watched[BufferWidth-1:0])*Flits + Flits - 1)*FlitWidth +: FlitWidth] == expected[PacketWidth-FlitWidth +: FlitWidth];
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_passes_on
    assign passes_on[l] = Flits > 1 && in_packet_q[l] && \u_dut.deliver_held_q [l] && instruction[l*ReceiveWidth + CombineAt] &&
                          instruction[l*ReceiveWidth +: PlaceWidth] == watched;
  end
  assign right_results = 4'(results_q) + 4'($countones(result_ends)) + 4'($countones(passes_on)) ==
                         4'(is_sum && expected_delivers && watched_begun == 4'(expected_parts));

  always @(posedge clk_i) begin
    if (rst_n) begin
      a_packets_are_granted_within_the_window : assert (too_many == '0);
      a_sends_are_programmed               : assert (unprogrammed == '0);
      a_sends_wait_for_slot_and_packet     : assert (too_early == '0);
      a_neighbours_have_room               : assert (without_room == '0);
      a_packets_are_unaltered              : assert (altered == '0);
      a_flits_follow_one_another           : assert (misframed == '0);
      a_what_can_be_sent_is_sent           : assert (PortModel != safnet_pkg::AllPort ? must_start == '0 || in_out_q != '0 || out_begins != '0 :
                                                     (must_start & ~out_begins) == '0);
      a_one_packet_leaves_at_a_time        : assert (PortModel == safnet_pkg::AllPort || !(&tx_valid));
      a_the_host_gets_what_it_is_to_get    : assert (misdelivered == '0);
      a_the_host_gets_a_sum_once           : assert (!complete || !is_sum || !expected_delivers || results_q + 2'($countones(result_ends)) == 2'd1);
      a_a_node_with_work_is_not_idle       : assert (!idle || (send_given_q == started_q && given_q == begun_q && in_packet_q == '0 &&
                                                     in_out_q == '0 && (watched_begun == '0 || (complete && watched_sent == expected_uses))));
      h_time       : assert (\u_dut.slot_open_q == open_q && \u_dut.slot_q == 32'(step_q) && running_q == (step_q != '0) && (!open_q || running_q) &&
                             32'(phase_q) < SlotCycles && open_q == (running_q && phase_q == '0) &&
                             (SlotCycles == 1 || in_out_q == '0 || 32'(phase_q) == 1));
      h_settings   : assert (32'(\u_dut.window_q ) == Window && 32'(\u_dut.port_model_q ) == PortModel);
      h_counts     : assert (right_counts == '1);
      h_programs   : assert (right_programs == '1);
      h_granted    : assert (right_granted == '1);
      h_flits      : assert (right_flits == '1);
      h_held       : assert (right_held == '1);
      h_sends      : assert (right_sends == '1);
      h_own        : assert (right_own == '1);
      h_sending    : assert (right_sending == '1);
      h_room       : assert (right_room == '1);
      h_generation : assert (right_generation == '1);
      h_table      : assert (right_table == '1);
      h_uses       : assert (right_uses == '1);
      h_header     : assert (right_header == '1);
      h_occupancy  : assert (\u_dut.u_buffer_table.occupancy_q == 2'($countones(\u_dut.u_buffer_table.granted_q )));
      h_past       : assert (right_past);
      h_stored     : assert (right_stored == '1);
      h_leaving    : assert (right_leaving == '1);
      h_results    : assert (right_results);
      c_sent_twice      : cover (watched_sent == CountWidth'(2) && names[0] && in_out_q == '0 && expected_uses == CountWidth'(2) && complete && idle);
      c_next_generation : cover (watched_sent != '0 && watched[PlaceWidth-1:BufferWidth] == GenerationWidth'(1) && has_ended[3]);
      c_own             : cover (started_q == 4'b1010 && own_out_q[2:0] > 3'd1 && own_out_q[5:3] > 3'd1 && idle);
      c_sum             : cover (expected_parts == CountWidth'(3) && complete && watched_sent == CountWidth'(1) && results_q == 2'd1);
    end
  end
endmodule
