// tdm_node_programs - a whole node that obeys programs: whatever they say, a send that names a buffer and a generation sends the packet that
// was received for them, or the sum of all its parts, unaltered, once it is complete, its slot has come and the neighbour has room; it
// starts in the first cycle in which all of that holds. Sends leave in the order of their program. The host gets what it is to get, once.
//
// A node of two links and a host. Each lane and each output has a program of up to two instructions, any ones with which receive
// instructions agree on a packet (what the host must do, rtl/tdm/README.md); sends may name any buffer, generation and slot, so that a
// schedule may be wrong. The packets that come through each lane have any contents and names. Host and neighbours give instructions,
// packets and credits at any time, the flits of a packet one after the other. One buffer in one generation, any one, is watched. So
// is each that a loopback sends, as it goes into a sum that may be the watched one. A send over a loopback that waits for itself, or
// for one after it, is left out: it waits for ever.
module tdm_node_programs #(
  parameter int Flits      = 1,  // 1 or 2
  parameter int PortModel  = 0,
  parameter int Combining  = 0,
  parameter int SlotCycles = 1,
  parameter int Window     = 1,
  parameter int Loopbacks  = 0,
  localparam int Radix           = 2,
  localparam int Lanes           = Radix + 1 + Loopbacks,
  localparam int Outputs         = Radix + Loopbacks,
  localparam int Each            = 2,  // instructions of a program, and packets of the host for a link
  localparam int All             = Lanes * Each,
  localparam int AllCome         = (Radix + 1) * Each,  // those that do not come over loopbacks
  localparam int AllSends        = Outputs * Each,
  localparam int Watches         = 1 + Loopbacks * Each,
  localparam int Buffers         = 2,
  localparam int BufferWidth     = 1,
  localparam int NameWidth       = 1,
  localparam int GenerationWidth = $clog2(All + 1),  // none comes again: each has an instruction of its own
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
  input logic               clk_i,
  input logic               start_i,
  input logic [Lanes-1:0]   receive_i,  // the host gives the next instruction of the lane
  input logic [Outputs-1:0] send_i,     // or of the output
  input logic [Lanes-1:0]   comes_i,    // a packet begins on the lane, if there may be one
  input logic [Radix-1:0]   own_i,      // the host gives the next flit of its packets for the output
  input logic [Radix-1:0]   return_i    // a credit of the neighbour, if it has room
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [All*ReceiveWidth-1:0]       receive; // instructions, lane by lane
  (* anyconst *) logic [AllSends*SendBits-1:0]      send;
  (* anyconst *) logic [AllCome*PacketWidth-1:0]    come;    // packets that come, lane by lane
  (* anyconst *) logic [Radix*Each*PacketWidth-1:0] own;     // packets of the host for the links
  (* anyconst *) logic [PlaceWidth-1:0]             watched;
  logic [All*PacketWidth-1:0]    packet;                     // with those over loopbacks
  logic [Watches*PlaceWidth-1:0] watch;                      // what is watched, and what goes over loopbacks

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

  // ---- what the programs say of each packet that comes
  logic [All-1:0]             has_buffer, combines, delivers;
  logic [All*PlaceWidth-1:0]  place;
  logic [All*CountWidth-1:0]  parts, uses;
  logic [All*LengthWidth-1:0] length;
  for (genvar i = 0; i < All; i++) begin : g_instruction
    localparam int R = i * ReceiveWidth;
    logic [All-1:0] meets, agrees;
    assign combines[i]   = receive[R + CombineAt];
    assign delivers[i]   = receive[R + DeliverAt];
    assign has_buffer[i] = receive[R + StoreAt] || combines[i];
    assign place[i*PlaceWidth +: PlaceWidth]    = receive[R +: PlaceWidth];
    assign parts[i*CountWidth +: CountWidth]    = receive[R + PlaceWidth +: CountWidth];
    assign uses[i*CountWidth +: CountWidth]     = receive[R + PlaceWidth + CountWidth +: CountWidth];
    assign length[i*LengthWidth +: LengthWidth] = packet[i*PacketWidth + NameWidth +: LengthWidth];
    for (genvar k = 0; k < All; k++) begin : g_other
      assign meets[k]  = has_buffer[i] && has_buffer[k] && receive[R +: PlaceWidth] == receive[k*ReceiveWidth +: PlaceWidth];
      assign agrees[k] = i == k || !meets[k] || (combines[i] && receive[R +: ReceiveWidth] == receive[k*ReceiveWidth +: ReceiveWidth] &&
                         packet[i*PacketWidth + NameWidth +: LengthWidth] == packet[k*PacketWidth + NameWidth +: LengthWidth]);
    end
    always @(posedge clk_i) begin
      assume (agrees == '1);  // instructions for one packet differ in nothing, and its parts have one length
      assume (!(receive[R + StoreAt] && combines[i]) && (Combining != 0 || !combines[i]));
      assume (!has_buffer[i] || (32'(receive[R + PlaceWidth +: CountWidth]) >= $countones(meets) &&
                                 (combines[i] || receive[R + PlaceWidth +: CountWidth] == CountWidth'(1))));
      assume (i >= AllCome || (length[i*LengthWidth +: LengthWidth] != '0 && 32'(length[i*LengthWidth +: LengthWidth]) <= Flits));
    end
  end

  // ---- and of a packet that is watched: the one that is received for a buffer in a generation, or the sum of its parts
  logic [All-1:0]                 has_begun, has_ended;
  logic [Watches*All-1:0]         names;  // it is the packet, or goes into it
  logic [Watches*PacketWidth-1:0] expected, so_far;   // all of it; the sum of those flits that have come
  logic [Watches*Flits-1:0]       some_wrote;         // a flit of some part has come
  logic [Watches*CountWidth-1:0]  expected_uses, sent;
  logic [Watches-1:0]             complete, is_sum, expected_delivers, all_begun;
  logic [AllSends-1:0]            has_started;
  logic [CountWidth-1:0]          watched_sent, watched_uses;
  assign watched_sent = sent[CountWidth-1:0];
  assign watched_uses = expected_uses[CountWidth-1:0];
  assign watch[PlaceWidth-1:0]        = watched;
  assign packet[AllCome*PacketWidth-1:0] = come;
  for (genvar v = 0; v < Watches; v++) begin : g_watch
    localparam int Before = v == 0 ? All : AllCome + v - 1;  // what goes over a loopback has no later packet of it as a part
    logic [All-1:0]          named;
    logic [LengthWidth-1:0]  its_length;
    logic [NameWidth-1:0]    its_name;
    logic [CountWidth-1:0]   its_parts, its_uses;
    logic [AllSends-1:0]     its_sends;
    logic                    sums, to_host;
    logic [Flits*All-1:0]    wrote;
    for (genvar i = 0; i < All; i++) begin : g_names
      assign named[i] = has_buffer[i] && place[i*PlaceWidth +: PlaceWidth] == watch[v*PlaceWidth +: PlaceWidth];
      for (genvar f = 0; f < Flits; f++) begin : g_flit
        assign wrote[f*All + i] = named[i] && (f == 0 ? has_begun[i] : has_ended[i] && 32'(length[i*LengthWidth +: LengthWidth]) > f);
      end
    end
    always_comb begin
      {its_name, its_length, its_parts, its_uses, to_host, sums} = '0;
      for (int i = 0; i < Before; i++) begin
        if (named[i]) begin
          its_length = length[i*LengthWidth +: LengthWidth];
          its_name   = combines[i] ? receive[i*ReceiveWidth + NameAt +: NameWidth] : packet[i*PacketWidth +: NameWidth];
          its_parts  = parts[i*CountWidth +: CountWidth];
          its_uses   = uses[i*CountWidth +: CountWidth];
          to_host    = delivers[i];
          sums       = combines[i];
        end
      end
    end
    for (genvar w = 0; w < 2 * Flits; w++) begin : g_word
      logic [WordWidth-1:0] all, some;
      if (w == 0) begin : g_name
        assign all  = {its_length, its_name};
        assign some = all;
      end else begin : g_data
        always_comb begin
          {all, some} = '0;
          for (int i = 0; i < Before; i++) begin
            // Without combining one packet at most is named, which needs no adder.
            if (Combining == 0) all = all | (packet[i*PacketWidth + w*WordWidth +: WordWidth] & {WordWidth{named[i]}});
            else                all = all + (packet[i*PacketWidth + w*WordWidth +: WordWidth] & {WordWidth{named[i]}});
            some = some + (packet[i*PacketWidth + w*WordWidth +: WordWidth] & {WordWidth{wrote[(w/2)*All + i]}});
          end
          if (Combining == 0) some = all;
        end
      end
      assign expected[v*PacketWidth + w*WordWidth +: WordWidth] = all;
      assign so_far[v*PacketWidth + w*WordWidth +: WordWidth]   = some;
    end
    for (genvar f = 0; f < Flits; f++) begin : g_wrote
      assign some_wrote[v*Flits + f] = wrote[f*All +: All] != '0;
    end
    for (genvar j = 0; j < AllSends; j++) begin : g_send
      assign its_sends[j] = !send[j*SendBits + PlaceWidth] && send[j*SendBits +: PlaceWidth] == watch[v*PlaceWidth +: PlaceWidth];
    end
    assign names[v*All +: All]                       = named;
    assign is_sum[v]                                 = sums;
    assign expected_delivers[v]                      = to_host;
    assign expected_uses[v*CountWidth +: CountWidth] = its_uses;
    assign sent[v*CountWidth +: CountWidth]          = CountWidth'($countones(its_sends & has_started));
    assign all_begun[v] = (named & has_begun) != '0 && $countones(named & has_begun) == 32'(its_parts);
    assign complete[v]  = (named & has_ended) != '0 && $countones(named & has_ended) == 32'(its_parts);
    if (v > 0) begin : g_loopback
      localparam int I = AllCome + v - 1;
      assign watch[v*PlaceWidth +: PlaceWidth]    = send[(Radix*Each + v - 1)*SendBits +: PlaceWidth];
      assign packet[I*PacketWidth +: PacketWidth] = expected[v*PacketWidth +: PacketWidth];
      always @(posedge clk_i) begin
        assume ((named >> Before) == '0);
        assume (!send[(Radix*Each + v - 1)*SendBits + PlaceWidth]);  // hosts do not send over loopbacks
      end
    end
  end

  // ---- what comes in. Counts are of instructions and packets of a lane.
  logic [Lanes-1:0]              receive_valid, receive_ready, valid, ready, begins, ends, in_packet_q, which;
  logic [Lanes*2-1:0]            given_q, begun_q, ended;
  logic [Lanes*ReceiveWidth-1:0] offered, instruction;  // that the host gives next; of the packet that is on the lane
  logic [Lanes*FlitWidth-1:0]    flit;
  logic [Radix*2-1:0]            credits_q;  // that the neighbour has been given
  logic [Outputs-1:0]            tx_valid;   // what leaves; over a loopback it comes in the same cycle
  logic [Outputs*FlitWidth-1:0]  tx_flit;
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
    end else if (l == Radix) begin : g_host
      assign valid[l] = rst_n && (in_packet_q[l] || (comes_i[l] && 32'(begun_q[2*l +: 2]) < Each));
    end else begin : g_loopback
      assign ready[l] = 1'b1;
      assign valid[l] = tx_valid[l-1];
    end
    assign begins[l] = valid[l] && ready[l] && !in_packet_q[l];
    assign ends[l]   = valid[l] && ready[l] && (in_packet_q[l] || of_it == LengthWidth'(1));
    if (l > Radix) begin : g_sent
      assign flit[l*FlitWidth +: FlitWidth] = tx_flit[(l-1)*FlitWidth +: FlitWidth];
    end else if (Flits == 1) begin : g_one
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
  for (genvar i = 0; i < All; i++) begin : g_part
    assign has_begun[i] = 32'(begun_q[2*(i/Each) +: 2]) > i % Each;
    assign has_ended[i] = 32'(ended[2*(i/Each) +: 2]) > i % Each;
  end

  // ---- the node
  logic [Outputs-1:0]           send_valid, send_ready, return_credit;
  logic [Outputs*SendWidth-1:0] send_now;
  logic [Radix-1:0]             own_valid, own_ready;
  logic [Radix*FlitWidth-1:0]   own_flit;
  (* hierconn *) wire [Outputs-1:0]           \u_dut.out_valid ;
  (* hierconn *) wire [Outputs*FlitWidth-1:0] \u_dut.out_flit ;
  (* hierconn *) wire [Lanes-1:0]             \u_dut.grant , \u_dut.credit_q , \u_dut.deliver_held_q ;
  logic [Lanes-1:0]           deliver_valid, deliver_last;
  logic [Lanes*FlitWidth-1:0] deliver_flit;
  logic                       idle;
  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers), .ProgramDepth(2), .Window(Window), .NameWidth(NameWidth),
    .GenerationWidth(GenerationWidth), .CountWidth(CountWidth), .Combining(Combining), .Loopbacks(Loopbacks)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .cycle_i('0), .step_i(open_next ? 32'(step) - 32'd1 : 32'(step_q)), .slot_open_next_i(open_next),
    .tx_valid_o(tx_valid[Radix-1:0]), .tx_flit_o(tx_flit[Radix*FlitWidth-1:0]),
    .rx_valid_i(valid[Radix-1:0]), .rx_flit_i(flit[Radix*FlitWidth-1:0]), .rx_credit_i(return_credit[Radix-1:0]), .fault_drop_i('0),
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
  logic [Outputs-1:0]   out_begins, out_ends, in_out_q, is_own, must_start, unprogrammed, too_early, without_room, altered, misframed;
  logic [Outputs-1:0]   out_which, own_waits, refuses;
  logic [Outputs*2-1:0] send_given_q, started_q, room_q;
  logic [Outputs*SendBits-1:0]  now;                // the send that begins next, or whose packet leaves
  logic [Watches*Outputs-1:0]   leaves;             // it names what is watched, first of all `watched`
  logic [Outputs*FlitWidth-1:0] own_wanted;
  logic [Radix-1:0]             in_own;
  logic [Radix*3-1:0]           own_in_q, own_out_q;  // flits
  logic [Radix*3-1:0]           own_first, own_all;   // flits of the first packet, and of both
  logic [Radix*(Each*Flits)*FlitWidth-1:0] own_flits;
  for (genvar p = 0; p < Outputs; p++) begin : g_output
    logic [Watches-1:0] altered_here;
    // the program
    assign send_valid[p] = send_i[p] && 32'(send_given_q[2*p +: 2]) < Each;
    assign send_now[p*SendWidth +: SendWidth] = SendWidth'(send_given_q[2*p] ? send[(p*Each + 1)*SendBits +: SendBits] :
                                                                               send[p*Each*SendBits +: SendBits]);
    assign out_which[p]  = started_q[2*p] ^ in_out_q[p];
    assign now[p*SendBits +: SendBits] = out_which[p] ? send[(p*Each + 1)*SendBits +: SendBits] : send[p*Each*SendBits +: SendBits];
    assign is_own[p]     = now[p*SendBits + PlaceWidth];
    for (genvar j = 0; j < Each; j++) begin : g_send
      assign has_started[p*Each + j] = 32'(started_q[2*p +: 2]) > j;
    end
    if (p < Radix) begin : g_link
      logic [PacketWidth-1:0] own_0, own_1;
      assign own_0     = own[p*Each*PacketWidth +: PacketWidth];
      assign own_1     = own[(p*Each + 1)*PacketWidth +: PacketWidth];
      assign own_first[3*p +: 3] = 3'(own_0[NameWidth +: LengthWidth]);
      assign own_all[3*p +: 3]   = own_first[3*p +: 3] + 3'(own_1[NameWidth +: LengthWidth]);
      if (Flits == 1) begin : g_one
        assign own_flits[p*2*FlitWidth +: 2*FlitWidth]  = {own_1, own_0};
        assign own_flit[p*FlitWidth +: FlitWidth]       = own_in_q[3*p] ? own_1 : own_0;
        assign own_wanted[p*FlitWidth +: FlitWidth]     = own_out_q[3*p] ? own_1 : own_0;
      end else begin : g_two
        assign own_flits[p*4*FlitWidth +: 4*FlitWidth]  = own_first[3*p + 1] ? {own_1, own_0} :
                                                                         {own_1[FlitWidth +: FlitWidth], own_1, own_0[0 +: FlitWidth]};
        assign own_flit[p*FlitWidth +: FlitWidth]       = own_flits[(p*4 + 32'(own_in_q[3*p +: 2]))*FlitWidth +: FlitWidth];
        assign own_wanted[p*FlitWidth +: FlitWidth]     = own_flits[(p*4 + 32'(own_out_q[3*p +: 2]))*FlitWidth +: FlitWidth];
      end
      assign in_own[p]    = own_in_q[3*p +: 3] != '0 && own_in_q[3*p +: 3] != own_first[3*p +: 3] && own_in_q[3*p +: 3] < own_all[3*p +: 3] &&
                            tx_valid[p] && is_own[p];  // until it leaves the host may pause
      assign own_valid[p] = rst_n && (in_own[p] || (own_i[p] && own_in_q[3*p +: 3] < own_all[3*p +: 3]));
      assign refuses[p]   = (32'(send_given_q[2*p +: 2]) < Each && !send_ready[p]) ||
                            (3'(own_in_q[3*p +: 3] - own_out_q[3*p +: 3]) < 3'd2 && !own_ready[p]);
      assign own_waits[p] = own_in_q[3*p +: 3] != own_out_q[3*p +: 3];
      assign return_credit[p] = rst_n && return_i[p] && 32'(room_q[2*p +: 2]) < Window;
      always @(posedge clk_i) begin
        if (!rst_n) {own_in_q[3*p +: 3], own_out_q[3*p +: 3]} <= '0;
        else begin
          own_in_q[3*p +: 3]  <= own_in_q[3*p +: 3] + 3'(own_valid[p] && own_ready[p]);
          own_out_q[3*p +: 3] <= own_out_q[3*p +: 3] + 3'(tx_valid[p] && is_own[p]);
        end
        assume (own_0[NameWidth +: LengthWidth] != '0 && 32'(own_0[NameWidth +: LengthWidth]) <= Flits);
        assume (own_1[NameWidth +: LengthWidth] != '0 && 32'(own_1[NameWidth +: LengthWidth]) <= Flits);
      end
    end else begin : g_loopback
      assign tx_valid[p]                          = \u_dut.out_valid [p];
      assign tx_flit[p*FlitWidth +: FlitWidth]    = \u_dut.out_flit [p*FlitWidth +: FlitWidth];
      assign own_wanted[p*FlitWidth +: FlitWidth] = '0;
      assign own_waits[p]                         = 1'b0;
      assign refuses[p]                           = 32'(send_given_q[2*p +: 2]) < Each && !send_ready[p];
      assign return_credit[p]                     = \u_dut.credit_q [p+1];
    end
    // the packet that leaves
    for (genvar v = 0; v < Watches; v++) begin : g_watch
      assign leaves[v*Outputs + p] = !is_own[p] && now[p*SendBits +: PlaceWidth] == watch[v*PlaceWidth +: PlaceWidth];
      assign altered_here[v] = leaves[v*Outputs + p] && tx_flit[p*FlitWidth +: FlitWidth] !=
        (Flits > 1 && in_out_q[p] ? expected[(v+1)*PacketWidth-FlitWidth +: FlitWidth] : expected[v*PacketWidth +: FlitWidth]);
    end
    assign out_begins[p]    = tx_valid[p] && !in_out_q[p];
    assign out_ends[p]      = tx_valid[p] && (in_out_q[p] || tx_flit[p*FlitWidth + NameWidth +: LengthWidth] == LengthWidth'(1));
    assign altered[p]       = tx_valid[p] && (altered_here != '0 ||
                              (is_own[p] && tx_flit[p*FlitWidth +: FlitWidth] != own_wanted[p*FlitWidth +: FlitWidth]));
    assign unprogrammed[p]  = out_begins[p] && send_given_q[2*p +: 2] == started_q[2*p +: 2];
    // Of more sends than uses those that start together with the last leave as well; the buffer is then never free again.
    assign too_early[p]     = out_begins[p] && (!open_q || step_q < 4'(now[p*SendBits + PlaceWidth + 1 +: SlotBits]) ||
                              (leaves[p] && (!complete[0] || watched_sent == watched_uses)) || (is_own[p] && !own_waits[p]));
    assign without_room[p]  = out_begins[p] && room_q[2*p +: 2] == '0;
    assign misframed[p]     = in_out_q[p] && !tx_valid[p];
    assign must_start[p]    = open_q && !in_out_q[p] && send_given_q[2*p +: 2] != started_q[2*p +: 2] && room_q[2*p +: 2] != '0 &&
                              step_q >= 4'(now[p*SendBits + PlaceWidth + 1 +: SlotBits]) &&
                              (is_own[p] ? own_waits[p] : leaves[p] && complete[0] && watched_sent != watched_uses);
    always @(posedge clk_i) begin
      if (!rst_n) {in_out_q[p], send_given_q[2*p +: 2], started_q[2*p +: 2], room_q[2*p +: 2]} <= '0;
      else begin
        send_given_q[2*p +: 2] <= send_given_q[2*p +: 2] + 2'(send_valid[p] && send_ready[p]);
        started_q[2*p +: 2]    <= started_q[2*p +: 2] + 2'(out_begins[p]);
        room_q[2*p +: 2]       <= room_q[2*p +: 2] + 2'(return_credit[p]) - 2'(out_begins[p]);
        if (tx_valid[p]) in_out_q[p] <= !out_ends[p];
      end
    end
  end

  // ---- what the host gets, a cycle after it has come
  logic [Lanes-1:0]           passed_q;     // a flit went to the host
  logic [Lanes-1:0]           came_q, came_last_q, came_first_q, came_alone_q, came_watched_q, misdelivered, result_ends;
  logic [Lanes*FlitWidth-1:0] came_flit_q;
  logic [1:0]                 results_q;  // deliveries of the watched sum
  for (genvar l = 0; l < Lanes; l++) begin : g_delivery
    logic [FlitWidth-1:0] wanted;
    always @(posedge clk_i) begin
      came_q[l]         <= rst_n && valid[l] && ready[l] && instruction[l*ReceiveWidth + DeliverAt];
      came_last_q[l]    <= ends[l];
      passed_q[l]       <= deliver_valid[l];
      came_first_q[l]   <= begins[l];
      came_alone_q[l]   <= !instruction[l*ReceiveWidth + CombineAt];
      came_watched_q[l] <= instruction[l*ReceiveWidth + CombineAt] && instruction[l*ReceiveWidth +: PlaceWidth] == watched;
      came_flit_q[l*FlitWidth +: FlitWidth] <= flit[l*FlitWidth +: FlitWidth];
    end
    assign wanted = came_alone_q[l] ? came_flit_q[l*FlitWidth +: FlitWidth] : came_first_q[l] ? expected[0 +: FlitWidth] :
                                                                              expected[PacketWidth-FlitWidth +: FlitWidth];
    assign misdelivered[l] = (deliver_valid[l] && !came_q[l]) || (came_q[l] && came_alone_q[l] && !deliver_valid[l]) ||
      (came_q[l] && came_watched_q[l] && !came_first_q[l] && deliver_valid[l] != passed_q[l]) ||
      (deliver_valid[l] && (came_alone_q[l] || came_watched_q[l]) &&
       (deliver_flit[l*FlitWidth +: FlitWidth] != wanted || deliver_last[l] != came_last_q[l]));
    assign result_ends[l] = deliver_valid[l] && came_last_q[l] && came_watched_q[l];
  end
  always @(posedge clk_i) results_q <= !rst_n ? '0 : results_q + 2'($countones(result_ends));

  // ---- what is granted. The next instruction can be if it needs no buffer, or the first generation of one, or the generation after what
  // is watched, and that has left.
  logic [Lanes*2-1:0] granted_q;
  logic [Lanes-1:0]   refuses_receive, owed_q, withheld;  // an instruction could be granted a cycle ago; and no credit came
  for (genvar l = 0; l < Lanes; l++) begin : g_granted
    logic [ReceiveWidth-1:0] next;
    logic                    is_free;
    assign next    = receive[(l*Each + 32'(granted_q[2*l]))*ReceiveWidth +: ReceiveWidth];
    assign is_free = !(next[StoreAt] || next[CombineAt]) || next[BufferWidth +: GenerationWidth] == '0 ||
                     (next[PlaceWidth-1:0] == watched + PlaceWidth'(Buffers) && complete[0] && watched_sent == watched_uses);
    always @(posedge clk_i) begin
      granted_q[2*l +: 2] <= !rst_n ? '0 : granted_q[2*l +: 2] + 2'(\u_dut.grant [l]);
      owed_q[l] <= rst_n && granted_q[2*l +: 2] < given_q[2*l +: 2] && is_free && 32'(2'(granted_q[2*l +: 2] - begun_q[2*l +: 2])) < Window;
    end
    assign withheld[l]        = owed_q[l] && !(l == Radix ? ready[l] : \u_dut.credit_q [l]);
    assign refuses_receive[l] = 32'(given_q[2*l +: 2]) < Each && !receive_ready[l];
  end

`include "tdm_node_state.svh"

  always @(posedge clk_i) begin
    if (rst_n) begin
      a_packets_are_granted_within_the_window : assert (too_many == '0);
      a_what_can_be_granted_is_granted     : assert (withheld == '0);
      a_what_the_host_gives_is_taken       : assert (refuses_receive == '0 && refuses == '0);
      a_sends_are_programmed               : assert (unprogrammed == '0);
      a_sends_wait_for_slot_and_packet     : assert (too_early == '0);
      a_neighbours_have_room               : assert (without_room == '0);
      a_packets_are_unaltered              : assert (altered == '0);
      a_flits_follow_one_another           : assert (misframed == '0);
      a_what_can_be_sent_is_sent           : assert (PortModel == safnet_pkg::AllPort ? (must_start & ~out_begins) == '0 :
                                                     must_start[Radix-1:0] == '0 || tx_valid[Radix-1:0] != '0);
      a_the_lowest_link_goes_first         : assert (PortModel == safnet_pkg::AllPort || !(must_start[0] && out_begins[1]));
      a_loopbacks_are_no_ports             : assert (((must_start & ~out_begins) >> Radix) == '0);
      a_one_packet_leaves_at_a_time        : assert (PortModel == safnet_pkg::AllPort || !(&tx_valid[Radix-1:0]));
      a_the_host_gets_what_it_is_to_get    : assert (misdelivered == '0);
      a_the_host_gets_a_sum_once           : assert (!complete[0] || !is_sum[0] || !expected_delivers[0] ||
                                                     results_q + 2'($countones(result_ends)) == 2'd1);
      a_a_node_with_work_is_not_idle       : assert (!idle || (deliver_valid == '0 && send_given_q == started_q && given_q == begun_q &&
                                                     in_packet_q == '0 && in_out_q == '0 && ((names[All-1:0] & has_begun) == '0 ||
                                                     (complete[0] && watched_sent == watched_uses))));
      c_sent_twice      : cover (watched_sent == CountWidth'(2) && names[0] && in_out_q == '0 && complete[0] && idle);
      c_next_generation : cover (watched_sent != '0 && watched[PlaceWidth-1:BufferWidth] == GenerationWidth'(1) && has_ended[3]);
      c_own             : cover (started_q[3:0] == 4'b1010 && own_out_q[2:0] > 3'd1 && own_out_q[5:3] > 3'd1 && idle);
      c_sum             : cover ($countones(names[All-1:0]) == 32'd3 && complete[0] && is_sum[0] && watched_sent == CountWidth'(1) &&
                                 results_q == 2'd1);
      c_sum_goes_on     : cover (names[All-1] && is_sum[0] && complete[0] && watched_sent == CountWidth'(1));
    end
  end
endmodule
